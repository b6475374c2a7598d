//! Comparing the files of a project, and validating its own skills.

use super::Project;
use crate::manifest::Lock;
use crate::{
    Failure,
    diff::{self, CacheLookup, Comparison, DiffOptions},
    paths::{ProjectPaths, absolute},
    validate::{self, Report},
};
use std::path::{Path, PathBuf};

impl Project {
    /// Compares the lockfile with the files that a build would read: the store and `path` sources.
    ///
    /// Works offline and writes nothing. Bytes are returned only after their digest was verified.
    ///
    /// # Errors
    /// Manifest, lockfile or files cannot be read. A `path` source that cannot be read is among
    /// [`Comparison::errors`].
    pub fn diff(&self, options: &DiffOptions) -> Result<Comparison, Failure> {
        let (paths, lock, cache) =
            (self.checked_paths()?, self.require_lock()?, CacheLookup::new(self.cache()?));
        let comparison = diff::with_store(paths, &lock, &cache, &options.budget())?;
        Ok(Comparison { warnings: cache.into_warnings(), ..comparison })
    }

    /// Compares an older lockfile with the project's.
    ///
    /// `checkout` is the directory of the project that `old` is from, if it is on this machine: its
    /// store may have the old bytes. Otherwise they are looked for in the project's store and in
    /// the cache.
    ///
    /// # Errors
    /// The lockfile or files cannot be read.
    pub fn diff_since(
        &self,
        old: &Lock,
        checkout: Option<&Path>,
        options: &DiffOptions,
    ) -> Result<Comparison, Failure> {
        let (paths, lock, cache) =
            (self.checked_paths()?, self.require_lock()?, CacheLookup::new(self.cache()?));
        let checkout = checkout.map(ProjectPaths::at);
        let comparison =
            diff::with_lock((old, checkout.as_ref()), (&lock, paths), &cache, &options.budget())?;
        Ok(Comparison { warnings: cache.into_warnings(), ..comparison })
    }

    /// Looks for mistakes in skills, for their authors.
    ///
    /// `paths` are relative to the directory that the project was created with. If there are none,
    /// the skills of the manifest's `path` sources are validated; without such sources those in the
    /// directory `skills`, or in the project's directory. Findings that the manifest's `allow`
    /// names are omitted.
    ///
    /// # Errors
    /// A path that has no skill, or cannot be read.
    pub fn validate(
        &self,
        paths: &[PathBuf],
        options: validate::ValidateOptions,
    ) -> Result<Report, Failure> {
        let start = absolute(&self.start)?;
        let sought = if paths.is_empty() {
            let paths = self.checked_paths()?;
            validate::maintained(&ProjectPaths { root: absolute(&paths.root)?, ..paths.clone() })?
        } else {
            validate::named(paths)
        };
        let mut report = validate::run(&start, &sought, options)?;
        // Named skills are validated even if the manifest has mistakes.
        if let Ok(manifest) = self.manifest() {
            report.apply_allow(&manifest.allow);
        }
        Ok(report)
    }
}
