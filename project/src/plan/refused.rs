//! The end of the errors about skills that cannot be taken.

use super::Plan;
use crate::{Error, error::Fact, selection::key_of};
use helix_skills_format::{DirPath, SourceKey};
use std::collections::{BTreeMap, BTreeSet};

impl Plan {
    /// Adds to the errors of each source with other skills how to leave out the refused ones: an
    /// error with their number, or a fact of the only error.
    pub(crate) fn close_refusals(&mut self) {
        let mut refused: BTreeMap<SourceKey, (BTreeSet<DirPath>, Vec<usize>)> = BTreeMap::new();
        for (at, error) in self.problems.iter().enumerate() {
            if let Fact::Refused(key, path, _) = error.fact() {
                let (paths, errors) = refused.entry(key.clone()).or_default();
                paths.insert(path.clone());
                errors.push(at);
            }
        }
        for (key, (paths, errors)) in refused {
            let own = self.skills.iter().map(|(_, skill)| &skill.locked);
            let own = own.filter(|locked| locked.source == key && !paths.contains(&locked.path));
            let (taken, last) = (own.count(), errors[errors.len() - 1]);
            let Some(source) = self.sources.get(&key).filter(|_| taken > 0) else { continue };
            let (known, source) = (self.exclude.get(&key), &source.entry);
            let exclude_key = |path: &DirPath| match known.and_then(|known| known.get(path)) {
                Some(key) => key.clone(),
                None => key_of(&source.select, source.directory_name(&key, path), path),
            };
            let exclude: BTreeSet<String> = paths.iter().map(exclude_key).collect();
            let fact = |path| Fact::Refused(key.clone(), path, exclude.iter().cloned().collect());
            if errors.len() == 1 {
                let error = self.problems.remove(last);
                let path = paths.iter().next().cloned().unwrap_or_else(DirPath::root);
                self.problems.insert(last, error.about(fact(path)));
                continue;
            }
            let (kind, code) = (self.problems[last].kind(), self.problems[last].code());
            let (count, total) = (paths.len(), taken + paths.len());
            let message =
                format!("{count} of {total} skills of the source `{key}` cannot be taken");
            let all: BTreeSet<_> = source.select.exclude.union(&exclude).collect();
            let hint = format!(
                "set `\"exclude\": {}` in the source `{key}` of the manifest",
                serde_json::json!(all)
            );
            self.problems
                .push(Error::new(kind, code, message).with_hint(hint).about(fact(DirPath::root())));
        }
    }
}
