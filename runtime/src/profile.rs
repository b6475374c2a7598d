//! Profiles: the conventions of different systems.

/// The system whose conventions a [`Toolbox`](crate::Toolbox) follows: the format of the catalog,
/// the names of the tools, and how a body is delivered.
///
/// | profile | catalog | tools | body |
/// |---|---|---|---|
/// | `Helix` | `## Skills`, one line a skill | `load_skill`, `read_skill_file` | result, in tags |
/// | `SkillUse` | `## Available Skills` | `skill_use`, `skill_read_file` | separate message |
/// | `Agentick` | description of the tool | `skill`, `read_skill_file` (1) | result, bare |
/// | `DeerFlow` | `Available Skills:` | `load_skill`, `read_skill_file` | result, in tags |
/// | `DeepAgents` | `<available_skills>` with paths | none: the model reads files | file |
/// | `ClaudeCode` | `<available_skills>` | `Skill`, `read_skill_file` (1) | result, bare |
///
/// (1) Only if a skill has files other than its `SKILL.md`.
///
/// # Delivery of bodies
///
/// If a body is a separate message, the host has to send [`Reply::message`](crate::Reply::message)
/// as the user after the tool's result. Otherwise the model never sees the instructions.
///
/// `DeepAgents` has no tools. The catalog contains paths below
/// [`ToolboxBuilder::at`](crate::ToolboxBuilder::at) or in
/// [`ToolboxBuilder::directories`](crate::ToolboxBuilder::directories). Either the files exist
/// there, or the host's own file tool answers these paths with
/// [`Toolbox::read_skill_file`](crate::Toolbox::read_skill_file).
///
/// # Arguments
///
/// In the profiles whose tool takes arguments, `SkillUse`, `Agentick` and `ClaudeCode`, a body is
/// [filled](crate::Skill::fill). The arguments of a call replace `$ARGUMENTS`, `$0` and `$name`,
/// and are appended if the body uses none. `${SKILL_DIR}` is the skill's directory
/// according to [`ToolboxBuilder::at`](crate::ToolboxBuilder::at) or
/// [`ToolboxBuilder::directories`](crate::ToolboxBuilder::directories), else the one that the skill
/// was loaded from, and stays as it is if there is none. In the other profiles, a body is filled if
/// the call has arguments and the skill declares some (`arguments`, `argument-hint`), or if the
/// host sets [variables](crate::ToolboxBuilder::variables). Otherwise it is the reviewed text, byte
/// for byte, with the arguments after it.
///
/// # Commands
///
/// A toolbox runs no commands. Commands in a body, `` !`date` `` and ` ```! `, stay text, with
/// their values quoted, so that a manual that only shows commands loads like any other skill; in
/// `Agentick`, as in that system, a skill with commands cannot be loaded without a shell.
/// [`Toolbox::warnings`](crate::Toolbox::warnings) has both. An `AsyncToolbox` with a shell runs
/// them, and inserts their output, in every profile.
/// `skill_run_script` is not a tool of a toolbox, and its name is not reserved: a
/// host adds it with the crate `helix-skills-host`.
///
/// # Escaping
///
/// In all profiles, the text of a skill cannot pass for text of another skill or of the toolbox,
/// even where the original system allows it.
///
/// ```
/// use helix_skills::Profile;
/// assert_eq!(Profile::default(), Profile::Helix);
/// assert_eq!(Profile::from_name("deer-flow"), Some(Profile::DeerFlow));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The native profile.
    #[default]
    Helix,
    /// A framework whose tool is called `skill_use`: `user-invocable: false` makes a skill
    /// unavailable.
    SkillUse,
    /// Agentick: the tool `skill` lists the skills, in at most 8,000 UTF-16 units. Its parameters
    /// contain the names if they fit in there as well.
    Agentick,
    /// Deer-flow: a plain list, and the tool `load_skill`.
    DeerFlow,
    /// Deep Agents: no tools; the model reads `SKILL.md` by its path.
    DeepAgents,
    /// Claude Code, and the reference library of the open format.
    ClaudeCode,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 6] = [
        Self::Helix,
        Self::SkillUse,
        Self::Agentick,
        Self::DeerFlow,
        Self::DeepAgents,
        Self::ClaudeCode,
    ];

    /// Returns the name for command lines: lower case, words joined by hyphens.
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

    /// Returns the profile with this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }
}
