//! Comparing a project with its upstream repositories.

use super::{Project, sync::known_sources};
use crate::{
    Checked, Error, Release, SourceStatus, directory,
    entries::keeps_commit,
    fetch::PreviousLock,
    find::{Found, FoundSkills},
    manifest::{Manifest, Source},
    offer::{self, Offer},
    origin,
    pins::{self, References, TagNames},
    repository::Reader,
    selection::known_names,
};
use helix_skills_format::{__internal::path_key, GitUrl, SourceKey};
use helix_skills_git::{self as git, Session};

impl Project {
    /// Compares locked sources with their upstreams: what their pins currently resolve to, and
    /// whether upstream still has what was locked. Compares all sources if `sources` is empty.
    ///
    /// Writes nothing. Sources that are not locked, or not in a repository, are skipped.
    ///
    /// # Errors
    /// Manifest or lockfile cannot be read; the manifest does not have one of `sources`. Errors of
    /// single sources are in [`SourceStatus::errors`].
    pub fn outdated(&self, sources: &[SourceKey]) -> Result<Vec<SourceStatus>, Error> {
        self.statuses(sources, true)
    }

    fn statuses(
        &self,
        sources: &[SourceKey],
        with_skills: bool,
    ) -> Result<Vec<SourceStatus>, Error> {
        let manifest = self.manifest()?;
        let lock = self.require_lock()?;
        let mut asked = Vec::new();
        for key in known_sources(&manifest, sources)? {
            if let (Some(source), Some(locked)) =
                (manifest.sources.get(&key), lock.sources.get(&key))
                && source.repository().is_some()
                && locked.entry.repository().is_some()
            {
                let before = PreviousLock::new(&key, locked, &lock);
                asked.push((key, source.clone(), before));
            }
        }
        self.ask(&manifest, |reader| Ok(reader.statuses(asked, with_skills)))
    }

    /// Compares the lockfile with the repositories of its sources: whether tags are the locked
    /// commits, whether branches have them, and what each entry selects in them. Returns notes on
    /// what cannot be verified, one line each.
    ///
    /// Fetches no contents of files, and writes nothing. [`check`](Self::check) compares the
    /// store with the lockfile.
    ///
    /// # Errors
    /// Every difference. Manifest, lockfile or a repository cannot be read.
    pub fn check_upstream(&self) -> Result<Vec<String>, Error> {
        let _kept = self.keep_sessions();
        // What the pins lead to now may have other skills.
        let statuses = self.statuses(&[], false)?;
        let (manifest, lock) = (self.manifest()?, self.require_lock()?);
        let sources = || statuses.iter().filter(|status| status.errors.is_empty());
        let stored = origin::stored_files(&self.paths, &lock);
        let kept = |it: &SourceStatus| origin::kept_note(&it.key, &it.current, &lock);
        let mut notes: Vec<String> = sources().filter_map(kept).collect();
        let mut errors = self.ask(&manifest, |reader| {
            let locked = sources().map(|status| (&status.key, &status.current));
            let mut errors = origin::compare(reader, locked, &lock, &stored);
            for status in sources() {
                match origin::prove_pins(reader, status) {
                    Ok(found) => notes.extend(found),
                    Err(error) => errors.push(error),
                }
            }
            Ok(errors)
        })?;
        errors.extend(statuses.into_iter().flat_map(|status| status.errors));
        Error::unless_empty(errors)?;
        Ok(notes)
    }

    /// Adds to the result of a check whether the origin of the skills in the store is proved.
    pub(super) fn check_origin(
        &self,
        mut checked: Checked,
        need_store: bool,
    ) -> Result<Checked, Error> {
        let (manifest, lock) = (self.manifest()?, self.require_lock()?);
        let project = self.checked_paths()?;
        checked.notes.extend(origin::check(project, &manifest, &lock, need_store)?);
        Ok(checked)
    }

