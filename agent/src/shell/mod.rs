//! Bodies whose commands run when the skill is loaded.

mod command;
mod context;
mod error;
mod exit_code;
mod fill;
mod output;
pub(crate) mod scripts;
mod variables;

pub use command::{Shell, ShellCommand};
pub use context::ShellContext;
pub use output::{ExitStatus, ProcessOutput};
pub(crate) use variables::{names_directory, uses_directory};

/// Maximum number of commands in a body.
const MAX_COMMANDS: usize = 100;
