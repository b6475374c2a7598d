//! Level 1: the list of skills.

mod available_skills;
mod deep_agents;
mod format;
mod preloaded;
mod section;
mod tool_list;

pub(crate) use available_skills::AVAILABLE_SKILLS;
pub(crate) use deep_agents::DEEP_AGENTS;
pub(crate) use preloaded::write_preloaded;
pub(crate) use section::{DEER_FLOW, HELIX, SKILL_USE};
pub use tool_list::has_names;
pub(crate) use tool_list::{write_names, write_tool_list};

use crate::{
    Toolbox,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The catalog of a set of skills: text for the system prompt, rendered when it is displayed.
///
/// In [`Profile::Helix`](crate::Profile::Helix), it is a heading, a sentence that keeps models from
/// calling skills like tools, and `- name: description` for every skill that models may load. An
/// entry is always a single line; `when_to_use` follows the description. The bodies of preloaded
/// skills follow in a block of their own. Without such skills, the catalog is empty. Other profiles
/// have other formats.
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

impl<'a> Toolbox<'a> {
    /// Returns the text for the system prompt (level 1).
    ///
    /// The text does not depend on what has been loaded: every call returns the same bytes.
    #[must_use]
    pub const fn catalog(&self) -> Catalog<'a> {
        Catalog(*self)
    }
}

impl<'a> Catalog<'a> {
    /// Returns the whole text if `include_skills!` rendered it, else `None`.
    ///
    /// The macro renders the catalogs of its set and of its toolbox with preloads, but not those of
    /// toolboxes that are built at run time.
    ///
    /// ```
    /// use helix_skills::{SkillSet, include_skills, text::estimated_tokens};
    /// const SKILLS: SkillSet = include_skills!("../examples/agent"); // or `include_skills!()`
    /// const _: () = assert!(estimated_tokens(SKILLS.catalog().as_str().unwrap().len()) <= 2_000);
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.0.baked {
            Some(baked) => Some(baked.text),
            None => None,
        }
    }

    /// Returns the digest of the text that [`as_str`](Self::as_str) returns, `sha256:` and 64
    /// hexadecimal digits.
    #[must_use]
    pub const fn digest(&self) -> Option<&'a str> {
        match self.0.baked {
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
        if let Some(format) = toolbox.conventions.catalog {
            format::render(format, toolbox, out)?;
            if toolbox.preloaded().next().is_some() {
                out.write_char('\n')?;
            }
        }
        write_preloaded(toolbox, out)
    }
}

rendered!(Catalog);
