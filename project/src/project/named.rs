//! Arguments that name a source or a skill.

use crate::manifest::{Lock, Manifest};
use crate::{
    Error,
    error::usage,
    selection::{key_of, key_of_locked},
};
use helix_skills_format::{LockedSkill, SkillName, SourceKey};
use std::collections::BTreeMap;

/// A source of the manifest, or one of its skills.
pub(super) enum Named {
    Source(SourceKey),
    Skill {
        name: SkillName,
        source: SourceKey,
        /// The key that names it in `include`.
        key: String,
    },
}

impl Named {
    /// Finds what `word` names. `is_same` returns whether a source and a skill of the same name
    /// mean the same.
    ///
    /// # Errors
    /// It names nothing, or a source and a skill with different meanings.
    pub(super) fn find(
        word: &str,
        manifest: &Manifest,
        lock: &Lock,
        is_same: impl Fn(&SourceKey, &LockedSkill) -> bool,
    ) -> Result<Self, Error> {
        let (kind, name) = word.split_once(':').unwrap_or(("", word));
        let key = SourceKey::new(name).ok().filter(|key| manifest.sources.contains_key(key));
        let skill = SkillName::new(name).ok().and_then(|name| {
            let skill = lock.skills.get(&name)?;
            manifest.sources.contains_key(&skill.source).then_some((name, skill))
        });
        let key = key.filter(|_| matches!(kind, "" | "source"));
        let is_skill = matches!(kind, "" | "skill");
        match (key, skill.filter(|_| is_skill)) {
            (Some(key), Some((name, skill))) if !is_same(&key, skill) => Err(Error::usage(
                format!("`{name}` is a source, and a skill of the source `{}`", skill.source),
                format!("write `source:{name}` or `skill:{name}`"),
            )),
            (Some(key), _) => Ok(Self::Source(key)),
            (None, Some((name, skill))) => {
                let source = (&skill.source, &manifest.sources[&skill.source]);
                let key = key_of_locked(source, &skill.path, lock);
                Ok(Self::Skill { name, source: skill.source.clone(), key })
            }
            (None, None) => {
                let included = is_skill.then(|| included(name, manifest, lock)).flatten();
                included.ok_or_else(|| {
                    let sources: Vec<_> = manifest.sources.keys().collect();
                    let skills: Vec<_> = lock.skills.keys().collect();
                    usage::unknown_source(word, &sources, &skills)
                })
            }
        }
    }
}

/// Returns the skill of this name, or in a directory of this name, that `include` of a source
/// names. It may not be locked yet.
fn included(word: &str, manifest: &Manifest, lock: &Lock) -> Option<Named> {
    manifest.sources.iter().find_map(|(key, source)| {
        let select = &source.select;
        let own_key = |path| key_of(select, source.directory_name(key, path), path);
        let locked = lock.skills_of(key).map(|(name, skill)| (own_key(&skill.path), name));
        let locked: BTreeMap<String, &SkillName> = locked.collect();
        select.include.iter().flatten().find_map(|included| {
            let directory = included.trim_end_matches('/').rsplit('/').next().unwrap_or(included);
            let prefix = select.prefix.as_deref().unwrap_or_default();
            let name = match locked.get(included).copied().or(select.rename.get(included)) {
                Some(name) => name.clone(),
                None => SkillName::new(&format!("{prefix}{directory}")).ok()?,
            };
            let is_named = word == name.as_str() || word == directory || word == included;
            let (source, key) = (key.clone(), included.clone());
            is_named.then_some(Named::Skill { name, source, key })
        })
    })
}
