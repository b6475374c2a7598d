//! Answers that own their text.

use crate::ProviderError;
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};
use core::fmt;
use helix_skills_runtime::{
    __internal::{bounded, plainly_loaded},
    OneLine,
};
use helix_skills_runtime::{Event, InvokedSkill, Reply};

/// The rendered answer to one call: a [`Reply`] that owns its text.
///
/// ```
/// use helix_skills::{Call, ReplyBuf, Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let call = Call::LoadSkill { name: "pdf", arguments: None };
/// let reply = ReplyBuf::from(Toolbox::new(SKILLS).answer(call));
/// assert!(!reply.is_error() && reply.as_str().starts_with("<skill name=\"pdf\">"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyBuf {
    text: String,
    message: Option<String>,
    loaded: Option<String>,
    /// Whether the body is unfilled: no arguments, no variables or outputs of a host. Only such a
    /// body is the same each time, so that a tracker may leave out a repetition.
    pub(crate) is_plain: bool,
    is_error: bool,
}

impl ReplyBuf {
    /// Creates an answer to a call of one of the host's own tools.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), message: None, loaded: None, is_plain: false, is_error: false }
    }

    /// Creates the answer to a call that failed. The text is put on one line, because it may
    /// contain untrusted text.
    #[must_use]
    pub fn failed(text: &str) -> Self {
        Self {
            text: OneLine(text).to_string(),
            message: None,
            loaded: None,
            is_plain: false,
            is_error: true,
        }
    }

    /// Returns the text for the model.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Converts the answer to the text for the model.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Converts the answer to the result of [`Tools::call_tool`](crate::run::Tools::call_tool). A
    /// [message](Self::message) is appended to the text, because a run cannot send it separately.
    ///
    /// # Errors
    /// Returns the text as an error if the call failed.
    pub fn into_result(self) -> Result<String, ProviderError> {
        match self.message() {
            _ if self.is_error() => Err(self.into_string().into()),
            Some(message) => Ok(format!("{self}\n\n{message}")),
            None => Ok(self.into_string()),
        }
    }

    /// Returns whether the call failed.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        self.is_error
    }

    /// Returns the event of this answer, for logs and user interfaces.
    #[must_use]
    pub fn event(&self) -> Option<Event<'_>> {
        self.loaded.as_deref().map(|name| Event::SkillLoaded { name })
    }

    /// Returns the message that has to follow the result, in the role of the user.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }
}

impl From<Reply<'_>> for ReplyBuf {
    fn from(reply: Reply<'_>) -> Self {
        let loaded = match reply.event() {
            Some(Event::SkillLoaded { name }) => Some(name.to_owned()),
            _ => None,
        };
        Self {
            text: reply.to_string(),
            message: reply.message().map(|message| message.to_string()),
            loaded,
            is_plain: plainly_loaded(&reply).is_some(),
            is_error: reply.is_error(),
        }
    }
}

/// The answer to a user's call. The text is a message in the role of the user, or an error if the
/// filled body exceeds [`MAX_FILLED_BYTES`](helix_skills_runtime::MAX_FILLED_BYTES).
impl From<InvokedSkill<'_>> for ReplyBuf {
    fn from(invoked: InvokedSkill<'_>) -> Self {
        let invoked = match bounded(invoked) {
            Ok(invoked) => invoked,
            Err(error) => return Self::failed(&error.to_string()),
        };
        let loaded = Some(invoked.name().to_owned());
        Self { text: invoked.to_string(), message: None, loaded, is_plain: false, is_error: false }
    }
}

impl fmt::Display for ReplyBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
