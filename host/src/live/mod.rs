//! Bodies with what commands say at the moment they are loaded.

mod approval;
mod command;
mod error;
mod known;
mod outputs;
mod run;

pub use approval::Approval;
pub use command::LiveCommand;
pub use error::{CommandFailure, LiveError};

use crate::{
    Shell, ShellCommand,
    process::{OUTPUT_LIMIT, TIME_LIMIT},
};
use approval::Approve;
use command::Written;
use helix_skills_agent::Pending;
use helix_skills_runtime::{Arguments, CommandError, MAX_FILLED_BYTES, Profile, Quote, SkillBuf};
use known::Known;
use outputs::DISABLED;
use std::{
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

/// How many commands a body may have.
const MAX_COMMANDS: usize = 100;

/// Fills the bodies of skills: with arguments, with what the host knows, and with what their commands say.
///
/// A command, `` !`git log -1` `` or the lines between ` ```! ` and ` ``` `, runs when its skill is loaded, before the model sees the
/// body; what it says, both outputs, stands in its place. All run one after the other, in the order of the body.
///
/// - **Nothing runs but what the author wrote.** The body is read once, as it was written. Arguments, variables and outputs are text
///   wherever they end up, and a value in a command is one quoted word; where no quotes keep it one, the skill is not loaded and
///   nothing runs. (What a command does with its words is its own affair: `eval $0` asks for trouble. See [`Quote`].)
/// - **Nothing runs unseen**, if the host says [`approve`](Self::approve): it is asked about every command before the first runs.
/// - **Everything has an end**: each command has 10 seconds and 30,000 bytes, all of a body 60 seconds and 100,000 bytes, unless the
///   host says otherwise. More output is left out, and the text says how much. A body has 100 commands at most.
/// - **Failures are loud.** A command that ends with another code than 0 is an error with the skill, the command, its line and what it
///   said; after [`OnFailure::Inline`] the body has that in its place.
///
/// - **Nothing is silently empty**: a command that asks for `${SKILL_DIR}`, or another of the variables that only a host knows, does not
///   run where nobody knows it. In a shell `${SKILL_DIR}/cache` would be `/cache`.
///
/// Commands run in the directory of their skill, with the rights that the [`Shell`] has.
///
/// ```
/// use helix_skills_host::{Approval, LiveContext};
/// # use helix_skills_host::{Exit, ProcessOutput, Shell, ShellCommand};
/// use helix_skills::{template::Arguments, Profile, Skill, SkillBuf};
/// # use helix_skills::provider::Pending;
/// # struct SystemShell;
/// # impl SystemShell { fn new() -> Self { Self } }
/// # impl Shell for SystemShell {
/// #     fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput> {
/// #         Box::pin(async move { Ok(ProcessOutput::new(format!("<{}>\n", command.text), Exit::Code(0))) })
/// #     }
/// # }
/// # fn ready<T>(future: impl Future<Output = T>) -> T {
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
/// # }
///
/// let skill = Skill::define("log", "Sums up changes.", "Sum up:\n!`git log -3 -- $0`\n!`curl $0`").try_build()?;
/// let live = LiveContext::new(SystemShell::new()).directory("/project").approve(|command| {
///     match command.source().split(' ').next() {
///         Some("git") => Approval::Allow,
///         _ => Approval::Deny("only git runs here".into()),
///     }
/// });
/// # ready(async {
/// let filled = live.fill(&SkillBuf::from(skill), Profile::Helix, Arguments::text("a.rs"), None).await;
/// assert_eq!(
///     filled.unwrap_err().to_string(),
///     "cannot load the skill `log`: its command `curl 'a.rs'` (line 3) is not allowed: only git runs here",
/// );
/// # });
/// # Ok::<(), helix_skills::define::DefinitionError>(())
/// ```
#[must_use]
pub struct LiveContext {
    shell: Option<Box<dyn Shell + Send + Sync>>,
    is_disabled: bool,
    place: Place,
    environment: Vec<(String, String)>,
    quote: Quote,
    time_limit: Duration,
    total_time_limit: Duration,
    output_limit: usize,
    total_output_limit: usize,
    on_failure: OnFailure,
    approve: Option<Approve>,
    known: Known,
}

/// What becomes of a body with a command that fails, is denied, or cannot be run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnFailure {
    /// There is no body, and no command runs after that one.
    #[default]
    Abort,
    /// The model reads of it, in the place of the command, after what it said.
    Inline,
}

