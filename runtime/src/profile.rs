//! Whose behaviour an agent gets where systems disagree.

use crate::Skill;

/// Which system's conventions a [`Toolbox`](crate::Toolbox) follows: the form of the catalog, the names of the tools,
/// how a body arrives.
///
/// | profile | catalog | tools | a body arrives as |
/// |---|---|---|---|
/// | `Helix` | `## Skills`, one line a skill | `load_skill`, `read_skill_file` | the tool's result, between tags |
/// | `SkillUse` | `## Available Skills`, with argument hints | `skill_use`, `skill_read_file` | a message of its own |
/// | `Agentick` | in the description of the tool | `skill`, `read_skill_file` | the tool's result, bare |
/// | `DeerFlow` | `Available Skills:` | `load_skill`, `read_skill_file` | the tool's result, between tags |
/// | `DeepAgents` | `<available_skills>` with instructions and paths | none: the model reads files | a file |
/// | `ClaudeCode` | `<available_skills>` | `Skill`, `read_skill_file` | the tool's result, bare |
///
/// Where a body arrives as a message of its own, [`Reply::message`](crate::Reply::message) has it: the host sends it after the
/// result, as the user, or the model never gets the instructions. `DeepAgents` has no tool at all: the host's own tool for
/// files answers the paths of the catalog, below [`ToolboxBuilder::at`](crate::ToolboxBuilder::at), with
/// [`Toolbox::read_skill_file`](crate::Toolbox::read_skill_file), or has the files where [`ToolboxBuilder::directories`](crate::ToolboxBuilder::directories) says.
///
/// In the profiles whose tool takes arguments, `SkillUse`, `Agentick` and `ClaudeCode`, a body is a
/// [`Template`](crate::Template): what a call passes on stands where `$ARGUMENTS`, `$0` and `$name` ask for it, and follows the body
/// where nothing does; `${SKILL_DIR}` is the skill's directory as [`ToolboxBuilder::at`](crate::ToolboxBuilder::at) or
/// [`ToolboxBuilder::directories`](crate::ToolboxBuilder::directories) say, and stays where neither does. In the others a body is what was reviewed, byte for byte, and arguments follow it, if a host passes some on.
///
/// A toolbox runs nothing. Commands in a body, `` !`date` `` and ` ```! `, are text, with their values in quotes: the model reads
/// what the author wanted to know, and a manual that shows commands loads like any other. A host that runs them puts in what they
/// say ([`LoadedSkill::filled`](crate::LoadedSkill::filled)), as an `AsyncToolbox` with a shell does, in every profile.
/// `skill_run_script` is no tool of a toolbox, and its name is not reserved: with
/// the crate `helix-skills-host` a host has it beside the others.
///
/// In all of them a text of one skill cannot be taken for another's, or for ours, also where the system itself lets it.
///
/// ```
/// use helix_skills::Profile;
/// assert_eq!(Profile::default(), Profile::Helix);
/// assert_eq!(Profile::from_name("deer-flow"), Some(Profile::DeerFlow));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// Our own.
    #[default]
    Helix,
    /// The framework with `skill_use`: `user-invocable: false` makes a skill unavailable.
    SkillUse,
    /// Agentick: the tool `skill` lists the skills, 8,000 UTF-16 units of them at most.
    Agentick,
    /// Deer-flow: a plain list, and `load_skill`.
    DeerFlow,
    /// Deep Agents: no tool; the model reads `SKILL.md` by its path.
    DeepAgents,
    /// Claude Code and the reference library of the open format: `<available_skills>`.
    ClaudeCode,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Helix,
        Self::SkillUse,
        Self::Agentick,
        Self::DeerFlow,
        Self::DeepAgents,
        Self::ClaudeCode,
    ];

    /// The name for a command line: lower case, words joined by hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Helix => "helix",
            Self::SkillUse => "skill-use",
            Self::Agentick => "agentick",
            Self::DeerFlow => "deer-flow",
            Self::DeepAgents => "deep-agents",
            Self::ClaudeCode => "claude-code",
        }
    }

    /// The profile with this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether models get to see a skill at all.
    pub(crate) const fn shows(self, skill: &Skill<'_>) -> bool {
        !skill.disable_model_invocation()
            && (skill.user_invocable() || !matches!(self, Self::SkillUse))
    }
}
