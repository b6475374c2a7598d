//! Errors of running programs.

use crate::error::display_path;
use helix_skills_runtime::__internal::error_debug;
use std::{io, path::PathBuf};

/// Why a program could not be run. How a program ended that did run is an
/// [`ExitStatus`](helix_skills_agent::shell::ExitStatus).
///
/// `Display` is one line that names the program; [`ProcessError::hint`] says how to fix it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The program does not exist or cannot be executed.
    #[error("failed to run `{}`", display_path(.program))]
    Start {
        /// The program.
        program: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The working directory does not exist.
    #[error("cannot run `{}` in `{}`: the directory does not exist", display_path(.program), display_path(.directory))]
    NoDirectory {
        /// The program.
        program: PathBuf,
        /// The directory.
        directory: PathBuf,
    },
    /// The exit status was lost: another part of this process waited for the program, or a thread
    /// panicked.
    #[error("failed to get the exit status of `{}`: another part of this program has waited for it", display_path(.program))]
    Lost {
        /// The program.
        program: PathBuf,
    },
    /// Programs only run on Unix.
    #[error("cannot run `{}`: programs are run on Linux and macOS only", display_path(.program))]
    Unsupported {
        /// The program.
        program: PathBuf,
    },
}

error_debug!(ProcessError {
    Start { program, source },
    NoDirectory { program, directory },
    Lost { program },
    Unsupported { program },
});

impl ProcessError {
    /// Returns how to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Start { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => {
                    Some("install it, or use another program; names are searched in `PATH`")
                }
                io::ErrorKind::PermissionDenied => {
                    Some("make it executable for the user that the agent runs as")
                }
                io::ErrorKind::ArgumentListTooLong => {
                    Some("pass less: the system limits the size of arguments and environment")
                }
                io::ErrorKind::InvalidInput => {
                    Some("remove NUL characters from arguments and variables")
                }
                _ => None,
            },
            Self::NoDirectory { .. } => Some("create it, or use another directory"),
            Self::Lost { .. } => Some(
                "make sure that nothing in this process waits for all children or ignores `SIGCHLD`",
            ),
            Self::Unsupported { .. } => None,
        }
    }
}
