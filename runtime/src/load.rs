//! Level 2: the body of a skill.

use crate::{
    Arguments, Attribute, Error, ErrorKind, Excerpt, MAX_FILLED_BYTES, OneLine, Profile, Resource,
    Skill, Variables, View,
    body::{Body, Fill, appended, plain},
    directory::SkillDirectory,
    escape::one_line,
    excerpt, known,
    render::{Render, SizeLimit, rendered},
    toolbox::check_commands,
};
use alloc::{format, vec::Vec};
use core::fmt::{self, Write};

/// The answer of `load_skill`: the body of a skill between `<skill name="…">` and `</skill>`.
///
/// If the skill has other files, their paths follow between `<skill_resources>` tags.
///
/// ```
/// # use helix_skills::{Resource, Skill};
/// # const FILES: &[Resource] = &[Resource::from_text("references/forms.md", "…")];
/// # let pdf = Skill::define("pdf", "Reads PDF files.", "Never write </skill>.")
/// #     .resources(FILES)
/// #     .build();
/// assert_eq!(
///     pdf.loaded().to_string(),
///     "<skill name=\"pdf\">\nNever write &lt;/skill>.\n</skill>\n\n\
///      <skill_resources>\nreferences/forms.md\n</skill_resources>",
/// );
/// ```
///
/// With another [`Profile`], a [`Toolbox`](crate::Toolbox) answers with the body alone, or with a
/// confirmation and a [`message`](Self::message).
#[derive(Clone, Copy, Debug)]
pub struct LoadedSkill<'a> {
    body: Body<'a>,
    delivery: Delivery,
    /// Writes the body. In profiles whose tool takes arguments, and if the host has variables, the
    /// body is a template and is filled. Otherwise it is filled only with arguments that the skill
    /// declares; other arguments follow the reviewed text.
    write: Fill,
    /// Whether the length of the text depends on values, and is limited.
    is_filled: bool,
    /// The body as a host has filled it. It is not escaped again.
    text: Option<&'a str>,
    /// Whether the length has been checked since the last change.
    fits: bool,
}

/// How a body is filled and delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery {
    /// Fills the body, if the tool takes arguments.
    pub(crate) fill: Option<Fill>,
    /// Delivers it other than between tags.
    pub(crate) deliver: Option<Deliver>,
    /// Whether it is in a message after the answer.
    pub(crate) has_message: bool,
}

impl Delivery {
    /// The text of the file between tags.
    pub(crate) const TAGGED: Self = Self { fill: None, deliver: None, has_message: false };
}

/// A function that writes the answer with a body.
pub(crate) type Deliver = for<'s> fn(&LoadedSkill<'s>, &mut dyn Write) -> fmt::Result;

/// Writes the body without tags.
pub(crate) fn bare(loaded: &LoadedSkill<'_>, out: &mut dyn Write) -> fmt::Result {
    loaded.write_body(out)
}

/// Writes that the body is in the next message.
pub(crate) fn confirmation(loaded: &LoadedSkill<'_>, out: &mut dyn Write) -> fmt::Result {
    write!(
        out,
        "The skill `{}` is active. Its instructions follow in the next message.",
        OneLine(loaded.name())
    )
}

/// Writes the message after such a confirmation: the body between `<skill-context>` tags, and lists
/// of the skill's scripts and other files.
fn context(loaded: &LoadedSkill<'_>, out: &mut dyn Write) -> fmt::Result {
    let skill = loaded.body.skill;
    writeln!(out, "<skill-context name=\"{}\">", Attribute(skill.name()))?;
    loaded.write_body(out)?;
    out.write_char('\n')?;
    for (title, are_scripts) in [("Scripts", true), ("References", false)] {
        let is_wanted = |file: &&Resource| file.path().starts_with("scripts/") == are_scripts;
        for (at, file) in skill.sorted_resources().filter(is_wanted).enumerate() {
            if at == 0 {
                write!(out, "\n{title}:\n")?;
            }
            writeln!(out, "- {}", OneLine(file.path()))?;
        }
    }
    out.write_str("</skill-context>")
}

impl<'a> Skill {
    /// Returns the body between its tags, as `load_skill` answers.
    ///
    /// This also works for a skill that models may not load, because the host is the caller.
    #[must_use]
    pub const fn loaded(&'a self) -> LoadedSkill<'a> {
        LoadedSkill {
            body: Body {
                skill: self,
                arguments: Arguments::NONE,
                variables: None,
                directory: None,
                profile: Profile::Helix,
            },
            delivery: Delivery::TAGGED,
            write: plain,
            is_filled: false,
            text: None,
            fits: false,
        }
    }
}

impl<'a> View<'a> {
    /// Returns the skill that a model requests by `name`.
    ///
    /// # Errors
    /// If no skill has this name, or it is not for models.
    #[inline(never)]
    pub(crate) fn get(&self, name: &str) -> Result<&'a Skill, Error> {
        match self.allowed(name) {
            None => Err(self.unknown_skill(name)),
            Some(skill) if !self.profile.shows(skill) => Err(Error::new(
                ErrorKind::NotForModels,
                format!(
                    "the skill `{}` is not for models: its author disabled that",
                    OneLine(skill.name())
                ),
            )),
            Some(skill) => Ok(skill),
        }
    }

    /// Returns the error that no skill of this agent is called `name`. It has the most similar
    /// names, at most five. If there is none, it says how many skills there are and that
    /// `search_skills` finds them; without this tool, it lists the names, at most 100.
    #[cold]
    fn unknown_skill(&self, name: &str) -> Error {
        let mut message = format!("there is no skill `{}`; ", Excerpt(name));
        let (start, names) = (excerpt::start(name).0, self.names().collect::<Vec<_>>());
        // Writing into a string cannot fail.
        let _ = known::suggest(start, &names, self.has_search, &mut message);
        Error::new(ErrorKind::UnknownSkill, message)
    }
}

