//! What the texts of new skills mention, and the source does not take.

use super::{
    MAX_LISTED, Repository, SourceResult,
    find::key_in,
    links::{Target, below, resolve},
    location::Location,
    skill_tree::FoundDirectory,
};
use crate::{candidate::SourceSkill, mentions};
use helix_skills_format::{
    __internal::{listed, path_key, skill_md::frontmatter},
    DirPath, SkillMd,
};
use helix_skills_git::EntryKind;
use helix_skills_runtime::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

/// Maximum number of paths and names in a file that are looked up.
const MAX_MENTIONS: usize = 100;

impl Repository<'_, '_> {
    /// Returns a note on the files outside of new skills that their texts refer to, and a note on
    /// the other skills of the source that they name, with the command that adds these. `skills`
    /// has all selected ones.
    pub(super) fn mentioned(
        &mut self,
        location: &Location,
        skills: &[SourceSkill],
    ) -> SourceResult<Vec<String>> {
        let scope = self.scope_of(location)?;
        let before = location.before.iter().flat_map(|before| before.paths());
        let before: BTreeSet<DirPath> = before.collect();
        let by_path: BTreeMap<&str, _> =
            scope.found.iter().map(|found| (found.path.as_str(), found)).collect();
        let by_name: BTreeMap<&str, _> =
            scope.found.iter().map(|found| (&*found.name, found)).collect();
        let taken: BTreeSet<&DirPath> = skills.iter().map(|skill| &skill.locked.path).collect();
        let names: BTreeSet<&str> = taken.iter().filter_map(|path| path.file_name()).collect();
        let (mut files, mut others) = (BTreeSet::new(), BTreeMap::new());
        for SourceSkill { name, locked, contents, .. } in skills {
            let own = locked.path.as_str();
            if before.contains(&locked.path) {
                continue;
            }
            let texts = contents.files().iter().filter(|file| file.path.ends_with(".md"));
            for file in texts {
                let Ok(text) = std::str::from_utf8(&file.bytes) else { continue };
                let mut named: Vec<String> =
                    mentions::skills(text).take(MAX_MENTIONS).map(str::to_owned).collect();
                if SkillMd::is_file_name(&file.path) {
                    let is_list = |(key, _): &(String, Value)| key == "dependencies";
                    let found = frontmatter(text).into_iter().flatten().find(is_list);
                    if let Some((_, Value::List(all))) = found {
                        named.extend(all.iter().filter_map(Value::as_text).map(str::to_owned));
                    }
                }
                let named = named.iter().filter(|it| !names.contains(&***it));
                let mut mentioned: Vec<_> =
                    named.filter_map(|it| by_name.get(&**it)).copied().collect();
                let above = file.path.rsplit_once('/').map_or("", |(above, _)| above);
                for (is_plugin, path) in mentions::paths(text).take(MAX_MENTIONS) {
                    let start = locked.path.join(above).unwrap_or_else(|_| locked.path.clone());
                    let first = if is_plugin { locked.path.parent() } else { Some(start) };
                    let above = |path: &DirPath| path.parent().filter(|_| is_plugin);
                    for start in iter::successors(first, above) {
                        let start = if start.is_root() { "" } else { start.as_str() };
                        let target = resolve(self.session, location.root, start, path)?;
                        let Target::Object { kind, path: real, .. } = target else { continue };
                        if below(&real, own).is_none() {
                            let ends = real.match_indices('/').map(|(at, _)| at);
                            let mut ends = ends.chain([real.len()]);
                            match ends.find_map(|end| by_path.get(&real[..end])) {
                                Some(found) => mentioned.push(*found),
                                None if kind == EntryKind::Directory => {}
                                None => drop(files.insert(format!("{real}` of `{name}"))),
                            }
                        }
                        break;
                    }
                }
                let is_excluded = |found: &FoundDirectory| {
                    let exclude = &location.source().select.exclude;
                    exclude.contains(&found.name) || exclude.contains(&path_key(&found.path))
                };
                mentioned.retain(|found| !taken.contains(&found.path) && !is_excluded(found));
                for found in mentioned {
                    others
                        .entry(key_in(&scope, &found.path))
                        .or_insert_with(BTreeSet::new)
                        .insert(name);
                }
            }
        }
        let key = &location.key;
        let mut notes = Vec::new();
        if !files.is_empty() {
            let files = listed(files, MAX_LISTED);
            notes.push(format!("the source `{key}`: texts refer to files outside of their skills, which are not taken: {files}"));
        }
        if !others.is_empty() {
            let by: BTreeSet<_> = others.values().flatten().collect();
            let all = others.keys().map(String::as_str).collect::<Vec<_>>().join(",");
            let plugin = location.source().plugin().map(|plugin| format!(" --plugin {plugin}"));
            let url = location.source().repository().map_or(&location.url, |it| &it.url);
            let plugin = plugin.unwrap_or_default();
            notes.push(format!(
                "the source `{key}`: texts of {} name skills that are not selected: run `skills add {url}{plugin} --include {all}`",
                listed(by, MAX_LISTED)
            ));
        }
        Ok(notes)
    }
}
