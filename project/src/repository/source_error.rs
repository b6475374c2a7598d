//! Why a source cannot be read.

use crate::Error;
use helix_skills_git as git;

/// Why a source cannot be read.
pub(crate) enum SourceError {
    /// An error of the repository: none of its sources can be read.
    Repository(git::Error),
    /// Errors of this source; others of the repository can still be read.
    Source(Error),
}

impl From<git::Error> for SourceError {
    fn from(error: git::Error) -> Self {
        Self::Repository(error)
    }
}

impl From<Error> for SourceError {
    fn from(error: Error) -> Self {
        Self::Source(error)
    }
}

/// A result for one source.
pub(crate) type SourceResult<T> = Result<T, SourceError>;

/// Returns the errors of the source apart from those of the repository, for a caller that goes on
/// without the source.
pub(crate) fn of_source<T>(result: SourceResult<T>) -> Result<Result<T, Error>, git::Error> {
    match result {
        Ok(found) => Ok(Ok(found)),
        Err(SourceError::Source(error)) => Ok(Err(error)),
        Err(SourceError::Repository(error)) => Err(error),
    }
}
