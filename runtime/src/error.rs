//! The error type of the crate.

use crate::{OneLine, error_chain::ErrorChain};
use alloc::{boxed::Box, format, string::String};
use core::{error, fmt};

/// An error of this crate, and of `helix-skills-agent`.
///
/// `Display` is one line. If a call of a model fails, this is the answer for the model: it says
/// what the model can do instead. Other messages are for the developer. `{:?}` also prints all
/// causes.
///
/// ```
/// use helix_skills::{ErrorKind, Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = SKILLS.load_skill("pfd").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownSkill);
/// assert_eq!(error.to_string(), "there is no skill `pfd`; did you mean `pdf`?");
///
/// let error = Toolbox::builder(SKILLS).allow(&["pfd"]).build().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::UnknownSkill);
/// assert_eq!(error.to_string(), "unknown skill `pfd`; the set has `pdf`");
/// ```
pub struct Error(Box<Report>);

type Source = Box<dyn error::Error + Send + Sync>;

#[derive(Debug)]
struct Report {
    kind: ErrorKind,
    message: String,
    hint: Option<&'static str>,
    field: Option<String>,
    source: Option<Source>,
}

/// The kind of an [`Error`], for programs that handle some errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No skill has this name, or the agent is not allowed to use it.
    UnknownSkill,
    /// Models may not load the skill: it has `disable-model-invocation`, or a field with the same
    /// meaning in the profile.
    NotForModels,
    /// The skill has no such file.
    UnknownFile,
    /// The file is not text.
    BinaryFile,
    /// A path breaks a rule for files of a skill: it is absolute, has `..`, a backslash, …
    InvalidPath,
    /// A name breaks a rule for names of skills.
    InvalidName,
    /// Two skills have the same name, or a name is repeated.
    Duplicate,
    /// The definition of a skill breaks a rule for authors.
    Definition,
    /// The arguments of a call or the input of a run do not have the required form.
    /// [`Error::field`] names the value of an input.
    Input,
    /// A command of a skill cannot be prepared, was not run, or failed.
    Command,
    /// A limit was exceeded.
    Limit,
    /// A toolbox, a run or an agent cannot work as it is set up: a search without an index, two
    /// tools with the same name, a run without turns, a skill without a directory.
    Setup,
    /// The model ended without a result, or without one that was accepted.
    NoResult,
    /// The model or a provider failed; the source says why.
    Failed,
}

impl Error {
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

    pub(crate) fn into_message(self) -> String {
        self.0.message
    }
}

/// Constructors for the crates of this project.
#[doc(hidden)]
impl Error {
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Report { kind, message, hint: None, field: None, source: None }))
    }

    /// Creates an error with the message "cannot WHAT the skill `SKILL`: WHY".
    pub fn cannot(kind: ErrorKind, what: &str, skill: &str, why: impl fmt::Display) -> Self {
        Self::new(kind, format!("cannot {what} the skill `{}`: {why}", OneLine(skill)))
    }

    /// Prepends `start` to the message.
    #[must_use]
    pub fn with_start(mut self, start: &str) -> Self {
        self.0.message.insert_str(0, start);
        self
    }

    #[must_use]
    pub fn with_hint(mut self, hint: Option<&'static str>) -> Self {
        self.0.hint = hint;
        self
    }

    #[must_use]
    pub fn with_field(mut self, field: String) -> Self {
        self.0.field = Some(field);
        self
    }

    #[must_use]
    pub fn with_source(mut self, source: impl Into<Source>) -> Self {
        self.0.source = Some(source.into());
        self
    }
}

/// `{:?}` is one line with all causes, so that `fn main() -> Result<(), Error>` is readable;
/// `{:#?}` is the structure.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { self.0.fmt(f) } else { write!(f, "{}", ErrorChain(self)) }
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
