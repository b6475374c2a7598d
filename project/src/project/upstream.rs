//! Questions to the repositories of a project that change nothing.

use super::{Project, known_sources};
use crate::manifest::Manifest;
use crate::{Failure, Release, SourceStatus, repository, sync::Before};
use helix_skills_format::{GitUrl, SourceKey};

impl Project {
    /// Asks upstream how it stands with these sources, or with all: what their pins mean now, and whether upstream still has
    /// what was locked. Sources that are not locked or that lie in no repository have no status. Nothing is written.
    ///
    /// # Errors
    /// Manifest or lock cannot be read; there is no lock; a source that the manifest does not have. What is wrong
    /// with single sources is in [`SourceStatus::errors`](crate::SourceStatus::errors).
    pub fn outdated(&self, sources: &[SourceKey]) -> Result<Vec<SourceStatus>, Failure> {
        let manifest = self.manifest()?;
        let lock = self.project.need_lock()?;
        let mut asked = Vec::new();
        for key in known_sources(&manifest, sources)? {
            if let (Some(source), Some(locked)) = (manifest.sources.get(&key), lock.sources.get(&key))
                && source.repository().is_some()
                && locked.request.repository().is_some()
            {
                let before = Before::new(&key, locked, &lock);
                asked.push((key, source.clone(), before));
            }
        }
        let statuses = repository::source_statuses(&self.git(&manifest)?, &self.project, manifest.limits, asked);
        self.cancellation.check()?;
        Ok(statuses)
    }

    /// The newest release of the repository at `url`, by its tags; a pre-release only if there is nothing else. One request.
    /// `key` is the name that a source of the manifest has or will have: tags may begin with it.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub fn newest_release(
        &self,
        manifest: &Manifest,
        url: &GitUrl,
        key: &SourceKey,
    ) -> Result<Option<Release>, Failure> {
        let git = self.git(manifest)?;
        let references = git.session(url, &self.project.root, true)?.refs(&["refs/tags/".to_owned()])?;
        Ok(repository::newest_release(&references, key))
    }
}
