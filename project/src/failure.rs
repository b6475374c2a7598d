//! Everything that went wrong at once.

use crate::{Error, Exit};
use helix_skills_format::__internal::printable;
use std::fmt;

/// Everything that went wrong, at least one thing.
///
/// `Debug` is the text for people, so that a build script may return it from `main`.
pub struct Failure(Vec<Error>);

impl Failure {
    /// The errors, first found first.
    #[must_use]
    pub fn errors(&self) -> &[Error] {
        &self.0
    }

    /// How the program ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        self.0.iter().map(Error::exit).max_by_key(|exit| exit.rank()).unwrap_or(Exit::Ok)
    }

    /// Nothing, if there is nothing to complain about.
    #[doc(hidden)]
    pub fn unless_empty(errors: Vec<Error>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(vec![error])
    }
}

impl From<Failure> for Vec<Error> {
    fn from(failure: Failure) -> Self {
        failure.0
    }
}

impl From<Vec<Error>> for Failure {
    fn from(errors: Vec<Error>) -> Self {
        debug_assert!(!errors.is_empty(), "a failure has a reason");
        Self(errors)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&printable(&error.message()))?;
            if let Some(hint) = error.hint() {
                write!(f, "\n  help: {}", printable(&hint))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
