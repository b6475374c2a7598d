//! The sources that an error of a repository affects.

use super::request::RepositoryRequest;
use crate::Error;
use helix_skills_format::SourceKey;
use helix_skills_git as git;
use std::{collections::BTreeSet, sync::Arc};

/// The sources that need one repository.
pub(super) struct AffectedSources {
    /// Sorted and unique. Shared, because each source may get an error that names all of them.
    pub(super) keys: Arc<[SourceKey]>,
    /// Whether a marketplace names the repository, and not the manifest.
    is_plugin: bool,
}

impl AffectedSources {
    pub(super) fn new(requests: &[RepositoryRequest]) -> Self {
        let keys: BTreeSet<&SourceKey> = requests.iter().map(|request| &request.key).collect();
        let keys = keys.into_iter().cloned().collect();
        let is_named = |request: &RepositoryRequest| {
            request.source.repository().is_some_and(|repository| repository.url == request.url)
        };
        Self { keys, is_plugin: !requests.iter().any(is_named) }
    }

    /// Converts an error of the repository, and adds these sources to it.
    pub(super) fn error(&self, error: git::Error) -> Error {
        Error::git(&self.keys, self.is_plugin, &error)
    }
}
