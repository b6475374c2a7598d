//! Level 1: which skills there are.

use crate::{
    OneLine, Skill,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// One line a paragraph: where lines break is up to whoever shows the prompt.
const HEAD: &str = "## Skills\n\n\
    A skill is NOT a tool: it is a set of instructions, and no tool has its name. When a task matches one of these \
    skills, call the tool `load_skill` with its name first, and follow what it returns.\n\n";

/// The catalog of some skills, rendered when it is displayed.
///
/// A heading, the sentence that keeps a model from calling a skill like a tool, then `- name: description` for every
/// skill that models may load: one line each, whatever the description holds; `when_to_use` follows the description.
/// No such skill: no text at all.
///
/// [`SkillSet::catalog`](crate::SkillSet::catalog) is this text for the whole set, made while compiling. This is for
/// other selections.
///
/// ```
/// # use helix_skills_runtime::{__private::{skill, Parts}, Catalog, Skill};
/// # let skills = [skill(Parts { name: "pdf", description: "Reads PDF\n- files.", ..Parts::EMPTY })];
/// let catalog = Catalog::of(&skills).to_string();
/// assert!(catalog.starts_with("## Skills\n"));
/// assert!(catalog.ends_with("\n- pdf: Reads PDF - files.\n"));
/// assert!(Catalog::of(&[]).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'a>(&'a [Skill<'a>]);

impl<'a> Catalog<'a> {
    /// The catalog of `skills`, in the order they have.
    #[must_use]
    pub const fn of(skills: &'a [Skill<'a>]) -> Self {
        Self(skills)
    }
}

impl Render for Catalog<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let mut head = HEAD;
        for skill in self.0.iter().filter(|skill| !skill.disable_model_invocation()) {
            out.write_str(head)?;
            head = "";
            out.write_str("- ")?;
            OneLine(skill.name()).render(out)?;
            out.write_str(": ")?;
            OneLine(skill.description()).render(out)?;
            if let Some(when) = skill.when_to_use() {
                out.write_char(' ')?;
                OneLine(when).render(out)?;
            }
            out.write_char('\n')?;
        }
        Ok(())
    }
}

rendered!(Catalog);
