//! Which skills `skills add` takes: the typed names and paths, found in the repository.

use super::{
    choose::{choose, refuse_many},
    selection::Selection,
};
use crate::program::{
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, listed_all, path_key},
    DirPath, Select, SkillName, Source, SourceKey, SourceKind,
};
use helix_skills_project::{
    __internal::{Found, FoundSkills, key_of},
    Error,
};
use std::collections::{BTreeMap, BTreeSet};

/// The keys of skills in `include`, `exclude` and `rename`, each with its directory if that was
/// looked up.
pub(super) type Keys = BTreeMap<String, Option<DirPath>>;

/// What the typed names name.
#[derive(Default)]
struct Named {
    /// The key of each skill, and its directory, by the typed name.
    skills: BTreeMap<String, (String, Option<DirPath>)>,
    /// The directories that are searched.
    scopes: Vec<DirPath>,
    /// The skills in these directories.
    below: Keys,
    /// Number of skills that the source searches; `None` if it was not looked up.
    in_scope: Option<usize>,
}

impl Named {
    /// Returns the keys of typed names.
    fn keys(&self, names: &[String]) -> Keys {
        names.iter().filter_map(|name| self.skills.get(name)).cloned().collect()
    }
}

/// Returns whether a typed name is that of a locked skill, its directory's, or its path.
pub(super) fn names(typed: &str, own: &SkillName, path: &DirPath) -> bool {
    own.as_str() == typed || path.file_name() == Some(typed) || path_key(path) == typed
}

