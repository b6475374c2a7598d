//! The error type [`Error`].

mod disk;
mod fact;
mod file_problem;
#[cfg(feature = "git")]
mod git;
mod kind;
mod skill;
mod source_errors;
#[cfg(test)]
mod tests;
mod unresolved;
pub(crate) mod usage;

pub use fact::Fact;
pub(crate) use file_problem::excluding;
pub use kind::ErrorKind;
pub(crate) use skill::At;
pub(crate) use source_errors::{ErrorsBySource, SourceErrors};

use crate::slashes::with_slashes;
use helix_skills_format::{
    __internal::{causes, printable, write_report},
    Position,
};
use std::{
    error, fmt,
    path::{Path, PathBuf},
    slice, vec,
};

/// The error of an operation on a project; of some operations, several errors.
///
/// `Display` is one line for each error, without the causes, which `source()` returns, and without
/// the hint, which [`Error::hint`] returns. `{:?}` prints all of it, because a `main` or a build
/// script that returns the error prints it that way.
///
/// ```
/// use helix_skills_project::{Error, ErrorKind};
/// let error = Error::new(ErrorKind::Usage, "usage", "the key `folder` is missing")
///     .with_hint("name a folder");
/// assert_eq!(error.to_string(), "the key `folder` is missing");
/// assert_eq!((error.kind(), error.code()), (ErrorKind::Usage, "usage"));
/// ```
pub struct Error(Inner);

enum Inner {
    One(Box<Report>),
    /// At least two, none of which is itself `Several`.
    Several(Vec<Error>),
}

/// A single error.
struct Report {
    kind: ErrorKind,
    code: &'static str,
    message: String,
    hint: Option<String>,
    place: Option<(PathBuf, Option<Position>)>,
    source: Option<Source>,
    fact: Fact,
}

type BoxError = Box<dyn error::Error + Send + Sync>;

/// Where an error comes from.
enum Source {
    Cause(BoxError),
    /// The message includes the message of this error, so the cause to report next is this error's
    /// cause.
    #[cfg(feature = "git")]
    Included(BoxError),
}

impl Error {
    /// Creates an error from a message. `code` is a stable kebab-case code.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        let (message, fact) = (message.into(), Fact::None);
        let (hint, place, source) = (None, None, None);
        let report = Report { kind, code, message, hint, place, source, fact };
        Self(Inner::One(Box::new(report)))
    }

    /// Sets the hint: what a user can do about the error, as an instruction.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> Self {
        self.with(|report| report.hint = Some(hint.into()))
    }

    /// Sets the cause.
    #[must_use]
    pub fn with_source(self, source: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        self.with(|report| report.source = Some(Source::Cause(source.into())))
    }

    /// Sets the error whose message this one includes.
    #[cfg(feature = "git")]
    pub(crate) fn including(self, error: impl Into<BoxError>) -> Self {
        self.with(|report| report.source = Some(Source::Included(error.into())))
    }

    pub(crate) fn at(self, file: impl Into<PathBuf>, at: Option<Position>) -> Self {
        self.with(|report| report.place = Some((with_slashes(&file.into()), at)))
    }

    pub(crate) fn about(self, fact: Fact) -> Self {
        self.with(|report| report.fact = fact)
    }

    fn with(mut self, change: impl FnOnce(&mut Report)) -> Self {
        if let Inner::One(report) = &mut self.0 {
            change(report);
        }
        self
    }

    /// Returns the errors, in the order in which they were found: at least one. A single error
    /// returns itself.
    #[must_use]
    pub fn errors(&self) -> &[Self] {
        match &self.0 {
            Inner::One(_) => slice::from_ref(self),
            Inner::Several(errors) => errors,
        }
    }

    /// Returns the report of a single error, or of the first one.
    fn report(&self) -> &Report {
        match &self.0 {
            Inner::One(report) => report,
            Inner::Several(errors) => errors[0].report(),
        }
    }

    /// Returns the report, unless there are several.
    fn single(&self) -> Option<&Report> {
        match &self.0 {
            Inner::One(report) => Some(report),
            Inner::Several(_) => None,
        }
    }

    /// Returns the kind of the error. If there are several errors, returns the kind that determines
    /// the exit code of a command.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        match &self.0 {
            Inner::One(report) => report.kind,
            Inner::Several(errors) => {
                let kinds = errors.iter().map(Self::kind);
                kinds.max_by_key(|kind| kind.rank()).unwrap_or(ErrorKind::Drift)
            }
        }
    }

    /// Returns a stable kebab-case code. If there are several errors, returns the code of the
    /// first.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.report().code
    }

    /// Returns the file to look at, and the position in it. `None` for several errors.
    ///
    /// A file that is not in the project, because it was rejected, has its path in the manifest's
    /// `allow`.
    #[must_use]
    pub fn place(&self) -> Option<(&Path, Option<Position>)> {
        let (file, at) = self.single()?.place.as_ref()?;
        Some((file, *at))
    }

    /// Returns what a user can do about the error, as an instruction. `None` for several errors.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.single()?.hint.as_deref()
    }

    /// Returns the message of a single error, or of the first one.
    pub(crate) fn message(&self) -> &str {
        &self.report().message
    }
}

#[doc(hidden)]
impl Error {
    /// Sets the hint, or removes it.
    #[must_use]
    pub fn hinted(self, hint: Option<String>) -> Self {
        self.with(|report| report.hint = hint)
    }

    /// Returns an error with all of `errors`, or `Ok` if there are none.
    ///
    /// # Errors
    /// All of `errors`.
    pub fn unless_empty(errors: Vec<Self>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    }

    /// Returns what the program decides on. Exempt from semver.
    #[must_use]
    pub fn fact(&self) -> &Fact {
        self.single().map_or(&Fact::None, |report| &report.fact)
    }
}

impl From<Vec<Error>> for Error {
    /// # Panics
    /// If there are no errors.
    fn from(errors: Vec<Error>) -> Self {
        let mut all: Vec<Self> = errors.into_iter().flatten().collect();
        assert!(!all.is_empty(), "an error needs a reason");
        if all.len() == 1 { all.remove(0) } else { Self(Inner::Several(all)) }
    }
}

/// Iterates over the errors, in the order in which they were found.
impl IntoIterator for Error {
    type Item = Self;
    type IntoIter = vec::IntoIter<Self>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            Inner::One(_) => vec![self].into_iter(),
            Inner::Several(errors) => errors.into_iter(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.errors().iter().enumerate() {
            f.write_str(if at > 0 { "\n" } else { "" })?;
            f.write_str(error.message())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.errors();
        for (at, error) in errors.iter().enumerate() {
            if at > 0 {
                // A blank line follows an error with causes.
                let is_long = causes(&errors[at - 1]).next().is_some();
                // The first error has the label of the program that prints it.
                f.write_str(if is_long { "\n\nerror: " } else { "\nerror: " })?;
            }
            write_report(error, f)?;
            if let Some(hint) = error.hint() {
                write!(f, "\nhelp: {}", printable(hint))?;
            }
        }
        Ok(())
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self.single()?.source.as_ref()? {
            Source::Cause(cause) => Some(&**cause),
            #[cfg(feature = "git")]
            Source::Included(error) => error.source(),
        }
    }
}
