//! The second step: the directories of each source that are skills, with their trees.

use super::{
    Repository, SourceResult,
    discover::{self, Scope},
    location::{Location, Searched, Task},
    of_source,
    plugin::PluginRoot,
    skill_tree::{FoundDirectory, SkillFiles},
    upstream,
};
use crate::{
    Error,
    contents::{FileRules, show_place},
    error::{SourceErrors, excluding},
    fetch::{MissingSkill, PreviousLock},
    license,
    manifest::{LockedSource, SourceKind},
    near_skill::{self, NearSkill},
    selection::{self, Before, Depth},
    upstream::Upstream,
};
use helix_skills_format::{
    __internal::{listed_all, one_line, path_key},
    DirPath, Limits, ObjectId,
};
use helix_skills_git::{self as git, EntryKind};
use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    sync::Arc,
};

/// A directory, and its tree if it is known.
type Place = (DirPath, Option<ObjectId>);

/// A source whose selected directories are known, before their files are fetched.
pub(crate) struct OpenedSource {
    /// Where the skills are. What the lockfile will have of the source is complete.
    pub(crate) location: Location,
    pub(crate) rules: FileRules,
    /// The skills that its entry searches, if they were searched.
    pub(crate) scope: Arc<Scope>,
    pub(crate) found: Vec<FoundDirectory>,
    /// The files of each of them, as soon as all their links are known.
    pub(crate) files: Vec<Option<SkillFiles>>,
    /// The errors of single skills.
    pub(crate) errors: SourceErrors,
    /// The key of `exclude` that leaves out each of the directories with its copies.
    pub(crate) exclude: BTreeMap<DirPath, String>,
    /// What changed since the locked commit, if there was a lockfile to compare with.
    pub(crate) upstream: Option<Upstream>,
}

impl OpenedSource {
    fn new(
        location: Location,
        limits: Limits,
        found: Vec<FoundDirectory>,
        upstream: Option<Upstream>,
    ) -> Result<Self, Error> {
        let rules = FileRules::new(&location.source().select, limits)?;
        let (files, errors, exclude) = (Vec::new(), SourceErrors::new(), BTreeMap::new());
        Ok(Self { location, rules, scope: Arc::default(), found, files, errors, exclude, upstream })
    }
}

