//! Values for the `${…}` variables of a body.

use alloc::{borrow::Cow, string::String, vec::Vec};

/// The variables with the absolute path of the skill's directory.
pub(super) const SKILL_DIRECTORY: [&str; 3] =
    ["SKILL_DIR", "CLAUDE_SKILL_DIR", "AGENTICK_SKILL_DIR"];

/// The values of `${…}` variables in a body.
///
/// Variables without a value are left as written. An embedded skill has no directory unless the
/// host has written its files into one.
///
/// ```
/// use helix_skills::template::{Arguments, Variables};
/// use helix_skills::{Profile, Skill};
/// # const BODY: &str = "${SKILL_DIR}/a ${CLAUDE_SKILL_DIR} ${CLAUDE_EFFORT} ${HOME}";
/// let skill = Skill::define("pdf", "Reads PDF files.", BODY).build();
/// let known = Variables::new().skill_directory("/skills/pdf").set("CLAUDE_EFFORT", "high");
/// let filled = skill.fill(Profile::Helix, Arguments::NONE, &known);
/// assert_eq!(filled, "/skills/pdf/a /skills/pdf high ${HOME}");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Variables(Vec<(Cow<'static, str>, String)>);

impl Variables {
    /// Creates an empty set of variables.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets the value of `${NAME}`. A name has uppercase letters, digits and `_`.
    #[must_use]
    pub fn set(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<String>) -> Self {
        let (name, value) = (name.into(), value.into());
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, value));
        self
    }

    /// Sets the absolute path of the skill's directory: `${SKILL_DIR}`, `${CLAUDE_SKILL_DIR}`,
    /// `${AGENTICK_SKILL_DIR}`.
    #[must_use]
    pub fn skill_directory(self, path: &str) -> Self {
        SKILL_DIRECTORY.into_iter().fold(self, |known, name| known.set(name, path))
    }

    /// Sets the identifier of the conversation: `${CLAUDE_SESSION_ID}`, `${AGENTICK_SESSION_ID}`.
    #[must_use]
    pub fn session(self, id: &str) -> Self {
        self.set("CLAUDE_SESSION_ID", id).set("AGENTICK_SESSION_ID", id)
    }

    /// Sets the absolute path of the project that the agent works on: `${CLAUDE_PROJECT_DIR}`.
    #[must_use]
    pub fn project_directory(self, path: &str) -> Self {
        self.set("CLAUDE_PROJECT_DIR", path)
    }

    /// Returns the value of a variable.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns all names and values.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }
}
