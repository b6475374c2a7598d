//! What a user interface may show of a call.

/// Something that happened in a call, for whoever watches the agent; no model needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A skill was loaded.
    SkillLoaded {
        /// The name of the skill.
        name: &'a str,
    },
}

impl Event<'_> {
    /// The kind of event, as a stream of custom events names it.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::SkillLoaded { .. } => "skill_loaded",
        }
    }
}