impl Repository<'_> {
    /// Finds and selects the skills of each location.
    pub(crate) fn open(
        &mut self,
        locations: Vec<Location>,
    ) -> Result<Vec<OpenedSource>, git::Error> {
        self.fetch_plugins(&locations)?;
        let mut opened = Vec::new();
        for location in locations {
            let key = location.key.clone();
            let (reference, source) = match location.task {
                Task::Restore { .. } => (None, self.open_locked(location)),
                _ => {
                    let reference = location.locked.skills_reference().map(str::to_owned);
                    (reference, self.open_location(location))
                }
            };
            opened.extend(self.keep((&key, reference.as_deref()), source)?);
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
            let Some(root) = PluginRoot::new(location) else { continue };
            let manifest = self.plugin_manifest(location.root, root.place)?;
            let Some(manifest) = manifest.filter(|id| !self.session.has(id)) else { continue };
            missing.push(manifest);
            let (select, needs_files) =
                (&location.source().select, matches!(location.task, Task::Fetch));
            let (true, Ok(plan)) = (needs_files, root.plan(None)) else { continue };
            let scope = of_source(self.quietly(|it| it.directories(root, &plan)))?;
            let rules = FileRules::new(select, self.limits);
            let (Ok(rules), Ok(scope)) = (rules, scope) else { continue };
            let wanted = |found: &&FoundDirectory| select.matches(&found.name, &found.path);
            for found in scope.found.iter().filter(wanted) {
                let rules = (&location.key, &rules);
                let files = self.walk(found, rules, &mut SourceErrors::new())?;
                missing.extend(files.missing(&self.session));
            }
        }
        self.session.blobs(&missing)
    }

    /// Returns where the license of a plugin or its repository is. Their trees have been fetched.
    fn license_file(&mut self, location: &Location) -> Result<Option<String>, git::Error> {
        let plugin = location.locked.plugin.as_ref().map(|plugin| &plugin.path);
        for directory in plugin.into_iter().chain([&DirPath::root()]) {
            let Ok((tree, _)) = self.directory(location.root, directory)? else { continue };
            let names = self.names(tree)?;
            let is_file = |kind| matches!(kind, EntryKind::File | EntryKind::Executable);
            let names = names.iter().filter(|(_, kind)| is_file(*kind)).map(|(name, _)| &**name);
            let Some(files) = license::files(names) else { continue };
            let place = match directory.is_root() {
                true => "the repository".to_owned(),
                false => format!("the repository's {directory}"),
            };
            return Ok(one_line(&format!("see {files} of {place}")).ok());
        }
        Ok(None)
    }

    /// Finds the directories of locked skills. What the lockfile has of their trees is compared
    /// with the commit, and never used instead of it.
    fn open_locked(&mut self, mut location: Location) -> SourceResult<OpenedSource> {
        let (key, locked) = (&location.key, &location.locked);
        let Task::Restore { needed, .. } = &mut location.task else {
            return Err(Error::no_repository(key).into());
        };
        let cached = needed.iter_mut().filter_map(|needed| needed.cached.as_mut());
        for file in cached.flat_map(|cached| mem::take(cached).into_files()) {
            self.session.add_blob(file.bytes);
        }
        self.session.count_steps_for(key.as_str());
        let paths = needed.iter().map(|needed| &needed.locked.path);
        let found = self.search((key, locked, location.root)).at(paths)?;
        let mut errors = Vec::new();
        for (MissingSkill { name, locked: skill, .. }, found) in needed.iter().zip(&found) {
            let tree = found.as_ref().ok().map(|found| found.tree);
            // The lockfile's parser checks that there is one; no object has the null id.
            let expected = skill.tree.unwrap_or_else(|| ObjectId::from([0; 20]));
            if tree != Some(expected) {
                let commit = locked.skills_commit().unwrap_or(&expected);
                let (path, tree) = (&skill.path, tree.as_ref());
                errors.push(Error::tree_mismatch(name, commit, path, &expected, tree));
            }
        }
        Error::unless_empty(errors)?;
        let found = found.into_iter().flatten().collect();
        Ok(OpenedSource::new(location, self.limits, found, None)?)
    }

    /// Finds and selects the skills of a source.
    fn open_location(&mut self, mut location: Location) -> SourceResult<OpenedSource> {
        let key = location.key.clone();
        self.session.count_steps_for(key.as_str());
        let scope = match PluginRoot::new(&location) {
            Some(root) => {
                let (plan, scope) = self.read_plugin(root)?;
                let LockedSource { plugin, license, .. } = &mut location.locked;
                *license = plan.license.and_then(|license| one_line(&license).ok());
                plugin.iter_mut().for_each(|place| place.version.clone_from(&plan.version));
                Arc::new(scope)
            }
            None => self.scope(location.searched())?,
        };
        if location.locked.license.is_none() {
            location.locked.license = self.license_file(&location)?;
        }
        let source = location.source().clone();
        let locked = location.before.as_ref().map(|before| Before {
            entry: &before.source.entry,
            paths: before.paths(),
            is_same_commit: location.known().is_some(),
        });
        let mut found = scope.found.clone();
        let in_scope = found.len();
        found.extend(self.others(location.searched(), &found, locked.as_ref())?);
        discover::mark_copies(&self.session, &mut found)?;
        let (searched, others) = found.split_at(in_scope);
        let selection = selection::select((&key, &source), searched, others, locked.as_ref());
        let upstream = self.upstream(&location, &found)?;
        let keys = scope.keys();
        let (mut errors, mut refused) = (Vec::new(), SourceErrors::new());
        let select = &source.select;
        for (path, problem) in &scope.broken {
            let name = path.file_name().unwrap_or_default();
            // A link that does not lead to a skill is an error only if the manifest includes it.
            let other = "the link does not lead to a directory with a SKILL.md";
            let problem = problem.or_else(|| select.include.is_some().then_some(other));
            if let Some(problem) = problem.filter(|_| select.matches(name, path)) {
                let (place, exclude) = (show_place(&key, path), excluding(name));
                refused.enter(&key, path);
                refused.push(Error::excludable(place, problem, Some(&exclude)));
            }
        }
        let is_broken =
            |name: &String| scope.broken.iter().any(|(path, _)| path.file_name() == Some(name));
        for (name, paths) in selection.unclear.iter().filter(|(name, _)| !is_broken(name)) {
            errors.push(match paths.as_slice() {
                [] => self.missing(&location, (&scope, upstream.as_ref()), name)?,
                paths => {
                    let keys: Vec<String> = paths.iter().map(path_key).collect();
                    let hint = format!("include the path of one of them: {}", listed_all(&keys));
                    Error::not_selected(&key, name, paths.len()).with_hint(hint)
                }
            });
        }
        errors.extend(selection.left_out.iter().map(|name| Error::left_out(&key, name)));
        if let Some(before) = locked.filter(|before| !before.is_same_commit) {
            let (known, old) = (self.skills_before(&location)?, &before.entry.select);
            let is_new = |it: &&FoundDirectory| !known.contains_key(&path_key(&it.path));
            for (field, name) in &selection.unused {
                let is_named = match *field {
                    "exclude" => old.exclude.contains(name),
                    _ => old.rename.contains_key(name),
                };
                let Some((path, tree)) = known.get(name).filter(|_| is_named) else { continue };
                let now = upstream::moved((path, *tree), found.iter().filter(is_new));
                let now = now.map(|now| (&now.path, keys.of(&now.path)));
                errors.push(selection::gone(&key, (field, name), now));
            }
        }
        Error::unless_empty(errors)?;
        if source.select.include.is_none() && found.is_empty() {
            return Err(self.no_skills(&location, &scope)?.into());
        }
        self.notes.warnings.extend(selection::warnings((&key, &source), &selection));
        let near: Vec<NearSkill> = scope.near.iter().map(|near| near.of(&key)).collect();
        self.notes.warnings.extend(near_skill::warnings(&near, &source.select));
        if let SourceKind::Git { skills_dir, .. } = &source.kind
            && !source.has_default_dir()
        {
            let has_skill =
                |directory: &DirPath| scope.found.iter().any(|it| directory.contains(&it.path));
            for directory in skills_dir.iter().filter(|directory| !has_skill(directory)) {
                let what = format!("there are no skills in `{directory}`");
                self.notes.warn(format!("the source `{key}`: {what}"));
            }
        }
        // An update reads a commit again whose skills are not listed: there are others, or a locked
        // one stays in a directory that the entry alone would not select.
        let is_all = location.before.is_none()
            || selection::is_all((&key, &source), searched, others, &selection);
        location.locked.directories = is_all.then(|| selection.paths.iter().cloned().collect());
        let exclude_key = |path: &DirPath| selection::key_of(select, &keys.of(path), path);
        let exclude = selection.paths.iter().map(|path| (path.clone(), exclude_key(path)));
        let exclude = exclude.collect();
        found.retain(|found| selection.paths.contains(&found.path));
        let opened = OpenedSource::new(location, self.limits, found, upstream)?;
        Ok(OpenedSource { scope, errors: refused, exclude, ..opened })
    }

    /// Returns the root tree of the locked commit if upstream still has it.
    pub(super) fn root_before(
        &mut self,
        before: &PreviousLock,
    ) -> Result<Option<ObjectId>, git::Error> {
        let commit = before.source.skills_commit().copied().filter(|id| self.session.has(id));
        commit.map(|commit| Ok(self.commit(commit, None)?.tree)).transpose()
    }

    /// Returns the directories of the skills of the locked commit, with their trees, by the keys
    /// that name them.
    fn skills_before(&mut self, location: &Location) -> SourceResult<BTreeMap<String, Place>> {
        let Some(before) = &location.before else { return Ok(BTreeMap::new()) };
        let mut found: Vec<Place> = before.paths().into_iter().map(|path| (path, None)).collect();
        found.extend(before.skills.iter().map(|(_, skill)| (skill.path.clone(), skill.tree)));
        if let Some(root) = self.root_before(before)? {
            let scope = self.scope((&location.key, &before.source, root))?;
            found.extend(scope.found.iter().map(|found| (found.path.clone(), Some(found.tree))));
        }
        let keys = |(path, tree): Place| {
            let name = before.source.entry.directory_name(&location.key, &path).to_owned();
            [name, path_key(&path)].map(|key| (key, (path.clone(), tree)))
        };
        Ok(found.into_iter().flat_map(keys).collect())
    }

    /// Returns the skills of the directories that a source searches.
    pub(crate) fn scope(&mut self, searched: Searched<'_>) -> SourceResult<Arc<Scope>> {
        let (_, locked, _) = searched;
        match &locked.entry.kind {
            SourceKind::Git { skills_dir, .. } => self.skills_of(searched, Some(skills_dir)),
            _ => Ok(Arc::default()),
        }
    }

    /// Returns all skills of a commit, also those in skills and out of the scope of a source.
    pub(crate) fn everything(&mut self, searched: Searched<'_>) -> SourceResult<Arc<Scope>> {
        self.skills_of(searched, None)
    }

    /// Searches a commit, unless that was done before. Without `skills_dir`, everything is
    /// searched.
    fn skills_of(
        &mut self,
        searched: Searched<'_>,
        skills_dir: Option<&BTreeSet<DirPath>>,
    ) -> SourceResult<Arc<Scope>> {
        let (key, LockedSource { entry: source, .. }, root) = searched;
        let root_name = source.directory_name(key, &DirPath::root()).to_owned();
        let at = (root, root_name, skills_dir.cloned());
        if let Some(scope) = self.scopes.get(&at) {
            return Ok(Arc::clone(scope));
        }
        let mut search = self.search(searched);
        let found = match skills_dir {
            Some(_) => selection::scope(source, |below, depth| search.below(below, depth))?,
            None => search.below(&DirPath::root(), Depth::Everything)?,
        };
        let mut scope = Scope { found, ..search.aside };
        // A directory may have been searched twice.
        scope.near.sort_by(|a, b| a.place.cmp(&b.place));
        scope.near.dedup_by(|a, b| a.place == b.place);
        let scope = Arc::new(scope);
        self.scopes.insert(at, Arc::clone(&scope));
        Ok(scope)
    }

    /// Returns the skills out of the scope that an entry names by their paths, or that are locked.
    fn others(
        &mut self,
        searched: Searched<'_>,
        scope: &[FoundDirectory],
        before: Option<&Before<'_>>,
    ) -> SourceResult<Vec<FoundDirectory>> {
        let (_, LockedSource { entry: source, .. }, _) = searched;
        if !matches!(source.kind, SourceKind::Git { .. }) {
            return Ok(Vec::new());
        }
        let keys = source.select.include.iter().flatten().filter(|key| key.contains('/'));
        let mut paths: BTreeSet<DirPath> = keys.filter_map(|key| DirPath::new(key).ok()).collect();
        paths.extend(before.iter().flat_map(|before| before.paths.iter().cloned()));
        paths.retain(|path| scope.iter().all(|found| found.path != *path));
        Ok(self.search(searched).at(paths.iter())?.into_iter().flatten().collect())
    }
}
