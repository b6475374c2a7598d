//! The output and the exit status of a program.

use crate::error_text::truncate_bytes;
use alloc::string::String;
use core::{fmt, time::Duration};

/// The output of a program, standard output and standard error in one text, its exit status, and
/// the time that it took: the answer of a [`Shell`](super::Shell).
///
/// ```
/// use helix_skills::shell::{ExitStatus, ProcessOutput};
/// # let time = std::time::Duration::ZERO;
/// let output = ProcessOutput::new("fatal: not a git repository\n", ExitStatus::Code(128), time);
/// assert_eq!(output.exit, ExitStatus::Code(128));
/// assert_eq!(output.exit.to_string(), "ended with exit code 128");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessOutput {
    /// The text, up to the limit. Bytes that are not UTF-8 are replaced with U+FFFD.
    pub text: String,
    /// Number of bytes left out at the end of the text.
    pub left_out: u64,
    /// How the program ended.
    pub exit: ExitStatus,
    /// How long the program ran. All programs of a body together have a
    /// [limit](super::ShellContext::total_time_limit).
    pub time: Duration,
}

impl ProcessOutput {
    /// Creates an output that is complete.
    #[must_use]
    pub fn new(text: impl Into<String>, exit: ExitStatus, time: Duration) -> Self {
        Self { text: text.into(), left_out: 0, exit, time }
    }

    /// Cuts the text to a limit, because a shell may return more than it was asked for.
    pub(super) fn within(mut self, limit: usize) -> Self {
        let kept = truncate_bytes(&self.text, limit).len();
        self.left_out = self.left_out.saturating_add((self.text.len() - kept) as u64);
        self.text.truncate(kept);
        self
    }
}

/// How a program ended. `Display` completes a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExitStatus {
    /// It exited with this code; 0 is success.
    Code(i32),
    /// It was ended by a signal that the shell did not send.
    Signal(i32),
    /// It was killed because it reached its time limit.
    TimedOut,
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "ended with exit code {code}"),
            Self::Signal(signal) => write!(f, "was ended by signal {signal}"),
            Self::TimedOut => f.write_str("did not end in time, and was killed"),
        }
    }
}
