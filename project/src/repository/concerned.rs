//! The sources that an error of a repository concerns.

use super::asked::Asked;
use crate::Error;
use helix_skills_format::SourceKey;
use helix_skills_git as git;

/// The sources that need one repository.
pub(super) struct Concerned {
    /// In the order in which they were asked, each once.
    pub(super) keys: Vec<SourceKey>,
    /// Whether the manifest does not name the repository, so that its URL is not found there.
    is_plugin: bool,
}

impl Concerned {
    pub(super) fn new(asked: &[Asked]) -> Self {
        let mut keys: Vec<SourceKey> = Vec::new();
        for asked in asked {
            if !keys.contains(&asked.key) {
                keys.push(asked.key.clone());
            }
        }
        let is_named = |asked: &Asked| asked.source.repository().is_some_and(|repository| repository.url == asked.url);
        Self { keys, is_plugin: !asked.iter().any(is_named) }
    }

    /// The error of the repository as one of these sources.
    pub(super) fn error(&self, error: git::Error) -> Error {
        match Error::from(error) {
            Error::Git { error, .. } => Error::Git { keys: self.keys.clone(), is_plugin: self.is_plugin, error },
            other => other,
        }
    }
}
