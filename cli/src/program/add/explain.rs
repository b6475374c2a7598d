//! Hints for a failed `skills add` or `skills update`: commands instead of edits of the manifest.

use super::select::Selected;
use crate::program::{args::Add, suggested::add_args};
use helix_skills_format::{__internal::path_key, DirPath, Lock, SkillName, Source, SourceKey};
use helix_skills_project::{__internal::Fact, Error, Project, manifest::Manifest};

/// Maximum number of skills whose new names a hint suggests one by one.
const MAX_RENAMED: usize = 3;

/// Replaces the hints of a failed update by commands, as for `skills add`.
pub(in crate::program) fn explain_update(
    project: &Project,
    manifest: &Manifest,
    failure: Error,
) -> Error {
    let lock = &project.lock().ok().flatten().unwrap_or_default();
    let selected = &Selected { is_update: true, ..Selected::default() };
    manifest.sources.iter().fold(failure, |failure, (key, source)| {
        let Some(args) = &add_args(key, source) else { return failure };
        Failed { key, args, before: Some(source), lock, selected }.explain(failure)
    })
}

/// A source that a sync could not take as its entry says.
pub(super) struct Failed<'f> {
    pub(super) key: &'f SourceKey,
    /// The arguments of the command line, or those that name the source.
    pub(super) args: &'f Add,
    pub(super) before: Option<&'f Source>,
    pub(super) lock: &'f Lock,
    pub(super) selected: &'f Selected,
}