impl<'a> LoadedSkill<'a> {
    /// Delivers the body as the system of `profile` does. `directory` is the skill's directory, and
    /// `variables` are those of the host.
    pub(crate) const fn profile(
        mut self,
        profile: Profile,
        delivery: Delivery,
        directory: Option<SkillDirectory<'a>>,
        variables: Option<&'a Variables>,
    ) -> Self {
        self.body = Body { profile, directory, variables, ..self.body };
        (self.delivery, self.fits) = (delivery, false);
        if let Some(fill) = delivery.fill {
            (self.write, self.is_filled) = (fill, true);
        }
        self
    }

    /// Adds the arguments of a call. Depending on the profile and the skill, they are inserted into
    /// the body, with `fill` if the skill declares them, or appended to it.
    pub(crate) fn with_arguments(mut self, arguments: Arguments<'a>, fill: Option<Fill>) -> Self {
        (self.body.arguments, self.fits) = (arguments.unless_empty(), false);
        if !self.is_filled && !self.body.arguments.is_none() {
            let fill = fill.filter(|_| self.body.skill.declares_arguments());
            (self.write, self.is_filled) = (fill.unwrap_or(appended), fill.is_some());
        }
        self
    }

    /// Delivers the instructions themselves where the answer would be a confirmation.
    pub(crate) const fn as_message(mut self) -> Self {
        if self.delivery.has_message {
            self.delivery.deliver = Some(context);
            self.delivery.has_message = false;
        }
        self
    }

    /// Returns the answer, unless its filled body is too long, or the system of the profile refuses
    /// its commands because nothing has run them.
    pub(crate) fn bounded(mut self) -> Result<Self, Error> {
        if self.text.is_none() && self.body.profile == Profile::Agentick {
            check_commands(self.body.skill, Profile::Agentick, "load")?;
        }
        self.fits = self.fits_limit();
        if self.fits {
            return Ok(self);
        }
        let why = format_args!(
            "with its arguments and variables, its body has more than {MAX_FILLED_BYTES} bytes; \
             pass shorter arguments"
        );
        Err(Error::cannot(ErrorKind::Limit, "load", self.name(), why))
    }

    /// Returns whether the body does not exceed [`MAX_FILLED_BYTES`] with its values.
    ///
    /// The text is counted without being stored. A body that is not filled always fits: only its
    /// arguments are appended.
    fn fits_limit(&self) -> bool {
        let is_known = self.fits || !self.is_filled;
        is_known || (self.write)(&self.body, &mut SizeLimit(MAX_FILLED_BYTES)).is_ok()
    }

    /// Writes the body.
    fn write_body(&self, out: &mut dyn Write) -> fmt::Result {
        match self.text {
            Some(text) => out.write_str(text),
            None if self.fits_limit() => (self.write)(&self.body, out),
            None => write!(
                out,
                "The instructions of this skill are left out: with its arguments and variables, its body has more \
                 than {MAX_FILLED_BYTES} bytes."
            ),
        }
    }

    /// Returns whether the body is the reviewed text: without arguments, and not filled by a host.
    pub(crate) const fn is_unmodified(&self) -> bool {
        self.body.arguments.is_none() && self.body.variables.is_none() && self.text.is_none()
    }

    /// Returns the name of the skill.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.body.skill.name()
    }

    /// Returns the whole text if it is stored as one string. In [`Profile::Helix`], this is true
    /// for every embedded skill, without arguments.
    #[must_use]
    pub fn as_str(&self) -> Option<&'a str> {
        match self.delivery.deliver {
            None if self.is_unmodified() => self.body.skill.0.loaded.as_deref(),
            _ => None,
        }
    }

    /// Returns the message with the instructions, which has to follow this answer in the role of
    /// the user; `None` if the answer contains the instructions.
    #[must_use]
    pub const fn message(&self) -> Option<Self> {
        if self.delivery.has_message { Some(self.as_message()) } else { None }
    }
}

/// Sets the text of a body that a host has filled.
#[must_use]
pub const fn with_body<'a>(mut loaded: LoadedSkill<'a>, text: &'a str) -> LoadedSkill<'a> {
    (loaded.text, loaded.is_filled) = (Some(text), false);
    loaded
}

impl Render for LoadedSkill<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        if let Some(text) = self.as_str() {
            return out.write_str(text);
        }
        if let Some(deliver) = self.delivery.deliver {
            return deliver(self, out);
        }
        out.write_str("<skill name=\"")?;
        Attribute(self.name()).render(out)?;
        out.write_char('"')?;
        out.write_str(">\n")?;
        self.write_body(out)?;
        out.write_str("\n</skill>")?;
        if !self.body.skill.resources().is_empty() {
            file_list(self.body.skill, out)?;
        }
        Ok(())
    }
}

rendered!(LoadedSkill);

/// Writes the paths of the skill's files, which follow a body.
///
/// # Errors
/// If `out` fails.
pub fn file_list(skill: &Skill, out: &mut dyn Write) -> fmt::Result {
    out.write_str("\n\n<skill_resources>\n")?;
    for resource in skill.sorted_resources() {
        // Escapes every bracket, because a tag could start in one path and end in the next.
        one_line(resource.path(), "", true, out)?;
        out.write_char('\n')?;
    }
    out.write_str("</skill_resources>")
}
