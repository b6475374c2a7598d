//! Skills that a person calls.

use super::{AsyncToolbox, load_error_text};
use crate::{Provider, ReplyBuf};
use alloc::borrow::ToOwned;
use helix_skills_runtime::{Arguments, InvokedSkill, SkillBuf, SlashCommand};

impl<P: Provider> AsyncToolbox<P> {
    /// Answers a person's message that is `/NAME …` with the name of a skill of this agent that is for
    /// people: the text to send instead, in the role of the user. `None` for any other message.
    ///
    /// If the provider or a command fails, the answer is an error for the person to read. See
    /// [`Toolbox::slash`](helix_skills_runtime::Toolbox::slash).
    ///
    /// ```
    /// use helix_skills::{AsyncToolbox, Profile};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const GREET: Skill = Skill::define("greet", "Greets.", "Say hello to $ARGUMENTS.").build();
    /// # static SKILLS: SkillSet = skill_set![GREET];
    /// # pollster::block_on(async {
    /// let toolbox = AsyncToolbox::builder(SKILLS).profile(Profile::ClaudeCode).build().await?;
    /// let typed = "/greet Ada";
    /// let message = toolbox.slash(typed).await.map_or(typed.to_owned(), |reply| reply.into_string());
    /// assert_eq!(message, "Say hello to Ada.");
    /// # Ok::<(), helix_skills::ToolboxError>(())
    /// # }).unwrap();
    /// ```
    pub async fn slash(&self, message: &str) -> Option<ReplyBuf> {
        let answered = match self.slash_skill(message).await? {
            Ok(skill) => self.invoke(&skill, message).await,
            Err(reply) => Err(reply),
        };
        Some(answered.unwrap_or_else(|reply| reply))
    }

    async fn invoke(&self, skill: &SkillBuf, message: &str) -> Result<ReplyBuf, ReplyBuf> {
        let command = SlashCommand::parse(message, self.options.profile());
        let arguments =
            command.map_or(Arguments::NONE, |command| Arguments::text(command.arguments()));
        self.check_input(skill, arguments).await?;
        match &self.options.live {
            Some(live) => self.slash_live(live, skill, message, arguments).await,
            None => self.with_invoked(skill, message, |invoked| invoked.into()),
        }
    }

    /// The skill that a person's message calls, with its body. An `Err` is the answer if the provider
    /// fails, or has another skill of this name by now that is not for people.
    async fn slash_skill(&self, message: &str) -> Option<Result<SkillBuf, ReplyBuf>> {
        let name =
            self.view(|toolbox| toolbox.slash(message).map(|skill| skill.name().to_owned()))?;
        let fetched = self
            .fetch(&name, None)
            .await
            .map_err(|why| ReplyBuf::failed(&load_error_text(&name, &why)));
        Some(fetched.and_then(|skill| self.with_invoked(&skill, message, |_| ()).map(|()| skill)))
    }

    /// What `answer` makes of a skill that a message calls. An `Err` is the answer if it is no longer the
    /// skill that was listed.
    pub(super) fn with_invoked<R>(
        &self,
        skill: &SkillBuf,
        message: &str,
        answer: impl FnOnce(InvokedSkill<'_>) -> R,
    ) -> Result<R, ReplyBuf> {
        self.options.with_skill(skill, |toolbox| {
            let no_longer =
                || ReplyBuf::failed(&load_error_text(skill.name(), "it is no longer for people"));
            toolbox.slash(message).map(answer).ok_or_else(no_longer)
        })
    }
}
