//! Bodies whose commands run when the skill is loaded.

mod body;
mod command;
mod context;
mod error;
mod exit_code;
mod fill;
mod output;
mod scripts;
mod variables;

pub use command::{Approval, Shell, ShellCommand, Timer};
pub use context::{OnFailure, ShellContext};
pub(crate) use fill::without_shell;
pub use output::{ExitStatus, ProcessOutput};
pub use scripts::Scripts;
pub(crate) use variables::{names_directory, uses_directory};

/// Maximum number of commands in a body.
const MAX_COMMANDS: usize = 100;
