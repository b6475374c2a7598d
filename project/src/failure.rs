//! All errors of an operation.

use crate::{Error, ExitCode, error::Custom};
use helix_skills_format::__internal::{causes, printable, write_report};
use std::fmt;

/// All errors of an operation, at least one.
///
/// `Display` and `{:?}` print each error with its causes and its hint, so that a build script can
/// return it from `main`; `{:#?}` prints the structure.
pub struct Failure(Vec<Error>);

impl Failure {
    /// Returns the errors, in the order in which they were found.
    #[must_use]
    pub fn errors(&self) -> &[Error] {
        &self.0
    }

    /// Returns the exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        self.0.iter().map(Error::exit_code).max_by_key(|exit| exit.rank()).unwrap_or(ExitCode::Ok)
    }

    /// Returns an error if `errors` is not empty.
    ///
    /// # Errors
    /// All of `errors`.
    pub fn unless_empty(errors: Vec<Error>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self(errors)) }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(vec![error])
    }
}

impl From<Custom> for Failure {
    fn from(error: Custom) -> Self {
        Error::from(error).into()
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
                // A blank line follows an error with causes.
                let is_long = causes(&self.0[at - 1]).next().is_some();
                // The first error has the label of the program that prints the failure.
                f.write_str(if is_long { "\n\nerror: " } else { "\nerror: " })?;
            }
            write_report(error, f)?;
            if let Some(hint) = error.hint() {
                write!(f, "\nhelp: {}", printable(&hint))?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            f.debug_tuple("Failure").field(&self.0).finish()
        } else {
            fmt::Display::fmt(self, f)
        }
    }
}

impl std::error::Error for Failure {}
