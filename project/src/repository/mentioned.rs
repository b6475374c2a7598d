//! What the texts of new skills mention, and the source does not take.

use super::{
    MAX_LISTED, Repository,
    discover::Scope,
    links::{Target, below, resolve},
    location::Location,
    skill_tree::FoundDirectory,
};
use crate::{candidate::SourceSkill, mentions};
use helix_skills_format::{
    __internal::{listed, path_key},
    DirPath,
};
use helix_skills_git::{self as git, EntryKind};
use helix_skills_runtime::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    iter, str,
};

/// Maximum number of paths and names in a file that are looked up.
const MAX_MENTIONS: usize = 100;

impl Repository<'_> {
    /// Returns a note on the files outside of new skills that their texts refer to, and a note on
    /// the other skills of the source that they name, with the command that adds these. `skills`
    /// are all selected ones.
    pub(super) fn mentioned(
        &mut self,
        location: &Location,
        scope: &Scope,
        skills: &[SourceSkill],
    ) -> Result<Vec<String>, git::Error> {
        let key = &location.key;
        let before = location.before.as_ref().map(|before| before.paths()).unwrap_or_default();
        let by_path: BTreeMap<&str, &FoundDirectory> =
            scope.found.iter().map(|found| (found.path.as_str(), found)).collect();
        let by_name: BTreeMap<&str, &FoundDirectory> =
            scope.found.iter().map(|found| (&*found.name, found)).collect();
        let taken: BTreeSet<&DirPath> = skills.iter().map(|skill| &skill.locked.path).collect();
        let names: BTreeSet<&str> = taken.iter().filter_map(|path| path.file_name()).collect();
        let exclude = &location.source().select.exclude;
        let is_other = |found: &FoundDirectory| {
            let is_excluded = [&found.name, &path_key(&found.path)].map(|it| exclude.contains(it));
            !taken.contains(&found.path) && !is_excluded.contains(&true)
        };
        let keys = scope.keys();
        let (mut files, mut files_by) = (BTreeSet::new(), BTreeSet::new());
        let (mut others, mut others_by) = (BTreeSet::new(), BTreeSet::new());
        for skill in skills.iter().filter(|skill| !before.contains(&skill.locked.path)) {
            let texts = skill.contents.files().iter().filter(|file| file.path.ends_with(".md"));
            let texts = texts.filter_map(|it| Some((&*it.path, str::from_utf8(&it.bytes).ok()?)));
            let mut mentioned: Vec<&FoundDirectory> = Vec::new();
            let declared = skill.skill.extra().iter().find(|(key, _)| key == "dependencies");
            let declared = match declared {
                Some((_, Value::List(all))) => all.iter().filter_map(Value::as_text).collect(),
                _ => Vec::new(),
            };
            let named = texts.clone().flat_map(|it| mentions::skills(it.1).take(MAX_MENTIONS));
            let named = named.chain(declared).filter(|name| !names.contains(name));
            mentioned.extend(named.filter_map(|name| by_name.get(name).copied()));
            for (file, text) in texts {
                for (is_plugin, path) in mentions::paths(text).take(MAX_MENTIONS) {
                    let target = self.outside(location, (skill, file), (is_plugin, path))?;
                    let Some((kind, real)) = target else { continue };
                    let mut ends = real.match_indices('/').map(|(at, _)| at).chain([real.len()]);
                    match ends.find_map(|end| by_path.get(&real[..end])) {
                        Some(found) => mentioned.push(found),
                        None if kind == EntryKind::Directory => {}
                        None => drop((files.insert(real), files_by.insert(&skill.name))),
                    }
                }
            }
            mentioned.retain(|found| is_other(found));
            others_by.extend((!mentioned.is_empty()).then_some(&skill.name));
            others.extend(mentioned.iter().map(|found| keys.of(&found.path)));
        }
        let mut notes = Vec::new();
        if !files.is_empty() {
            let (by, files) = (listed(files_by, MAX_LISTED), listed(files, MAX_LISTED));
            notes.push(format!("the source `{key}`: texts of {by} refer to files outside of their skills, which are not taken: {files}"));
        }
        if !others.is_empty() {
            let plugin = location.source().plugin().map(|plugin| format!(" --plugin {plugin}"));
            let url = location.source().repository().map_or(&location.url, |it| &it.url);
            let (by, plugin) = (listed(others_by, MAX_LISTED), plugin.unwrap_or_default());
            let all = others.into_iter().collect::<Vec<_>>().join(",");
            notes.push(format!("the source `{key}`: texts of {by} name skills that are not selected: run `skills add {url}{plugin} --include {all}`"));
        }
        Ok(notes)
    }

    /// Returns the type and the real path of what a file of a skill refers to, if it is outside of
    /// the skill: relative to the file, or with `is_plugin` to a directory above the skill.
    fn outside(
        &self,
        location: &Location,
        (skill, file): (&SourceSkill, &str),
        (is_plugin, path): (bool, &str),
    ) -> Result<Option<(EntryKind, String)>, git::Error> {
        let own = &skill.locked.path;
        let above = file.rsplit_once('/').map_or("", |(above, _)| above);
        let starts: Vec<DirPath> = match is_plugin {
            true => iter::successors(own.parent(), DirPath::parent).collect(),
            false => vec![own.join(above).unwrap_or_else(|_| own.clone())],
        };
        for start in starts {
            let start = if start.is_root() { "" } else { start.as_str() };
            if let Target::Object { kind, path, .. } =
                resolve(&self.session, location.root, start, path)?
            {
                return Ok(below(&path, own.as_str()).is_none().then_some((kind, path)));
            }
        }
        Ok(None)
    }
}
