//! Which skills `skills add` takes: the typed names and paths, found in the repository.

use super::{
    choose::{choose, refuse_many},
    command::alternatives,
    request::Request,
};
use crate::program::{
    Context,
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, listed_all, path_key},
    DirPath, Select, Source, SourceKey, SourceKind,
};
use helix_skills_project::{
    __internal::{Found, FoundSkills},
    Error, Project,
};
use std::collections::{BTreeMap, BTreeSet};

/// The selection of a source, and what was found for it.
pub(super) struct Selected {
    pub(super) source: Source,
    /// Where the skills with typed names are.
    pub(super) places: BTreeMap<String, DirPath>,
}

/// What is selected from.
pub(super) struct Selection<'s> {
    pub(super) context: &'s Context<'s>,
    pub(super) project: &'s Project,
    pub(super) request: &'s Request,
    pub(super) key: &'s SourceKey,
    /// The entry that the manifest has.
    pub(super) before: Option<&'s Source>,
}

impl Selection<'_> {
    /// Adds the selection of the command line to an entry; `None` if nothing was chosen.
    ///
    /// # Errors
    /// A name is unknown or not unique, or there are many skills and none was named.
    pub(super) fn select(&self, mut source: Source) -> Result<Option<Selected>, Error> {
        let args = &self.request.args;
        let is_new = self.before.is_none();
        if let (Some(directory), false) = (&args.skills_dir, is_new) {
            self.add_scopes(&mut source, [directory.clone()].into());
        }
        let is_found = matches!(source.kind, SourceKind::Git { .. }) && !args.no_sync;
        let mut places: BTreeMap<String, DirPath> = BTreeMap::new();
        // The keys of typed names; `None` for a directory to search.
        let mut keys: BTreeMap<String, Option<String>> = BTreeMap::new();
        let (mut scopes, mut below) = (BTreeSet::new(), Vec::new());
        let mut names = Vec::new();
        let renamed = args.rename.iter().map(|(name, _)| name);
        for name in args.include.iter().chain(&args.exclude).chain(renamed) {
            match self.locked(name) {
                _ if !is_found => {}
                Some((key, path)) => {
                    places.insert(key.clone(), path);
                    keys.insert(name.clone(), Some(key));
                }
                None => names.push(name.clone()),
            }
        }
        let found = match is_found && (is_new || !names.is_empty()) {
            true => Some(self.find(&mut source, &names)?),
            false => None,
        };
        let all_found = found.iter().flat_map(|found| found.found.clone());
        for (name, found) in names.iter().zip(all_found) {
            let name = name.clone();
            match found {
                Found::Skill { key, path } => {
                    places.insert(key.clone(), path);
                    keys.insert(name, Some(key));
                }
                Found::Scope { path, skills } if args.include.contains(&name) => {
                    scopes.insert(path);
                    below.extend(skills);
                    keys.insert(name, None);
                }
                Found::Several(paths) => return Err(self.several(&name, &paths)),
                Found::Scope { path, .. } => {
                    let what = format!("`{path}` is not a skill, but has skills");
                    return Err(usage_error(what, "name one of them"));
                }
                Found::Nothing(hint) => {
                    let what = format!("the source `{}` has no skill `{name}`", self.key);
                    let list = args.list_command();
                    return Err(usage_error(what, format!("{hint}; or run `{list}`")));
                }
            }
        }
        let key = |name: &String| keys.get(name.as_str()).cloned().unwrap_or(Some(name.clone()));
        let mut include: BTreeSet<String> = args.include.iter().filter_map(key).collect();
        let exclude: BTreeSet<String> = args.exclude.iter().filter_map(key).collect();
        for (name, new) in &args.rename {
            source.select.rename.extend(key(name).map(|name| (name, new.clone())));
        }
        let mut in_scope = found.map(|found| found.in_scope);
        if source.select.include.is_some() {
            // The names of the skills in the directories are added.
            refuse_many(self, below.len())?;
            include.extend(below.iter().map(|(key, _)| key.clone()));
            places.extend(below);
        } else if !scopes.is_empty() {
            in_scope = Some(below.len());
            self.add_scopes(&mut source, scopes);
        }
        places.retain(|key, _| include.contains(key));
        if args.list {
            source.select.include = Some(include).filter(|include| !include.is_empty());
            return Ok(Some(Selected { source, places }));
        }
        if !is_new {
            self.extend(&mut source.select, include, &places);
        } else if !include.is_empty() {
            source.select.include = Some(include);
        } else if exclude.is_empty() {
            match choose(self, &source, in_scope)? {
                None => {}
                Some(chosen) if chosen.is_empty() => return Ok(None),
                Some(chosen) => source.select.include = Some(chosen.into_iter().collect()),
            }
        }
        match &mut source.select.include {
            Some(include) => include.retain(|name| !exclude.contains(name)),
            None => source.select.exclude.extend(exclude),
        }
        if source.select.include.as_ref().is_some_and(BTreeSet::is_empty) {
            let what = format!("no skill of the source `{}` would be left", self.key);
            return Err(usage_error(what, format!("run `skills remove {}`", self.key)));
        }
        Ok(Some(Selected { source, places }))
    }

    /// Returns the key and the directory of a locked skill of the source.
    fn locked(&self, name: &str) -> Option<(String, DirPath)> {
        let (lock, source) = (self.project.require_lock().ok()?, self.before?);
        let mut named = lock.skills_of(self.key).filter(|(own, skill)| {
            let path = &skill.path;
            own.as_str() == name || path.file_name() == Some(name) || path_key(path) == name
        });
        let (Some((_, skill)), None) = (named.next(), named.next()) else { return None };
        let directory = source.directory_name(self.key, &skill.path);
        Some((source.select.key(directory, &skill.path), skill.path.clone()))
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
        if !is_missing(&found) || !args.pin.is_empty() || Pin::of_source(source).is_empty() {
            return Ok(found);
        }
        let mut newest = source.clone();
        Pin::default().apply(&mut newest);
        let on_branch = find(&newest)?;
        let branch = on_branch.reference.as_deref().and_then(|it| it.strip_prefix("refs/heads/"));
        let Some(branch) = branch.filter(|_| !is_missing(&on_branch)) else { return Ok(found) };
        let missing = names.iter().zip(&found.found);
        let missing: Vec<_> = missing
            .filter(|(_, found)| is_nothing(found))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let (missing, pin) = (missing.join(", "), Pin::of_source(source).describe());
        if self.before.is_some() {
            let moved = Add { pin: Pin::reference(branch), ..args.clone() };
            let name = SourceKey::new(&format!("{}-{branch}", self.key)).ok();
            let second = Add { name, ..moved.clone() };
            let what =
                format!("the source `{}` has {pin}, which does not have {missing}", self.key);
            let hint = format!(
                "the branch `{branch}` has it: run `{}` to move the source, or `{}` for a second one",
                moved.command(),
                second.command()
            );
            return Err(usage_error(what, hint));
        }
        Pin::reference(branch).apply(&mut newest);
        let text = format!("{pin} does not have {missing}; the branch {branch} is used");
        self.context.output.note("note:", text);
        *source = newest;
        Ok(on_branch)
    }

    /// Returns the error for a name that several skills have.
    fn several(&self, name: &str, paths: &[DirPath]) -> Error {
        let args = &self.request.args;
        let commands = paths.iter().map(|path| {
            let mut args = args.clone();
            let typed = args.include.iter_mut().chain(&mut args.exclude);
            for typed in typed.chain(args.rename.iter_mut().map(|(typed, _)| typed)) {
                if typed == name {
                    *typed = path_key(path);
                }
            }
            args.command()
        });
        let all: Vec<String> = paths.iter().map(path_key).collect();
        let what = format!("`{name}` is in {} directories: {}", paths.len(), listed_all(&all));
        usage_error(what, format!("run {}", alternatives(commands)))
    }

    /// Adds directories to search.
    fn add_scopes(&self, source: &mut Source, scopes: BTreeSet<DirPath>) {
        let is_default = source.has_default_dir();
        let SourceKind::Git { skills_dir, .. } = &mut source.kind else { return };
        if scopes.is_empty() {
            return;
        }
        match self.before {
            None => *skills_dir = scopes,
            Some(_) => {
                // The default may be the whole repository.
                let lock = self.project.require_lock().ok();
                let locked = lock.iter().flat_map(|lock| lock.skills_of(self.key));
                let mut locked = locked.map(|(_, skill)| skill.path.clone()).peekable();
                let is_in = |path: DirPath| path.parts().next() == Some(DEFAULT_SKILLS_DIR);
                if is_default && locked.peek().is_some() && !locked.all(is_in) {
                    *skills_dir = [DirPath::root()].into();
                }
                skills_dir.extend(scopes);
            }
        }
    }

    /// Adds skills to the selection of an entry.
    fn extend(
        &self,
        select: &mut Select,
        include: BTreeSet<String>,
        places: &BTreeMap<String, DirPath>,
    ) {
        let lock = self.project.require_lock().ok();
        let locked = lock.iter().flat_map(|lock| lock.skills_of(self.key));
        let locked: BTreeSet<&DirPath> = locked.map(|(_, skill)| &skill.path).collect();
        let mut new = BTreeSet::new();
        for name in include {
            let path = places.get(&name);
            let keys = [Some(name.clone()), path.map(path_key)];
            let mut keys = keys.iter().flatten();
            let is_there = match (&select.include, path) {
                (Some(include), _) => keys.any(|key| include.contains(key)),
                // Without a sync, it is not known.
                (None, None) => {
                    select.exclude.remove(&name);
                    true
                }
                (None, Some(path)) => {
                    let was_excluded = keys.filter(|key| select.exclude.remove(*key)).count() > 0;
                    let is_searched = was_excluded || locked.is_empty();
                    locked.contains(path) || (is_searched && !name.contains('/'))
                }
            };
            if !is_there {
                new.insert(name);
            }
        }
        match &mut select.include {
            Some(include) => include.extend(new),
            None if new.is_empty() => {}
            None => {
                let name = |path: &DirPath| path.file_name().unwrap_or_default().to_owned();
                let names: Vec<String> = locked.iter().map(|path| name(path)).collect();
                let key = |path: &&DirPath| {
                    let own = name(path);
                    match names.iter().filter(|name| **name == own).count() {
                        1 if !own.is_empty() => own,
                        _ => path_key(path),
                    }
                };
                new.extend(locked.iter().map(key));
                select.include = Some(new);
            }
        }
    }
}
