//! Why the installed program did not fetch skills for a build.

use helix_skills_format::__internal::error_debug;
use std::{fmt, io, path::PathBuf, process::ExitStatus};

/// Why the program `skills` did not fetch what a build script asked it for.
#[non_exhaustive]
pub enum ProgramError {
    /// No absolute directory of `PATH` has it.
    NotInstalled,
    /// It could not be started.
    NotStarted {
        /// The program.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It failed.
    Failed {
        /// The program.
        program: PathBuf,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote to its standard error, line by line.
        stderr: Vec<String>,
    },
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => {
                f.write_str("there is no program `skills` in an absolute directory of `PATH`")
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
