//! Skills that a person calls.

use super::Toolbox;
use crate::{
    Arguments, CommandError, LoadError, LoadedSkill, Profile, Skill, Variables, check_name,
    render::{Render, rendered},
};
use core::fmt::{self, Write};

/// What deer-flow's interface keeps for itself.
const DEER_FLOW_RESERVED: [&str; 7] =
    ["bootstrap", "goal", "help", "memory", "models", "new", "status"];

/// A message that begins with `/NAME`: the name of a skill, perhaps, and what a person typed after it.
///
/// A name is whatever a skill can be called, up to white space: `/etc/passwd` and `/plugin:skill` are text. In
/// [`Profile::DeerFlow`] it is lower-case letters, digits and single hyphens, and none of the commands that its interface has.
///
/// ```
/// use helix_skills::{Profile, slash::SlashCommand};
/// let command = SlashCommand::parse("/deploy staging 'eu 1'", Profile::Helix).unwrap();
/// assert_eq!((command.name(), command.arguments()), ("deploy", "staging 'eu 1'"));
/// assert_eq!(SlashCommand::parse("deploy to /tmp", Profile::Helix), None);
/// assert_eq!(SlashCommand::parse("/help", Profile::DeerFlow), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlashCommand<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> SlashCommand<'a> {
    /// The command that a message is, if it is one; whether there is such a skill is not asked
    /// ([`Toolbox::slash`] does).
    #[must_use]
    pub fn parse(message: &'a str, profile: Profile) -> Option<Self> {
        let command = message.strip_prefix('/')?;
        let (name, rest) =
            command.split_at(command.find(char::is_whitespace).unwrap_or(command.len()));
        Self::is_name(name, profile).then(|| Self { name, arguments: rest.trim_start() })
    }

    fn is_name(name: &str, profile: Profile) -> bool {
        match profile {
            Profile::DeerFlow => is_plain(name) && !DEER_FLOW_RESERVED.contains(&name),
            _ => check_name(name).is_ok(),
        }
    }

    /// The name, without the slash.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Everything after the name and the white space behind it, as it was typed.
    #[must_use]
    pub const fn arguments(&self) -> &'a str {
        self.arguments
    }
}

/// Lower-case ASCII letters, digits, and single hyphens inside.
fn is_plain(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.split('-').all(is_part)
}

/// The message that takes the place of a person's `/NAME …`: the instructions of a skill, with what was typed after its name,
/// in the form of the [`Profile`]. A host sends its text in the role of the user.
///
/// [`Toolbox::slash`] makes it.
#[derive(Clone, Copy, Debug)]
pub struct InvokedSkill<'a> {
    loaded: LoadedSkill<'a>,
    arguments: &'a str,
}

impl<'a> InvokedSkill<'a> {
    /// The name of the skill.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.loaded.name()
    }

    /// What was typed after the name.
    #[must_use]
    pub const fn arguments(&self) -> &'a str {
        self.arguments
    }

    /// The same, filled by a host that has run the commands of the body: see [`LoadedSkill::filled`].
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn filled(
        mut self,
        known: Variables<'a>,
        outputs: &'a [&'a str],
    ) -> Result<Self, CommandError> {
        self.loaded = self.loaded.filled(known, outputs)?;
        Ok(self)
    }

    /// The same, if its filled body is not longer than a body may be.
    pub(crate) fn bounded(self) -> Result<Self, LoadError<'a>> {
        Ok(Self { loaded: self.loaded.bounded()?, ..self })
    }
}

impl Render for InvokedSkill<'_> {
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        match self.loaded.message() {
            Some(message) => message.render(out),
            None => self.loaded.render(out),
        }
    }
}

rendered!(InvokedSkill);

impl<'a> Toolbox<'a> {
    /// What a person's message calls, if it is `/NAME …` with the name of a skill of this agent: the text to send in its
    /// place. Any other message is none, and stays as it is.
    ///
    /// A skill that its author keeps from models (`disable-model-invocation`) is called like any other; one that is not for
    /// people (`user-invocable: false`) is not.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// const DEPLOY: Skill =
    ///     Skill::define("deploy", "Deploys.", "Deploy to $ARGUMENTS.").disable_model_invocation(true).build();
    /// static SKILLS: SkillSet = skill_set![DEPLOY];
    ///
    /// let toolbox = Toolbox::builder(SKILLS).profile(Profile::ClaudeCode).build()?;
    /// let sent = |typed: &str| toolbox.slash(typed).map_or(typed.to_owned(), |skill| skill.to_string());
    /// assert_eq!(sent("/deploy staging"), "Deploy to staging.");
    /// assert_eq!(sent("/tmp is full"), "/tmp is full");
    /// # Ok::<(), helix_skills::ToolboxError>(())
    /// ```
    #[must_use]
    pub fn slash<'m>(&self, message: &'m str) -> Option<InvokedSkill<'m>>
    where
        'a: 'm,
    {
        let command = SlashCommand::parse(message, self.profile)?;
        let skill = self.set.get(command.name).filter(|skill| self.is_for_people(skill))?;
        let directory = self.directories.get(skill.name());
        let loaded: LoadedSkill<'m> =
            LoadedSkill::new(skill).in_profile(self.profile, self.fill, directory);
        let loaded = if self.provenance { loaded.with_provenance() } else { loaded };
        let loaded = loaded.with_arguments(Arguments::text(command.arguments));
        Some(InvokedSkill { loaded, arguments: command.arguments })
    }

    /// The skills that a person can call with [`slash`](Self::slash), sorted by name: what an interface offers after a `/`, each
    /// with its [argument hint](Skill::argument_hint).
    pub fn slash_skills(&self) -> impl Iterator<Item = &'a Skill<'a>> + Clone + use<'a> {
        let toolbox = *self;
        self.set.iter().filter(move |skill| {
            toolbox.is_for_people(skill) && SlashCommand::is_name(skill.name(), toolbox.profile)
        })
    }

    fn is_for_people(&self, skill: &Skill<'_>) -> bool {
        skill.user_invocable() && self.view().is_allowed(skill.name())
    }
}
