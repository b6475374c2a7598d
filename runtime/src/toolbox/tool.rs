//! Tool definitions.

use super::{
    Toolbox,
    schema::{ToolDescription, ToolParameters},
};
use crate::Profile;
use core::iter::FusedIterator;

/// The purpose of a tool, independent of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    Load,
    Read,
    Search,
}

impl ToolKind {
    pub(super) const ALL: [Self; 3] = [Self::Load, Self::Read, Self::Search];

    /// Returns the name of the tool, or `None` if the profile has no such tool.
    pub(super) const fn name(self, profile: Profile) -> Option<&'static str> {
        Some(match (self, profile) {
            (_, Profile::DeepAgents) => return None,
            (Self::Load, Profile::SkillUse) => "skill_use",
            (Self::Load, Profile::Agentick) => "skill",
            (Self::Load, Profile::ClaudeCode) => "Skill",
            (Self::Load, _) => "load_skill",
            (Self::Read, Profile::SkillUse) => "skill_read_file",
            (Self::Read, _) => "read_skill_file",
            (Self::Search, _) => "search_skills",
        })
    }

    /// Finds the tool named `name`.
    pub(super) fn named(name: &str, profile: Profile) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name(profile) == Some(name))
    }

    /// Returns the parameter with the name of the skill.
    pub(super) const fn skill_parameter(self, profile: Profile) -> &'static str {
        match (self, profile) {
            (_, Profile::SkillUse) => "skill_name",
            (Self::Load, Profile::ClaudeCode) | (Self::Read, _) => "skill",
            _ => "name",
        }
    }

    /// Returns the load parameter with the arguments for the skill.
    pub(super) const fn arguments_parameter(profile: Profile) -> Option<&'static str> {
        match profile {
            Profile::SkillUse => Some("arguments"),
            Profile::Agentick | Profile::ClaudeCode => Some("args"),
            _ => None,
        }
    }

    /// Returns the parameter with the path of a file.
    pub(super) const fn path_parameter(profile: Profile) -> &'static str {
        match profile {
            Profile::SkillUse => "file_path",
            _ => "path",
        }
    }
}

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
