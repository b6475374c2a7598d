//! Errors of running scripts.

use crate::ErrorKind;
use helix_skills_agent::ProviderError;
use helix_skills_runtime::{__internal::Excerpt, OneLine, PathError};
use std::path::PathBuf;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 100;

/// Why a script was not run. The result of a script that ran, also of one that failed, is a
/// `ScriptOutput`.
///
/// A model gets it together with its causes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScriptProblem {
    /// The path is not valid for a file of a skill: it is absolute, has `..` or a backslash, …
    #[error("cannot run `{}`: {why}; name a script by its file in `scripts/`, such as `count.sh`", Excerpt::new(.script))]
    Path { script: String, why: PathError },
    /// The skill has no such script.
    #[error("the skill `{}` has no script `{}`; {}", OneLine(.skill), Excerpt::new(.script), listed(.scripts))]
    Unknown { skill: String, script: String, scripts: Vec<String> },
    /// The file's extension has no interpreter.
    #[error("cannot run `{}`: the name of a script must end in {}", Excerpt::new(.script), extensions(.known))]
    Extension { script: String, known: Vec<String> },
    /// The interpreter is not installed.
    #[error("cannot run `{}`: `{}` is not installed", OneLine(.script), OneLine(&.program.to_string_lossy()))]
    NoInterpreter { script: String, program: PathBuf },
    /// The host denied the run.
    #[error("the script `{}` was not run: {}", OneLine(.script), OneLine(.why))]
    Denied { script: String, why: String },
    /// The host's callback for approvals failed.
    #[error("the script `{}` was not run: the approval failed", OneLine(.script))]
    ApprovalFailed { script: String, source: ProviderError },
    /// The skill's directory was replaced between the approval and the run.
    #[error("the script `{}` was not run: its directory was replaced after the approval", OneLine(.script))]
    DirectoryReplaced { script: String },
    /// The files of the skill are not in a directory: wrap its provider in `Materialized`.
    #[error("cannot run scripts of the skill `{}`: its files are not in a directory; build the toolbox over `Materialized::new(…)`", OneLine(.skill))]
    NoDirectory { skill: String },
    /// The arguments of a call are not a JSON object.
    #[error("cannot read the call: the arguments must be a JSON object")]
    NotAnObject,
    /// A parameter of a call is missing or not a string.
    #[error("cannot read the call: `{}` must be a string", OneLine(.parameter))]
    NotAString { parameter: &'static str },
    /// The provider of the skill failed.
    #[error("failed to find the files of the skill")]
    Provider(#[source] ProviderError),
}

impl ScriptProblem {
    pub(crate) const fn kind(&self) -> ErrorKind {
        match self {
            Self::Unknown { .. } | Self::NoInterpreter { .. } | Self::NoDirectory { .. } => {
                ErrorKind::NotFound
            }
            Self::Path { .. }
            | Self::Extension { .. }
            | Self::NotAnObject
            | Self::NotAString { .. } => ErrorKind::Invalid,
            Self::Denied { .. } | Self::DirectoryReplaced { .. } => ErrorKind::Denied,
            Self::ApprovalFailed { .. } | Self::Provider(_) => ErrorKind::Failed,
        }
    }

    /// Returns how the host's developer can fix it, if there is a likely way.
    pub(crate) fn hint(&self) -> Option<String> {
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