    /// Calls `ask` with a reader of all repositories.
    fn ask<T>(
        &self,
        manifest: &Manifest,
        ask: impl FnOnce(&Reader<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (git, project) = (self.git(manifest)?, &self.paths);
        let answer = ask(&Reader { git: &git, project, limits: manifest.limits, saved: None });
        // After a cancellation, the errors that it caused are not reported.
        self.cancellation.check()?;
        answer
    }

    /// Calls `ask` with a session of the repository at `url`, which the user has named.
    ///
    /// While a [`ManifestEdit`](crate::ManifestEdit) is open, further lookups and the sync continue
    /// the session.
    pub(super) fn look_up<T>(
        &self,
        url: &GitUrl,
        ask: impl FnOnce(&mut Session<'_>) -> Result<T, git::Error>,
    ) -> Result<T, Error> {
        let git = self.git(&self.manifest_or_empty()?)?;
        let mut session = git.session(url, &self.paths.root)?;
        let answer = ask(&mut session)?;
        session.keep();
        Ok(answer)
    }
}

#[doc(hidden)]
impl Project {
    /// Returns what a source offers, to be added as `key`; with `everywhere`, all skills of its
    /// repository. Writes nothing; the manifest need not exist.
    ///
    /// In repositories, only `SKILL.md` files and manifests of plugins are fetched.
    ///
    /// # Errors
    /// The source cannot be read, or has neither skills nor plugins.
    pub fn offer(
        &self,
        key: &SourceKey,
        source: &Source,
        everywhere: bool,
    ) -> Result<Offer, Error> {
        let manifest = self.manifest_or_empty()?;
        if let Some(path) = source.directory() {
            let place = (path, &source.select);
            return offer::of_directory(&self.paths, key, place, manifest.limits);
        }
        if source.repository().is_none() {
            return Ok(Offer::default());
        }
        self.ask(&manifest, |reader| reader.offer(key, (source, everywhere)))
    }

    /// Finds names and paths of skills in a source, in a repository at the locked commit if its pin
    /// is locked, unless `is_update`. Writes nothing; the manifest need not exist.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn find_skills(
        &self,
        key: &SourceKey,
        source: &Source,
        names: &[String],
        is_update: bool,
    ) -> Result<FoundSkills, Error> {
        if let Some(path) = source.directory() {
            let skills = directory::skills(&self.paths, key, path)?;
            let known = || skills.iter().map(|(name, _)| name.as_str());
            let found = names.iter().map(|typed| {
                match skills.iter().find(|(name, path)| name == typed || path_key(path) == *typed) {
                    Some((name, path)) => Found::Skill { key: name.clone(), path: path.clone() },
                    None => Found::Nothing(known_names(typed, known())),
                }
            });
            let (reference, in_scope, found) = (None, skills.len(), found.collect());
            return Ok(FoundSkills { reference, in_scope, found });
        }
        let lock = self.lock().ok().flatten().unwrap_or_default();
        let known = lock.sources.get(key);
        let known = known.filter(|locked| !is_update && keeps_commit(key, source, locked));
        let manifest = self.manifest_or_empty()?;
        self.ask(&manifest, |reader| reader.find((key, source), known.cloned(), names))
    }

    /// Returns the newest release of a source that is not locked yet, by the tags of its
    /// repository. A pre-release is returned only if there are no other releases.
    ///
    /// `key` is the name of the source in the manifest. If tags begin with that name, or with that
    /// of the plugin, and it is not the repository's, only these count. The manifest need not
    /// exist.
    ///
    /// # Errors
    /// Manifest or repository cannot be read.
    pub fn newest_release(
        &self,
        key: &SourceKey,
        source: &Source,
    ) -> Result<Option<Release>, Error> {
        let Some(repository) = source.repository() else { return Ok(None) };
        // A sync without a release needs the default branch.
        let prefixes = ["HEAD", "refs/tags/"].map(str::to_owned);
        let references = self.look_up(&repository.url, |session| session.refs(&prefixes))?;
        Ok(pins::newest_release(&references, &TagNames::new(key, source)))
    }

    /// Returns the branches and tags of the repository at `url`. The manifest need not exist.
    ///
    /// # Errors
    /// Manifest or repository cannot be read.
    pub fn references(&self, url: &GitUrl) -> Result<References, Error> {
        let prefixes = References::PREFIXES.map(str::to_owned);
        Ok(References::new(&self.look_up(url, |session| session.refs(&prefixes))?))
    }
}
