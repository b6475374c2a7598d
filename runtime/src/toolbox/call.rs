//! What a model asks for.

use super::Toolbox;
use crate::{Arguments, Skill};

/// A call of one of the tools, its arguments read.
///
/// [`Toolbox::answer`](crate::Toolbox::answer) takes it. [`Toolbox::call`](crate::Toolbox::call)
/// reads one from the name of the tool and its JSON.
///
/// ```
/// use helix_skills::{Call, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// let call = Call::ReadSkillFile { skill: "pdf", path: "SKILL.md", start_line: Some(1), end_line: None };
/// assert!(toolbox.answer(call).to_string().contains("\nUse `pdftotext`.\n</skill_file>"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call<'a> {
    /// Level 2, `load_skill` in our own profile.
    LoadSkill {
        /// The name of the skill.
        name: &'a str,
        /// What the skill is to work on: it is put into the body, or follows it, as the profile does it.
        arguments: Option<Arguments<'a>>,
    },
    /// Level 3, `read_skill_file` in our own profile.
    ReadSkillFile {
        /// The name of the skill.
        skill: &'a str,
        /// The path of the file inside the skill.
        path: &'a str,
        /// The first line, counted from 1; the file's first if none.
        start_line: Option<usize>,
        /// The last line, included; the file's last if none.
        end_line: Option<usize>,
    },
    /// `search_skills`.
    SearchSkills {
        /// Words for what a task is about.
        query: &'a str,
    },
}

impl<'a> Toolbox<'a> {
    /// The name of the skill that a call loads; `None` if it reads something else, or there is no such
    /// skill for this agent.
    ///
    /// Take what a conversation has loaded from the calls of its history, as this does. The text of a
    /// result or a message is no evidence, because an upstream author could have written it.
    #[must_use]
    pub fn loads(&self, call: &Call<'_>) -> Option<&'a str> {
        match call {
            Call::LoadSkill { name, .. } => self.view().get(name).ok().map(Skill::name),
            _ => None,
        }
    }
}
