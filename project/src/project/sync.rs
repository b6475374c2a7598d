//! Making lockfile and store match a manifest, and checking that they do.

use super::Project;
use crate::manifest::Manifest;
use crate::{
    Checked, Error, Synced, check,
    error::usage,
    sync::{self, SyncInputs, Update},
};
use helix_skills_format::SourceKey;
use std::collections::BTreeSet;

impl Project {
    /// Makes lockfile and store match the manifest.
    ///
    /// Waits while another process works on the project.
    ///
    /// # Errors
    /// All errors at once. Nothing has been written then, unless the file system failed half-way:
    /// the next sync repairs that.
    pub fn sync(&self) -> Result<Synced, Error> {
        let _lock = self.lock_unless_dry()?;
        self.run(&self.manifest()?, &Update::default(), &|_| Ok(true))
    }

    /// Makes lockfile and store match `manifest`.
    ///
    /// The project's manifest file is not read and need not exist. Relative paths and URLs in
    /// `manifest` are relative to the project's directory, which has to exist.
    ///
    /// ```
    /// use helix_skills_project::{Project, format::*, manifest::Manifest};
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let directory = directory.path();
    /// # std::fs::create_dir_all(directory.join("skills/pdf")).unwrap();
    /// # std::fs::write(directory.join("skills/pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nOpen it.\n").unwrap();
    /// let mut manifest = Manifest::default();
    /// let source = Source::path(ProjectPath::new("skills").unwrap());
    /// manifest.sources.insert(SourceKey::new("own").unwrap(), source);
    ///
    /// let project = Project::at(directory).cache_dir(directory.join("cache"));
    /// let synced = project.sync_manifest(&manifest)?;
    /// assert_eq!(synced.lock.skills.len(), 1);
    /// # Ok::<(), helix_skills_project::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Project::sync`].
    pub fn sync_manifest(&self, manifest: &Manifest) -> Result<Synced, Error> {
        let _lock = self.lock_unless_dry()?;
        self.run(manifest, &Update::default(), &|_| Ok(true))
    }

    /// Syncs, and resolves the pins of `sources` again; of all sources if `sources` is empty.
    ///
    /// Version ranges, branches and default branches are resolved again, also those of a plugin
    /// behind a marketplace's pin. A release tag that points to another commit than the locked one
    /// is an error, or a warning if its source is in `sources`.
    ///
    /// `approve` is called with the planned changes before the first file is written. If it returns
    /// false, nothing is written and the planned changes are returned.
    ///
    /// # Errors
    /// As [`Project::sync`]; the manifest does not have one of `sources`.
    pub fn update(
        &self,
        sources: &[SourceKey],
        approve: impl Fn(&Synced) -> bool,
    ) -> Result<Synced, Error> {
        let _lock = self.lock_unless_dry()?;
        let manifest = self.manifest()?;
        let update =
            Update { sources: known_sources(&manifest, sources)?, moved_tags: !sources.is_empty() };
        self.run(&manifest, &update, &|planned| Ok(approve(planned)))
    }

    /// Checks that manifest, lockfile and store agree.
    ///
    /// Works offline and writes nothing. Skills that are not in the store are counted, but are not
    /// an error.
    ///
    /// # Errors
    /// Every difference.
    pub fn check(&self) -> Result<Checked, Error> {
        self.check_all(false)
    }

    /// Like [`Project::check`], but there have to be skills, and each has to be in the store.
    ///
    /// # Errors
    /// Every difference.
    pub fn check_store(&self) -> Result<Checked, Error> {
        self.check_all(true)
    }

    fn check_all(&self, need_store: bool) -> Result<Checked, Error> {
        let project = self.checked_paths()?;
        let checked = check::check(project, need_store)?;
        #[cfg(feature = "git")]
        let checked = self.check_origin(checked, need_store)?;
        Ok(checked)
    }

    /// Syncs with `manifest`, without locking the project. `approve` is as in
    /// [`update`](Self::update), and its error is returned.
    pub(super) fn run(
        &self,
        manifest: &Manifest,
        update: &Update,
        approve: &dyn Fn(&Synced) -> Result<bool, Error>,
    ) -> Result<Synced, Error> {
        // What proves the origin of the skills is not requested again.
        let _kept = self.keep_sessions();
        let git = self.git(manifest)?;
        let work = SyncInputs {
            project: self.checked_paths()?,
            cache: &self.cache()?,
            mode: self.mode,
            update,
            remote: &git,
            progress: &*self.progress,
            cancellation: &self.cancellation,
            approve,
        };
        sync::sync(&work, manifest)
    }
}

/// Returns the given sources of the manifest, or all if none are given.
///
/// # Errors
/// If the manifest does not have one of them.
pub(super) fn known_sources(
    manifest: &Manifest,
    named: &[SourceKey],
) -> Result<BTreeSet<SourceKey>, Error> {
    let known: Vec<_> = manifest.sources.keys().collect();
    let unknown = named.iter().filter(|key| !manifest.sources.contains_key(*key));
    Error::unless_empty(unknown.map(|key| usage::unknown_source(key, &known, &[])).collect())?;
    let all = manifest.sources.keys().filter(|_| named.is_empty());
    Ok(named.iter().chain(all).cloned().collect())
}
