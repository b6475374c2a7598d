//! Where skills come from, as a trait: what a manifest can name, and what a program brings that embeds this library.

use crate::error::Unanswered;
use crate::manifest::{GitSource, LockedSource, PathSource, Select};
use crate::{
    Cancellation, Contents, Error, Failure, FoundSkill, Progress, SkillFile,
    candidate::{Candidate, wanted},
    contents::{Collector, FileRules, Verdict, show_place},
    directory,
    error::SourceErrors,
    paths::ProjectPaths,
    sync::{Fetched, Job, Needed, Remote, Task, Upstream},
};
use helix_skills_format::{self as format, DirPath, Limits, LockedSkill, ObjectId, SkillName, SourceKey};
use std::{collections::BTreeMap, fmt, path::Path};

/// An entry of a manifest that can be asked which skills it has.
///
/// [`GitSource`], [`MarketplaceSource`](crate::manifest::MarketplaceSource) and [`PathSource`] are what a manifest can name without
/// help. A program that embeds this library may bring its own: entries whose `type` starts with `x-` are handed to what
/// [`Project::source_type`](crate::Project::source_type) was given for that type. Selection, names, limits, integrity, cache,
/// lock and store are the library's work; a source only says what lies where.
///
/// Whatever a source gives is checked: files against the limits, locked files against their integrity.
pub trait Source: Send + Sync {
    /// What the entry's pin means now, and the skills that are wanted of it.
    ///
    /// # Errors
    /// Everything that is in the way, at once.
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Failure>;

    /// The files of locked skills, as they were when `locked` was written; by the names that the skills have in the lock, after
    /// `rename` and `prefix`. What the source itself called one is its [`LockedSkill::path`].
    ///
    /// # Errors
    /// The source no longer has them, or cannot be reached.
    fn fetch(
        &self,
        scope: &Scope<'_>,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Failure>;
}

/// What a source has.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Resolution {
    /// What the pin was resolved to, in the source's own words: for repositories the full name of a tag or branch.
    pub reference: Option<String>,
    /// The commit; none for sources that have none.
    pub commit: Option<ObjectId>,
    /// Where the plugin of a marketplace lies.
    pub plugin: Option<format::LockedPlugin>,
    /// The skills that are wanted, each made by [`Scope::skill`].
    pub skills: Vec<FoundSkill>,
    /// Lines for people.
    pub warnings: Vec<String>,
    /// Lines for people who want to know more.
    pub details: Vec<String>,
}

