//! Editing the manifest file.

use super::{KeptSessions, Project, content::all_known, init::EMPTY, named::Named};
use crate::manifest::{Manifest, ManifestText, Source};
use crate::{
    Error, ErrorKind, Synced, directory, disk::Replacement, paths::read_bytes,
    project_lock::ProjectLock, selection::may_select, sync::Update,
};
use helix_skills_format::{Finding, LockedSkill, SkillName, SourceKey};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::PathBuf,
    sync::Arc,
};

impl Project {
    /// Locks the project and reads its manifest, to change it. A dry run needs neither the lock nor
    /// a manifest: without one, it begins with a manifest without sources.
    ///
    /// Until the edit is saved or dropped, what an operation of this project has read of a
    /// repository is not requested again: lookups such as `newest_release` and the sync share one
    /// conversation with its server.
    ///
    /// ```
    /// use helix_skills_project::format::{ProjectPath, SourceKey};
    /// use helix_skills_project::{Project, format::Source};
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let directory = directory.path();
    /// # std::fs::create_dir_all(directory.join("skills/pdf")).unwrap();
    /// # std::fs::write(directory.join("skills/pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\nOpen it.\n").unwrap();
    /// let project = Project::at(directory).cache_dir(directory.join("cache"));
    /// project.init()?;
    /// let mut edit = project.edit_manifest()?;
    /// let skills = Source::path(ProjectPath::new("skills").unwrap());
    /// edit.set(&SourceKey::new("own").unwrap(), &skills);
    /// let synced = edit.save_and_sync()?;
    /// assert_eq!(synced.lock.skills.len(), 1);
    /// # Ok::<(), helix_skills_project::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the manifest cannot be read, or waiting for the project is canceled
    /// ([`Project::cancellation`]).
    pub fn edit_manifest(&self) -> Result<ManifestEdit<'_>, Error> {
        self.edit(self.mode.dry_run)
    }

    /// Like [`edit_manifest`](Self::edit_manifest), and begins with a manifest without sources if
    /// there is none. Saving the edit creates the file.
    ///
    /// # Errors
    /// As [`edit_manifest`](Self::edit_manifest), except for a missing manifest.
    #[doc(hidden)]
    pub fn edit_or_create_manifest(&self) -> Result<ManifestEdit<'_>, Error> {
        self.edit(true)
    }

    fn edit(&self, may_be_new: bool) -> Result<ManifestEdit<'_>, Error> {
        let lock = self.lock_unless_dry()?;
        let paths = self.checked_paths()?;
        let before = paths.manifest_text()?;
        if before.is_none() && !may_be_new {
            return Err(Error::manifest_missing(&paths.show(&paths.manifest)));
        }
        let begun = before.as_deref().unwrap_or(EMPTY);
        let refused = |findings: Vec<Finding>| paths.manifest_failure(findings);
        let manifest = Manifest::parse(begun).map_err(refused)?;
        let text = ManifestText::parse(begun).map_err(refused)?;
        // A linked manifest stays a link.
        let file = match self.mode.dry_run || before.is_none() {
            true => paths.manifest.clone(),
            false => dunce::canonicalize(&paths.manifest).map_err(Error::read(&paths.manifest))?,
        };
        let sessions = self.keep_sessions();
        Ok(ManifestEdit {
            project: self,
            _lock: lock,
            _sessions: sessions,
            manifest,
            file,
            before,
            text,
        })
    }
}

/// A change to a project's manifest file, made while the project is locked.
///
/// Nothing is written before [`save`](Self::save) or [`save_and_sync`](Self::save_and_sync).
/// Comments and formatting around the change are kept.
pub struct ManifestEdit<'p> {
    project: &'p Project,
    _lock: Option<ProjectLock>,
    /// Conversations that lookups have begun, for the sync.
    _sessions: Arc<KeptSessions>,
    manifest: Manifest,
    /// The manifest file without links.
    file: PathBuf,
    /// The text of the file when it was read; `None` if it did not exist.
    before: Option<String>,
    text: ManifestText,
}

/// What [`ManifestEdit::remove_named`] removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removed {
    /// The removed sources.
    pub sources: BTreeSet<SourceKey>,
    /// The named skills, with their sources.
    pub skills: BTreeMap<SkillName, SourceKey>,
}

