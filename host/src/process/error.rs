//! Errors of running programs.

use crate::error::{ErrorKind, display_path};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a program could not be run. How a program ended that did run is an
/// [`ExitStatus`](helix_skills_agent::shell::ExitStatus).
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProcessProblem {
    /// The program does not exist or cannot be executed.
    #[error("failed to run `{}`", display_path(.program))]
    Start { program: PathBuf, source: io::Error },
    /// The working directory does not exist.
    #[error("cannot run `{}` in `{}`: the directory does not exist", display_path(.program), display_path(.directory))]
    NoDirectory { program: PathBuf, directory: PathBuf },
    /// The exit status was lost: another part of this process waited for the program, or a thread
    /// panicked.
    #[error("failed to get the exit status of `{}`: another part of this program has waited for it", display_path(.program))]
    Lost { program: PathBuf },
    /// Programs only run on Unix.
    #[error("cannot run `{}`: programs are run on Linux and macOS only", display_path(.program))]
    #[cfg(not(unix))]
    Unsupported { program: PathBuf },
}

impl ProcessProblem {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Self::Start { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                ErrorKind::NotFound
            }
            Self::NoDirectory { .. } => ErrorKind::NotFound,
            Self::Start { .. } | Self::Lost { .. } => ErrorKind::Failed,
            #[cfg(not(unix))]
            Self::Unsupported { .. } => ErrorKind::Failed,
        }
    }

    pub(crate) fn program(&self) -> &Path {
        match self {
            Self::Start { program, .. }
            | Self::NoDirectory { program, .. }
            | Self::Lost { program } => program,
            #[cfg(not(unix))]
            Self::Unsupported { program } => program,
        }
    }

    /// Returns how to fix it, if there is a likely way.
    pub(crate) fn hint(&self) -> Option<&'static str> {
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
            #[cfg(not(unix))]
            Self::Unsupported { .. } => None,
        }
    }
}
