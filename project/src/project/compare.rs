//! Comparing the files of a project, and validating its own skills.

use super::Project;
use crate::manifest::Lock;
use crate::{
    Error,
    diff::{self, Comparison},
    error::Fact,
    paths::{ProjectPaths, absolute},
    state::State,
    validate::{self, Report},
};
use std::path::{Path, PathBuf};

impl Project {
    /// Compares the lockfile with the files that a build would read: the store and `path` sources.
    ///
    /// `context` is the number of unchanged lines around each change.
    ///
    /// Works offline and writes nothing. Bytes are returned only after their digest was verified.
    ///
    /// # Errors
    /// Manifest, lockfile or files cannot be read. A `path` source that cannot be read is among
    /// [`Comparison::errors`].
    #[doc(hidden)]
    pub fn diff(&self, context: usize) -> Result<Comparison, Error> {
        let (manifest, paths) = (self.manifest()?, self.checked_paths()?);
        let lock = paths.read_lock()?;
        let state = State::read(paths, &manifest, lock.as_ref(), &[]);
        diff::with_store(state, &self.cache()?, context)
    }

    /// Compares an older lockfile with the project's.
    ///
    /// `checkout` is the directory of the project that `old` is from, if it is on this machine: its
    /// store may have the old bytes. Otherwise they are looked for in the project's store and in
    /// the cache.
    ///
    /// # Errors
    /// The lockfile cannot be read.
    #[doc(hidden)]
    pub fn diff_since(
        &self,
        old: &Lock,
        checkout: Option<&Path>,
        context: usize,
    ) -> Result<Comparison, Error> {
        let (paths, lock) = (self.checked_paths()?, self.require_lock()?);
        let checkout = checkout.map(ProjectPaths::at);
        let cache = self.cache()?;
        Ok(diff::with_lock((old, checkout.as_ref()), (&lock, paths), &cache, context))
    }

    /// Looks for mistakes in skills, for their authors.
    ///
    /// `paths` are relative to the directory that the project was created with; if one does not
    /// exist, it may be the name of a locked skill. If there are none, the skills of the manifest's
    /// `path` sources are validated; without such sources those in the directory `skills`, or in
    /// the project's directory, or if it has none, those in the store. Findings that the manifest's
    /// `allow` names are omitted.
    ///
    /// # Errors
    /// A path that has no skill, or cannot be read; a named skill that is not in the store.
    pub fn validate(&self, paths: &[PathBuf], rules: validate::Rules) -> Result<Report, Error> {
        let start = absolute(&self.start)?;
        let project = self.checked_paths()?;
        let project = ProjectPaths { root: absolute(&project.root)?, ..project.clone() };
        let sought = if paths.is_empty() {
            validate::maintained(&project)?
        } else {
            validate::paths_or_names(&start, paths, &project)?
        };
        let mut report = validate::run(&start, &sought, rules);
        if paths.is_empty()
            && report.as_ref().is_err_and(|error| matches!(error.fact(), Fact::NoSkillBelow))
            && let Some(sought) = validate::stored(&project)?
        {
            report = validate::run(&start, &sought, rules);
        }
        let mut report = report?;
        // Named skills are validated even if the manifest has mistakes.
        if let Ok(manifest) = self.manifest() {
            report.apply_allow(&manifest.allow);
        }
        Ok(report)
    }
}
