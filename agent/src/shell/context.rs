//! The settings for filling bodies and running their commands.

use super::{
    Shell, ShellCommand,
    command::{OUTPUT_LIMIT, TIME_LIMIT},
};
use crate::{BoxFuture, ProviderError};
use alloc::{boxed::Box, string::String, sync::Arc};
use core::{fmt, time::Duration};
use helix_skills_runtime::Variables;

/// Default time limit for all commands of a body together.
const TOTAL_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Default limit for the output of all commands of a body together, in bytes.
const TOTAL_OUTPUT_LIMIT: usize = 100_000;

/// Fills the bodies of skills with arguments, with the host's variables, and with the output of
/// their commands.
///
/// A command, `` !`git log -1` `` or the lines between ` ```! ` and ` ``` `, runs when its skill is
/// loaded, before the model reads the body. Its output replaces it. Commands run one after the
/// other, in the order of the body, with the permissions of the [`Shell`]. They run in the
/// directory of their skill; in the profiles `Agentick` and `ClaudeCode`, in the shell's own
/// directory, as in these systems.
///
/// - **Only what the author wrote runs.** The body is parsed once. Arguments, variables and outputs
///   are text wherever they appear. A command gets its values in shell variables, each as one word.
///   If it has a value and is not of the grammar that
///   [`Skill::fill`](helix_skills_runtime::Skill::fill) describes, the skill is not loaded and
///   nothing runs. What a program does with its words is up to the author: `sh -c $0` runs them.
/// - **The host can approve each command** with [`approve`](Self::approve), which is called for
///   every command before the first one runs, so that a denial leaves nothing half done.
/// - **Everything is limited.** By default each command has 10 seconds and 30,000 bytes of output,
///   all commands of a body together 60 seconds and 100,000 bytes. Output over the limit is left
///   out, with a note. A body has at most 100 commands.
/// - **Failures are visible.** If a command exits with a code other than 0, the body contains its
///   output and `[exit code: 1]` in the profiles `SkillUse`, `Agentick` and `ClaudeCode`. In the
///   others, the skill is not loaded, and the error names the skill, the command, its line and its
///   output. [`show_failures`](Self::show_failures) selects one of the two in every profile. Exit
///   code 1 of a search is a failure, too; `|| true` in the command ignores it. In the profile
///   `ClaudeCode`, exit code 1 is no failure if the last command of the text is `grep`, `rg`,
///   `diff`, `find`, `test` or `[`.
/// - **Unknown variables are errors.** A command that uses `${SKILL_DIR}`, or another variable that
///   only a host can set, does not run if the host has not set it: a shell would expand
///   `${SKILL_DIR}/cache` to `/cache`.
///
/// A context can be cloned to share it between conversations.
///
/// ```
/// use helix_skills::shell::ShellContext;
/// # use helix_skills::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
/// # use std::time::Duration;
/// use helix_skills::{template::Arguments, Profile, Skill};
/// # use helix_skills::provider::BoxFuture;
/// # struct SystemShell;
/// # impl SystemShell { fn new() -> Self { Self } }
/// # impl Shell for SystemShell {
/// #     fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
/// #         Box::pin(async move {
/// #             let text = format!("<{}>\n", command.text);
/// #             Ok(ProcessOutput::new(text, ExitStatus::Code(0), Duration::ZERO))
/// #         })
/// #     }
/// # }
///
/// let body = "Sum up:\n!`git log -3 -- $0`\n!`curl $0`";
/// let skill = Skill::define("log", "Sums up changes.", body).try_build()?;
/// let shell = ShellContext::new(SystemShell::new()).directory("/project").approve(|command| {
///     match command.source.split(' ').next() {
///         Some("git") => Ok(()),
///         _ => Err("only git runs here"),
///     }
/// });
/// # pollster::block_on(async {
/// let skill = Skill::from(skill);
/// let filled = shell.fill(&skill, Profile::Helix, Arguments::text("a.rs"), None).await;
/// assert_eq!(
///     filled.unwrap_err().to_string(),
///     "cannot load the skill `log`: its command `curl $0` (line 3) is not allowed: \
///      only git runs here",
/// );
/// # });
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct ShellContext {
    pub(super) runner: Runner,
    pub(super) working_directory: WorkingDirectory,
    pub(super) is_unquoted: bool,
    pub(super) time_limit: Duration,
    pub(super) total_time_limit: Duration,
    pub(super) output_limit: usize,
    pub(super) total_output_limit: usize,
    /// `None` if the profile decides.
    pub(super) shows_failures: Option<bool>,
    pub(super) approve: Option<Arc<Approve>>,
    pub(crate) variables: Variables,
}

type Approve = dyn for<'c> Fn(&'c ShellCommand<'c>) -> BoxFuture<'c, ()> + Send + Sync;

/// What runs commands.
#[derive(Clone)]
pub(super) enum Runner {
    Shell(Arc<dyn Shell>),
    /// A body with commands is an error.
    None,
    /// A note replaces each command.
    Disabled,
}