/// What a source works with: its name in the manifest, the manifest's limits, the network.
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
    /// What the manifest calls the source.
    #[must_use]
    pub fn key(&self) -> &SourceKey {
        self.key
    }

    /// The manifest's directory, where relative paths start.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.project.root
    }

    /// How large skills and files may be.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether the network must not be used: a source that needs it fails then.
    #[must_use]
    pub fn offline(&self) -> bool {
        self.offline
    }

    /// Asks long work to stop; look at it now and then.
    #[must_use]
    pub fn cancellation(&self) -> &Cancellation {
        self.cancellation
    }

    /// Hears what is going on.
    #[must_use]
    pub fn progress(&self) -> &dyn Progress {
        self.progress
    }

    /// Which of the directories that a source has are wanted, in their order.
    ///
    /// # Errors
    /// An `include` that names no directory, with the nearest that is there.
    pub fn wanted(&self, select: &Select, directories: &[String]) -> Result<Vec<String>, Failure> {
        let wanted = wanted(self.key, select, directories, &Upstream::default())?;
        Ok(directories.iter().filter(|name| wanted.contains(name.as_str())).cloned().collect())
    }

    /// Makes a skill of the files of a directory: leaves out what the selection excludes, keeps the limits, reads SKILL.md,
    /// gives the name.
    ///
    /// # Errors
    /// Files that cannot be baked, a limit, a SKILL.md that cannot be read: all of them at once.
    pub fn skill(
        &self,
        select: &Select,
        path: &DirPath,
        files: impl IntoIterator<Item = SkillFile>,
    ) -> Result<FoundSkill, Failure> {
        let candidate = Candidate {
            place: show_place(self.key, path),
            directory: path.file_name().unwrap_or(self.key.as_str()).to_owned(),
            is_named: !path.is_root(),
            contents: self.collect(select, path, files)?,
            path: path.clone(),
            tree: None,
            links: BTreeMap::new(),
        };
        Ok(candidate.resolve(self.key, select)?)
    }

    /// The files of a directory that belong to the skill there.
    ///
    /// # Errors
    /// Files that cannot be baked, and limits.
    pub fn collect(
        &self,
        select: &Select,
        path: &DirPath,
        files: impl IntoIterator<Item = SkillFile>,
    ) -> Result<Contents, Failure> {
        let rules = FileRules::new(select, self.limits)?;
        let mut errors = SourceErrors::new();
        let mut collector = Collector::new(&rules, show_place(self.key, path), &mut errors);
        for SkillFile { path, bytes, executable } in files {
            if collector.is_over() {
                break;
            }
            if let Verdict::Take(path) = collector.admit(&path, false)
                && collector.admit_size(&path, bytes.len() as u64)
            {
                collector.add(path, bytes, executable);
            }
        }
        let (contents, _) = collector.finish();
        Ok(contents.ok_or_else(|| errors.into_vec(self.key))?)
    }

    /// Asks git about an entry of ours.
    fn resolve_by_git(&self, source: crate::manifest::Source) -> Result<Resolution, Failure> {
        let fetched = self.ask_git(source, Task::Resolve { known: None, before: None })?;
        let locked = fetched.resolved;
        let (reference, commit, plugin) =
            locked.map_or((None, None, None), |locked| (locked.reference, locked.commit, locked.plugin));
        let Fetched { skills, warnings, details, .. } = fetched;
        Ok(Resolution { reference, commit, plugin, skills, warnings, details })
    }

    fn fetch_by_git(
        &self,
        source: crate::manifest::Source,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Failure> {
        let needed = skills.iter().map(|(name, locked)| Needed { name: name.clone(), locked: locked.clone() });
        let task = Task::Locked { locked: locked.clone(), needed: needed.collect() };
        let fetched = self.ask_git(source, task)?;
        Ok(fetched.restored.into_iter().map(|(needed, contents)| (needed.name, contents)).collect())
    }

    fn ask_git(&self, source: crate::manifest::Source, task: Task) -> Result<Fetched, Failure> {
        let job = Job { key: self.key.clone(), source, task };
        let mut errors = Vec::new();
        let mut answer = None;
        let results = self.git.fetch(self.project, self.limits, vec![job]);
        // Whoever asked to stop has no use for the errors that this led to.
        self.cancellation.check()?;
        for result in results {
            match result {
                Ok(fetched) => answer = Some(fetched),
                Err(found) => errors.extend(found),
            }
        }
        Failure::unless_empty(errors)?;
        Ok(answer.unwrap_or_else(|| Fetched::nothing(self.key.clone())))
    }
}

impl Source for GitSource {
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Failure> {
        scope.resolve_by_git(crate::manifest::Source::Git(self.clone()))
    }

    fn fetch(
        &self,
        scope: &Scope<'_>,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Failure> {
        scope.fetch_by_git(crate::manifest::Source::Git(self.clone()), locked, skills)
    }
}

impl Source for crate::manifest::MarketplaceSource {
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Failure> {
        scope.resolve_by_git(crate::manifest::Source::Marketplace(self.clone()))
    }

