//! Tool calls by a model.

use crate::Arguments;

/// A parsed call of one of the tools.
///
/// [`Toolbox::answer`](crate::Toolbox::answer) answers it. [`Toolbox::call`](crate::Toolbox::call)
/// parses and answers a call given as tool name and JSON.
///
/// ```
/// use helix_skills::{Call, Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// let call =
///     Call::ReadSkillFile { skill: "pdf", path: "SKILL.md", start_line: Some(1), end_line: None };
/// assert!(toolbox.answer(call).to_string().contains("\nUse `pdftotext`.\n</skill_file>"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Call<'a> {
    /// Loads a body (level 2): `load_skill` in [`Profile::Helix`](crate::Profile::Helix).
    LoadSkill {
        /// The name of the skill.
        name: &'a str,
        /// What the skill works on. The profile decides whether it is inserted into the body or
        /// follows it.
        arguments: Option<Arguments<'a>>,
    },
    /// Reads a file (level 3): `read_skill_file` in [`Profile::Helix`](crate::Profile::Helix).
    ReadSkillFile {
        /// The name of the skill.
        skill: &'a str,
        /// The path of the file in the skill.
        path: &'a str,
        /// The first line to read, counted from 1; `None` starts at the first line of the file.
        start_line: Option<usize>,
        /// The last line to read, inclusive; `None` reads to the end of the file.
        end_line: Option<usize>,
    },
    /// Searches for skills: `search_skills`.
    SearchSkills {
        /// Words that describe the task.
        query: &'a str,
    },
}
