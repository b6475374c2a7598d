//! The second step: the directories of each source that are skills, with their trees.

use super::{
    Repository, SourceResult,
    discover::{self, BrokenLink, FoundDirectory, Scope, Search},
    links::{self, Target},
    locate::at,
    location::{Location, Task},
    skill_tree::SkillFiles,
    upstream,
};
use crate::manifest::{Select, Source, SourceKind};
use crate::{
    Error,
    candidate::excluding,
    contents::{FileRules, show_place},
    error::SourceErrors,
    fetch::MissingSkill,
    license,
    near_skill::{self, NearSkill},
    selection::{self, Before, Directories as _},
    upstream::Upstream,
};
use helix_skills_format::{
    __internal::{listed_all, one_line, path_key},
    DirPath, ObjectId, SourceKey,
};
use helix_skills_git::{self as git, EntryKind};
use std::{collections::BTreeSet, mem, sync::Arc};

/// A source whose selected directories are known, before their files are fetched.
pub(super) struct OpenedSource {
    /// Where the skills are. What the lockfile will have of the source is complete.
    pub(super) location: Location,
    pub(super) rules: FileRules,
    pub(super) found: Vec<FoundDirectory>,
    /// The files of each of them, as soon as all their links are known.
    pub(super) files: Vec<Option<SkillFiles>>,
    /// The errors of single files.
    pub(super) errors: SourceErrors,
    /// What changed since the locked commit, if there was a lockfile to compare with.
    pub(super) upstream: Option<Upstream>,
}

impl Repository<'_, '_> {
    /// Finds and selects the skills of each location.
    pub(super) fn open(
        &mut self,
        locations: Vec<Location>,
    ) -> Result<Vec<OpenedSource>, git::Error> {
        self.fetch_plugins(&locations)?;
        let mut opened = Vec::new();
        for location in locations {
            let key = location.key.clone();
            let reference = location.locked.skills_reference().map(str::to_owned);
            let source = match location.task {
                Task::Restore(_) => self.open_locked(location),
                _ => at(self.open_location(location), reference.as_deref()),
            };
            opened.extend(self.keep(&key, source)?);
        }
        Ok(opened)
    }

    /// Fetches the manifests of the plugins.
    ///
    /// To save a network request, also fetches the files of skills that a plugin has regardless of
    /// its manifest.
    fn fetch_plugins(&mut self, locations: &[Location]) -> Result<(), git::Error> {
        let mut missing = Vec::new();
        for location in locations {
            self.session.count_steps_for(location.key.as_str());
            let Some(root) = location.plugin_root(self.limits) else { continue };
            let Some(manifest) = root.missing_manifest(self.session)? else { continue };
            missing.push(manifest);
            let select = &location.source().select;
            let Ok(rules) = FileRules::new(select, self.limits) else { continue };
            if !matches!(location.task, Task::Select { needs_files: true, .. }) {
                continue;
            }
            let found = root.without_manifest(self.session)?;
            let wanted = |found: &&FoundDirectory| select.matches(&found.name, &found.path);
            for found in found.iter().filter(wanted) {
                let files = found.place.files((self.session, &self.links), &rules)?;
                missing.extend(files.missing(self.session));
            }
        }
        self.session.blobs(&missing)
    }

    /// Returns where the license of a plugin or its repository is. Their trees have been fetched.
    fn license_file(
        &self,
        root: ObjectId,
        plugin: Option<&DirPath>,
    ) -> Result<Option<String>, git::Error> {
        for directory in plugin.into_iter().chain([&DirPath::root()]) {
            let target = links::resolve(self.session, root, "", directory.as_str())?;
            let Target::Object { kind: EntryKind::Directory, id, .. } = target else { continue };
            let mut names = Vec::new();
            for entry in self.session.entries(&id)? {
                let entry = entry?;
                if matches!(entry.kind, EntryKind::File | EntryKind::Executable)
                    && let Ok(name) = std::str::from_utf8(entry.name)
                {
                    names.push(name.to_owned());
                }
            }
            let Some(files) = license::files(names.iter().map(String::as_str)) else { continue };
            let place = match directory.is_root() {
                true => "the repository".to_owned(),
                false => format!("the repository's {directory}"),
            };
            return Ok(one_line(&format!("see {files} of {place}")).ok());
        }
        Ok(None)
    }

