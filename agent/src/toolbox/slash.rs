//! Skills that a user calls.

use super::{AsyncToolbox, cannot_load};
use crate::{Error, Provider};
use helix_skills_runtime::{
    __internal::{invoked, with_body},
    Arguments, LoadedSkill, Reply, Skill, SlashCommand,
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
        let command = SlashCommand::parse(message, self.options.profile)?;
        self.invoke(command.name(), Arguments::text(command.arguments())).await
    }

    /// Returns the text to send, in the role of the user, if the user invokes the skill `name` with
    /// `arguments` in another way than by typing; `None` if a user cannot invoke it. See
    /// [`slash`](Self::slash) and [`Toolbox::invoke`](helix_skills_runtime::Toolbox::invoke).
    pub async fn invoke(&self, name: &str, arguments: Arguments<'_>) -> Option<Reply<'static>> {
        invoked(&self.listed(), name, arguments)?;
        Some(self.load_invoked(name, arguments).await.unwrap_or_else(Reply::from))
    }

    async fn load_invoked(
        &self,
        name: &str,
        arguments: Arguments<'_>,
    ) -> Result<Reply<'static>, Error> {
        let skill = self.fetch(name, None).await.map_err(|why| cannot_load(name, &why))?;
        // It may have changed since it was listed, and is not checked or filled then.
        self.invoked(&skill, arguments)?;
        self.check_input(&skill, arguments).await?;
        let body = match &self.options.shell {
            Some(shell) => Some(self.fill_in_shell(shell, &skill, arguments).await?),
            None => None,
        };
        let invoked = self.invoked(&skill, arguments)?;
        let invoked = match &body {
            Some(body) => with_body(invoked, body),
            None => invoked,
        };
        Ok(Reply::from(invoked).into_owned())
    }

    /// Returns the text of a skill that a user invokes. An `Err` is the answer if the skill is no
    /// longer user-invocable.
    fn invoked<'s>(
        &'s self,
        skill: &'s Skill,
        arguments: Arguments<'s>,
    ) -> Result<LoadedSkill<'s>, Error> {
        let no_longer = || cannot_load(skill.name(), "it is no longer user-invocable");
        invoked(&self.options.only(skill), skill.name(), arguments).ok_or_else(no_longer)
    }
}
