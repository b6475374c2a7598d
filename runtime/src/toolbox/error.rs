//! Errors of building a toolbox.

use crate::{Excerpt, KnownNames, Selection, SkillSet, TextLimit};
use core::{error::Error, fmt};

/// An error in the configuration of a toolbox, meant for the developer instead of the model. It
/// does not borrow.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = Toolbox::builder(SKILLS).allow(&["pfd"]).build().unwrap_err();
/// assert_eq!(error.to_string(), "unknown skill `pfd`; the set has `pdf`");
/// ```
#[non_exhaustive]
pub enum ToolboxError {
    /// A name is not that of a skill available to this agent.
    UnknownSkill {
        /// The unknown name.
        name: Excerpt,
        /// The nearest names in the set.
        known: KnownNames,
    },
    /// A name is repeated.
    Repeated {
        /// The name.
        name: Excerpt,
    },
    /// A preloaded skill is not allowed.
    NotAllowed {
        /// The name of the skill.
        name: Excerpt,
    },
    /// A preloaded skill is not for models.
    NotForModels {
        /// The name of the skill.
        name: Excerpt,
    },
    /// Search was requested without an index or a classifier.
    NoIndex,
    /// The preloaded bodies exceed their budget.
    OverBudget {
        /// The size of the bodies.
        needed: TextLimit,
        /// The budget.
        most: TextLimit,
    },
    /// A tool of the agent has a name reserved for skill tools.
    ReservedTool {
        /// The name.
        name: &'static str,
    },
    /// A provider could not list its skills.
    Provider {
        /// The provider's error.
        source: alloc::boxed::Box<dyn Error + Send + Sync>,
    },
}

crate::__error_debug!(ToolboxError {
    UnknownSkill { name, known },
    Repeated { name },
    NotAllowed { name },
    NotForModels { name },
    NoIndex,
    OverBudget { needed, most },
    ReservedTool { name },
    Provider { source },
});

/// Checks that no name is repeated and that `known` accepts each; `known` may fail with its own
/// error.
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
                write!(f, "unknown skill `{name}`; the set has {known}")
            }
            Self::Repeated { name } => write!(f, "duplicate skill `{name}`"),
            Self::NotAllowed { name } => write!(f, "cannot preload `{name}`: it is not an allowed skill"),
            Self::NotForModels { name } => {
                write!(
                    f,
                    "cannot preload `{name}`: models may not load it (`disable-model-invocation`, or `user-invocable: false` \
                     in the profile `skill-use`)"
                )
            }
            Self::NoIndex => f.write_str(
                "the set has no search index; build one with `SkillSet::index` and pass it to `with_index`",
            ),
            Self::OverBudget { needed, most } => {
                write!(
                    f,
                    "the preloaded skills need {needed}, more than their budget of {most}; preload fewer or raise the budget"
                )
            }
            Self::ReservedTool { name } => {
                write!(f, "the tool name `{name}` is reserved for skills; rename the agent's own tool")
            }
            Self::Provider { .. } => f.write_str("failed to list the skills of the provider"),
        }
    }
}

impl Error for ToolboxError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Provider { source } => Some(&**source),
            _ => None,
        }
    }
}
