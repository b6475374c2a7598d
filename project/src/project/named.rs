//! Arguments that name a source or a locked skill.

use crate::manifest::{Lock, Manifest};
use crate::{Error, error::Usage};
use helix_skills_format::{LockedSkill, SkillName, SourceKey};

/// A source of the manifest, or a locked skill with its source.
pub(super) enum Named {
    Source(SourceKey),
    Skill(SkillName, SourceKey),
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
        let skill = skill.filter(|_| matches!(kind, "" | "skill"));
        match (key, skill) {
            (Some(key), Some((name, skill))) if !is_same(&key, skill) => {
                Err(Usage::AmbiguousName { name, skill_of: skill.source.clone() }.into())
            }
            (Some(key), _) => Ok(Self::Source(key)),
            (None, Some((name, skill))) => Ok(Self::Skill(name, skill.source.clone())),
            (None, None) => {
                Err(Error::unknown_source(word, manifest, lock.skills.keys().cloned().collect()))
            }
        }
    }
}
