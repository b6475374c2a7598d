//! What differs between profiles and takes much code.

use super::{Conventions, SkillDirectories, Toolbox};
use crate::{
    Budget, Profile, Selection, SkillSet,
    body::filled,
    catalog,
    load::{Delivery, bare, confirmation},
};

static HELIX: Conventions =
    Conventions { catalog: Some(&catalog::Helix), tool_list: None, delivery: Delivery::TAGGED };

static DEER_FLOW: Conventions =
    Conventions { catalog: Some(&catalog::DeerFlow), tool_list: None, delivery: Delivery::TAGGED };

static DEEP_AGENTS: Conventions = Conventions {
    catalog: Some(&catalog::DeepAgents),
    tool_list: None,
    delivery: Delivery::TAGGED,
};

static SKILL_USE: Conventions = Conventions {
    catalog: Some(&catalog::SkillUse),
    tool_list: None,
    delivery: Delivery { fill: Some(filled), deliver: Some(confirmation), has_message: true },
};

static AGENTICK: Conventions = Conventions {
    catalog: None,
    tool_list: Some(catalog::write_tool_list),
    delivery: FILLED_WITHOUT_TAGS,
};

static CLAUDE_CODE: Conventions = Conventions {
    catalog: Some(&catalog::AvailableSkills),
    tool_list: None,
    delivery: FILLED_WITHOUT_TAGS,
};

const FILLED_WITHOUT_TAGS: Delivery =
    Delivery { fill: Some(filled), deliver: Some(bare), has_message: false };

/// Returns the conventions of `profile`, and links those of all profiles.
pub(super) const fn conventions(profile: Profile) -> &'static Conventions {
    match profile {
        Profile::Helix => &HELIX,
        Profile::SkillUse => &SKILL_USE,
        Profile::DeerFlow => &DEER_FLOW,
        Profile::DeepAgents => &DEEP_AGENTS,
        Profile::Agentick => &AGENTICK,
        Profile::ClaudeCode => &CLAUDE_CODE,
    }
}

/// Returns whether `profile` fills arguments and variables into bodies.
#[must_use]
pub const fn fills_bodies(profile: Profile) -> bool {
    conventions(profile).delivery.fill.is_some()
}

impl<'a> Toolbox<'a> {
    /// Creates a toolbox of all skills of `set` in [`Profile::Helix`].
    #[must_use]
    pub const fn new(set: SkillSet<'a>) -> Self {
        Self {
            set,
            profile: Profile::Helix,
            conventions: &HELIX,
            allowed: None,
            preloaded: Selection::NONE,
            budget: Budget::NONE,
            directories: SkillDirectories::Unknown,
            variables: None,
            provenance: false,
            search: None,
            find: None,
            classifier: None,
            baked: set.catalog,
        }
    }
}
