//! Why a toolbox cannot be what was asked for.

use crate::{Excerpt, KnownNames, Selection, SkillSet, TextLimit};
use core::{error::Error, fmt};

/// Why a toolbox cannot be made. It is for the developer or the agent's configuration, not for the
/// model, and borrows nothing.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = Toolbox::builder(SKILLS).allow(&["pfd"]).build().unwrap_err();
/// assert_eq!(error.to_string(), "there is no skill `pfd` for this agent; the set has `pdf`");
/// ```
#[non_exhaustive]
pub enum ToolboxError {
    /// A name that no skill has, or none that this agent is allowed.
    UnknownSkill {
        /// What was asked for.
        name: Excerpt,
        /// The skills that the set has.
        known: KnownNames,
    },
    /// A name that is repeated.
    Repeated {
        /// The name.
        name: Excerpt,
    },
    /// A skill that is not allowed cannot be preloaded.
    NotAllowed {
        /// The name of the skill.
        name: Excerpt,
    },
    /// A skill that models may not load cannot be preloaded.
    NotForModels {
        /// The name of the skill.
        name: Excerpt,
    },
    /// There is nothing to search with.
    NoIndex,
    /// The preloaded bodies cost more than they may.
    OverBudget {
        /// What they cost.
        needed: TextLimit,
        /// What they may cost.
        most: TextLimit,
    },
    /// A tool of the agent has a name that is reserved for the tools for skills.
    ReservedTool {
        /// The name.
        name: &'static str,
    },
    /// A provider could not list its skills.
    #[cfg(feature = "alloc")]
    Provider {
        /// What it failed with.
        source: alloc::boxed::Box<dyn Error + Send + Sync>,
    },
}

crate::__internal::error_debug!(ToolboxError {
    UnknownSkill { name, known },
    Repeated { name },
    NotAllowed { name },
    NotForModels { name },
    NoIndex,
    OverBudget { needed, most },
    ReservedTool { name },
    #[cfg(feature = "alloc")]
    Provider { source },
});

/// Checks that each name is `known`, which may fail with its own error, and is not repeated.
pub(super) fn check_names(
    selection: Selection<'_>,
    known: impl Fn(&str) -> Result<bool, ToolboxError>,
    set: SkillSet<'_>,
) -> Result<(), ToolboxError> {
    for (at, name) in selection.names().enumerate() {
        if !known(name)? {
            let known = KnownNames::near(name, set.names());
            return Err(ToolboxError::UnknownSkill { name: Excerpt::new(name), known });
        }
        if selection.is_repeated(at) {
            return Err(ToolboxError::Repeated { name: Excerpt::new(name) });
        }
    }
    Ok(())
}

impl fmt::Display for ToolboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSkill { name, known } => {
                write!(f, "there is no skill `{name}` for this agent; the set has {known}")
            }
            Self::Repeated { name } => write!(f, "the skill `{name}` is named twice"),
            Self::NotAllowed { name } => write!(f, "cannot preload `{name}`: it is not among the allowed skills"),
            Self::NotForModels { name } => {
                write!(
                    f,
                    "cannot preload `{name}`: models may not load it (`disable-model-invocation`, or `user-invocable: false` \
                     in the profile `skill-use`)"
                )
            }
            Self::NoIndex => f.write_str(
                "the set has no search index; build one (`SkillSet::index`) and give it to the set (`with_index`)",
            ),
            Self::OverBudget { needed, most } => {
                write!(
                    f,
                    "the preloaded skills cost {needed}, which is over their budget of {most}: preload fewer, or raise it"
                )
            }
            Self::ReservedTool { name } => {
                write!(f, "the tool name `{name}` is reserved for skills; rename the agent's own tool")
            }
            #[cfg(feature = "alloc")]
            Self::Provider { .. } => f.write_str("cannot list the skills of the provider"),
        }
    }
}

impl Error for ToolboxError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            #[cfg(feature = "alloc")]
            Self::Provider { source } => Some(&**source),
            _ => None,
        }
    }
}
