//! Bodies whose commands run when the skill is loaded.

mod approval;
mod command;
mod context;
mod error;
mod exit_code;
mod fill;
mod output;
mod outputs;
mod runner;
mod scripts;
mod variables;

pub use approval::Approval;
pub use command::LiveCommand;
use context::WorkingDirectory;
pub use context::{LiveContext, OnFailure};
pub(crate) use fill::without_shell;
pub use output::{ExitStatus, ProcessOutput};
pub use runner::{Shell, ShellCommand, Timer};
pub use scripts::Scripts;
pub(crate) use variables::{names_directory, uses_directory};

/// Maximum number of commands in a body.
const MAX_COMMANDS: usize = 100;
