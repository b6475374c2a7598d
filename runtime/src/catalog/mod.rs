//! Level 1: which skills there are.

mod available_skills;
mod deep_agents;
mod format;
mod preloaded;
mod section;
mod tool_list;

pub(crate) use preloaded::PreloadedSkills;
pub(crate) use tool_list::ToolList;

use crate::{
    Profile, Toolbox,
    render::{Render, rendered},
};
use core::fmt::{self, Write};
use format::CatalogFormat;

/// The catalog of some skills, rendered when it is displayed: the text for the system prompt.
///
/// A heading, the sentence that keeps a model from calling a skill like a tool, then `- name: description` for every
/// skill that models may load: one line each, whatever the description holds; `when_to_use` follows the description.
/// The bodies of preloaded skills follow in one block. No such skill: no text at all. That is the form of
/// [`Profile::Helix`]; other profiles have others.
///
/// ```
/// # use helix_skills::{Skill, SkillSet};
/// # let skills = [Skill::define("pdf", "Reads PDF\n- files.", "Use it.").build()];
/// let catalog = SkillSet::new(&skills).catalog().to_string();
/// assert!(catalog.starts_with("## Skills\n"));
/// assert!(catalog.ends_with("\n- pdf: Reads PDF - files.\n"));
/// assert!(SkillSet::EMPTY.catalog().is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalog<'a>(Toolbox<'a>);

impl<'a> Catalog<'a> {
    pub(crate) const fn new(toolbox: Toolbox<'a>) -> Self {
        Self(toolbox)
    }

    /// The whole text, if `include_skills!` made it; `None` if it is rendered.
    ///
    /// It made the catalogs of its set and of its toolbox with preloads, not those of toolboxes in which
    /// something is chosen at run time.
    ///
    /// ```
    /// use helix_skills::{SkillSet, include_skills, text::estimated_tokens};
    /// const SKILLS: SkillSet = include_skills!("../examples/agent"); // usually `include_skills!()`
    /// const _: () = assert!(estimated_tokens(SKILLS.catalog().as_str().unwrap().len()) <= 2_000);
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.0.baked_catalog() {
            Some(baked) => Some(baked.text),
            None => None,
        }
    }

    /// The digest of [`as_str`](Self::as_str)'s text, `sha256:` and 64 hexadecimal digits.
    #[must_use]
    pub const fn digest(&self) -> Option<&'a str> {
        match self.0.baked_catalog() {
            Some(baked) => Some(baked.digest),
            None => None,
        }
    }
}

impl Render for Catalog<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return out.write_str(text);
        }
        let toolbox = &self.0;
        if toolbox.view().is_empty() {
            return Ok(());
        }
        let format: &dyn CatalogFormat = match toolbox.profile() {
            Profile::Helix => &section::Helix,
            Profile::SkillUse => &section::SkillUse,
            Profile::DeerFlow => &section::DeerFlow,
            Profile::DeepAgents => &deep_agents::DeepAgents,
            Profile::ClaudeCode => &available_skills::AvailableSkills,
            // Its list is in the description of the tool.
            Profile::Agentick => return PreloadedSkills(toolbox).render(out),
        };
        format::render(format, toolbox, out)?;
        if toolbox.preloaded().next().is_some() {
            out.write_char('\n')?;
        }
        PreloadedSkills(toolbox).render(out)
    }
}

rendered!(Catalog);
