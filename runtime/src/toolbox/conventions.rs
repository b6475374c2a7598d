//! What differs between profiles and takes much code.

use super::{CatalogFormat, Conventions, SkillDirectories, Toolbox};
use crate::{
    Budget, Profile, Selection, SkillSet,
    body::FILLED,
    catalog,
    load::{Delivery, bare, confirmation},
};

static HELIX: Conventions = listing(&catalog::HELIX, Delivery::TAGGED);
static DEER_FLOW: Conventions = listing(&catalog::DEER_FLOW, Delivery::TAGGED);
static DEEP_AGENTS: Conventions = listing(&catalog::DEEP_AGENTS, Delivery::TAGGED);
static CLAUDE_CODE: Conventions = listing(&catalog::AVAILABLE_SKILLS, FILLED_WITHOUT_TAGS);
static SKILL_USE: Conventions = listing(
    &catalog::SKILL_USE,
    Delivery { fill: Some(FILLED), deliver: Some(confirmation), has_message: true },
);

static AGENTICK: Conventions = Conventions {
    catalog: None,
    tool_list: Some(catalog::write_tool_list),
    delivery: FILLED_WITHOUT_TAGS,
};

const FILLED_WITHOUT_TAGS: Delivery =
    Delivery { fill: Some(FILLED), deliver: Some(bare), has_message: false };

/// Returns the conventions of a profile whose skills are listed in the system prompt.
const fn listing(catalog: &'static CatalogFormat, delivery: Delivery) -> Conventions {
    Conventions { catalog: Some(catalog), tool_list: None, delivery }
}

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
            fill: None,
            search: None,
            find: None,
            classifier: None,
            baked: set.catalog,
        }
    }
}
