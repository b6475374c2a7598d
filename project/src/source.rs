//! The trait of custom sources, and the dispatch to them.

use crate::error::Unresolved;
use crate::manifest::{LockedSource, Select, SourceKind, SourceType};
use crate::{
    Cancellation, Error, SourceFile,
    candidate::{Candidate, SourceSkill, unused_selections, wanted},
    contents::{Admission, Collector, Contents, FileRules, show_place},
    error::SourceErrors,
    notes::Notes,
    paths::ProjectPaths,
    sync::{FetchKind, FetchRequest, Fetched, FetchedKind, LockedRequest, Remote, Upstream},
};
use helix_skills_format::{DirPath, Limits, LockedSkill, ObjectId, SkillName, SourceKey};
use serde_json::{Map, Value as Json};
use std::{collections::BTreeMap, path::Path};

/// A source of a custom type, whose name starts with `x-`, for
/// [`Project::source_type`](crate::Project::source_type).
///
/// It only returns files. This library selects and names skills, enforces limits, verifies
/// integrity, and writes cache, lockfile and store.
///
/// Custom sources are called one after the other, also in offline mode, in which they must not use
/// the network ([`Scope::offline`]).
pub trait CustomSource: Send + Sync {
    /// Resolves the pin, and returns the directories that are skills.
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
    ) -> Result<BTreeMap<SkillName, Vec<SourceFile>>, Error>;
}

/// The result of [`CustomSource::resolve`].
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Resolution {
    /// What the pin was resolved to, in the source's own form.
    pub reference: Option<String>,
    /// The commit, if the source has commits.
    pub commit: Option<ObjectId>,
    /// All directories that are skills, with their files. Those that [`Scope::selects`] refuses are
    /// not used, and need no files.
    pub directories: BTreeMap<DirPath, Vec<SourceFile>>,
    /// Warnings, one line each.
    pub warnings: Vec<String>,
}

/// The context of a call to a [`CustomSource`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Scope<'s> {
    /// The key of the source in the manifest.
    pub key: &'s SourceKey,
    /// The directory of the manifest, the base of relative paths.
    pub directory: &'s Path,
    /// Whether the network must not be used. A source that needs the network has to fail then.
    pub offline: bool,
    /// The handle that cancels operations. A slow source has to check it regularly.
    pub cancellation: &'s Cancellation,
    select: &'s Select,
    limits: Limits,
}

impl Scope<'_> {
    /// Returns whether `include` and `exclude` of the entry select a directory.
    #[must_use]
    pub fn selects(&self, directory: &DirPath) -> bool {
        self.select.matches(self.name_of(directory))
    }

    /// Returns the name of a directory, as in `include`, `exclude` and `rename`.
    fn name_of<'d>(&'d self, directory: &'d DirPath) -> &'d str {
        directory.file_name().unwrap_or(self.key.as_str())
    }

    /// Returns the skills of the selected directories.
    fn skills(
        &self,
        directories: BTreeMap<DirPath, Vec<SourceFile>>,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<SourceSkill>, Error> {
        let names: Vec<&str> = directories.keys().map(|path| self.name_of(path)).collect();
        wanted(self.key, self.select, &names, &Upstream::default(), &[])?;
        warnings.extend(unused_selections(self.key, self.select, &names));
        let (mut skills, mut errors) = (Vec::new(), SourceErrors::new());
        for (path, files) in directories {
            if !self.selects(&path) {
                continue;
            }
            let Some(contents) = self.collect(&path, files, &mut errors)? else { continue };
            let candidate = Candidate {
                place: show_place(self.key, &path),
                directory: self.name_of(&path).to_owned(),
                is_named: !path.is_root(),
                path,
                tree: None,
                links: BTreeMap::new(),
                contents,
            };
            match candidate.resolve(self.key, self.select) {
                Ok(skill) => skills.push(skill),
                Err(error) => errors.push(error),
            }
        }
        errors.finish(self.key)?;
        Ok(skills)
    }

    /// Returns the files that belong to the skill in a directory; `None` after adding errors.
    fn collect(
        &self,
        path: &DirPath,
        files: Vec<SourceFile>,
        errors: &mut SourceErrors,
    ) -> Result<Option<Contents>, Error> {
        let rules = FileRules::new(self.select, self.limits)?;
        let mut collector = Collector::new(&rules, show_place(self.key, path), errors);
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
        Ok(collector.finish().0)
    }
}