    /// Finds the directories of locked skills. What the lockfile has of their trees is compared with
    /// the commit, and never used instead of it.
    fn open_locked(&mut self, mut location: Location) -> SourceResult<OpenedSource> {
        let (key, locked, root) = (&location.key, &location.locked, location.root);
        let Task::Restore(needed) = &mut location.task else {
            return Err(Error::no_repository(key).into());
        };
        let mut paths = Vec::new();
        for MissingSkill { locked: skill, cached, .. } in &mut *needed {
            paths.push(skill.path.clone());
            for file in cached.iter_mut().flat_map(|cached| mem::take(cached).into_files()) {
                self.session.add_blob(file.bytes);
            }
        }
        self.session.count_steps_for(key.as_str());
        let found = self.search(key, &locked.entry, root).at(&paths)?;
        let mut errors = SourceErrors::new();
        for (MissingSkill { name, locked: skill, .. }, found) in needed.iter().zip(&found) {
            let tree = found.as_ref().map(|found| found.place.tree);
            // The lockfile's parser checks that there is one; no object has the null id.
            let expected = skill.tree.unwrap_or_else(|| ObjectId::from([0; 20]));
            if tree != Some(expected) {
                let commit = locked.skills_commit().unwrap_or(&expected);
                errors.push(Error::tree_mismatch(
                    name,
                    commit,
                    &skill.path,
                    &expected,
                    tree.as_ref(),
                ));
            }
        }
        errors.finish(key)?;
        let mut found: Vec<FoundDirectory> = found.into_iter().flatten().collect();
        found.iter_mut().for_each(|found| found.place.is_root = locked.is_root(&found.path));
        let rules = FileRules::new(&location.source().select, self.limits)?;
        let (files, errors) = (Vec::new(), SourceErrors::new());
        Ok(OpenedSource { location, rules, found, files, errors, upstream: None })
    }

    /// Finds and selects the skills of a source.
    fn open_location(&mut self, mut location: Location) -> SourceResult<OpenedSource> {
        let key = location.key.clone();
        self.session.count_steps_for(key.as_str());
        let scope = match (location.plugin_root(self.limits), &location.source().kind) {
            (Some(root), _) => {
                let (plan, scope) = root.read(self.session, &mut self.notes)?;
                let declared = plan.license.and_then(|license| one_line(&license).ok());
                let license = match declared {
                    None => self.license_file(location.root, Some(root.path))?,
                    declared => declared,
                };
                location.locked.license = license;
                if let Some(place) = &mut location.locked.plugin {
                    place.version = plan.version;
                }
                Arc::new(scope)
            }
            (None, SourceKind::Git { .. }) => {
                location.locked.license = self.license_file(location.root, None)?;
                self.scope(&key, &location.locked.entry, location.root)?
            }
            (None, _) => return Err(Error::no_repository(&key).into()),
        };
        let source = location.source().clone();
        let locked = location.before.as_ref().map(|before| Before {
            entry: &before.source.entry,
            paths: before.paths(),
            is_same_commit: location.is_same_commit,
        });
        let mut found = scope.found.clone();
        let in_scope = found.len();
        found.extend(self.others(&key, &source, (location.root, &found), locked.as_ref())?);
        discover::mark_copies(self.session, &mut found)?;
        let (searched, others) = found.split_at(in_scope);
        let selection = selection::select((&key, &source), searched, others, locked.as_ref());
        let upstream = match &location.before {
            Some(before) if !location.is_same_commit => {
                let commit = before.source.skills_commit().filter(|id| self.session.has(id));
                let root = match commit {
                    Some(commit) => Some(self.commit(*commit, None)?.tree),
                    None => None,
                };
                let now = (location.root, found.as_slice());
                Some(upstream::compare(self, &key, (before, root), now)?)
            }
            _ => None,
        };
        let near: Vec<NearSkill> = scope.near.iter().map(|near| near.of(&key)).collect();
        let mut errors = Vec::new();
        let select = &source.select;
        for link in scope.broken.iter().filter(|link| select.matches(&link.name, &link.path)) {
            errors.extend(link_error(&key, select, link));
        }
        let is_broken = |name: &String| scope.broken.iter().any(|link| link.name == *name);
        for (name, paths) in selection.unclear.iter().filter(|(name, _)| !is_broken(name)) {
            let hint = match paths.as_slice() {
                [] => self.missing(&location, (&scope, &near, upstream.as_ref()), name)?,
                paths => {
                    let keys: Vec<String> = paths.iter().map(path_key).collect();
                    format!("include the path of one of them: {}", listed_all(&keys))
                }
            };
            errors.push(Error::not_selected(&key, name, paths.len()).with_hint(hint));
        }
        if let Some(before) = locked.filter(|before| !before.is_same_commit) {
            let known = self.keys_before(&location)?;
            errors.extend(selection::gone(&key, &before, &known, &selection.unused));
        }
        Error::unless_empty(errors)?;
        if source.select.include.is_none() && found.is_empty() {
            return Err(self.no_skills(&location, &scope, &near)?.into());
        }
        self.notes.warnings.extend(selection::warnings((&key, &source), &selection));
        self.notes.warnings.extend(near_skill::warnings(&near, &source.select));
        for directory in empty_directories(&source, &scope) {
            self.notes.warn(format!("the source `{key}`: there are no skills in `{directory}`"));
        }
        // An update reads a commit again whose skills are not listed.
        location.locked.directories =
            (selection.also_found == 0).then(|| selection.paths.iter().cloned().collect());
        let rules = FileRules::new(&source.select, self.limits)?;
        let is_taken = |found: &FoundDirectory| selection.paths.contains(&found.path);
        found.retain(is_taken);
        let (files, errors) = (Vec::new(), SourceErrors::new());
        Ok(OpenedSource { location, rules, found, files, errors, upstream })
    }