/// The directory in which commands run.
#[derive(Clone, Debug)]
pub(super) enum WorkingDirectory {
    /// The shell's own directory or the directory of the skill, whichever the system of the profile
    /// uses.
    Profile,
    At(String),
    Shell,
}

impl ShellContext {
    /// Creates a context that runs commands in this shell, with the default limits.
    pub fn new(shell: impl Shell + 'static) -> Self {
        Self::with_runner(Runner::Shell(Arc::new(shell)))
    }

    /// Creates a context that runs no commands. A body with commands is an error that names the
    /// skill and its first command.
    pub fn without_shell() -> Self {
        Self::with_runner(Runner::None)
    }

    /// Creates a context that runs no commands, and replaces each with
    /// `[shell command execution disabled by policy]`. This is the setting
    /// `disableSkillShellExecution` of other systems.
    pub fn disabled() -> Self {
        Self::with_runner(Runner::Disabled)
    }

    /// Returns whether commands can run.
    pub(crate) const fn runs_commands(&self) -> bool {
        matches!(self.runner, Runner::Shell(_))
    }

    fn with_runner(runner: Runner) -> Self {
        Self {
            runner,
            working_directory: WorkingDirectory::Profile,
            is_unquoted: false,
            time_limit: TIME_LIMIT,
            total_time_limit: TOTAL_TIME_LIMIT,
            output_limit: OUTPUT_LIMIT,
            total_output_limit: TOTAL_OUTPUT_LIMIT,
            shows_failures: None,
            approve: None,
            variables: Variables::new(),
        }
    }

    /// Runs commands in this directory in every profile.
    pub fn directory(mut self, path: impl Into<String>) -> Self {
        self.working_directory = WorkingDirectory::At(path.into());
        self
    }

    /// Runs commands in the shell's own directory in every profile, as Agentick and Claude Code do.
    pub fn directory_of_shell(mut self) -> Self {
        self.working_directory = WorkingDirectory::Shell;
        self
    }

    /// Inserts values into commands as they are, instead of in shell variables, each as one word.
    /// They can then become any part of a command: use this only if the owner of the machine
    /// chooses all values.
    pub fn unquoted(mut self) -> Self {
        self.is_unquoted = true;
        self
    }

    /// Sets the time limit for one command [default: 10 seconds].
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Sets the time limit for all commands of a body together [default: 60 seconds]. Commands that
    /// have no time left are not run. The time that [`approve`](Self::approve) takes does not
    /// count.
    pub fn total_time_limit(mut self, limit: Duration) -> Self {
        self.total_time_limit = limit;
        self
    }

    /// Sets how many bytes of the output of one command are kept [default: 30,000].
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.output_limit = bytes;
        self
    }

    /// Sets how many bytes of the output of all commands of a body are kept [default: 100,000].
    pub fn total_output_limit(mut self, bytes: usize) -> Self {
        self.total_output_limit = bytes;
        self
    }

    /// Sets whether a command that fails, is denied or cannot be run is replaced by its output and
    /// the failure. If not, the skill is not loaded, and no further command runs.
    ///
    /// By default, the body contains the failure of a command that ran in the profiles `SkillUse`,
    /// `Agentick` and `ClaudeCode`. Every other failure is an error.
    pub fn show_failures(mut self, show: bool) -> Self {
        self.shows_failures = Some(show);
        self
    }

    /// Calls `approve` for each command of a body before the first one runs. An error denies the
    /// command; the model reads it.
    pub fn approve<E: Into<ProviderError>>(
        self,
        approve: impl Fn(&ShellCommand<'_>) -> Result<(), E> + Send + Sync + 'static,
    ) -> Self {
        self.approve_later(move |command| {
            let approval = approve(command).map_err(Into::into);
            Box::pin(async { approval })
        })
    }

    /// Like [`approve`](Self::approve), for an approval that is awaited, from a user or another
    /// program.
    pub fn approve_later(
        mut self,
        approve: impl for<'c> Fn(&'c ShellCommand<'c>) -> BoxFuture<'c, ()> + Send + Sync + 'static,
    ) -> Self {
        self.approve = Some(Arc::new(approve));
        self
    }

    /// Sets variables for `${…}` in bodies, and for the environment of the commands. They take
    /// precedence over the directory of the skill.
    pub fn variables(mut self, variables: Variables) -> Self {
        self.variables = variables;
        self
    }
}

/// Runs commands in this shell, with the default limits.
impl<S: Shell + 'static> From<S> for ShellContext {
    fn from(shell: S) -> Self {
        Self::new(shell)
    }
}

impl fmt::Debug for ShellContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShellContext")
            .field("has_shell", &matches!(self.runner, Runner::Shell(_)))
            .field("working_directory", &self.working_directory)
            .field("time_limit", &self.time_limit)
            .field("output_limit", &self.output_limit)
            .field("shows_failures", &self.shows_failures)
            .field("approves", &self.approve.is_some())
            .finish_non_exhaustive()
    }
}
