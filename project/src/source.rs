//! The trait of sources, its implementations for the built-in types, and the dispatch to custom
//! types.

use crate::error::Unresolved;
use crate::manifest::{
    GitSource, LockedSource, MarketplaceSource, PathSource, Select, Source as Entry,
};
use crate::{
    Cancellation, Contents, Error, Progress, SourceFile, SourceSkill,
    candidate::{Candidate, wanted},
    contents::{Admission, Collector, FileRules, show_place},
    directory,
    error::SourceErrors,
    paths::ProjectPaths,
    sync::{FetchKind, FetchRequest, Fetched, MissingSkill, Remote, Upstream},
};
use helix_skills_format::{
    self as format, DirPath, Limits, LockedSkill, ObjectId, SkillName, SourceKey,
};
use std::{collections::BTreeMap, fmt, path::Path};

/// A source of skills: an entry of a manifest.
///
/// [`GitSource`], [`MarketplaceSource`] and [`PathSource`] are built in. A program can register
/// custom types, whose names start with `x-`, with
/// [`Project::source_type`](crate::Project::source_type); names without `x-` are reserved. A source
/// only returns files: this library selects and names skills, enforces limits, verifies integrity,
/// and writes cache, lockfile and store.
///
/// Custom sources are called one after the other, also in offline mode, in which they must not use
/// the network ([`Scope::offline`]). Sources in repositories are read together, because they share
/// requests.
pub trait Source: Send + Sync {
    /// Resolves the pin and returns the skills that the entry selects.
    ///
    /// # Errors
    /// All errors at once.
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Error>;

    /// Returns the files of locked skills as they were when `locked` was written.
    ///
    /// The keys are the names in the lockfile, after `rename` and `prefix`. A skill's directory in
    /// the source is its [`LockedSkill::path`]. The caller verifies the files.
    ///
    /// # Errors
    /// The source cannot be read. The caller reports a skill that is missing from the
    /// result.
    fn fetch(
        &self,
        scope: &Scope<'_>,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Error>;
}

/// The result of [`Source::resolve`]: what the pin was resolved to, and the selected skills.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Resolution {
    /// What the pin was resolved to, in the source's own form; for repositories, the full name of a
    /// tag or branch.
    pub reference: Option<String>,
    /// The commit, if the source has commits.
    pub commit: Option<ObjectId>,
    /// The location of the plugin of a marketplace.
    pub plugin: Option<format::LockedPlugin>,
    /// The selected skills, each made by [`Scope::skill`].
    pub skills: Vec<SourceSkill>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
    /// Details for verbose output, one line each.
    pub details: Vec<String>,
}

/// The context of a call to a [`Source`]: its key in the manifest, limits and network access.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    pub(crate) key: &'s SourceKey,
    pub(crate) project: &'s ProjectPaths,
    pub(crate) limits: Limits,
    pub(crate) offline: bool,
    pub(crate) git: &'s dyn Remote,
    pub(crate) cancellation: &'s Cancellation,
    pub(crate) progress: &'s dyn Progress,
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, project, limits, offline, .. } = self;
        f.debug_struct("Scope")
            .field("key", key)
            .field("project", project)
            .field("limits", limits)
            .field("offline", offline)
            .finish_non_exhaustive()
    }
}

