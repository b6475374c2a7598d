//! Level 2: the body of a skill.

use crate::{
    Attribute, Excerpt, Neutral, OneLine, Skill, SkillSet,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The answer of `load_skill`: `<skill name="…">`, the body, `</skill>`, and the paths of the skill's files between
/// `<skill_resources>` tags if it has any.
///
/// ```
/// # use helix_skills_runtime::{__private::{skill, text, Parts}, Skill};
/// # let files = [text("references/forms.md", "…", 3, "")];
/// # let pdf = skill(Parts { name: "pdf", body: "Never write </skill>.", resources: &files, ..Parts::EMPTY });
/// assert_eq!(
///     pdf.loaded().to_string(),
///     "<skill name=\"pdf\">\nNever write &lt;/skill>.\n</skill>\n\n\
///      <skill_resources>\nreferences/forms.md\n</skill_resources>",
/// );
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LoadedSkill<'a>(&'a Skill<'a>);

impl<'a> LoadedSkill<'a> {
    pub(crate) const fn of(skill: &'a Skill<'a>) -> Self {
        Self(skill)
    }

    /// The name of the skill.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.0.name()
    }

    /// The whole text, if it lies in memory as one piece. For every baked skill it does.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        self.0.0.loaded
    }
}

impl Render for LoadedSkill<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return out.write_str(text);
        }
        out.write_str("<skill name=\"")?;
        Attribute(self.0.name()).render(out)?;
        out.write_str("\">\n")?;
        Neutral(self.0.body()).render(out)?;
        out.write_str("\n</skill>")?;
        if !self.0.resources().is_empty() {
            out.write_str("\n\n<skill_resources>\n")?;
            for resource in self.0.resources() {
                OneLine(resource.path()).render(out)?;
                out.write_char('\n')?;
            }
            out.write_str("</skill_resources>")?;
        }
        Ok(())
    }
}

rendered!(LoadedSkill);

/// Why a skill cannot be loaded. `Display` is the message for the model.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum LoadError<'a> {
    /// No skill has this name.
    UnknownSkill {
        /// What was asked for.
        name: Excerpt,
        /// What there is.
        available: SkillSet<'a>,
    },
    /// The skill's author set `disable-model-invocation`.
    NotForModels {
        /// The name of the skill.
        name: &'a str,
    },
}

impl<'a> LoadError<'a> {
    /// The skill that a model asked for by `name`.
    pub(crate) fn find(set: SkillSet<'a>, name: &str) -> Result<&'a Skill<'a>, Self> {
        match set.get(name) {
            None => Err(Self::UnknownSkill { name: Excerpt::of(name), available: set }),
            Some(skill) if skill.disable_model_invocation() => Err(Self::NotForModels { name: skill.name() }),
            Some(skill) => Ok(skill),
        }
    }
}

impl fmt::Display for LoadError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotForModels { name } => {
                write!(f, "the skill `{name}` is not for models: it sets `disable-model-invocation`")
            }
            Self::UnknownSkill { name, available } => {
                write!(f, "there is no skill `{name}`; ")?;
                let mut lead = "the skills are ";
                for skill in available.iter().filter(|skill| !skill.disable_model_invocation()) {
                    write!(f, "{lead}`{}`", skill.name())?;
                    lead = ", ";
                }
                if lead == ", " { Ok(()) } else { f.write_str("there are no skills") }
            }
        }
    }
}

impl core::error::Error for LoadError<'_> {}
