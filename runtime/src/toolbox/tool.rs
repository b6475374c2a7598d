//! The definition of a tool.

use super::{
    Toolbox,
    schema::{ToolDescription, ToolParameters},
};
use crate::Profile;
use core::iter::FusedIterator;

/// What a tool is for, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    Read,
    Search,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Load, Self::Read, Self::Search];

    /// The tool's name; none where the system has no such tool.
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

    /// The tool of this name.
    pub(super) fn named(name: &str, profile: Profile) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name(profile) == Some(name))
    }

    /// The parameter that names a skill.
    pub(super) const fn skill_parameter(self, profile: Profile) -> &'static str {
        match (self, profile) {
            (_, Profile::SkillUse) => "skill_name",
            (Self::Load, Profile::ClaudeCode) | (Self::Read, _) => "skill",
            _ => "name",
        }
    }

    /// The parameter of a load that is passed on to the skill.
    pub(super) const fn arguments_parameter(profile: Profile) -> Option<&'static str> {
        match profile {
            Profile::SkillUse => Some("arguments"),
            Profile::Agentick | Profile::ClaudeCode => Some("args"),
            _ => None,
        }
    }

    /// The parameter that is a path.
    pub(super) const fn path_parameter(profile: Profile) -> &'static str {
        match profile {
            Profile::SkillUse => "file_path",
            _ => "path",
        }
    }
}

/// The definition of one tool: name, description, and its parameters as a JSON Schema.
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
    pub(super) kind: Kind,
}

impl<'a> Tool<'a> {
    pub(super) const fn new(toolbox: Toolbox<'a>, kind: Kind) -> Self {
        Self { toolbox, kind }
    }

    /// The name, which no tool of the agent may have.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name(self.toolbox.profile).unwrap_or_default()
    }

    /// What the tool does, for the model.
    #[must_use]
    pub const fn description(&self) -> ToolDescription<'a> {
        ToolDescription::new(self.toolbox, self.kind)
    }

    /// The parameters, as the text of a JSON Schema of type `object`.
    #[must_use]
    pub const fn parameters(&self) -> ToolParameters<'a> {
        ToolParameters::new(self.toolbox, self.kind)
    }
}

/// The tools of a [`Toolbox`], in a fixed order.
#[derive(Clone, Debug)]
pub struct ToolIter<'a> {
    toolbox: Toolbox<'a>,
    kinds: core::array::IntoIter<Kind, { Kind::ALL.len() }>,
}

impl<'a> ToolIter<'a> {
    pub(super) fn new(toolbox: Toolbox<'a>) -> Self {
        Self { toolbox, kinds: Kind::ALL.into_iter() }
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
