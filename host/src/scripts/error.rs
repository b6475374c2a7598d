//! Why a script does not run.

use crate::{Error, ProcessError};
use helix_skills_agent::ProviderError;
use helix_skills_runtime::{__internal::error_debug, Excerpt, OneLine, PathError};
use std::path::PathBuf;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 100;

/// Why a script was not run. One that ran and failed is a [`ScriptOutput`](crate::ScriptOutput).
///
/// `Display` is one line; a model reads it with its causes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The path is not one that a file of a skill can have: absolute, with `..`, a backslash, …
    #[error("cannot run `{}`: {why}; a script is named by its file in `scripts/`, as `count.sh`", Excerpt::new(.script))]
    Path {
        /// What was asked for.
        script: String,
        /// The rule that it breaks.
        why: PathError,
    },
    /// The skill has no such script.
    #[error("the skill `{}` has no script `{}`; {}", OneLine(.skill), Excerpt::new(.script), listed(.scripts))]
    Unknown {
        /// The name of the skill.
        skill: String,
        /// What was asked for.
        script: String,
        /// The scripts that can be run.
        scripts: Vec<String>,
    },
    /// A file that is no script, or one in a language that nothing here runs.
    #[error("cannot run `{}`: the name of a script ends in {}", Excerpt::new(.script), extensions(.known))]
    Extension {
        /// What was asked for.
        script: String,
        /// The extensions that there are programs for.
        known: Vec<String>,
    },
    /// The program that would run it is not there.
    #[error("cannot run `{}`: there is no `{}` on this machine", OneLine(.script), OneLine(&.program.to_string_lossy()))]
    NoInterpreter {
        /// The path of the script.
        script: String,
        /// The program.
        program: PathBuf,
    },
    /// The host did not approve it.
    #[error("the script `{}` was not run: {}", OneLine(.script), OneLine(.why))]
    Denied {
        /// The path of the script.
        script: String,
        /// Why.
        why: String,
    },
    /// The host could not be asked whether it may run.
    #[error("the script `{}` was not run: the host could not be asked", OneLine(.script))]
    ApprovalFailed {
        /// The path of the script.
        script: String,
        /// Why.
        source: ProviderError,
    },
    /// Between the question and the run another directory came into the place of the skill's.
    #[error("the script `{}` was not run: its directory is not the one any more that was asked about", OneLine(.script))]
    DirectoryReplaced {
        /// The path of the script.
        script: String,
    },
    /// The files of the skill are in no directory: wrap its provider in [`Materialized`](crate::Materialized).
    #[error("scripts of the skill `{}` cannot be run here: its files are in no directory", OneLine(.skill))]
    NoDirectory {
        /// The name of the skill.
        skill: String,
    },
    /// The file cannot be opened, or is not where it should be.
    #[error(transparent)]
    File(#[from] Error),
    /// The program cannot be started.
    #[error(transparent)]
    Process(ProcessError),
    /// The provider of the skill fails.
    #[error("cannot find the files of the skill")]
    Provider(#[source] ProviderError),
}

error_debug!(ScriptError {
    Path { script, why },
    Unknown { skill, script, scripts },
    Extension { script, known },
    NoInterpreter { script, program },
    Denied { script, why },
    ApprovalFailed { script, source },
    DirectoryReplaced { script },
    NoDirectory { skill },
    File(error),
    Process(error),
    Provider(error),
});

impl ScriptError {
    /// How the owner of the agent fixes it, if there is a likely way.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoInterpreter { program, .. } => {
                format!(
                    "install `{}`, or name another program with `ScriptRunner::interpreter`",
                    program.display()
                )
            }
            Self::NoDirectory { .. } => {
                "wrap the provider of the skills in `Materialized`".to_owned()
            }
            Self::File(error) => return error.hint(),
            Self::Process(error) => error.hint()?.to_owned(),
            _ => return None,
        })
    }
}

fn listed(scripts: &[String]) -> String {
    if scripts.is_empty() {
        return "it has no scripts".to_owned();
    }
    let names: Vec<_> =
        scripts.iter().take(MAX_LISTED).map(|path| format!("`{}`", OneLine(path))).collect();
    let more = match scripts.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("its scripts are {}{more}", names.join(", "))
}

fn extensions(known: &[String]) -> String {
    let names: Vec<_> =
        known.iter().map(|extension| format!("`.{}`", OneLine(extension))).collect();
    match &names[..] {
        [] => "nothing that is known here".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
