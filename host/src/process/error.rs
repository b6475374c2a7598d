//! Why a program does not run.

use crate::error::display_path;
use helix_skills_runtime::__internal::error_debug;
use std::{io, path::PathBuf};

/// Why a program could not be run. One that ran and failed is none of these: [`ExitStatus`](helix_skills_agent::live::ExitStatus).
///
/// `Display` is one line that names the program; [`ProcessError::hint`] says how to mend it.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// It is not there, is no program, or the system refuses.
    #[error("cannot run `{}`", display_path(.program))]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The directory that it was to run in is not there.
    #[error("cannot run `{}` in `{}`: there is no such directory", display_path(.program), display_path(.directory))]
    NoDirectory {
        /// The program.
        program: PathBuf,
        /// The directory.
        directory: PathBuf,
    },
    /// Its end was missed: another part of the program has waited for it, or a thread has panicked.
    #[error("cannot tell how `{}` ended: another part of the program has waited for it", display_path(.program))]
    Lost {
        /// The program.
        program: PathBuf,
    },
    /// Programs are run on Unix only.
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
    /// How to fix it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Start { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => {
                    Some("install it, or name another; it is looked for in `PATH`")
                }
                io::ErrorKind::PermissionDenied => {
                    Some("make it executable for the user that the agent runs as")
                }
                io::ErrorKind::ArgumentListTooLong => {
                    Some("pass less: the system limits what a program is started with")
                }
                io::ErrorKind::InvalidInput => {
                    Some("no argument and no variable can hold a NUL character")
                }
                _ => None,
            },
            Self::NoDirectory { .. } => Some("create it, or name another"),
            Self::Lost { .. } => {
                Some("let nothing in this process wait for all children, or ignore `SIGCHLD`")
            }
            Self::Unsupported { .. } => None,
        }
    }
}