impl ManifestEdit<'_> {
    /// Sets the entry of a source. A new source is added after the others. If the source exists,
    /// only the fields that differ are written, and its comments are kept.
    pub fn set(&mut self, key: &SourceKey, source: &Source) {
        self.text.set(key, source);
    }

    /// Removes a source, and returns whether it was there.
    pub fn remove(&mut self, key: &SourceKey) -> bool {
        self.text.remove(key)
    }

    /// Replaces the manifest file.
    ///
    /// # Errors
    /// If the changed text has mistakes, or the file was changed meanwhile or cannot be written.
    pub fn save(self) -> Result<(), Error> {
        self.parse()?;
        if self.project.mode.dry_run {
            return Ok(());
        }
        let replacement = self.stage()?;
        self.put_in_place(replacement)
    }

    /// Syncs with the changed manifest, then replaces the file.
    ///
    /// # Errors
    /// As [`Project::sync`] and [`save`](Self::save). The manifest file is then unchanged.
    pub fn save_and_sync(self) -> Result<Synced, Error> {
        self.save_and_sync_if(BTreeSet::new(), |_| Ok(()))
    }

    /// Writes the new file next to the old one, unless they are equal.
    fn stage(&self) -> Result<Option<Replacement>, Error> {
        let text = self.text.to_string();
        let before = self.before.as_deref();
        let before = before.map(|before| before.strip_prefix('\u{feff}').unwrap_or(before));
        if before == Some(&text) {
            Ok(None)
        } else {
            Replacement::write(&self.file, text.as_bytes()).map(Some)
        }
    }

    fn put_in_place(&self, replacement: Option<Replacement>) -> Result<(), Error> {
        let Some(replacement) = replacement else { return Ok(()) };
        if read_bytes(&self.file)?.as_deref() != self.before.as_deref().map(str::as_bytes) {
            let manifest = self.project.paths.show(&self.project.paths.manifest);
            let message = format!("`{}` was changed by another process", manifest.display());
            return Err(Error::usage(message, "run the command again"));
        }
        replacement.put_in_place()
    }
}

#[doc(hidden)]
impl ManifestEdit<'_> {
    /// Returns the manifest as it was read.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Removes sources, and takes skills out of the selection of their sources. A source is
    /// removed with its last skill, unless its directory has others that are not locked yet.
    ///
    /// A name is the name of a source, or of a skill in the lockfile or in `include`; `source:NAME`
    /// is always a source, and `skill:NAME` a skill.
    ///
    /// # Errors
    /// A name is neither, with the closest name as the hint; or it is a source and a skill, and
    /// the source has other skills.
    pub fn remove_named(&mut self, names: &[impl AsRef<str>]) -> Result<Removed, Error> {
        // A source is found without the lockfile.
        let lock = self.project.lock().ok().flatten().unwrap_or_default();
        let is_only = |key: &SourceKey, skill: &LockedSkill| {
            skill.source == *key && lock.skills_of(key).count() == 1
        };
        let mut removed = Removed::default();
        let mut keys: BTreeMap<SourceKey, BTreeSet<String>> = BTreeMap::new();
        for named in all_known(names, |name| Named::find(name, &self.manifest, &lock, is_only))? {
            match named {
                Named::Source(key) => drop(removed.sources.insert(key)),
                Named::Skill { name, source, key } => {
                    keys.entry(source.clone()).or_default().insert(key);
                    removed.skills.insert(name, source);
                }
            }
        }
        for (key, gone) in &keys {
            let source = &self.manifest.sources[key];
            let mut changed = source.clone();
            let narrowed = &mut changed.select;
            match &mut narrowed.include {
                Some(include) => include.retain(|name| !gone.contains(name)),
                None => narrowed.exclude.extend(gone.iter().cloned()),
            }
            // What is only excluded keeps its new name, for when it is taken again.
            let is_named = narrowed.include.is_some();
            narrowed.rename.retain(|name, _| !is_named || !gone.contains(name));
            let is_partial = match &changed.select.include {
                Some(include) => !include.is_subset(&changed.select.exclude),
                None => {
                    // A directory may have skills that are not locked yet.
                    let new = source.directory().map(|path| {
                        directory::skills(&self.project.paths, key, path).unwrap_or_default()
                    });
                    let mut new = new.into_iter().flatten();
                    lock.skills_of(key).any(|(_, skill)| may_select(key, &changed, &skill.path))
                        || new.any(|(name, path)| changed.select.matches(&name, &path))
                }
            };
            match is_partial {
                true => self.text.set(key, &changed),
                false => drop(removed.sources.insert(key.clone())),
            }
        }
        for key in &removed.sources {
            self.text.remove(key);
        }
        Ok(removed)
    }

    /// Parses the changed manifest.
    ///
    /// # Errors
    /// Every mistake in its text.
    pub fn parse(&self) -> Result<Manifest, Error> {
        let usage = |Finding { message, hint, .. }| {
            Error::new(ErrorKind::Usage, "usage", message).hinted(hint)
        };
        let manifest = Manifest::parse(&self.text.to_string());
        Ok(manifest.map_err(|findings| findings.into_iter().map(usage).collect::<Vec<_>>())?)
    }

    /// As [`save_and_sync`](Self::save_and_sync), unless `check` refuses the planned changes. It is
    /// called before the first file is written. The pins of the sources `again` are resolved again.
    ///
    /// # Errors
    /// As [`save_and_sync`](Self::save_and_sync), and the error of `check`.
    pub fn save_and_sync_if(
        self,
        again: BTreeSet<SourceKey>,
        check: impl Fn(&Synced) -> Result<(), Error>,
    ) -> Result<Synced, Error> {
        let update = Update { sources: again, moved_tags: false };
        let manifest = self.parse()?;
        let dry_run = self.project.mode.dry_run;
        // Before the sync, so that a full disk changes nothing.
        let replacement = if dry_run { None } else { self.stage()? };
        let approve = |planned: &Synced| check(planned).map(|()| true);
        let synced = self.project.run(&manifest, &update, &approve)?;
        if dry_run {
            check(&synced)?;
        }
        self.put_in_place(replacement)?;
        Ok(synced)
    }
}

impl fmt::Debug for ManifestEdit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ManifestEdit").field("file", &self.file).finish_non_exhaustive()
    }
}