/// Where commands run.
#[derive(Clone, Debug)]
enum Place {
    Skill,
    At(PathBuf),
    Shell,
}

impl LiveContext {
    /// Commands run in this shell.
    pub fn new(shell: impl Shell + Send + Sync + 'static) -> Self {
        Self { shell: Some(Box::new(shell)), ..Self::without_shell() }
    }

    /// There is nothing that runs commands: a body that has some is an error, which names the skill and its first command. For an
    /// agent whose skills have none, and that wants to hear of the first one that has.
    pub fn without_shell() -> Self {
        Self {
            shell: None,
            is_disabled: false,
            place: Place::Skill,
            environment: Vec::new(),
            quote: Quote::Posix,
            time_limit: TIME_LIMIT,
            total_time_limit: Duration::from_secs(60),
            output_limit: OUTPUT_LIMIT,
            total_output_limit: 100_000,
            on_failure: OnFailure::Abort,
            approve: None,
            known: Known::default(),
        }
    }

    /// If `is_disabled`, no command runs, whatever shell there is, and the body has in its place `[shell command execution disabled
    /// by policy]`: the setting `disableSkillShellExecution` of other systems.
    pub fn disable_shell_execution(mut self, is_disabled: bool) -> Self {
        self.is_disabled = is_disabled;
        self
    }

    /// Commands run in this directory, in the place of the one that their skill lies in.
    pub fn directory(mut self, path: impl Into<PathBuf>) -> Self {
        self.place = Place::At(path.into());
        self
    }

    /// Commands run wherever the shell is, as in Agentick and Claude Code, in the place of the directory that their skill lies in.
    pub fn directory_of_shell(mut self) -> Self {
        self.place = Place::Shell;
        self
    }

    /// Sets a variable of the commands' environment, beside what their shell sets and what is known of skill and session: `SKILL_DIR`,
    /// `CLAUDE_PROJECT_DIR` and the like are there for programs that commands start.
    pub fn environment(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// How values stand in commands; as one quoted word each by default.
    pub fn quote(mut self, quote: Quote) -> Self {
        self.quote = quote;
        self
    }

    /// How long one command may take.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// How long all commands of one body may take together; what comes later is not run.
    pub fn total_time_limit(mut self, limit: Duration) -> Self {
        self.total_time_limit = limit;
        self
    }

    /// How many bytes of what one command says are shown.
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// How many bytes of what all commands of one body say are shown together.
    pub fn total_output_limit(mut self, bytes: usize) -> Self {
        self.total_output_limit = bytes;
        self
    }

    /// What becomes of a body with a command that fails.
    pub fn on_failure(mut self, policy: OnFailure) -> Self {
        self.on_failure = policy;
        self
    }

    /// Asks `approve` about each command of a body before the first one runs.
    pub fn approve(self, approve: impl Fn(&LiveCommand) -> Approval + Send + Sync + 'static) -> Self {
        self.approve_later(move |command| {
            let approval = approve(command);
            Box::pin(async { Ok(approval) })
        })
    }

    /// The same where the answer has to be waited for: of a person, of another program. What is asked in vain is denied.
    pub fn approve_later(
        mut self,
        approve: impl for<'c> Fn(&'c LiveCommand) -> Pending<'c, Approval> + Send + Sync + 'static,
    ) -> Self {
        self.approve = Some(Approve(Box::new(approve)));
        self
    }

    /// What names the conversation: `${CLAUDE_SESSION_ID}`, `${AGENTICK_SESSION_ID}`.
    pub fn session(mut self, id: impl Into<String>) -> Self {
        self.known.session = Some(id.into());
        self
    }

    /// The absolute path of the project that the agent works on: `${CLAUDE_PROJECT_DIR}`.
    pub fn project_directory(mut self, path: impl Into<String>) -> Self {
        self.known.project = Some(path.into());
        self
    }

