//! Tool definitions.

use super::{
    Toolbox,
    schema::{ToolDescription, ToolParameters},
    tool_kind::ToolKind,
};
use core::iter::FusedIterator;

/// The definition of a tool: name, description, and parameters as a JSON Schema.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, Toolbox};
/// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use it.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let load = Toolbox::new(SKILLS).tools([])?.next().unwrap();
/// assert_eq!(load.name(), "load_skill");
/// assert!(load.parameters().to_string().contains(r#""enum":["pdf"]"#));
/// # Ok::<(), helix_skills::ToolboxError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tool<'a> {
    pub(super) toolbox: Toolbox<'a>,
    pub(super) kind: ToolKind,
}

impl<'a> Tool<'a> {
    pub(super) const fn new(toolbox: Toolbox<'a>, kind: ToolKind) -> Self {
        Self { toolbox, kind }
    }

    /// Returns the name, which no other tool of the agent may have.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name(self.toolbox.profile).unwrap_or_default()
    }

    /// Returns the description for the model.
    #[must_use]
    pub const fn description(&self) -> ToolDescription<'a> {
        ToolDescription::new(self.toolbox, self.kind)
    }

    /// Returns the parameters as the text of a JSON Schema of type `object`.
    #[must_use]
    pub const fn parameters(&self) -> ToolParameters<'a> {
        ToolParameters::new(self.toolbox, self.kind)
    }
}

/// An iterator over the tools of a [`Toolbox`], in a fixed order.
#[derive(Clone, Debug)]
pub struct ToolIter<'a> {
    toolbox: Toolbox<'a>,
    kinds: core::array::IntoIter<ToolKind, { ToolKind::ALL.len() }>,
}

impl<'a> ToolIter<'a> {
    pub(super) fn new(toolbox: Toolbox<'a>) -> Self {
        Self { toolbox, kinds: ToolKind::ALL.into_iter() }
    }
}

impl<'a> Iterator for ToolIter<'a> {
    type Item = Tool<'a>;

    fn next(&mut self) -> Option<Tool<'a>> {
        let toolbox = self.toolbox;
        self.kinds.find(|kind| toolbox.has(*kind)).map(|kind| Tool::new(toolbox, kind))
    }
}

impl FusedIterator for ToolIter<'_> {}
