//! Errors of the installed program when a build script runs it.

use helix_skills_format::__internal::error_debug;
use std::{fmt, io, path::PathBuf, process::ExitStatus};

/// Why the installed program `skills` failed to fetch skills for a build script.
#[non_exhaustive]
pub enum ProgramError {
    /// It is in no absolute directory of `PATH`.
    NotInstalled,
    /// It could not be started.
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// It failed.
    Failed {
        /// The program.
        program: PathBuf,
        /// Its exit status.
        status: ExitStatus,
        /// The lines of its standard error.
        stderr: Vec<String>,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => {
                f.write_str("cannot find the program `skills` in an absolute directory of `PATH`")
            }
            Self::NotStarted { program, .. } => write!(f, "failed to run `{}`", program.display()),
            // One line, because line breaks in a message are escaped.
            Self::Failed { program, status, stderr } => {
                write!(
                    f,
                    "`{} sync --locked` failed ({status}): {}",
                    program.display(),
                    stderr.join("; ")
                )
            }
        }
    }
}

error_debug!(ProgramError { NotInstalled, NotStarted { program, source }, Failed { program, status, stderr } });

impl std::error::Error for ProgramError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotStarted { source, .. } => Some(source),
            _ => None,
        }
    }
}