    fn fetch(
        &self,
        scope: &Scope<'_>,
        locked: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Failure> {
        scope.fetch_by_git(crate::manifest::Source::Marketplace(self.clone()), locked, skills)
    }
}

impl Source for PathSource {
    fn resolve(&self, scope: &Scope<'_>) -> Result<Resolution, Failure> {
        let found = directory::read_source(scope.project, scope.key, self, scope.limits)?;
        let details = found.left_out.into_iter().map(|path| format!("left out {path}")).collect();
        Ok(Resolution { skills: found.skills, warnings: found.warnings, details, ..Resolution::default() })
    }

    fn fetch(
        &self,
        scope: &Scope<'_>,
        _: &LockedSource,
        skills: &BTreeMap<SkillName, LockedSkill>,
    ) -> Result<BTreeMap<SkillName, Contents>, Failure> {
        let found = self.resolve(scope)?.skills.into_iter().filter(|skill| skills.contains_key(&skill.name));
        Ok(found.map(|skill| (skill.name, skill.contents)).collect())
    }
}

/// Makes a source of an entry whose type an embedding program has brought.
pub(crate) type Factory = dyn Fn(&crate::manifest::OtherSource) -> Result<Box<dyn Source>, Failure> + Send + Sync;

/// Asks every source: repositories all together, so that they share requests; others one by one.
pub(crate) struct Sources<'s> {
    pub(crate) git: &'s dyn Remote,
    pub(crate) offline: bool,
    pub(crate) types: &'s BTreeMap<crate::manifest::SourceType, Box<Factory>>,
    pub(crate) cancellation: &'s Cancellation,
    pub(crate) progress: &'s dyn Progress,
}

impl Remote for Sources<'_> {
    fn fetch(&self, project: &ProjectPaths, limits: Limits, jobs: Vec<Job>) -> Vec<Result<Fetched, Vec<Error>>> {
        let (other, known): (Vec<_>, Vec<_>) =
            jobs.into_iter().partition(|job| matches!(job.source, crate::manifest::Source::Other(_)));
        let mut answers = if known.is_empty() { Vec::new() } else { self.git.fetch(project, limits, known) };
        answers.extend(other.into_iter().map(|job| {
            let Self { git, offline, cancellation, progress, .. } = *self;
            let scope = Scope { key: &job.key, project, limits, offline, git, cancellation, progress };
            self.ask(&scope, &job).map_err(Vec::from)
        }));
        answers
    }
}

impl Sources<'_> {
    /// Asks a source of a type that the embedding program has brought.
    fn ask(&self, scope: &Scope<'_>, job: &Job) -> Result<Fetched, Failure> {
        scope.cancellation.check()?;
        let crate::manifest::Source::Other(entry) = &job.source else { return Ok(Fetched::nothing(job.key.clone())) };
        let Some(make) = self.types.get(&entry.kind) else {
            return Err(Error::unanswered(&job.key, Unanswered::UnknownType { kind: entry.kind.clone() }).into());
        };
        let source = make(entry)?;
        let nothing = Fetched::nothing(job.key.clone());
        match &job.task {
            Task::Resolve { .. } => {
                let Resolution { reference, commit, plugin, skills, warnings, details } = source.resolve(scope)?;
                let mut resolved = LockedSource::new(job.source.clone());
                (resolved.reference, resolved.commit, resolved.plugin) = (reference, commit, plugin);
                Ok(Fetched { resolved: Some(resolved), skills, warnings, details, ..nothing })
            }
            Task::Locked { locked, needed } => {
                let skills = needed.iter().map(|needed| (needed.name.clone(), needed.locked.clone())).collect();
                let mut contents = source.fetch(scope, locked, &skills)?;
                let (mut restored, mut errors) = (Vec::new(), Vec::new());
                for needed in needed {
                    match contents.remove(&needed.name) {
                        Some(contents) => restored.push((needed.clone(), contents)),
                        None => {
                            let why = Unanswered::SkillGone { skill: needed.name.clone() };
                            errors.push(Error::unanswered(&job.key, why));
                        }
                    }
                }
                Failure::unless_empty(errors)?;
                Ok(Fetched { restored, ..nothing })
            }
        }
    }
}
