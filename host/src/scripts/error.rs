//! Errors of running scripts.

use crate::{Error, ProcessError};
use helix_skills_agent::ProviderError;
use helix_skills_runtime::{
    __internal::{Excerpt, error_debug},
    OneLine, PathError,
};
use std::path::PathBuf;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 100;

/// Why a script was not run. The result of a script that ran, also of one that failed, is a
/// [`ScriptOutput`](crate::ScriptOutput).
///
/// `Display` is one line. A model gets it together with its causes.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The path is not valid for a file of a skill: it is absolute, has `..` or a backslash, …
    #[error("cannot run `{}`: {why}; name a script by its file in `scripts/`, such as `count.sh`", Excerpt::new(.script))]
    Path {
        /// The requested script.
        script: String,
        /// The rule that it breaks.
        why: PathError,
    },
    /// The skill has no such script.
    #[error("the skill `{}` has no script `{}`; {}", OneLine(.skill), Excerpt::new(.script), listed(.scripts))]
    Unknown {
        /// The name of the skill.
        skill: String,
        /// The requested script.
        script: String,
        /// The scripts of the skill that can be run.
        scripts: Vec<String>,
    },
    /// The file's extension has no interpreter.
    #[error("cannot run `{}`: the name of a script must end in {}", Excerpt::new(.script), extensions(.known))]
    Extension {
        /// The requested script.
        script: String,
        /// The extensions that have an interpreter.
        known: Vec<String>,
    },
    /// The interpreter is not installed.
    #[error("cannot run `{}`: `{}` is not installed", OneLine(.script), OneLine(&.program.to_string_lossy()))]
    NoInterpreter {
        /// The path of the script.
        script: String,
        /// The program.
        program: PathBuf,
    },
    /// The host denied the run.
    #[error("the script `{}` was not run: {}", OneLine(.script), OneLine(.why))]
    Denied {
        /// The path of the script.
        script: String,
        /// Why.
        why: String,
    },
    /// The host's callback for approvals failed.
    #[error("the script `{}` was not run: the approval failed", OneLine(.script))]
    ApprovalFailed {
        /// The path of the script.
        script: String,
        /// Why.
        source: ProviderError,
    },
    /// The skill's directory was replaced between the approval and the run.
    #[error("the script `{}` was not run: its directory was replaced after the approval", OneLine(.script))]
    DirectoryReplaced {
        /// The path of the script.
        script: String,
    },
    /// The files of the skill are not in a directory: wrap its provider in
    /// [`Materialized`](crate::Materialized).
    #[error("cannot run scripts of the skill `{}`: its files are not in a directory; build the toolbox over `Materialized::new(…)`", OneLine(.skill))]
    NoDirectory {
        /// The name of the skill.
        skill: String,
    },
    /// The script's file cannot be opened.
    #[error(transparent)]
    File(#[from] Error),
    /// The program cannot be started.
    #[error(transparent)]
    Process(ProcessError),
    /// The provider of the skill failed.
    #[error("failed to find the files of the skill")]
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
    /// Returns how the host's developer can fix it, if there is a likely way.
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
                "wrap the provider of the skills: `AsyncToolbox::builder(Materialized::new(skills))`"
                    .to_owned()
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
        [] => "a known extension, of which there are none".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