    /// A value of `${NAME}`, before all that is known otherwise. A name has upper-case letters, digits and `_`; it is in the environment of
    /// the commands, too.
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.known.others.push((name.into(), value.into()));
        self
    }

    /// The body of a skill whose files lie in `directory`, if they do on this machine, as `profile` reads it.
    ///
    /// # Errors
    /// When a command cannot be run, is denied, or fails; nothing of the body is there then. When the future is dropped, the command
    /// that runs is ended, as far as the shell does that.
    pub async fn fill(
        &self,
        skill: &SkillBuf,
        profile: Profile,
        arguments: Arguments<'_>,
        directory: Option<&Path>,
    ) -> Result<String, LiveError> {
        let outputs = self.outputs(skill, profile, arguments, directory).await?;
        self.with(directory, &outputs, |known, outputs| {
            let fill = skill.view(|skill| {
                let filled = skill.template(profile).fill(arguments, known);
                filled.with_outputs(outputs).map(|filled| filled.to_string())
            });
            fill.map_err(|source| unquotable(skill, source))
        })
    }

    /// What the commands of a body said, one text for each.
    pub(crate) async fn outputs(
        &self,
        skill: &SkillBuf,
        profile: Profile,
        arguments: Arguments<'_>,
        directory: Option<&Path>,
    ) -> Result<Vec<String>, LiveError> {
        let is_too_long = self.known.with(directory, |known| {
            skill.view(|skill| skill.template(profile).fill(arguments, known).quoted(self.quote).is_too_long())
        });
        if is_too_long {
            return Err(LiveError::TooLong { skill: skill.name().to_owned(), limit: MAX_FILLED_BYTES });
        }
        let mut written = skill.view(|skill| Written::all(&skill, profile));
        if written.len() > MAX_COMMANDS {
            return Err(LiveError::TooMany { skill: skill.name().to_owned(), limit: MAX_COMMANDS });
        }
        if self.is_disabled || written.is_empty() {
            return Ok(vec![DISABLED.to_owned(); written.len()]);
        }
        let Some(shell) = &self.shell else {
            let Written { source: command, line, .. } = written.swap_remove(0);
            return Err(LiveError::NoShell { skill: skill.name().to_owned(), command, line });
        };
        let mut environment = self.known.environment(directory);
        environment.extend(self.environment.iter().cloned());
        for Written { source: command, line, variables } in written {
            if let Some(variable) = Known::missing(&variables, &environment) {
                let variable = variable.to_owned();
                return Err(LiveError::Unknown { skill: skill.name().to_owned(), command, line, variable });
            }
        }
        let dialect = dialect(skill)?;
        let place = match &self.place {
            Place::Shell => None,
            Place::At(path) => Some(path.as_path()),
            Place::Skill if directory.is_none() => {
                return Err(LiveError::NoDirectory { skill: skill.name().to_owned() });
            }
            Place::Skill => directory,
        };
        let commands = self.known.with(directory, |known| {
            skill.view(|skill| LiveCommand::all(&skill, profile, self.quote, arguments, known))
        });
        let mut commands = commands.map_err(|source| unquotable(skill, source))?;
        commands.iter_mut().for_each(|command| command.directory = place.map(Path::to_owned));
        let asked = ShellCommand { dialect, environment: &environment, ..ShellCommand::new("") };
        outputs::outputs(self, &**shell, &commands, asked).await
    }

    /// Calls `read` with the variables of a skill that lies in `directory`, and with outputs as they are borrowed.
    pub(crate) fn with<R>(
        &self,
        directory: Option<&Path>,
        outputs: &[String],
        read: impl FnOnce(helix_skills_runtime::Variables<'_>, &[&str]) -> R,
    ) -> R {
        let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
        self.known.with(directory, |known| read(known, &outputs))
    }
}

/// Which shell a skill is written for.
fn dialect(skill: &SkillBuf) -> Result<Option<&'static str>, LiveError> {
    let asked = skill.view(|skill| skill.shell().map(str::to_owned));
    match asked.as_deref() {
        None => Ok(None),
        Some("sh") => Ok(Some("sh")),
        Some("bash") => Ok(Some("bash")),
        Some(other) => Err(LiveError::Dialect { skill: skill.name().to_owned(), dialect: other.to_owned() }),
    }
}

fn unquotable(skill: &SkillBuf, source: CommandError) -> LiveError {
    LiveError::Value { skill: skill.name().to_owned(), source }
}

impl fmt::Debug for LiveContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveContext")
            .field("has_shell", &self.shell.is_some())
            .field("is_disabled", &self.is_disabled)
            .field("place", &self.place)
            .field("time_limit", &self.time_limit)
            .field("output_limit", &self.output_limit)
            .field("on_failure", &self.on_failure)
            .field("approve", &self.approve)
            .finish_non_exhaustive()
    }
}
