//! The error type of the crate.

use crate::ProviderError;
use alloc::{boxed::Box, format, string::String};
use core::{error, fmt};
use helix_skills_runtime::{__internal::error_debug, OneLine};

/// The error if a skill cannot be registered or run, ends without a result, or has a command that
/// cannot be run. It is for the host, not for a model.
///
/// `Display` is one line that names the skill; `{:?}` also prints all causes. [`Error::hint`] says
/// how to fix it.
///
/// ```
/// use helix_skills::{ErrorKind, Skill, SkillSet, run::Run, skill_set};
/// # const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Label $issue.").build();
/// # static SKILLS: SkillSet = skill_set![TRIAGE];
/// let error = Run::named(&SKILLS, "tirage").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownSkill);
/// assert_eq!(
///     error.to_string(),
///     "cannot run the skill `tirage`: no skill has this name; there are `triage`"
/// );
/// ```
pub struct Error(Box<Report>);

error_debug!(Error = Error(report));

#[derive(Debug)]
struct Report {
    kind: ErrorKind,
    message: String,
    hint: Option<&'static str>,
    field: Option<String>,
    source: Option<ProviderError>,
}

/// The kind of an [`Error`], for programs that handle some errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No skill has this name.
    UnknownSkill,
    /// Another skill has this name.
    NameTaken,
    /// The input does not have the required type. [`Error::field`] names the value.
    Input,
    /// A command of the skill was not run, or failed.
    Command,
    /// A limit was exceeded.
    Limit,
    /// The run or the agent cannot work as it is set up: without turns, with two tools of the same
    /// name, with a schema that the validator does not support, without a directory.
    Setup,
    /// The model ended without a result, or without one that was accepted.
    NoResult,
    /// The model or the provider failed; the source says why.
    Failed,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Report { kind, message, hint: None, field: None, source: None }))
    }

    /// Creates an error with the message "cannot WHAT the skill `SKILL`: WHY".
    pub(crate) fn cannot(kind: ErrorKind, what: &str, skill: &str, why: impl fmt::Display) -> Self {
        Self::new(kind, format!("cannot {what} the skill `{}`: {why}", OneLine(skill)))
    }

    /// Prepends `start` to the message.
    pub(crate) fn with_start(mut self, start: &str) -> Self {
        self.0.message.insert_str(0, start);
        self
    }

    pub(crate) fn with_hint(mut self, hint: Option<&'static str>) -> Self {
        self.0.hint = hint;
        self
    }

    pub(crate) fn with_field(mut self, field: String) -> Self {
        self.0.field = Some(field);
        self
    }

    pub(crate) fn with_source(mut self, source: impl Into<ProviderError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Returns the kind.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns how the developer of the agent can fix it, if there is a likely way. If a shell did
    /// not run a command, its error is the source, and may have its own hint.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        self.0.hint
    }

    /// Returns the path of the input's value that does not fit, such as `issue.labels[2]`; empty
    /// for the whole input.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.0.field.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&**self.0.source.as_ref()?)
    }
}
