//! What a body's own marks mean in each system.

use super::TokenMode;
use crate::Profile;

/// The rules by which a profile reads and fills a template (SEMANTICS b.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Whether a backslash makes a placeholder text, and goes away itself.
    pub(super) escapes: bool,
    /// Whether `$01` is `$1`.
    pub(super) leading_zeros: bool,
    /// Whether `$ARGUMENTS[7]` without an eighth argument is `$ARGUMENTS`, and then `[7]`.
    pub(super) missing_index_is_all: bool,
    /// Whether a name ends where no more characters of a name follow, known or not.
    pub(super) greedy_names: bool,
    /// Whether the keys of an object are names that need no declaration.
    pub(super) keys_are_names: bool,
    /// What a declared name without a value becomes.
    pub(super) missing_name: MissingName,
    /// Whether `$0` counts as a use of the arguments, or `$ARGUMENTS` alone does.
    pub(super) index_is_use: bool,
    /// Whether a closing fence has nothing after it, and a command the carriage return before it.
    pub(super) exact_fences: bool,
    /// Whether one line feed at the end of what an inline command said is dropped.
    pub(super) trims_output: bool,
    /// How a text becomes arguments.
    pub(super) tokens: TokenMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingName {
    Literal,
    Empty,
    /// Literal where there are no arguments at all.
    EmptyIfGiven,
}

impl Syntax {
    const HELIX: Self = Self {
        escapes: true,
        leading_zeros: false,
        missing_index_is_all: false,
        greedy_names: false,
        keys_are_names: true,
        missing_name: MissingName::EmptyIfGiven,
        index_is_use: true,
        exact_fences: false,
        trims_output: true,
        tokens: TokenMode::Posix,
    };

    /// The systems that say little of templates have ours.
    pub(super) const fn of(profile: Profile) -> Self {
        match profile {
            Profile::Agentick => Self {
                escapes: false,
                leading_zeros: true,
                missing_index_is_all: true,
                greedy_names: true,
                keys_are_names: true,
                missing_name: MissingName::Literal,
                index_is_use: true,
                exact_fences: true,
                trims_output: false,
                tokens: TokenMode::Agentick,
            },
            Profile::ClaudeCode => Self {
                keys_are_names: false,
                missing_name: MissingName::Empty,
                index_is_use: false,
                ..Self::HELIX
            },
            Profile::Helix | Profile::SkillUse | Profile::DeerFlow | Profile::DeepAgents => {
                Self::HELIX
            }
        }
    }
}
