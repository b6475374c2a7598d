//! How the template syntax of the profiles differs.

use super::TokenMode;
use crate::Profile;

/// The rules by which a profile parses and fills a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Whether a backslash before a placeholder makes it text and is removed.
    pub(super) escapes: bool,
    /// Whether `$01` is `$1`.
    pub(super) leading_zeros: bool,
    /// Whether `$ARGUMENTS[7]` without an eighth argument is `$ARGUMENTS` followed by `[7]`.
    pub(super) missing_index_is_all: bool,
    /// Whether a name extends over all name characters, even if only a shorter name is known.
    pub(super) greedy_names: bool,
    /// Whether keys of an object are names without being declared.
    pub(super) keys_are_names: bool,
    /// What replaces a declared name without a value.
    pub(super) missing_name: MissingName,
    /// Whether an index such as `$0` uses the arguments, or only `$ARGUMENTS` does.
    pub(super) index_is_use: bool,
    /// Whether a closing fence must end its line.
    pub(super) exact_fences: bool,
    /// Whether one final line feed of an inline command's output is removed.
    pub(super) trims_output: bool,
    /// How a text is split into arguments.
    pub(super) tokens: TokenMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingName {
    Literal,
    Empty,
    /// Empty if there are arguments, else the literal text.
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

    /// Returns the syntax of `profile`. Systems that do not document templates have ours.
    pub(super) const fn for_profile(profile: Profile) -> Self {
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
