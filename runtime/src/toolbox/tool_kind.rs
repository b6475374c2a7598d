//! The tools of a toolbox, and their names in each profile.

use crate::Profile;

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
    pub(super) const fn arguments_parameter(profile: Profile) -> &'static str {
        match profile {
            Profile::Agentick | Profile::ClaudeCode => "args",
            _ => "arguments",
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
