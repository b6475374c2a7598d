//! Bodies whose commands run when they are loaded.

mod approval;
mod command;
mod context;
mod error;
mod fill;
mod known;
mod output;
mod outputs;
mod run;
mod scripts;
mod shell;

pub use approval::Approval;
pub use command::LiveCommand;
use context::Place;
pub use context::{LiveContext, OnFailure};
pub use error::{CommandFailure, LiveError};
pub(crate) use known::uses_directory;
pub use output::{ExitStatus, ProcessOutput};
pub use scripts::Scripts;
pub use shell::{Shell, ShellCommand, Timer};

/// Maximum number of commands in a body.
const MAX_COMMANDS: usize = 100;
