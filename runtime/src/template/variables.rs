//! What a host knows of a skill and a session.

use super::source::Source;
use crate::directory::SkillDirectory;

/// The values of `${…}` in a body. What is not set stays as it is written: a baked skill has no directory unless the host
/// has written its files into one.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let known = Variables::new().skill_directory("/skills/pdf").others(&[("CLAUDE_EFFORT", "high")]);
/// let filled = Template::new("${SKILL_DIR}/a ${CLAUDE_SKILL_DIR} ${CLAUDE_EFFORT} ${HOME}").fill(Arguments::NONE, known);
/// assert_eq!(filled.to_string(), "/skills/pdf/a /skills/pdf high ${HOME}");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables<'a> {
    /// The pieces of a path.
    directory: Option<[&'a str; 3]>,
    session: Option<&'a str>,
    project: Option<&'a str>,
    others: &'a [(&'a str, &'a str)],
}

impl<'a> Variables<'a> {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { directory: None, session: None, project: None, others: &[] }
    }

    /// The absolute path of the skill's directory: `${SKILL_DIR}`, `${CLAUDE_SKILL_DIR}`, `${AGENTICK_SKILL_DIR}`.
    #[must_use]
    pub const fn skill_directory(mut self, path: &'a str) -> Self {
        self.directory = Some([path, "", ""]);
        self
    }

    /// The directory of the skill, unless another one is known.
    pub(crate) fn skill_at(mut self, directory: Option<SkillDirectory<'a>>) -> Self {
        self.directory = self.directory.or_else(|| directory.map(SkillDirectory::path));
        self
    }

    /// The same for a path, if there is one.
    pub(crate) fn or_skill_directory<'b>(self, path: Option<&'b str>) -> Variables<'b>
    where
        'a: 'b,
    {
        let known: Variables<'b> = self;
        Variables { directory: known.directory.or(path.map(|path| [path, "", ""])), ..known }
    }

    /// What names the conversation: `${CLAUDE_SESSION_ID}`, `${AGENTICK_SESSION_ID}`.
    #[must_use]
    pub const fn session(mut self, id: &'a str) -> Self {
        self.session = Some(id);
        self
    }

    /// The absolute path of the project that the agent works on: `${CLAUDE_PROJECT_DIR}`.
    #[must_use]
    pub const fn project_directory(mut self, path: &'a str) -> Self {
        self.project = Some(path);
        self
    }

    /// Names and values of your own; they come before all others. A name has upper-case letters, digits and `_`.
    #[must_use]
    pub const fn others(mut self, others: &'a [(&'a str, &'a str)]) -> Self {
        self.others = others;
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<Source<'a>> {
        if let Some((_, value)) = self.others.iter().find(|(known, _)| *known == name) {
            return Some(Source::text(value));
        }
        match name {
            "SKILL_DIR" | "CLAUDE_SKILL_DIR" | "AGENTICK_SKILL_DIR" => {
                self.directory.map(Source::texts)
            }
            "CLAUDE_SESSION_ID" | "AGENTICK_SESSION_ID" => self.session.map(Source::text),
            "CLAUDE_PROJECT_DIR" => self.project.map(Source::text),
            _ => None,
        }
    }
}
