//! Failed answers as errors.

use crate::ReplyBuf;
use core::{error::Error, fmt};

/// A failed answer to a call, as an error. `Display` is the text for the model.
///
/// ```
/// use helix_skills::{AsyncToolbox, Skill, SkillSet, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// async fn body(name: &str) -> Result<String, Box<dyn std::error::Error>> {
///     let toolbox = AsyncToolbox::builder(SKILLS).build().await?;
///     Ok(toolbox.load_skill(name).await?.into_string())
/// }
/// let error = pollster::block_on(body("pfd")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no skill `pfd`; did you mean `pdf`?");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ReplyError {
    reply: ReplyBuf,
}

helix_skills_runtime::__internal::error_debug!(ReplyError = ReplyError { reply });

impl ReplyError {
    pub(super) const fn new(reply: ReplyBuf) -> Self {
        Self { reply }
    }

    /// Returns the answer, or the error if the call failed.
    pub(super) fn check(reply: ReplyBuf) -> Result<ReplyBuf, Self> {
        if reply.is_error() { Err(Self::new(reply)) } else { Ok(reply) }
    }
}

/// The answer that the error was made from.
impl From<ReplyError> for ReplyBuf {
    fn from(error: ReplyError) -> Self {
        error.reply
    }
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reply.fmt(f)
    }
}

impl Error for ReplyError {}
