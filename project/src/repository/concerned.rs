//! The sources that an error of a repository concerns.

use super::request::RepositoryRequest;
use crate::Error;
use helix_skills_format::SourceKey;
use helix_skills_git as git;
use std::{collections::BTreeSet, sync::Arc};

/// The sources that need one repository.
pub(super) struct Concerned {
    /// Sorted, each once; shared, because each source may get an error that names all of them.
    pub(super) keys: Arc<[SourceKey]>,
    /// Whether the manifest does not name the repository, so that its URL is not found there.
    is_plugin: bool,
}

impl Concerned {
    pub(super) fn new(asked: &[RepositoryRequest]) -> Self {
        let keys: BTreeSet<&SourceKey> = asked.iter().map(|asked| &asked.key).collect();
        let keys = keys.into_iter().cloned().collect();
        let is_named = |asked: &RepositoryRequest| {
            asked.source.repository().is_some_and(|repository| repository.url == asked.url)
        };
        Self { keys, is_plugin: !asked.iter().any(is_named) }
    }

    /// An error of the repository, with these sources.
    pub(super) fn error(&self, error: git::Error) -> Error {
        match Error::from(error) {
            Error::Git { error, .. } => {
                Error::Git { keys: self.keys.clone(), is_plugin: self.is_plugin, error }
            }
            other => other,
        }
    }
}
