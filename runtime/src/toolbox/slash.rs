//! Slash commands: skills that a user invokes by typing `/NAME`.

use super::{Reply, Toolbox};
use crate::{Arguments, LoadedSkill, Profile, Skill, name::check_name};

/// Names that deer-flow's interface reserves for its own commands.
const DEER_FLOW_RESERVED: [&str; 7] =
    ["bootstrap", "goal", "help", "memory", "models", "new", "status"];

/// A message that begins with `/NAME`, where `NAME` may be a skill, and the text after it.
///
/// The name is any valid skill name and ends at white space: `/etc/passwd` and `/plugin:skill` are
/// not commands. In [`Profile::DeerFlow`] it has only lowercase letters, digits and single hyphens,
/// and is not one of the commands of deer-flow's interface.
///
/// ```
/// use helix_skills::{Profile, toolbox::SlashCommand};
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
    /// Parses a message; `None` if it is not a command.
    ///
    /// Does not check that there is such a skill; [`Toolbox::slash`] does.
    #[must_use]
    pub fn parse(message: &'a str, profile: Profile) -> Option<Self> {
        let command = message.strip_prefix('/')?;
        let (name, rest) =
            command.split_at(command.find(char::is_whitespace).unwrap_or(command.len()));
        Self::is_name(name, profile).then(|| Self { name, arguments: rest.trim_start() })
    }

    fn is_name(name: &str, profile: Profile) -> bool {
        match profile {
            Profile::DeerFlow => is_kebab_case(name) && !DEER_FLOW_RESERVED.contains(&name),
            _ => check_name(name).is_ok(),
        }
    }

    /// Returns the name, without the slash.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the text after the name and the white space that follows it, as it was typed.
    #[must_use]
    pub const fn arguments(&self) -> &'a str {
        self.arguments
    }
}

/// Returns whether `name` has only lowercase ASCII letters, digits, and single hyphens between
/// them.
fn is_kebab_case(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.split('-').all(is_part)
}

impl<'a> Toolbox<'a> {
    /// Returns the message to send instead of `message`, with the role of the user, if it is
    /// `/NAME …` with the name of a skill of this agent; `None` for any other message, which the
    /// host sends unchanged. It has the instructions of the skill with the text after its name as
    /// arguments, in the form of the [`Profile`].
    ///
    /// Skills with `disable-model-invocation` can be invoked; skills with `user-invocable: false`
    /// cannot.
    ///
    /// ```
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// const DEPLOY: Skill = Skill::define("deploy", "Deploys.", "Deploy to $ARGUMENTS.")
    ///     .disable_model_invocation(true)
    ///     .build();
    /// static SKILLS: SkillSet = skill_set![DEPLOY];
    ///
    /// let toolbox = Toolbox::builder(SKILLS).profile(Profile::ClaudeCode).build()?;
    /// let sent = |typed: &str| match toolbox.slash(typed) {
    ///     Some(reply) => reply.to_string(),
    ///     None => typed.to_owned(),
    /// };
    /// assert_eq!(sent("/deploy staging"), "Deploy to staging.");
    /// assert_eq!(sent("/tmp is full"), "/tmp is full");
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn slash<'m>(&self, message: &'m str) -> Option<Reply<'m>>
    where
        'a: 'm,
    {
        let command = SlashCommand::parse(message, self.profile)?;
        self.invoke(command.name, Arguments::text(command.arguments))
    }

    /// Returns the message to send, with the role of the user, if the user invokes the skill `name`
    /// with `arguments` in another way than by typing: in a menu, or as a prompt of a server.
    /// `None` if a user cannot invoke it; see [`slash`](Self::slash).
    ///
    /// ```
    /// use helix_skills::template::Arguments;
    /// use helix_skills::{Profile, Skill, skill_set, SkillSet, Toolbox};
    /// const DEPLOY: Skill = Skill::define("deploy", "Deploys.", "Deploy $0 to $1.")
    ///     .arguments(&["service", "place"])
    ///     .build();
    /// static SKILLS: SkillSet = skill_set![DEPLOY];
    ///
    /// let toolbox = Toolbox::builder(SKILLS).profile(Profile::Agentick).build()?;
    /// let values = Arguments::json(r#"{"place": "eu 1", "service": "web"}"#)?;
    /// let reply = toolbox.invoke("deploy", values).expect("users can invoke it");
    /// assert_eq!(reply.to_string(), "Deploy web to eu 1.");
    /// assert!(toolbox.invoke("undo", Arguments::NONE).is_none());
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    #[must_use]
    pub fn invoke<'m>(&self, name: &str, arguments: Arguments<'m>) -> Option<Reply<'m>>
    where
        'a: 'm,
    {
        invoked(self, name, arguments).map(Reply::from)
    }

    /// Returns the skills that a user can invoke with [`slash`](Self::slash), sorted by name.
    ///
    /// An interface can offer them after a `/`, each with its [argument
    /// hint](Skill::argument_hint).
    pub fn slash_skills(&self) -> impl Iterator<Item = &'a Skill> + Clone + use<'a> {
        let toolbox = *self;
        self.set.iter().filter(move |skill| {
            toolbox.is_user_invocable(skill) && SlashCommand::is_name(skill.name(), toolbox.profile)
        })
    }

    fn is_user_invocable(&self, skill: &Skill) -> bool {
        skill.user_invocable() && self.view().is_allowed(skill.name())
    }
}

/// Returns the instructions of a skill that a user invokes, as [`Toolbox::invoke`] does.
#[must_use]
pub fn invoked<'m>(
    toolbox: &Toolbox<'m>,
    name: &str,
    arguments: Arguments<'m>,
) -> Option<LoadedSkill<'m>> {
    let skill = toolbox.set.get(name).filter(|skill| toolbox.is_user_invocable(skill))?;
    Some(toolbox.loaded(skill).with_arguments(arguments, toolbox.set.fill).as_message())
}
