//! Problems of a provider's skills that do not affect the rest.

use alloc::{borrow::ToOwned, format, string::String};
use core::fmt;
use helix_skills_runtime::{OneLine, Skill};

/// A problem with a skill that the agent works without. `Display` is one line, even if it contains
/// untrusted text.
///
/// ```
/// use helix_skills::provider::ProviderWarning;
/// let warning = ProviderWarning::LeftOut {
///     what: "row 7".into(),
///     why: "the description\nis blank".into(),
/// };
/// assert_eq!(warning.to_string(), "`row 7` is left out: the description is blank");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderWarning {
    /// Two skills have this name; the first one is used.
    Duplicate {
        /// The name.
        name: String,
        /// The origin of the skill that is used.
        used: String,
        /// The origin of the skill that is left out.
        left_out: String,
    },
    /// No skill has this name, which is in the list of allowed or preloaded skills.
    Unknown {
        /// The name.
        name: String,
    },
    /// A skill was not preloaded.
    NotPreloaded {
        /// The name of the skill.
        name: String,
        /// The reason.
        why: String,
    },
    /// The scripts of a skill cannot run, because its files are not in a directory.
    NoDirectory {
        /// The name of the skill.
        name: String,
    },
    /// A skill is used as it is, although something about it should be fixed.
    Finding {
        /// The name of the skill.
        skill: String,
        /// The location of the finding: a file, line and column.
        what: String,
        /// The stable code of the finding, such as `name-mismatch`.
        code: &'static str,
        /// The problem.
        message: String,
    },
    /// A skill, or a file of a skill, was left out by its provider.
    LeftOut {
        /// The name or location of the skill, or the file.
        what: String,
        /// The reason.
        why: String,
    },
}

impl ProviderWarning {
    /// Creates the warning of two skills with one name and their positions in a list. `describe`
    /// describes a position.
    pub(crate) fn duplicate(
        pair: &[(usize, Skill); 2],
        describe: impl Fn(usize) -> String,
    ) -> Self {
        let [used, left_out] = pair.each_ref().map(|(at, skill)| match origin(skill) {
            Some(origin) => format!("{} (`{origin}`)", describe(*at)),
            None => describe(*at),
        });
        Self::Duplicate { name: pair[0].1.name().to_owned(), used, left_out }
    }
}

/// Returns where a skill is from: its directory, or its path in a repository or project.
fn origin(skill: &Skill) -> Option<String> {
    if let Some(directory) = skill.directory() {
        return Some(directory.to_owned());
    }
    let from = skill.provenance();
    match (from.url(), from.path()) {
        (None, "") => None,
        (None, path) => Some(path.to_owned()),
        (Some(url), path) => Some(format!("{url} {path}").trim_end().to_owned()),
    }
}

impl fmt::Display for ProviderWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name, used, left_out } => {
                write!(
                    f,
                    "two skills have the name `{}`: {} is used, {} is left out",
                    OneLine(name),
                    OneLine(used),
                    OneLine(left_out)
                )
            }
            Self::Unknown { name } => {
                write!(f, "there is no skill `{}`: the name has no effect", OneLine(name))
            }
            Self::NotPreloaded { name, why } => {
                write!(f, "`{}` is not preloaded: {}", OneLine(name), OneLine(why))
            }
            Self::NoDirectory { name } => write!(
                f,
                "scripts of `{}` cannot run: its files are not in a directory; \
                 wrap the provider of the skills in `Materialized::new(…)`",
                OneLine(name)
            ),
            Self::Finding { what, code, message, .. } => {
                write!(f, "`{}`: {} ({code})", OneLine(what), OneLine(message))
            }
            Self::LeftOut { what, why } => {
                write!(f, "`{}` is left out: {}", OneLine(what), OneLine(why))
            }
        }
    }
}
