//! What differs between profiles and takes much code.

use crate::{
    Profile,
    body::{Fill, filled},
    catalog::{self, CatalogFormat, ToolListFn},
    load::{Deliver, bare, confirmation},
};

/// How the system of a profile lists skills, and how it fills and delivers bodies.
///
/// A toolbox refers only to the conventions of its own profile, so that a program that uses one
/// profile does not link the code of the others.
pub(crate) struct Conventions {
    /// `None` if the list of skills is in the description of a tool.
    pub(crate) catalog: Option<&'static (dyn CatalogFormat + Sync)>,
    /// Writes the list in the description of the tool that loads skills.
    pub(crate) tool_list: Option<ToolListFn>,
    /// Fills bodies, if the tool takes arguments.
    pub(crate) fill: Option<Fill>,
    /// Delivers a body other than between tags.
    pub(crate) deliver: Option<Deliver>,
    /// Whether the body is in a message after the answer.
    pub(crate) has_message: bool,
}

const TAGGED: Conventions =
    Conventions { catalog: None, tool_list: None, fill: None, deliver: None, has_message: false };

pub(crate) static HELIX: Conventions = Conventions { catalog: Some(&catalog::Helix), ..TAGGED };

static DEER_FLOW: Conventions = Conventions { catalog: Some(&catalog::DeerFlow), ..TAGGED };

static DEEP_AGENTS: Conventions = Conventions { catalog: Some(&catalog::DeepAgents), ..TAGGED };

static SKILL_USE: Conventions = Conventions {
    catalog: Some(&catalog::SkillUse),
    fill: Some(filled),
    deliver: Some(confirmation),
    has_message: true,
    ..TAGGED
};

static AGENTICK: Conventions = Conventions {
    tool_list: Some(catalog::write_tool_list),
    fill: Some(filled),
    deliver: Some(bare),
    ..TAGGED
};

static CLAUDE_CODE: Conventions = Conventions {
    catalog: Some(&catalog::AvailableSkills),
    fill: Some(filled),
    deliver: Some(bare),
    ..TAGGED
};

impl Profile {
    pub(crate) const fn conventions(self) -> &'static Conventions {
        match self {
            Self::Helix => &HELIX,
            Self::SkillUse => &SKILL_USE,
            Self::DeerFlow => &DEER_FLOW,
            Self::DeepAgents => &DEEP_AGENTS,
            Self::Agentick => &AGENTICK,
            Self::ClaudeCode => &CLAUDE_CODE,
        }
    }
}
