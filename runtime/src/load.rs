//! Level 2: the body of a skill.

use crate::{
    Arguments, Attribute, CommandError, Excerpt, MAX_FILLED_BYTES, OneLine, Profile, Provenance,
    Skill, SkillContext, Variables, View,
    body::{Body, Fill},
    directory::SkillDirectory,
    escape::one_line,
    known,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// The answer of `load_skill`: `<skill name="…">`, the body, `</skill>`, and the paths of the skill's files between
/// `<skill_resources>` tags if it has any.
///
/// ```
/// # use helix_skills::{Resource, Skill};
/// # let files = [Resource::from_text("references/forms.md", "…")];
/// # let pdf = Skill::define("pdf", "Reads PDF files.", "Never write </skill>.").resources(&files).build();
/// assert_eq!(
///     pdf.loaded().to_string(),
///     "<skill name=\"pdf\">\nNever write &lt;/skill>.\n</skill>\n\n\
///      <skill_resources>\nreferences/forms.md\n</skill_resources>",
/// );
/// ```
///
/// A [`Toolbox`](crate::Toolbox) of another [`Profile`] answers with the bare body, or with a confirmation and a
/// [`message`](Self::message).
#[derive(Clone, Copy, Debug)]
pub struct LoadedSkill<'a> {
    body: Body<'a>,
    delivery: Delivery,
    provenance: bool,
}

/// How a body arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delivery {
    /// Between tags, with the paths of the files.
    Tagged,
    /// As it is.
    Bare,
    /// In a message of its own.
    Message,
}

impl<'a> LoadedSkill<'a> {
    pub(crate) const fn new(skill: &'a Skill<'a>) -> Self {
        Self { body: Body::new(skill), delivery: Delivery::Tagged, provenance: false }
    }

    /// As `profile` hands it out; `place` is the skill's directory.
    pub(crate) const fn in_profile(
        mut self,
        profile: Profile,
        fill: Option<Fill>,
        directory: Option<SkillDirectory<'a>>,
    ) -> Self {
        self.body = self.body.in_profile(profile, fill, directory);
        self.delivery = match profile {
            Profile::SkillUse => Delivery::Message,
            Profile::Agentick | Profile::ClaudeCode => Delivery::Bare,
            Profile::Helix | Profile::DeerFlow | Profile::DeepAgents => Delivery::Tagged,
        };
        self
    }

    /// The same with what the skill is to work on: put into the body, or behind it, as the toolbox's profile does it.
    #[must_use]
    pub fn with_arguments(mut self, arguments: Arguments<'a>) -> Self {
        self.body = self.body.with_arguments(arguments);
        self
    }

    /// The same, filled by a host that knows its variables and has run the commands of the body: what they said, one text for
    /// each, in their order. It is filled in every profile, after [`with_arguments`](Self::with_arguments), if there are any.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, template::{Arguments, Variables}, Toolbox};
    /// # const LOG: Skill = Skill::define("log", "Sums up what changed.", "Sum it up: !`git log -- $0`").build();
    /// # static SKILLS: SkillSet = skill_set![LOG];
    /// # fn run(_command: &str) -> String { "Mend the hinge\n".to_owned() }
    /// let (skill, arguments) = (SKILLS.get("log").unwrap(), Arguments::text("door"));
    /// let template = skill.template(Profile::Agentick).fill(arguments, Variables::new());
    /// let outputs: Vec<String> = template.commands()?.map(|command| run(&command.to_string())).collect();
    /// let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    ///
    /// let toolbox = Toolbox::builder(SKILLS).profile(Profile::Agentick).build()?;
    /// let loaded = toolbox.load_skill("log")?.with_arguments(arguments).filled(Variables::new(), &outputs)?;
    /// assert_eq!(loaded.to_string(), "Sum it up: Mend the hinge\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn filled(
        mut self,
        variables: Variables<'a>,
        outputs: &'a [&'a str],
    ) -> Result<Self, CommandError> {
        self.body = self.body.with_host_values(variables, outputs)?;
        Ok(self)
    }

    /// The same, if its filled body is not longer than a body may be.
    pub(crate) fn bounded(self) -> Result<Self, LoadError<'a>> {
        match self.body.bounded() {
            Some(body) => Ok(Self { body, ..self }),
            None => Err(LoadError::TooLong { name: self.name(), limit: MAX_FILLED_BYTES }),
        }
    }

    /// Whether the body is what was reviewed: no arguments, and nothing that a host has filled in.
    pub(crate) const fn is_unmodified(&self) -> bool {
        self.body.is_unmodified()
    }

    /// The same with where the skill comes from in the opening tag: source, url, commit and integrity, as far as they
    /// are known.
    #[must_use]
    pub const fn with_provenance(mut self) -> Self {
        self.provenance = true;
        self
    }

    /// The name of the skill.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.skill().name()
    }

    const fn skill(&self) -> &'a Skill<'a> {
        self.body.skill()
    }

    /// The whole text, if it lies in memory as one piece. For every baked skill it does, in our own profile.
    #[must_use]
    pub const fn as_str(&self) -> Option<&'a str> {
        match self.delivery {
            Delivery::Tagged if !self.provenance && self.is_unmodified() => self.skill().0.loaded,
            _ => None,
        }
    }

    /// The message with the instructions that has to follow this answer, in the role of the user; none where the answer
    /// itself has them.
    #[must_use]
    pub const fn message(&self) -> Option<SkillContext<'a>> {
        match self.delivery {
            Delivery::Message => Some(SkillContext::new(self.body)),
            Delivery::Tagged | Delivery::Bare => None,
        }
    }
}