impl Failed<'_> {
    /// Replaces the hints of the errors by one command: it leaves out the skills that cannot be
    /// taken, unless no other skill is selected, and renames those whose names collide.
    pub(super) fn explain(&self, failure: Error) -> Error {
        let (key, is_update) = (self.key, self.selected.is_update);
        let mut args = self.renamed(&failure);
        let is_left = self.leave_out(&failure, &mut args);
        let is_rest = self.replace_gone(&failure, &mut args);
        // What replaces an excluded skill comes with the update.
        let is_then = is_update && args.include.is_empty();
        let then = if is_then { ", then `skills update`" } else { "" };
        let run = format!("run `{}`{then}", args.command());
        let mut rename = Some(run.clone());
        let explained = failure.into_iter().map(|error| match error.fact() {
            Fact::Refused(source, path, exclude) if source == key => {
                let is_named = path.is_root() || error.to_string().contains(path.as_str());
                let place = (!is_named).then(|| format!("it is in `{path}`"));
                match is_left {
                    None => error,
                    Some(_) if exclude.is_empty() => error.hinted(place),
                    Some(true) => {
                        let hint = place.map_or(run.clone(), |place| format!("{place}; {run}"));
                        let other = error.hint().filter(|_| is_update && !path.is_root());
                        let hint = other.map_or(hint, |other| format!("{other}; or {run}"));
                        error.with_hint(hint)
                    }
                    // The manifest does not select the named skills yet.
                    Some(false) if path.is_root() => error.hinted(None),
                    Some(false) => error,
                }
            }
            Fact::Unresolved { key: it, gone: Some((_, now)), .. } if it == key && is_rest => {
                let what = if now.is_some() { "moved" } else { "removed" };
                error.hinted(Some(format!("upstream {what} it; {run}")))
            }
            Fact::SameName(_, places) if places.iter().any(|(source, _)| source == key) => {
                error.hinted(rename.take())
            }
            // `sync --restore` ignores a file in the place of a skill that is not locked yet.
            Fact::Edited(skill, path, _) if !self.lock.skills.contains_key(skill) => {
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

    /// Leaves out the skills that cannot be taken, and returns whether other skills are selected;
    /// `None` if the source has no others.
    fn leave_out(&self, failure: &Error, args: &mut Add) -> Option<bool> {
        let refused = failure.errors().iter().filter_map(|error| match error.fact() {
            Fact::Refused(source, path, exclude) if source == self.key => Some((path, exclude)),
            _ => None,
        });
        let exclude: Vec<String> = refused.clone().flat_map(|(_, keys)| keys).cloned().collect();
        if exclude.is_empty() {
            return None;
        }
        let named = &self.selected.named;
        if named.is_empty() {
            args.exclude.extend(exclude);
            args.exclude.sort();
            args.exclude.dedup();
            return Some(true);
        }
        let is_taken = |path: &DirPath| refused.clone().all(|(refused, _)| refused != path);
        let include = named.iter().filter(|(_, path)| is_taken(path));
        let include: Vec<String> = include.map(|(key, _)| key.clone()).collect();
        let is_left = !include.is_empty();
        if is_left {
            args.include = include;
        }
        Some(is_left)
    }

    /// Names what upstream moved by its new key, and leaves out what it removed. Returns whether
    /// the entry includes other skills, too.
    fn replace_gone(&self, failure: &Error, args: &mut Add) -> bool {
        let gone = failure.errors().iter().filter_map(|error| match error.fact() {
            Fact::Unresolved { key, gone, .. } if key == self.key => gone.clone(),
            _ => None,
        });
        let (gone, now): (Vec<String>, Vec<Option<String>>) = gone.unzip();
        args.include.retain(|typed| !gone.contains(typed));
        args.include.extend(now.into_iter().flatten());
        let included = self.before.iter().filter_map(|before| before.select.include.as_ref());
        let others = args.include.len() + included.flatten().count();
        let is_rest = !gone.is_empty() && others > gone.len();
        args.exclude.extend(gone);
        is_rest
    }

    /// Returns the arguments with new names for skills of the source whose names collide.
    fn renamed(&self, failure: &Error) -> Add {
        let (key, mut args) = (self.key, self.args.clone());
        let mut count = 0;
        for error in failure.errors() {
            let Fact::SameName(name, places) = error.fact() else { continue };
            let own = places.iter().filter(|(source, _)| source == key).map(|(_, path)| path);
            let own: Vec<&DirPath> = own.collect();
            if own.len() > 1 && self.selected.in_scope == Some(own.len()) {
                // Copies for several coding agents.
                return Add { include: vec![path_key(own[0])], all: false, ..args };
            }
            let has_name = |path: &&&DirPath| path.file_name() == Some(name);
            // The only one whose directory has the name keeps it, unless another source has it.
            let is_kept = own.len() == places.len() && own.iter().filter(has_name).count() == 1;
            for path in own.iter().filter(|path| !is_kept || !has_name(path)) {
                let (typed, new) = match own.len() {
                    1 => (path.file_name().unwrap_or(name).to_owned(), key.qualify(name)),
                    _ => (path_key(path), distinct(name, path, &own, key)),
                };
                args.rename.retain(|(other, _)| *other != typed);
                args.rename.extend(SkillName::new(&new).ok().map(|new| (typed, new)));
            }
            count += usize::from(own.len() == 1);
        }
        match count > MAX_RENAMED {
            true => Add { prefix: Some(key.qualify("")), ..self.args.clone() },
            false => args,
        }
    }
}

/// Returns a name for one of several skills of the same name: that of the directory in its path
/// that no other path has, with the name unless it contains it, or the name with its position.
fn distinct(name: &str, path: &DirPath, all: &[&DirPath], key: &SourceKey) -> String {
    let is_own = |part: &&str| {
        let others = all.iter().filter(|other| **other != path);
        *part != name && others.into_iter().all(|other| other.parts().all(|it| it != *part))
    };
    let joined = |part: &str| match format!("-{part}-").contains(&format!("-{name}-")) {
        true => SkillName::new(part).ok(),
        false => SkillName::new(&format!("{part}-{name}")).ok(),
    };
    let position = || all.iter().take_while(|other| **other != path).count() + 1;
    // Directories of coding agents begin with a dot.
    let own = path.parts().filter(is_own).map(|part| part.trim_start_matches('.'));
    match own.filter_map(joined).last() {
        Some(name) => name.to_string(),
        None => format!("{}-{}", key.qualify(name), position()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_names_have_the_directory_that_differs() {
        let key = SourceKey::new("kit").unwrap();
        for (name, paths, expected) in [
            ("access", ["x/discord/access", "x/chat/access"], ["discord-access", "chat-access"]),
            (
                "access",
                ["x/discord/skills/a", "x/chat/skills/a"],
                ["discord-access", "chat-access"],
            ),
            ("brand", ["x/brand-anthropic", "x/our-brand/y"], ["brand-anthropic", "y-brand"]),
            ("brand", ["x/brand", "x/brands"], ["kit-brand-1", "brands-brand"]),
            ("a", ["data", "x/a"], ["data-a", "x-a"]),
            ("a", [".claude/skills/a", ".codex/skills/a"], ["claude-a", "codex-a"]),
        ] {
            let paths = paths.map(|path| DirPath::new(path).unwrap());
            let all: Vec<&DirPath> = paths.iter().collect();
            let names = all.iter().map(|path| distinct(name, path, &all, &key));
            assert_eq!(names.collect::<Vec<_>>(), expected, "{paths:?}");
        }
    }
}
