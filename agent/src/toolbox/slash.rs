//! Skills that a user calls.

use super::{AsyncToolbox, Refusal, load_error_text};
use crate::Provider;
use alloc::borrow::ToOwned;
use helix_skills_runtime::{
    __internal::invoked, Arguments, LoadedSkill, Reply, Skill, SlashCommand,
};

impl<P: Provider> AsyncToolbox<P> {
    /// Answers a user's message `/NAME …` if `NAME` is a user-invocable skill of this agent.
    /// Returns the text to send instead, in the role of the user, or `None` for any other message.
    ///
    /// Commands of the body run as they do for a model, after the loaded skill was checked to be
    /// still user-invocable. If the provider or a command fails, the answer is an error for the
    /// user. See [`Toolbox::slash`](helix_skills_runtime::Toolbox::slash).
    ///
    /// ```
    /// use helix_skills::{AsyncToolbox, Profile};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const GREET: Skill =
    /// #     Skill::define("greet", "Greets.", "Say hello to $ARGUMENTS.").build();
    /// # static SKILLS: SkillSet = skill_set![GREET];
    /// # pollster::block_on(async {
    /// let toolbox = AsyncToolbox::builder(SKILLS).profile(Profile::ClaudeCode).build().await?;
    /// let typed = "/greet Ada";
    /// let reply = toolbox.slash(typed).await;
    /// let message = reply.map_or(typed.to_owned(), |reply| reply.to_string());
    /// assert_eq!(message, "Say hello to Ada.");
    /// # Ok::<(), helix_skills::Error>(())
    /// # }).unwrap();
    /// ```
    pub async fn slash(&self, message: &str) -> Option<Reply<'static>> {
        let answered = match self.slash_skill(message).await? {
            Ok(skill) => self.invoke(&skill, message).await,
            Err(reply) => Err(reply),
        };
        Some(answered.unwrap_or_else(Reply::from))
    }

    async fn invoke(&self, skill: &Skill, message: &str) -> Result<Reply<'static>, Refusal> {
        let command = SlashCommand::parse(message, self.options.profile);
        let arguments =
            command.map_or(Arguments::NONE, |command| Arguments::text(command.arguments()));
        self.check_input(skill, arguments).await?;
        match &self.options.shell {
            Some(shell) => self.slash_in_shell(shell, skill, message, arguments).await,
            None => {
                self.check_commands(skill)?;
                self.invoked(skill, message).map(|invoked| Reply::from(invoked).into_owned())
            }
        }
    }

    /// Returns the skill that a user's message calls, with its body. An `Err` is the answer if the
    /// provider fails, or if the skill is no longer user-invocable.
    async fn slash_skill(&self, message: &str) -> Option<Result<Skill, Refusal>> {
        let name = invoked(&self.listed(), message)?.name().to_owned();
        let fetched = self
            .fetch(&name, None)
            .await
            .map_err(|why| Refusal::new(&load_error_text(&name, &why)));
        Some(fetched.and_then(|skill| self.invoked(&skill, message).map(|_| ()).map(|()| skill)))
    }

    /// Returns the text of a skill that a message calls. An `Err` is the answer if the skill is no
    /// longer user-invocable.
    pub(super) fn invoked<'s>(
        &'s self,
        skill: &'s Skill,
        message: &'s str,
    ) -> Result<LoadedSkill<'s>, Refusal> {
        let no_longer =
            || Refusal::new(&load_error_text(skill.name(), "it is no longer user-invocable"));
        invoked(&self.options.only(skill), message).ok_or_else(no_longer)
    }
}
