//! Commands of skills, and the interface to run them.

use super::ProcessOutput;
use crate::BoxFuture;
use alloc::{string::String, sync::Arc};
use core::time::Duration;

/// Default time limit of a command.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Default limit for the output of a command, in bytes.
pub(super) const OUTPUT_LIMIT: usize = 30_000;

/// Runs the commands of skills, one after the other: in the operating system's shell, or in the
/// sandbox in which an agent runs its other commands.
///
/// A shell lets untrusted text run programs, within the limits of the
/// [`ShellContext`](super::ShellContext). It has to support the syntax of `sh`, in which values are
/// assigned to variables.
///
/// ```
/// use helix_skills::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand};
/// use helix_skills::provider::BoxFuture;
/// use std::time::Instant;
///
/// /// A shell with one command.
/// struct Calendar;
///
/// impl Shell for Calendar {
///     fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
///         Box::pin(async move {
///             let start = Instant::now();
///             if command.text != "date" {
///                 return Err(format!("this agent has no `{}`", command.text).into());
///             }
///             Ok(ProcessOutput::new("Tuesday\n", ExitStatus::Code(0), start.elapsed()))
///         })
///     }
/// }
/// ```
pub trait Shell: Send + Sync {
    /// Runs one command to its end, and returns its output, its exit status and the time that it
    /// took. Dropping the future ends the command.
    ///
    /// # Errors
    /// If the command cannot be run. A command that ran and failed is not an error.
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput>;
}

/// One command of a skill, with its limits. The host may
/// [approve](super::ShellContext::approve) it before a [`Shell`] runs it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ShellCommand<'a> {
    /// The name of the skill.
    pub skill: &'a str,
    /// The command as the author wrote it, with its placeholders: decide about a command by this
    /// text.
    pub source: &'a str,
    /// The line of `SKILL.md` in which the command starts, counted from 1; the line of the body if
    /// the skill has no file.
    pub line: usize,
    /// The text to run, of one or more lines: the assignments of its values, then the command (see
    /// [`Skill::fill`](helix_skills_runtime::Skill::fill)).
    pub text: &'a str,
    /// The directory to run it in; if `None`, the shell's own.
    pub directory: Option<&'a str>,
    /// The shell that the skill declares, if any: `sh` or `bash`.
    pub dialect: Option<&'a str>,
    /// Environment variables to set, in addition to those that the shell sets.
    pub environment: &'a [(String, String)],
    /// How long the command may run.
    pub time_limit: Duration,
    /// Limit for the output, in bytes.
    pub output_limit: usize,
}

impl<'a> ShellCommand<'a> {
    /// Creates a command that runs in the shell's own directory, limited to 10 seconds and 30,000
    /// bytes of output.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self {
            skill: "",
            source: text,
            line: 1,
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
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
        (**self).run(command)
    }
}
