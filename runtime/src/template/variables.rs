//! Values for the `${…}` variables of a body.

use crate::directory::SkillDirectory;
use alloc::borrow::Cow;

/// The values of `${…}` variables in a body.
///
/// Variables without a value are left as written. An embedded skill has no directory unless the
/// host has written its files into one.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
/// let body = "${SKILL_DIR}/a ${CLAUDE_SKILL_DIR} ${CLAUDE_EFFORT} ${HOME}";
/// let known =
///     Variables::new().skill_directory("/skills/pdf").others(&[("CLAUDE_EFFORT", "high")]);
/// let filled = Template::new(body).fill(Arguments::NONE, known);
/// assert_eq!(filled.to_string(), "/skills/pdf/a /skills/pdf high ${HOME}");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Variables<'a> {
    /// The path, in pieces.
    directory: Option<[&'a str; 3]>,
    session: Option<&'a str>,
    project: Option<&'a str>,
    others: &'a [(&'a str, &'a str)],
}

impl<'a> Variables<'a> {
    /// Creates an empty set of variables.
    #[must_use]
    pub const fn new() -> Self {
        Self { directory: None, session: None, project: None, others: &[] }
    }

    /// Sets the absolute path of the skill's directory: `${SKILL_DIR}`, `${CLAUDE_SKILL_DIR}`,
    /// `${AGENTICK_SKILL_DIR}`.
    #[must_use]
    pub const fn skill_directory(mut self, path: &'a str) -> Self {
        self.directory = Some([path, "", ""]);
        self
    }

    /// Sets the skill's directory to `directory` if none is set.
    pub(crate) fn skill_at(mut self, directory: Option<SkillDirectory<'a>>) -> Self {
        self.directory = self.directory.or_else(|| directory.map(SkillDirectory::path));
        self
    }

    /// Sets the skill's directory to `path` if none is set.
    pub(crate) fn or_skill_directory<'b>(self, path: Option<&'b str>) -> Variables<'b>
    where
        'a: 'b,
    {
        let known: Variables<'b> = self;
        Variables { directory: known.directory.or(path.map(|path| [path, "", ""])), ..known }
    }

    /// Sets the identifier of the conversation: `${CLAUDE_SESSION_ID}`, `${AGENTICK_SESSION_ID}`.
    #[must_use]
    pub const fn session(mut self, id: &'a str) -> Self {
        self.session = Some(id);
        self
    }

    /// Sets the absolute path of the project that the agent works on: `${CLAUDE_PROJECT_DIR}`.
    #[must_use]
    pub const fn project_directory(mut self, path: &'a str) -> Self {
        self.project = Some(path);
        self
    }

    /// Sets further variables as pairs of name and value. They take precedence over the others.
    ///
    /// A name has uppercase letters, digits and `_`.
    #[must_use]
    pub const fn others(mut self, others: &'a [(&'a str, &'a str)]) -> Self {
        self.others = others;
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        if let Some((_, value)) = self.others.iter().find(|(known, _)| *known == name) {
            return Some((*value).into());
        }
        match name {
            "SKILL_DIR" | "CLAUDE_SKILL_DIR" | "AGENTICK_SKILL_DIR" => {
                self.directory.map(|path| path.concat().into())
            }
            "CLAUDE_SESSION_ID" | "AGENTICK_SESSION_ID" => self.session.map(Cow::from),
            "CLAUDE_PROJECT_DIR" => self.project.map(Cow::from),
            _ => None,
        }
    }
}