/// A function that creates a source from the settings of an entry with a custom type.
pub(crate) type Factory =
    dyn Fn(&Map<String, Json>) -> Result<Box<dyn CustomSource>, Error> + Send + Sync;

/// Reads all sources: repositories together, because they share requests, custom sources one by
/// one.
pub(crate) struct Sources<'s> {
    pub(crate) git: &'s dyn Remote,
    pub(crate) offline: bool,
    pub(crate) types: &'s BTreeMap<SourceType, Box<Factory>>,
    pub(crate) cancellation: &'s Cancellation,
}

impl Remote for Sources<'_> {
    fn fetch(
        &self,
        project: &ProjectPaths,
        limits: Limits,
        requests: Vec<FetchRequest>,
        notes: &mut Notes,
    ) -> Vec<Result<Fetched, Error>> {
        let (other, known): (Vec<_>, Vec<_>) = requests
            .into_iter()
            .partition(|request| matches!(request.source.kind, SourceKind::Other { .. }));
        let mut answers = if known.is_empty() {
            Vec::new()
        } else {
            self.git.fetch(project, limits, known, notes)
        };
        answers.extend(other.into_iter().map(|request| {
            let scope = Scope {
                key: &request.key,
                select: &request.source.select,
                directory: &project.root,
                limits,
                offline: self.offline,
                cancellation: self.cancellation,
            };
            self.ask(&scope, &request, notes)
        }));
        answers
    }
}

impl Sources<'_> {
    /// Reads a source with a custom type.
    fn ask(
        &self,
        scope: &Scope<'_>,
        request: &FetchRequest,
        notes: &mut Notes,
    ) -> Result<Fetched, Error> {
        scope.cancellation.check()?;
        let SourceKind::Other { kind, settings } = &request.source.kind else {
            return Err(Error::no_repository(&request.key));
        };
        let Some(make) = self.types.get(kind) else {
            let why = Unresolved::other(
                format!("unknown source type `{kind}`"),
                "types with the prefix `x-` are custom: sync with the program that registers this one",
            );
            return Err(Error::unresolved(&request.key, why));
        };
        let source = make(settings)?;
        let kind = match &request.kind {
            FetchKind::Resolve { .. } => {
                let Resolution { reference, commit, directories, warnings } =
                    source.resolve(scope)?;
                notes.warnings.extend(warnings);
                let mut source = Box::new(LockedSource::new(request.source.clone()));
                (source.reference, source.commit) = (reference, commit);
                let skills = scope.skills(directories, &mut notes.warnings)?;
                FetchedKind::Resolved { source, skills, upstream: None }
            }
            FetchKind::Locked(LockedRequest { locked, needed }) => {
                let skills = needed
                    .iter()
                    .map(|needed| (needed.name.clone(), needed.locked.clone()))
                    .collect();
                let mut files = source.fetch(scope, locked, &skills)?;
                let (mut restored, mut errors) = (Vec::new(), SourceErrors::new());
                for needed in needed {
                    let Some(files) = files.remove(&needed.name) else {
                        let message =
                            format!("it no longer has the locked skill `{}`", needed.name);
                        let why = Unresolved::Other { message, hint: None };
                        errors.push(Error::unresolved(&request.key, why));
                        continue;
                    };
                    let contents = scope.collect(&needed.locked.path, files, &mut errors)?;
                    restored.extend(contents.map(|contents| (needed.clone(), contents)));
                }
                errors.finish(&request.key)?;
                FetchedKind::Restored(restored)
            }
        };
        Ok(Fetched { key: request.key.clone(), kind })
    }
}
