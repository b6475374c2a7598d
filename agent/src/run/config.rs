//! A run without its tools: skill, input and limits.

#[cfg(feature = "serde")]
use super::SchemaValidator;
use super::{Message, Shape, ToolDefinition, Watcher, error, prompt, session::Session};
use crate::{Error, shell::ShellContext};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};
#[cfg(feature = "serde")]
use helix_skills_runtime::__internal::token_mode;
use helix_skills_runtime::{
    __internal::{MAX_TICKS, reads_files},
    Arguments, MAX_FILLED_BYTES, Neutral, Profile, Skill, ToolPolicy, Variables,
};

/// Default number of model turns.
const DEFAULT_TURNS: u32 = 10;

/// A run without its tools.
#[derive(Clone)]
pub(super) struct RunConfig<'a> {
    pub(super) skill: Skill,
    pub(super) input: RunInput<'a>,
    /// The contract that the input is checked against.
    pub(super) contract: Option<Shape>,
    /// Checks the result.
    #[cfg(feature = "serde")]
    pub(super) validator: Option<SchemaValidator>,
    pub(super) variables: Variables,
    /// The directory from the provider. It takes precedence over the directory of the skill.
    pub(super) directory: Option<String>,
    pub(super) profile: Profile,
    /// The settings to run the commands of the body with.
    pub(super) shell: Option<ShellContext>,
    pub(super) commands_as_text: bool,
    pub(super) system: Option<&'a str>,
    pub(super) max_turns: Option<u32>,
    pub(super) also_allowed: &'a [&'a str],
    pub(super) watcher: Option<&'a Watcher<'a>>,
}

#[derive(Clone)]
pub(super) enum RunInput<'a> {
    Arguments(Arguments<'a>),
    #[cfg(feature = "serde")]
    Json(String),
    /// The JSON of a [`TypedSkill`](super::TypedSkill)'s input, whose type says what it needs.
    #[cfg(feature = "serde")]
    Typed(String),
}

impl RunInput<'_> {
    pub(super) fn arguments(&self) -> Arguments<'_> {
        match self {
            Self::Arguments(arguments) => *arguments,
            #[cfg(feature = "serde")]
            // `Run::with_input` has checked the text.
            Self::Json(json) | Self::Typed(json) => Arguments::json(json).unwrap_or_default(),
        }
    }
}

impl<'a> RunConfig<'a> {
    pub(super) fn directory(&self) -> Option<&str> {
        self.directory.as_deref().or_else(|| self.skill.directory())
    }

    pub(super) const fn new(skill: Skill) -> Self {
        Self {
            skill,
            input: RunInput::Arguments(Arguments::NONE),
            contract: None,
            #[cfg(feature = "serde")]
            validator: None,
            variables: Variables::new(),
            directory: None,
            profile: Profile::Helix,
            shell: None,
            commands_as_text: false,
            system: None,
            max_turns: None,
            also_allowed: &[],
            watcher: None,
        }
    }

    /// Creates the conversation, without messages.
    ///
    /// # Errors
    /// If the number of turns or the names of the tools are invalid.
    pub(super) fn begin(
        &self,
        tools: &[ToolDefinition],
        submit: Option<ToolDefinition>,
    ) -> Result<Session, Error> {
        let turns = self
            .max_turns
            .or(self.skill.max_ticks().map(|turns| turns.min(MAX_TICKS)))
            .unwrap_or(DEFAULT_TURNS);
        if turns == 0 {
            return Err(error::no_turns(self.skill.name()));
        }
        let mut session = Session::new(self.skill.name(), turns, submit.is_some());
        let names: Vec<&str> = tools.iter().chain(&submit).map(|tool| &*tool.name).collect();
        let is_duplicate =
            |(at, tool): (usize, &&str)| names[..at].contains(tool).then(|| (**tool).to_owned());
        if let Some(tool) = names.iter().enumerate().find_map(is_duplicate) {
            return Err(error::tool_name(self.skill.name(), &tool));
        }
        session.tools = tools.iter().map(|tool| tool.name.clone()).collect();
        let allowed = tools.iter().filter(|ToolDefinition { name, .. }| {
            self.policy(name).is_none_or(|policy| policy.allows(name))
        });
        session.offered = allowed.chain(&submit).cloned().collect();
        Ok(session)
    }

    /// Adds the first messages to the conversation of a run with this `body`.
    pub(super) fn instruct(&self, session: &mut Session, body: &str) {
        let reads = || session.offered.iter().any(|tool| reads_files(&tool.name));
        let with_files = !self.skill.resources().is_empty() && reads();
        session.messages = alloc::vec![
            Message::System(prompt::system(self.system, session.submits, session.turns)),
            Message::User(prompt::instructions(&self.skill, body, with_files)),
        ];
    }

    /// Checks the input, and fills the body. `submits` is whether the result is typed.
    ///
    /// # Errors
    /// If the input does not fit, or the body cannot be filled.
    pub(super) async fn body(&self, submits: bool) -> Result<String, Error> {
        #[cfg(not(feature = "serde"))]
        let _ = submits; // only a typed result is submitted
        // A typed result would hide that the skill has worked on nothing.
        #[cfg(feature = "serde")]
        if submits {
            self.check_declared()?;
        }
        self.check_input()?;
        let Some(shell) = &self.shell else { return self.fill() };
        let (skill, arguments) = (&self.skill, self.input.arguments());
        match shell.fill(skill, self.profile, arguments, self.directory()).await {
            Ok(body) => Ok(Neutral(body.trim_end()).to_string()),
            Err(source) => Err(error::body(skill.name(), source)),
        }
    }

    /// Checks the input against the contract of the skill.
    pub(super) fn check_input(&self) -> Result<(), Error> {
        let skill = &self.skill;
        let Some(contract) = &self.contract else { return Ok(()) };
        let checked = contract.check_arguments(skill, self.input.arguments(), self.profile);
        checked.map_err(|why| error::input(skill.name(), why))
    }

    /// Checks that each argument that the skill declares has a value, unless the type or the
    /// contract of the input does not require it.
    #[cfg(feature = "serde")]
    pub(super) fn check_declared(&self) -> Result<(), Error> {
        let skill = &self.skill;
        if matches!((&self.input, &self.contract), (RunInput::Typed(_), None)) {
            return Ok(());
        }
        let (mode, arguments) = (token_mode(self.profile), self.input.arguments());
        super::arguments::check_declared(skill, mode, arguments, self.contract.as_ref())
            .map_err(|why| error::input(skill.name(), why))
    }

    fn fill(&self) -> Result<String, Error> {
        let skill = &self.skill;
        let template = skill.template(self.profile);
        let filled = template.bind(self.input.arguments(), &self.variables);
        let filled = filled.in_directory(self.directory());
        let command = filled.commands().first();
        if let Some(command) = command.filter(|_| !self.commands_as_text) {
            return Err(error::command(skill.name(), command.source));
        }
        if filled.is_too_long() {
            return Err(error::too_long(skill.name(), MAX_FILLED_BYTES));
        }
        Ok(filled.to_string())
    }

    /// Returns what the skill allows for a tool; `None` if the host allows every call of it.
    pub(super) fn policy(&self, tool: &str) -> Option<ToolPolicy<'_>> {
        let policy = ToolPolicy::from_skill(&self.skill).profile(self.profile);
        (!self.also_allowed.contains(&tool)).then_some(policy)
    }
}