impl Scope<'_> {
    /// Returns the key of the source in the manifest.
    #[must_use]
    pub fn key(&self) -> &SourceKey {
        self.key
    }

    /// Returns the directory of the manifest, the base of relative paths.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.project.root
    }

    /// Returns the limits of the manifest on skills and files.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns whether the network must not be used. A source that needs the network has to fail
    /// then.
    #[must_use]
    pub fn offline(&self) -> bool {
        self.offline
    }

    /// Returns the handle that cancels operations. A slow source has to check it regularly.
    #[must_use]
    pub fn cancellation(&self) -> &Cancellation {
        self.cancellation
    }

    /// Returns the receiver of progress events.
    #[must_use]
    pub fn progress(&self) -> &dyn Progress {
        self.progress
    }

    /// Returns the directories of a source that are selected, in their order.
    ///
    /// # Errors
    /// `include` names a directory that the source does not have; the hint names the closest one.
    pub fn wanted(&self, select: &Select, directories: &[String]) -> Result<Vec<String>, Error> {
        let names: Vec<&str> = directories.iter().map(String::as_str).collect();
        let wanted = wanted(self.key, select, &names, &Upstream::default(), &[])?;
        Ok(directories.iter().filter(|name| wanted.contains(name.as_str())).cloned().collect())
    }

    /// Creates a skill from the files of a directory: drops excluded files, enforces limits, parses
    /// `SKILL.md` and names the skill.
    ///
    /// # Errors
    /// All files that cannot be embedded, exceeded limits, and mistakes in `SKILL.md`.
    pub fn skill(
        &self,
        select: &Select,
        path: &DirPath,
        files: impl IntoIterator<Item = SourceFile>,
    ) -> Result<SourceSkill, Error> {
        let candidate = Candidate {
            place: show_place(self.key, path),
            directory: path.file_name().unwrap_or(self.key.as_str()).to_owned(),
            is_named: !path.is_root(),
            contents: self.collect(select, path, files)?,
            path: path.clone(),
            tree: None,
            links: BTreeMap::new(),
        };
        candidate.resolve(self.key, select)
    }

    /// Returns the files of a directory that belong to the skill there.
    ///
    /// # Errors
    /// All files that cannot be embedded, and exceeded limits.
    pub fn collect(
        &self,
        select: &Select,
        path: &DirPath,
        files: impl IntoIterator<Item = SourceFile>,
    ) -> Result<Contents, Error> {
        let rules = FileRules::new(select, self.limits)?;
        let mut errors = SourceErrors::new();
        let mut collector = Collector::new(&rules, show_place(self.key, path), &mut errors);
        for SourceFile { path, bytes, executable } in files {
            if collector.is_over() {
                break;
            }
            if let Admission::Include(path) = collector.admit(&path, false)
                && collector.admit_size(&path, bytes.len() as u64)
            {
                collector.add(path, bytes, executable);
            }
        }
        let (contents, _) = collector.finish();
        contents.ok_or_else(|| Error::from(errors.into_vec(self.key)))
    }

    /// Resolves a built-in entry.
    fn resolve_by_git(&self, source: Entry) -> Result<Resolution, Error> {
        let fetched = self.ask_git(source, FetchKind::Resolve { known: None, before: None })?;
        let locked = fetched.resolved;
        let (reference, commit, plugin) = locked
            .map_or((None, None, None), |locked| (locked.reference, locked.commit, locked.plugin));
        let Fetched { skills, warnings, details, .. } = fetched;
        Ok(Resolution { reference, commit, plugin, skills, warnings, details })
    }

    fn fetch_by_git(
        &self,
        source: Entry,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Error> {
        let needed = skills
            .iter()
            .map(|(name, locked)| MissingSkill { name: name.clone(), locked: locked.clone() });
        let kind = FetchKind::Locked { locked: locked.clone(), needed: needed.collect() };
        let fetched = self.ask_git(source, kind)?;
        Ok(fetched.restored.into_iter().map(|(needed, contents)| (needed.name, contents)).collect())
    }

    fn ask_git(&self, source: Entry, kind: FetchKind) -> Result<Fetched, Error> {
        let request = FetchRequest { key: self.key.clone(), source, kind };
        let mut errors = Vec::new();
        let mut answer = None;
        let results = self.git.fetch(self.project, self.limits, vec![request]);
        // Errors that follow from an interruption are not reported.
        self.cancellation.check()?;
        for result in results {
            match result {
                Ok(fetched) => answer = Some(fetched),
                Err(found) => errors.extend(found),
            }
        }
        Error::unless_empty(errors)?;
        Ok(answer.unwrap_or_else(|| Fetched::empty(self.key.clone())))
    }
}