    /// Returns the keys that name a skill of the locked commit.
    fn keys_before(&mut self, location: &Location) -> SourceResult<BTreeSet<String>> {
        let Some(before) = &location.before else { return Ok(BTreeSet::new()) };
        let source = &before.source.entry;
        let mut found = before.paths();
        let commit = before.source.skills_commit().filter(|id| self.session.has(id));
        if let (Some(commit), SourceKind::Git { .. }) = (commit.copied(), &source.kind) {
            let root = self.commit(commit, None)?.tree;
            let scope = self.scope(&location.key, source, root)?;
            found.extend(scope.found.iter().map(|found| found.path.clone()));
        }
        let name = |path| source.directory_name(&location.key, path).to_owned();
        Ok(found.iter().flat_map(|path| [name(path), path_key(path)]).collect())
    }

    /// Returns the skills of the directories that a source searches.
    pub(super) fn scope(
        &mut self,
        key: &SourceKey,
        source: &Source,
        root: ObjectId,
    ) -> SourceResult<Arc<Scope>> {
        let SourceKind::Git { skills_dir, .. } = &source.kind else { return Ok(Arc::default()) };
        let at = (root, skills_dir.clone());
        if let Some(scope) = self.scopes.get(&at) {
            return Ok(Arc::clone(scope));
        }
        let mut search = self.search(key, source, root);
        let found = selection::scope(&mut search, source)?;
        let scope = Arc::new(Scope { found, ..search.aside });
        self.scopes.insert(at, Arc::clone(&scope));
        Ok(scope)
    }

    /// Returns the skills out of the scope that an entry names by their paths, or that are locked.
    fn others(
        &mut self,
        key: &SourceKey,
        source: &Source,
        (root, scope): (ObjectId, &[FoundDirectory]),
        before: Option<&Before<'_>>,
    ) -> SourceResult<Vec<FoundDirectory>> {
        if !matches!(source.kind, SourceKind::Git { .. }) {
            return Ok(Vec::new());
        }
        let keys = source.select.include.iter().flatten().filter(|key| key.contains('/'));
        let mut paths: BTreeSet<DirPath> = keys.filter_map(|key| DirPath::new(key).ok()).collect();
        paths.extend(before.iter().flat_map(|before| before.paths.iter().cloned()));
        paths.retain(|path| scope.iter().all(|found| found.path != *path));
        let paths: Vec<DirPath> = paths.into_iter().collect();
        Ok(self.search(key, source, root).at(&paths)?.into_iter().flatten().collect())
    }
}

impl<'g> Repository<'_, 'g> {
    /// Returns a search of a commit for a source.
    pub(super) fn search<'r>(
        &'r mut self,
        key: &'r SourceKey,
        source: &'r Source,
        root: ObjectId,
    ) -> Search<'r, 'g> {
        let name = source.root_name(key);
        Search::new(self.session, (key, name), root, self.limits, &mut self.notes)
    }
}

/// Returns the directories of `skillsDir` without skills.
fn empty_directories<'s>(source: &'s Source, scope: &Scope) -> impl Iterator<Item = &'s DirPath> {
    let (skills_dir, is_default) = match &source.kind {
        SourceKind::Git { skills_dir, .. } => (Some(skills_dir), source.has_default_dir()),
        _ => (None, true),
    };
    let is_empty = move |directory: &&DirPath| {
        !is_default && !scope.found.iter().any(|found| directory.contains(&found.path))
    };
    skills_dir.into_iter().flatten().filter(is_empty)
}

/// Returns the error for a link to a directory that cannot be used.
///
/// A link that does not lead to a skill is an error only if the manifest includes it.
fn link_error(key: &SourceKey, select: &Select, link: &BrokenLink) -> Option<Error> {
    let other = "the link does not lead to a directory with a SKILL.md";
    let problem = link.problem.or_else(|| select.include.is_some().then_some(other))?;
    let exclude = excluding(&link.name);
    Some(Error::excludable(show_place(key, &link.path), problem, Some(&exclude)))
}