impl Selection<'_> {
    /// Adds the selection of the command line to an entry. Returns the named skills, or `None` if
    /// no skill was chosen.
    ///
    /// # Errors
    /// A name is unknown or not unique, or there are many skills and none was named.
    pub(super) fn select(&self, source: &mut Source) -> Result<Option<Keys>, Error> {
        let args = &self.request.args;
        self.add_scopes(source, args.skills_dir.clone().into_iter().collect());
        let mut named = self.named(source)?;
        let mut include = named.keys(&args.include);
        let exclude = named.keys(&args.exclude);
        for (name, new) in &args.rename {
            let key = named.skills.get(name).map(|(key, _)| (key.clone(), new.clone()));
            source.select.rename.extend(key);
        }
        if source.select.include.is_some() {
            refuse_many(self, named.below.len())?;
            include.append(&mut named.below);
        } else if !named.scopes.is_empty() {
            named.in_scope = Some(named.below.len());
            self.add_scopes(source, named.scopes);
        }
        let names = || include.keys().cloned().collect::<BTreeSet<_>>();
        if args.list {
            source.select.include = Some(names()).filter(|include| !include.is_empty());
            return Ok(Some(include));
        }
        if self.before.is_some() {
            self.extend(source, &include);
        } else if !include.is_empty() {
            source.select.include = Some(names());
        } else if exclude.is_empty()
            && let Some(chosen) = choose(self, source, named.in_scope)?
        {
            if chosen.is_empty() {
                return Ok(None);
            }
            source.select.include = Some(chosen);
        }
        match &mut source.select.include {
            Some(include) => include.retain(|key| !exclude.contains_key(key)),
            None => source.select.exclude.extend(exclude.into_keys()),
        }
        Ok(Some(include))
    }

    /// Finds what the command line names: in the lockfile, then in the repository. Without a
    /// repository or a sync, each name is its own key.
    fn named(&self, source: &mut Source) -> Result<Named, Error> {
        let args = &self.request.args;
        let renamed = args.rename.iter().map(|(name, _)| name);
        let names = args.include.iter().chain(&args.exclude).chain(renamed);
        let mut named = Named::default();
        if args.no_sync {
            named.skills = names.map(|name| (name.clone(), (name.clone(), None))).collect();
            return Ok(named);
        }
        let mut unknown = Vec::new();
        for name in names {
            match self.locked(name) {
                Some((key, path)) => {
                    drop(named.skills.insert(name.clone(), (key, Some(path.clone()))));
                }
                None => unknown.push(name.clone()),
            }
        }
        let is_git = matches!(source.kind, SourceKind::Git { .. });
        if unknown.is_empty() && (self.before.is_some() || !is_git) {
            return Ok(named);
        }
        let found = self.find(source, &unknown)?;
        named.in_scope = is_git.then_some(found.in_scope);
        for (name, found) in unknown.into_iter().zip(found.found) {
            match found {
                Found::Skill { key, path } => {
                    named.skills.insert(name, (key, Some(path)));
                }
                Found::Scope { path, skills } if args.include.contains(&name) => {
                    named.scopes.push(path);
                    named.below.extend(skills.into_iter().map(|(key, path)| (key, Some(path))));
                }
                Found::Scope { path, .. } => {
                    let what = format!("`{path}` is not a skill, but has skills");
                    return Err(usage_error(what, "name one of them"));
                }
                Found::Several(paths) => return Err(self.several(&name, paths)),
                Found::Nothing(hint) => return Err(self.unknown(&name, &hint)),
            }
        }
        Ok(named)
    }

    /// Returns the directories of the locked skills of the source.
    fn locked_paths(&self) -> impl Iterator<Item = &DirPath> {
        self.lock.skills_of(self.key).map(|(_, skill)| &skill.path)
    }

    /// Returns the key and the directory of the only locked skill of the source with this name.
    fn locked(&self, name: &str) -> Option<(String, &DirPath)> {
        let source = self.before?;
        let skills = self.lock.skills_of(self.key);
        let mut skills = skills.filter(|(own, skill)| names(name, own, &skill.path));
        let (Some((_, skill)), None) = (skills.next(), skills.next()) else { return None };
        let directory = source.directory_name(self.key, &skill.path);
        Some((key_of(&source.select, directory, &skill.path), &skill.path))
    }

    /// Finds names in the repository. If the newest release does not have them and the default
    /// branch does, a new entry gets that branch.
    fn find(&self, source: &mut Source, names: &[String]) -> Result<FoundSkills, Error> {
        let find = |source: &Source| {
            let ask = || self.project.find_skills(self.key, source, names);
            self.context.run("looking for skills", ask)
        };
        let found = find(source)?;
        let args = &self.request.args;
        let is_nothing = |found: &Found| matches!(found, Found::Nothing(_));
        let is_missing = |found: &FoundSkills| found.found.iter().any(is_nothing);
        let pin = Pin::of_source(source);
        if !is_missing(&found) || !args.pin.is_empty() || pin.is_empty() {
            return Ok(found);
        }
        let mut newest = source.clone();
        Pin::default().apply(&mut newest);
        let on_branch = find(&newest)?;
        let branch = on_branch.reference.as_deref().and_then(|it| it.strip_prefix("refs/heads/"));
        let Some(branch) = branch.filter(|_| !is_missing(&on_branch)) else { return Ok(found) };
        let missing = names.iter().zip(&found.found).filter(|(_, found)| is_nothing(found));
        let missing = listed_all(missing.map(|(name, _)| name));
        let what = format!("the source `{}`: {} does not have {missing}", self.key, pin.describe());
        if self.before.is_some() {
            let moved = Add { pin: Pin::reference(branch), ..args.clone() };
            let name = SourceKey::new(&format!("{}-{branch}", self.key)).ok();
            let second = Add { name, ..moved.clone() }.command();
            let hint = format!(
                "the branch `{branch}` has it: run `{}` to move the source, or `{second}` for a second one",
                moved.command()
            );
            return Err(usage_error(what, hint));
        }
        Pin::reference(branch).apply(&mut newest);
        self.context.output.note("note:", format!("{what}; the branch `{branch}` is used"));
        *source = newest;
        Ok(on_branch)
    }

    /// Returns the error for a name that no skill has.
    fn unknown(&self, name: &str, hint: &str) -> Error {
        let what = format!("the source `{}` has no skill `{name}`", self.key);
        let mut hint = format!("{hint}; or run `{}`", self.request.args.list_command());
        if self.before.is_some_and(|before| before.repository().is_some()) {
            let key = self.key;
            hint +=
                &format!("; or run `skills update {key}` if it is newer than the locked commit");
        }
        usage_error(what, hint)
    }

    /// Returns the error for a name that several skills have.
    fn several(&self, name: &str, mut paths: Vec<DirPath>) -> Error {
        paths.sort();
        let keys: Vec<String> = paths.iter().map(path_key).collect();
        let commands = keys.iter().map(|key| {
            let mut args = self.request.args.clone();
            let renamed = args.rename.iter_mut().map(|(typed, _)| typed);
            let all = args.include.iter_mut().chain(&mut args.exclude).chain(renamed);
            all.filter(|typed| *typed == name).for_each(|typed| typed.clone_from(key));
            format!("`{}`", args.command())
        });
        let hint = format!("run {}", commands.collect::<Vec<_>>().join(" or "));
        let what = format!("`{name}` is in {} directories: {}", keys.len(), listed_all(&keys));
        usage_error(what, hint)
    }

    /// Adds directories to search.
    fn add_scopes(&self, source: &mut Source, scopes: Vec<DirPath>) {
        let is_default = source.has_default_dir();
        let SourceKind::Git { skills_dir, .. } = &mut source.kind else { return };
        if scopes.is_empty() {
            return;
        }
        let is_elsewhere = |path: &DirPath| path.parts().next() != Some(DEFAULT_SKILLS_DIR);
        if self.before.is_none() {
            skills_dir.clear();
        } else if is_default && self.locked_paths().any(is_elsewhere) {
            // The default is the whole repository.
            *skills_dir = [DirPath::root()].into();
        }
        skills_dir.extend(scopes);
    }

    /// Adds skills to the selection of an entry. Without an `include`, an entry that does not take
    /// one of them gets the locked skills and the new ones.
    fn extend(&self, source: &mut Source, wanted: &Keys) {
        let locked: BTreeSet<&DirPath> = self.locked_paths().collect();
        // The skills that it searches are taken with another commit.
        let is_moved = self.before.map(Pin::of_source) != Some(Pin::of_source(source));
        let takes_new = is_moved || locked.is_empty();
        let select = &mut source.select;
        let takes = |select: &mut Select, key: &String, path: &Option<DirPath>| {
            let keys = [Some(key.clone()), path.as_ref().map(path_key)];
            let mut keys = keys.iter().flatten();
            match &select.include {
                Some(include) => keys.any(|key| include.contains(key)),
                None => {
                    keys.filter(|key| select.exclude.remove(*key)).count() > 0
                        || path.as_ref().is_none_or(|path| locked.contains(path))
                        || (takes_new && !key.contains('/'))
                }
            }
        };
        let new = wanted.iter().filter(|(key, path)| !takes(select, key, path));
        let new: BTreeSet<String> = new.map(|(key, _)| key.clone()).collect();
        if new.is_empty() {
            return;
        }
        let key = |path: &&DirPath| {
            let mut same = locked.iter().filter(|other| other.file_name() == path.file_name());
            let name = path.file_name().filter(|_| same.nth(1).is_none());
            name.map_or_else(|| path_key(path), str::to_owned)
        };
        select.include.get_or_insert_with(|| locked.iter().map(key).collect()).extend(new);
    }
}