/// Implements [`Source`] for the entries that git reads.
macro_rules! read_by_git {
    ($($source:ty => $entry:path),+) => {$(
        impl Source for $source {
            fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Error> {
                scope.resolve_by_git($entry(self.clone()))
            }

            fn fetch(
                &self,
                scope: &Scope<'_>,
                locked: &LockedSource,
                skills: &BTreeMap<SkillName, LockedSkill>,
            ) -> Result<BTreeMap<SkillName, Contents>, Error> {
                scope.fetch_by_git($entry(self.clone()), locked, skills)
            }
        }
    )+};
}

read_by_git!(GitSource => Entry::Git, MarketplaceSource => Entry::Marketplace);

impl Source for PathSource {
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Error> {
        let found = directory::read_source(scope.project, scope.key, self, scope.limits)?;
        let details = found.excluded.into_iter().map(|path| format!("excluded {path}")).collect();
        Ok(Resolution {
            skills: found.skills,
            warnings: found.warnings,
            details,
            ..Resolution::default()
        })
    }

    fn fetch(
        &self,
        scope: &Scope<'_>,
        _: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Error> {
        let found = self
            .resolve(scope)?
            .skills
            .into_iter()
            .filter(|skill| skills.contains_key(&skill.name));
        Ok(found.map(|skill| (skill.name, skill.contents)).collect())
    }
}

/// A function that creates a source from an entry with a custom type.
pub(crate) type Factory =
    dyn Fn(&crate::manifest::OtherSource) -> Result<Box<dyn Source>, Error> + Send + Sync;

/// Reads all sources: repositories together, because they share requests, custom sources one by
/// one.
pub(crate) struct Sources<'s> {
    pub(crate) git: &'s dyn Remote,
    pub(crate) offline: bool,
    pub(crate) types: &'s BTreeMap<crate::manifest::SourceType, Box<Factory>>,
    pub(crate) cancellation: &'s Cancellation,
    pub(crate) progress: &'s dyn Progress,
}

impl Remote for Sources<'_> {
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
    ) -> Vec<Result<Fetched, Error>> {
        let (other, known): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| matches!(request.source, Entry::Other(_)));
        let mut answers =
            if known.is_empty() { Vec::new() } else { self.git.fetch(project, limits, known) };
        answers.extend(other.into_iter().map(|request| {
            let Self { git, offline, cancellation, progress, .. } = *self;
            let scope =
                Scope { key: &request.key, project, limits, offline, git, cancellation, progress };
            self.ask(&scope, &request)
        }));
        answers
    }
}

impl Sources<'_> {
    /// Reads a source with a custom type.
    fn ask(&self, scope: &Scope<'_>, request: &FetchRequest) -> Result<Fetched, Error> {
        scope.cancellation.check()?;
        let Entry::Other(entry) = &request.source else {
            return Ok(Fetched::empty(request.key.clone()));
        };
        let Some(make) = self.types.get(&entry.kind) else {
            return Err(Error::unresolved(
                &request.key,
                Unresolved::UnknownType { kind: entry.kind.clone() },
            ));
        };
        let source = make(entry)?;
        let nothing = Fetched::empty(request.key.clone());
        match &request.kind {
            FetchKind::Resolve { .. } => {
                let Resolution { reference, commit, plugin, skills, warnings, details } =
                    source.resolve(scope)?;
                let mut resolved = LockedSource::new(request.source.clone());
                (resolved.reference, resolved.commit, resolved.plugin) =
                    (reference, commit, plugin);
                Ok(Fetched { resolved: Some(resolved), skills, warnings, details, ..nothing })
            }
            FetchKind::Locked { locked, needed } => {
                let skills = needed
                    .iter()
                    .map(|needed| (needed.name.clone(), needed.locked.clone()))
                    .collect();
                let mut contents = source.fetch(scope, locked, &skills)?;
                let (mut restored, mut errors) = (Vec::new(), Vec::new());
                for needed in needed {
                    match contents.remove(&needed.name) {
                        Some(contents) => restored.push((needed.clone(), contents)),
                        None => {
                            let why = Unresolved::SkillGone { skill: needed.name.clone() };
                            errors.push(Error::unresolved(&request.key, why));
                        }
                    }
                }
                Error::unless_empty(errors)?;
                Ok(Fetched { restored, ..nothing })
            }
        }
    }
}
