//! What runs the commands of skills.

use super::ProcessOutput;
use crate::Pending;
use alloc::{boxed::Box, string::String, sync::Arc};
use core::time::Duration;

/// How long a command may run by default.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Number of bytes of a command's output that are kept by default.
pub(super) const OUTPUT_LIMIT: usize = 30_000;

/// Tells the time since it was started: [`Shell::start_timer`].
pub type Timer = Box<dyn Fn() -> Duration + Send + Sync>;

/// Runs the commands of skills, one after the other: in the operating system's shell, or in the
/// sandbox in which an agent runs its other commands.
///
/// An agent with a shell lets untrusted text run programs, as far as its
/// [`LiveContext`](super::LiveContext) permits. The shell has to understand the syntax of `sh`, for
/// which values are quoted.
///
/// ```
/// use helix_skills::live::{ExitStatus, ProcessOutput, Shell, ShellCommand, Timer};
/// use helix_skills::provider::Pending;
/// use std::time::Instant;
///
/// /// A shell with one command.
/// struct Calendar;
///
/// impl Shell for Calendar {
///     fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput> {
///         Box::pin(async move {
///             match command.text {
///                 "date" => Ok(ProcessOutput::new("Tuesday\n", ExitStatus::Code(0))),
///                 other => Err(format!("this agent has no `{other}`").into()),
///             }
///         })
///     }
///
///     fn start_timer(&self) -> Timer {
///         let start = Instant::now();
///         Box::new(move || start.elapsed())
///     }
/// }
/// ```
pub trait Shell {
    /// Runs one command to its end. Its output, and that it fails, is the answer; an error means that
    /// the command cannot be run at all.
    ///
    /// Dropping the future ends the command.
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput>;

    /// Starts a timer, by which the commands of a body share their time.
    ///
    /// The shell has the clock because this crate is `no_std`. A timer that always returns zero leaves
    /// only the limit of each command.
    fn start_timer(&self) -> Timer;
}

/// One command for a [`Shell`], with its limits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ShellCommand<'a> {
    /// The text, of one line or several, with its values quoted.
    pub text: &'a str,
    /// The directory to run it in; if `None`, the shell's own.
    pub directory: Option<&'a str>,
    /// The shell that the skill is written for, if it says so: `sh` or `bash`.
    pub dialect: Option<&'a str>,
    /// Variables to set, in addition to those that the shell sets itself.
    pub environment: &'a [(String, String)],
    /// How long the command may run.
    pub time_limit: Duration,
    /// Number of bytes of the output that are used.
    pub output_limit: usize,
}

impl<'a> ShellCommand<'a> {
    /// A command that runs in the shell's own directory, limited to 10 seconds and 30,000 bytes.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self {
            text,
            directory: None,
            dialect: None,
            environment: &[],
            time_limit: TIME_LIMIT,
            output_limit: OUTPUT_LIMIT,
        }
    }
}

impl<S: Shell + ?Sized> Shell for Arc<S> {
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput> {
        (**self).run(command)
    }

    fn start_timer(&self) -> Timer {
        (**self).start_timer()
    }
}
