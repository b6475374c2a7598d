//! Skills that a person calls.

use super::{AsyncToolbox, not_loaded};
use crate::{Provider, ReplyBuf};
use alloc::borrow::ToOwned;
use helix_skills_runtime::{
    Arguments, CommandError, InvokedSkill, Selection, SkillBuf, SkillSet, SlashCommand, Variables,
};

impl<P: Provider> AsyncToolbox<P> {
    /// What a person's message calls: see [`Toolbox::slash`](helix_skills_runtime::Toolbox::slash). What the provider fails with becomes a text for the model, marked
    /// as an error. None of any other message.
    pub async fn slash(&self, message: &str) -> Option<ReplyBuf> {
        let answered = match self.slash_skill(message).await? {
            Ok(skill) => self.invoke(&skill, message).await,
            Err(reply) => Err(reply),
        };
        Some(answered.unwrap_or_else(|reply| reply))
    }

    async fn invoke(&self, skill: &SkillBuf, message: &str) -> Result<ReplyBuf, ReplyBuf> {
        let command = SlashCommand::parse(message, self.choice.request().profile);
        let arguments = command.map_or(Arguments::NONE, |command| Arguments::text(command.arguments()));
        self.check_input(skill, arguments).await?;
        self.slashed(skill, message, |invoked| invoked.into())
    }

    /// The skill that a person's message calls, with its body: for a host that fills it, and answers with
    /// [`slash_reply`](Self::slash_reply). None of any other message.
    ///
    /// # Errors
    /// The answer in its place, when the provider fails, or has another skill of this name by now that is not for people.
    pub async fn slash_skill(&self, message: &str) -> Option<Result<SkillBuf, ReplyBuf>> {
        let name = self.view(|toolbox| toolbox.slash(message).map(|skill| skill.name().to_owned()))?;
        let fetched = self.fetch(&name, None).await.map_err(|why| ReplyBuf::failed(&not_loaded(&name, &why)));
        Some(fetched.and_then(|skill| self.slashed(&skill, message, |_| ()).map(|()| skill)))
    }

    /// The answer to a person's message, by a `skill` that was [asked for](Self::slash_skill) here, filled by a host as
    /// [`InvokedSkill::filled`](helix_skills_runtime::InvokedSkill::filled) says.
    ///
    /// # Errors
    /// When there are more outputs than commands, or fewer.
    pub fn slash_reply(
        &self,
        skill: &SkillBuf,
        message: &str,
        known: Variables<'_>,
        outputs: &[&str],
    ) -> Result<ReplyBuf, CommandError> {
        let filled = self.slashed(skill, message, |invoked| invoked.filled(known, outputs).map(ReplyBuf::from));
        filled.unwrap_or_else(Ok)
    }

    /// What `answer` makes of a skill that a message calls; or why there is nothing, because it is another one than was listed.
    fn slashed<R>(
        &self,
        skill: &SkillBuf,
        message: &str,
        answer: impl FnOnce(InvokedSkill<'_>) -> R,
    ) -> Result<R, ReplyBuf> {
        skill.view(|skill| {
            let alone = [skill];
            let toolbox = self.choice.toolbox(SkillSet::new(&alone), None, Selection::NONE);
            let no_longer = || ReplyBuf::failed(&not_loaded(skill.name(), "it is no longer for people"));
            toolbox.slash(message).map(answer).ok_or_else(no_longer)
        })
    }
}