impl Render for LoadedSkill<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return out.write_str(text);
        }
        match self.delivery {
            Delivery::Message => {
                return write!(
                    out,
                    "The skill `{}` is active. Its instructions follow in the next message.",
                    OneLine(self.name())
                );
            }
            Delivery::Bare => return self.body.render(out),
            Delivery::Tagged => {}
        }
        out.write_str("<skill name=\"")?;
        Attribute(self.name()).render(out)?;
        out.write_char('"')?;
        if self.provenance {
            ProvenanceAttributes(self.skill().provenance()).render(out)?;
        }
        out.write_str(">\n")?;
        self.body.render(out)?;
        out.write_str("\n</skill>")?;
        if !self.skill().resources().is_empty() {
            file_list(self.skill(), out)?;
        }
        Ok(())
    }
}

rendered!(LoadedSkill);

/// What follows a body: the paths of the skill's files.
///
/// # Errors
/// If `out` fails.
pub fn file_list(skill: &Skill<'_>, out: &mut dyn Write) -> fmt::Result {
    out.write_str("\n\n<skill_resources>\n")?;
    for resource in skill.resources() {
        // Every bracket: one path could open a tag, and the next one end it.
        one_line(resource.path(), "", true, out)?;
        out.write_char('\n')?;
    }
    out.write_str("</skill_resources>")
}

/// Where a skill comes from, as attributes.
pub(crate) struct ProvenanceAttributes<'a>(pub(crate) Provenance<'a>);

impl Render for ProvenanceAttributes<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        let Provenance { source, url, commit, integrity, .. } = self.0;
        for (name, value) in
            [("source", source), ("url", url), ("commit", commit), ("integrity", integrity)]
        {
            if let Some(value) = value {
                write!(out, " {name}=\"{}\"", Attribute(value))?;
            }
        }
        Ok(())
    }
}

/// Why a skill cannot be loaded. `Display` is the message for the model; of more than a hundred skills it names the hundred
/// that lie next to the wrong name, and says how many more there are.
///
/// ```
/// use helix_skills::{LoadError, Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = SKILLS.load_skill("pfd").unwrap_err();
/// assert!(matches!(error, LoadError::UnknownSkill { .. }));
/// assert_eq!(error.to_string(), "there is no skill `pfd`; the skills are `pdf`");
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum LoadError<'a> {
    /// No skill has this name, or none that this agent is allowed.
    UnknownSkill {
        /// What was asked for.
        name: Excerpt,
        /// What there is.
        available: View<'a>,
    },
    /// The skill's author set `disable-model-invocation`, or what the profile takes for the same.
    NotForModels {
        /// The name of the skill.
        name: &'a str,
    },
    /// With its arguments and variables, the body is longer than [`MAX_FILLED_BYTES`].
    TooLong {
        /// The name of the skill.
        name: &'a str,
        /// The maximum, in bytes.
        limit: usize,
    },
}

crate::__internal::error_debug!(LoadError<'_> {
    UnknownSkill { name, available },
    NotForModels { name },
    TooLong { name, limit },
});

impl fmt::Display for LoadError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotForModels { name } => {
                write!(
                    f,
                    "the skill `{}` is not for models: its author turned that off",
                    OneLine(name)
                )
            }
            Self::TooLong { name, limit } => write!(
                f,
                "cannot load the skill `{}`: with its arguments and variables, its body has more than {limit} bytes; \
                 pass shorter arguments",
                OneLine(name)
            ),
            Self::UnknownSkill { name, available } => {
                write!(f, "there is no skill `{name}`; ")?;
                if available.is_empty() {
                    return f.write_str("there are no skills");
                }
                f.write_str("the skills are ")?;
                known::list(name.as_str(), available.names(), f)
            }
        }
    }
}

impl core::error::Error for LoadError<'_> {}
