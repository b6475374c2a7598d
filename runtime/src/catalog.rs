//! Level 1: which skills there are.

use crate::{
    OneLine, SkillSet,
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
/// ```
/// # use helix_skills_runtime::{__private::{skill, Parts}, Skill, SkillSet};
/// # let skills = [skill(Parts { name: "pdf", description: "Reads PDF\n- files.", ..Parts::EMPTY })];
/// let catalog = SkillSet::new(&skills).catalog().to_string();
/// assert!(catalog.starts_with("## Skills\n"));
/// assert!(catalog.ends_with("\n- pdf: Reads PDF - files.\n"));
/// assert!(SkillSet::EMPTY.catalog().is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'a>(SkillSet<'a>);

impl<'a> Catalog<'a> {
    pub(crate) const fn of(set: SkillSet<'a>) -> Self {
        Self(set)
    }

    /// The whole text, if it lies in memory as one piece. For every baked set it does.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.0.baked {
            Some(baked) => Some(baked.catalog),
            None => None,
        }
    }
}

impl Render for Catalog<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return out.write_str(text);
        }
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
