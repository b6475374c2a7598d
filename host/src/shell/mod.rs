//! What runs the commands of skills: something that the host passes in.

mod system;

pub use system::SystemShell;

use crate::{
    ProcessOutput,
    process::{OUTPUT_LIMIT, TIME_LIMIT},
};
use helix_skills_agent::Pending;
use std::{path::Path, sync::Arc, time::Duration};

/// Runs the commands of skills, one after the other: the shell of this system ([`SystemShell`]), or the sandbox that an agent's other
/// commands run in.
///
/// Whoever passes one in lets texts that strangers wrote run programs, as far as its
/// [`LiveContext`](crate::LiveContext) lets them. It understands the syntax of `sh`: that is what values are quoted for.
///
/// ```
/// use helix_skills_host::{Exit, ProcessOutput, Shell, ShellCommand};
/// use helix_skills::provider::Pending;
///
/// /// A shell that knows one command.
/// struct Clock;
///
/// impl Shell for Clock {
///     fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput> {
///         Box::pin(async move {
///             match command.text {
///                 "date" => Ok(ProcessOutput::new("Tuesday\n", Exit::Code(0))),
///                 other => Err(format!("this agent has no `{other}`").into()),
///             }
///         })
///     }
/// }
/// ```
pub trait Shell {
    /// Runs one command to its end. What it says, and that it fails, is the answer; an error is that it cannot be run at all.
    ///
    /// A future that is dropped ends what runs.
    fn run<'s>(&'s self, command: ShellCommand<'s>) -> Pending<'s, ProcessOutput>;
}

/// One command for a [`Shell`], and what it has to keep to.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ShellCommand<'a> {
    /// The text, of one line or several. A value in it is a quoted word.
    pub text: &'a str,
    /// Where to run it; wherever the shell is, if none.
    pub directory: Option<&'a Path>,
    /// Which shell the skill is written for, if it says so: `sh` or `bash`.
    pub dialect: Option<&'a str>,
    /// What to set in the environment, beside what the shell sets itself.
    pub environment: &'a [(String, String)],
    /// How long it may take.
    pub time_limit: Duration,
    /// How many bytes of what it says are of use.
    pub output_limit: usize,
}

impl<'a> ShellCommand<'a> {
    /// A command that runs wherever the shell is, for 10 seconds and 30,000 bytes at most.
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
}
