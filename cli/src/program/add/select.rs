//! Which skills `skills add` takes: the typed names and paths, found in the repository.

use super::target::{Target, names};
use crate::program::{
    args::{Add, Pin},
    usage_error::usage_error,
};
use helix_skills_format::{
    __internal::{DEFAULT_SKILLS_DIR, listed_all, path_key},
    DirPath, SkillMd, Source, SourceKey, SourceKind,
};
use helix_skills_project::{
    __internal::{Fact, Found, FoundSkills, key_of_locked},
    Error,
};
use std::collections::{BTreeMap, BTreeSet};

/// The keys of skills in `include`, `exclude` and `rename`, each with its directory.
pub(super) type Keys = BTreeMap<String, DirPath>;

/// What the command line selects.
#[derive(Default)]
pub(super) struct Selected {
    /// The skills that it names.
    pub(super) named: Keys,
    /// Number of skills that the source searches in a repository, if they were looked for.
    pub(super) in_scope: Option<usize>,
    /// Whether the sync has to resolve the pin again.
    pub(super) is_update: bool,
}

impl Target<'_> {
    /// Adds the selection of the command line to an entry. Returns `None` if no skill was chosen.
    ///
    /// # Errors
    /// A name is unknown or not unique, or there are many skills and none was named.
    pub(super) fn select(&self, source: &mut Source) -> Result<Option<Selected>, Error> {
        let args = &self.request.args;
        self.add_scopes(source, args.skills_dir.clone().into_iter().collect());
        let mut selected = Selected::default();
        let mut named = self.named(source, &mut selected)?.into_iter();
        let include: Keys = named.by_ref().take(args.include.len()).flatten().collect();
        let exclude: Keys = named.by_ref().take(args.exclude.len()).flatten().collect();
        for ((_, new), keys) in args.rename.iter().zip(named) {
            source.select.rename.extend(keys.into_keys().map(|key| (key, new.clone())));
        }
        let is_all = self.before.is_none() && include.is_empty() && exclude.is_empty();
        if is_all && !args.list {
            match self.choose(source, selected.in_scope)? {
                Some(chosen) if chosen.is_empty() => return Ok(None),
                chosen => source.select.include = chosen,
            }
        }
        if let Some(key) = include.keys().find(|key| exclude.contains_key(*key)) {
            let what = format!("`--include` and `--exclude` both name the skill `{key}`");
            return Err(usage_error(what, "name it in one of them"));
        }
        self.extend(source, &include)?;
        match &mut source.select.include {
            _ if args.list => {}
            Some(include) => include.retain(|key| !exclude.contains_key(key)),
            None => source.select.exclude.extend(exclude.into_keys()),
        }
        selected.named = include;
        Ok(Some(selected))
    }

    /// Finds what the command line names: in the lockfile, then in the repository. A directory is
    /// searched, unless the entry names its skills. With another pin, the lockfile does not say
    /// where an included skill is.
    ///
    /// Returns the keys of each name in `include`, `exclude` and `rename`, in this order.
    fn named(&self, source: &mut Source, selected: &mut Selected) -> Result<Vec<Keys>, Error> {
        let args = &self.request.args;
        let is_moved = self.is_moved(source) && !args.no_sync;
        let excluded = self.excluded();
        let renamed = source.select.rename.iter().map(|(key, new)| (new.as_str(), key));
        let renamed: BTreeMap<&str, &String> = renamed.collect();
        // What is looked up for a name, unless the lockfile says where the skill is.
        let asked = |name: &String, locked: Option<&(String, DirPath)>| {
            if let Some((key, path)) = locked {
                let is_replaced = excluded.contains(path);
                if !args.include.contains(name) || !(is_moved || is_replaced) {
                    return None;
                }
                // Its name in the lockfile may be another one.
                if !is_replaced && path.file_name() != Some(name) && !name.contains('/') {
                    return Some(key.clone());
                }
            }
            Some(renamed.get(name.as_str()).copied().unwrap_or(name).clone())
        };
        let names = args.include.iter().chain(&args.exclude);
        let names = names.chain(args.rename.iter().map(|(name, _)| name)).map(|name| {
            let locked = self.locked(name);
            (name, asked(name, locked.as_ref()), locked)
        });
        let names: Vec<_> = names.collect();
        let unknown: Vec<String> = names.iter().filter_map(|(_, asked, _)| asked.clone()).collect();
        let (FoundSkills { in_scope, found, .. }, is_update) = self.find(source, &unknown)?;
        let is_git = matches!(source.kind, SourceKind::Git { .. });
        (selected.in_scope, selected.is_update) = (is_git.then_some(in_scope), is_update);
        let mut found = found.into_iter();
        let (mut named, mut scopes, mut below) = (Vec::new(), Vec::new(), Keys::new());
        for (name, asked, locked) in names {
            named.push(match asked.and_then(|_| found.next()) {
                None => locked.into_iter().collect(),
                Some(Found::Skill { key, path }) => {
                    if let Some((old, _)) = locked.filter(|(old, _)| *old != key) {
                        if let Some(include) = &mut source.select.include {
                            include.remove(&old);
                        }
                        let renamed = source.select.rename.remove(&old);
                        source.select.rename.extend(renamed.map(|new| (key.clone(), new)));
                    }
                    [(key, path)].into()
                }
                Some(Found::Scope { path, skills }) if args.include.contains(name) => {
                    below.extend(skills);
                    scopes.push(path);
                    Keys::new()
                }
                Some(Found::Scope { path, .. }) => {
                    let what = format!("`{path}` is not a skill, but has skills");
                    return Err(usage_error(what, "name one of them"));
                }
                Some(Found::Several(paths)) => return Err(self.several(name, paths)),
                Some(Found::Nothing(hint)) => return Err(self.unknown(name, &hint)),
            });
        }
        // Next to other skills, those of a directory are named, too: a new scope would lack the
        // others, and an `include` with only the others would leave out its skills.
        let mut keys = named.iter().take(args.include.len()).flatten();
        let is_narrow = source.select.include.is_some()
            || keys.any(|(key, _)| self.before.is_none() || key.contains('/'));
        if is_narrow {
            self.refuse_many(below.len())?;
            named.iter_mut().take(1).for_each(|keys| keys.append(&mut below));
        } else if !scopes.is_empty() {
            selected.in_scope = Some(below.len());
            self.add_scopes(source, scopes);
        }
        Ok(named)
    }

    /// Returns the directories of the locked skills of the source.
    fn locked_paths(&self) -> impl Iterator<Item = &DirPath> {
        self.lock.skills_of(&self.key).map(|(_, skill)| &skill.path)
    }

    /// Returns whether the entry has another pin than before.
    fn is_moved(&self, source: &Source) -> bool {
        self.before.as_ref().is_some_and(|before| Pin::of_source(before) != Pin::of_source(source))
    }

    /// Returns the key and the directory of the only locked skill of the source with this name.
    fn locked(&self, name: &str) -> Option<(String, DirPath)> {
        let source = self.before.as_ref()?;
        let skills = self.lock.skills_of(&self.key);
        let mut skills = skills.filter(|(own, skill)| names(name, own, &skill.path));
        let (Some((_, skill)), None) = (skills.next(), skills.next()) else { return None };
        let path = skill.path.clone();
        Some((key_of_locked((&self.key, source), &path, &self.lock), path))
    }

    /// Finds names in the repository. If the locked commit does not have what is excluded, renamed,
    /// or replaces what is excluded, the pin is resolved again, which is the second value. If the
    /// newest release does not have them, or the plugin, or no skills, and the default branch does,
    /// a new entry gets that branch. Without a sync, each name is its own key.
    ///
    /// # Errors
    /// The pin of an entry does not have a name that a newer release or the branch has.
    fn find(&self, source: &mut Source, names: &[String]) -> Result<(FoundSkills, bool), Error> {
        let args = &self.request.args;
        let is_new_repository = self.before.is_none() && source.repository().is_some();
        if args.no_sync || (names.is_empty() && !is_new_repository) {
            let found = names.iter().map(|key| {
                let path = DirPath::new(key).unwrap_or_else(|_| DirPath::root());
                Found::Skill { path, key: key.clone() }
            });
            let found = found.collect();
            return Ok((FoundSkills { reference: None, in_scope: 0, found }, false));
        }
        let find = |source: &Source, is_update| {
            let ask = || self.request.project.find_skills(&self.key, source, names, is_update);
            self.context.run("looking for skills", ask)
        };
        let found = find(source, false);
        let (missing, pin) = (self.missing(source, names, &found), Pin::of_source(source));
        // A skill that replaces an excluded one may have come with it.
        let may_update =
            !args.exclude.is_empty() || !missing.iter().any(|name| args.include.contains(name));
        if self.before.is_some() && !missing.is_empty() && may_update {
            let updated = find(source, true);
            if self.missing(source, names, &updated).is_empty() {
                return Ok((updated?, true));
            }
        }
        if missing.is_empty() || !args.pin.is_empty() || pin.is_empty() {
            return Ok((found?, false));
        }
        let (key, is_new) = (&self.key, self.before.is_none());
        let missing = listed_all(missing);
        let what = format!("the source `{key}`: {} does not have {missing}", pin.describe());
        let release = || self.request.project.newest_release(key, source);
        let release =
            if is_new { None } else { self.context.run("looking for releases", release)? };
        let release = release.map(|release| Pin::version(&release.version));
        for other in release.into_iter().chain([Pin::default()]) {
            let mut moved = source.clone();
            other.clone().apply(&mut moved);
            let elsewhere = find(&moved, false);
            if !self.missing(&moved, names, &elsewhere).is_empty() {
                continue;
            }
            let elsewhere = elsewhere?;
            let branch = elsewhere.reference.as_deref();
            let branch = branch.and_then(|name| name.strip_prefix("refs/heads/"));
            let (pin, place) = match branch {
                Some(branch) => (Pin::reference(branch), format!("the branch `{branch}`")),
                None => (other.clone(), other.describe()),
            };
            if is_new {
                pin.apply(source);
                self.context.output.note("note:", format!("{what}; {place} is used"));
                return Ok((elsewhere, false));
            }
            let at = pin.fields().into_iter().find_map(|(_, value)| value).unwrap_or_default();
            let moved = Add { pin, ..args.clone() };
            let name = SourceKey::new(&format!("{key}-{at}")).ok();
            let second = Add { name, ..moved.clone() }.command();
            let moved = moved.command();
            let hint = format!(
                "{place} has it: run `{moved}` to move the source, or `{second}` for a second one"
            );
            return Err(usage_error(what, hint));
        }
        Ok((found?, false))
    }

    /// Returns the names of which there is no skill, or only the one that is to be excluded; the
    /// plugin if that is missing; the file of a skill if there is none at all.
    fn missing(
        &self,
        source: &Source,
        names: &[String],
        found: &Result<FoundSkills, Error>,
    ) -> Vec<String> {
        let excluded = self.excluded();
        let is_missing = |found: &Found| match found {
            Found::Nothing(_) => true,
            Found::Skill { path, .. } => excluded.contains(path),
            _ => false,
        };
        match found {
            Ok(found) if found.in_scope == 0 && names.is_empty() && source.plugin().is_none() => {
                vec![SkillMd::FILE_NAMES[0].to_owned()]
            }
            Ok(found) => {
                let missing = names.iter().zip(&found.found).filter(|it| is_missing(it.1));
                missing.map(|(name, _)| name.clone()).collect()
            }
            Err(failure) if matches!(failure.fact(), Fact::Unresolved { .. }) => {
                source.plugin().map(ToString::to_string).into_iter().collect()
            }
            Err(_) => Vec::new(),
        }
    }

    /// Returns the directories of the locked skills that the command line excludes.
    fn excluded(&self) -> BTreeSet<DirPath> {
        let excluded = self.request.args.exclude.iter().filter_map(|name| self.locked(name));
        excluded.map(|(_, path)| path).collect()
    }

    /// Returns the error for a name that no skill has.
    fn unknown(&self, name: &str, hint: &str) -> Error {
        let (key, args) = (&self.key, &self.request.args);
        let mut hint = format!("{hint}; or run `{}`", args.list_command());
        if self.before.as_ref().is_some_and(|it| it.repository().is_some()) && args.pin.is_empty() {
            hint +=
                &format!("; or run `skills update {key}` if it is newer than the locked commit");
        }
        usage_error(format!("the source `{key}` has no skill `{name}`"), hint)
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
    fn extend(&self, source: &mut Source, wanted: &Keys) -> Result<(), Error> {
        let is_moved = self.is_moved(source);
        let select = &mut source.select;
        if let Some(include) = &mut select.include {
            for (key, path) in wanted {
                if !include.contains(&path_key(path)) {
                    include.insert(key.clone());
                }
            }
            return Ok(());
        }
        let locked: BTreeSet<&DirPath> = self.locked_paths().collect();
        let mut takes_all = wanted.is_empty() || self.before.is_some();
        for (key, path) in wanted {
            let was_excluded = select.exclude.remove(key) | select.exclude.remove(&path_key(path));
            takes_all &= was_excluded || self.request.args.no_sync || locked.contains(path)
                // The skills that it searches are taken with another commit.
                || (!key.contains('/') && (is_moved || locked.is_empty()));
        }
        if takes_all {
            return Ok(());
        }
        let key = |path: &&DirPath| key_of_locked((&self.key, source), path, &self.lock);
        let mut include: BTreeSet<String> = locked.iter().map(key).collect();
        if is_moved {
            let kept = Vec::from_iter(include);
            let found =
                self.find(source, &kept)?.0.found.into_iter().filter_map(|found| match found {
                    Found::Skill { key, .. } => Some(key),
                    _ => None,
                });
            include = found.collect();
        }
        let new = wanted.iter().filter(|(_, path)| !locked.contains(path));
        include.extend(new.map(|(key, _)| key.clone()));
        source.select.include = Some(include);
        Ok(())
    }
}
