//! Why a toolbox cannot be what was asked for.

use crate::{Excerpt, KnownNames, Selection, SkillSet, TextLimit};
use core::fmt;

/// Why a toolbox cannot be made. The one who configures the agent reads this, no model. It borrows nothing: a function that
/// read names from a configuration returns it with `?`.
///
/// ```
/// use helix_skills_runtime::{Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = Toolbox::new(SKILLS).allow(&["pfd"]).unwrap_err();
/// assert_eq!(error.to_string(), "there is no skill `pfd` for this agent; the set has `pdf`");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ToolboxError {
    /// A name that no skill has, or none that this agent is allowed.
    UnknownSkill {
        /// What was asked for.
        name: Excerpt,
        /// The skills that the set has.
        known: KnownNames,
    },
    /// A name that is there twice.
    Twice {
        /// The name.
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
}

/// Proves that each name is `known`, which may have an error of its own, and there once.
pub(super) fn check_names(
    selection: Selection<'_>,
    known: impl Fn(&str) -> Result<bool, ToolboxError>,
    set: SkillSet<'_>,
) -> Result<(), ToolboxError> {
    for (at, name) in selection.names().enumerate() {
        if !known(name)? {
            let known = KnownNames::near(name, set.names());
            return Err(ToolboxError::UnknownSkill { name: Excerpt::of(name), known });
        }
        if selection.is_repeated(at) {
            return Err(ToolboxError::Twice { name: Excerpt::of(name) });
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
            Self::Twice { name } => write!(f, "the skill `{name}` is named twice"),
            Self::NotForModels { name } => {
                write!(
                    f,
                    "cannot preload `{name}`: models may not load it (`disable-model-invocation`, or `user-invocable: false` \
                     in the profile `seed001`)"
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
        }
    }
}

impl core::error::Error for ToolboxError {}

/// A tool of the agent has a name that belongs to the tools for skills.
///
/// ```
/// use helix_skills_runtime::{ReservedTool, Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let toolbox = Toolbox::new(SKILLS);
/// assert_eq!(toolbox.check_tool_names(["get_weather"]), Ok(()));
/// assert_eq!(toolbox.check_tool_names(["load_skill"]), Err(ReservedTool { name: "load_skill" }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedTool {
    /// The name.
    pub name: &'static str,
}

impl fmt::Display for ReservedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name `{}` belongs to a tool for skills; give the agent's own tool another one", self.name)
    }
}

impl core::error::Error for ReservedTool {}
