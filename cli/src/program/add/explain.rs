//! Hints for a failed `skills add`: commands instead of edits of the manifest.

use super::{request::Request, select::Keys};
use crate::program::args::Add;
use helix_skills_format::{__internal::path_key, DirPath, Lock, SkillName, SourceKey};
use helix_skills_project::{__internal::Fact, Error};
use std::collections::BTreeSet;

/// Maximum number of skills whose new names a hint suggests one by one.
const MAX_RENAMED: usize = 3;

impl Request {
    /// Replaces the hints of skills that cannot be taken by one command that leaves them out,
    /// unless no other skill is selected. `named` are the skills that the command line names, and
    /// `is_new` is whether the manifest lacks the source.
    pub(super) fn explain_refused(
        &self,
        (key, named, is_new): (&SourceKey, &Keys, bool),
        failure: Error,
    ) -> Error {
        let is_end = |error: &Error| matches!(error.fact(), Fact::Refused(source, _, exclude) if source == key && !exclude.is_empty());
        if !failure.errors().iter().any(is_end) {
            return failure;
        }
        let path_of = |error: &Error| match error.fact() {
            Fact::Refused(source, path, _) if source == key => Some(path.clone()),
            _ => None,
        };
        let refused: BTreeSet<DirPath> = failure.errors().iter().filter_map(path_of).collect();
        let is_taken =
            |(_, path): &(_, &Option<DirPath>)| !path.iter().any(|it| refused.contains(it));
        let include: Vec<String> = named.iter().filter(is_taken).map(|it| it.0.clone()).collect();
        let explained = failure.into_iter().map(|error| {
            let Fact::Refused(source, path, exclude) = error.fact() else { return error };
            if source != key {
                return error;
            }
            let is_named = path.is_root() || error.to_string().contains(path.as_str());
            let place = (!is_named).then(|| format!("it is in `{path}`"));
            if exclude.is_empty() {
                return if is_new { error.hinted(place) } else { error };
            }
            let args = match named.is_empty() {
                true => {
                    let all: BTreeSet<_> =
                        self.args.exclude.iter().chain(exclude).cloned().collect();
                    Add { exclude: all.into_iter().collect(), ..self.args.clone() }
                }
                // The manifest does not select them yet.
                false if include.is_empty() && path.is_root() => return error.hinted(None),
                false if include.is_empty() => return error,
                false => Add { include: include.clone(), ..self.args.clone() },
            };
            let run = format!("run `{}`", args.command());
            error.hinted(Some(place.map_or(run.clone(), |place| format!("{place}; {run}"))))
        });
        explained.collect::<Vec<_>>().into()
    }

    /// Replaces the hints of names that collide with names of the source `key`, and of files in the
    /// place of a skill that is not locked yet, which `sync --restore` ignores.
    pub(super) fn explain_names(&self, lock: &Lock, key: &SourceKey, failure: Error) -> Error {
        let mut args = self.args.clone();
        let mut count = 0;
        for error in failure.errors() {
            let Fact::SameName(name, places) = error.fact() else { continue };
            let own = places.iter().filter(|(source, _)| source == key).map(|(_, path)| path);
            let own: Vec<&DirPath> = own.collect();
            for path in &own {
                let (typed, new) = match own.len() {
                    1 => (path.file_name().unwrap_or(name).to_owned(), key.qualify(name)),
                    _ => (path_key(path), distinct(name, path, &own, key)),
                };
                args.rename.retain(|(other, _)| *other != typed);
                args.rename.extend(SkillName::new(&new).ok().map(|new| (typed, new)));
            }
            count += usize::from(own.len() == 1);
        }
        if count > MAX_RENAMED {
            args = Add { prefix: Some(key.qualify("")), ..self.args.clone() };
        }
        let mut hint = Some(format!("run `{}`", args.command()));
        let explained = failure.into_iter().map(|error| match error.fact() {
            Fact::SameName(_, places) if places.iter().any(|(source, _)| source == key) => {
                error.hinted(hint.take())
            }
            Fact::Edited(skill, path, _) if !lock.skills.contains_key(skill) => {
                let what = format!(
                    "cannot write the skill `{skill}`: `{}` is in its place, and belongs to no locked skill",
                    path.display()
                );
                Error::new(error.kind(), "file-unlisted", what)
                    .with_hint("move it elsewhere, then run this command again")
            }
            _ => error,
        });
        explained.collect::<Vec<_>>().into()
    }
}

/// Returns a name for one of several skills of the same name: with the directory in its path that
/// no other path has, or with its position.
fn distinct(name: &str, path: &DirPath, all: &[&DirPath], key: &SourceKey) -> String {
    let is_own = |part: &&str| {
        let others = all.iter().filter(|other| **other != path);
        others.into_iter().all(|other| other.parts().all(|it| it != *part))
    };
    let own = path.parts().filter(is_own).map(|part| format!("{part}-{name}"));
    let joined = own.filter_map(|text| SkillName::new(&text).ok()).last();
    let position = || all.iter().take_while(|other| **other != path).count() + 1;
    joined.map_or_else(|| format!("{}-{}", key.qualify(name), position()), |name| name.to_string())
}
