//! Skills that a person calls.

use super::{LiveToolbox, failed};
use helix_skills_agent::{Provider, ReplyBuf};
use helix_skills_runtime::{Arguments, SkillBuf, SlashCommand};

impl<P: Provider> LiveToolbox<P> {
    /// What a person's message calls, if it is `/NAME …` with the name of a skill of this agent that is for people: the text to send
    /// in its place, in the role of the user, after the commands of the body have run. What goes wrong is an answer, too, marked as
    /// an error, for the person to read. None of any other message: see
    /// [`Toolbox::slash`](helix_skills_runtime::Toolbox::slash).
    ///
    /// ```
    /// use helix_skills::live::LiveContext;
    /// use helix_skills_host::{Directories, LiveToolbox, SystemShell};
    /// use helix_skills::{AsyncToolbox, Profile};
    /// # fn ready<T>(future: impl Future<Output = T>) -> T {
    /// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
    /// # }
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("greet")).unwrap();
    /// # std::fs::write(path.join("greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nSay hello to $ARGUMENTS.\n").unwrap();
    /// # ready(async {
    /// let skills = AsyncToolbox::builder(Directories::new().root(path)).profile(Profile::ClaudeCode).build().await?;
    /// let toolbox = LiveToolbox::new(skills, LiveContext::new(SystemShell::new()));
    /// let typed = "/greet Ada";
    /// let message = toolbox.slash(typed).await.map_or(typed.to_owned(), |reply| reply.into_string());
    /// assert_eq!(message, "Say hello to Ada.");
    /// # Ok::<(), helix_skills::ToolboxError>(())
    /// # }).unwrap();
    /// ```
    pub async fn slash(&self, message: &str) -> Option<ReplyBuf> {
        Some(match self.skills.slash_skill(message).await? {
            Ok(skill) => self.invoke(&skill, message).await.unwrap_or_else(|reply| reply),
            Err(reply) => reply,
        })
    }

    /// The answer to a message that calls a skill; what has gone wrong is one, too.
    async fn invoke(&self, skill: &SkillBuf, message: &str) -> Result<ReplyBuf, ReplyBuf> {
        let profile = self.skills.view(|toolbox| toolbox.profile());
        let command = SlashCommand::parse(message, profile);
        let arguments = command.map_or(Arguments::NONE, |command| Arguments::text(command.arguments()));
        self.skills.check_input(skill, arguments).await?;
        let directory = self.directory(skill).await?;
        let directory = directory.as_deref();
        let outputs = self.live.outputs(skill, profile, arguments, directory).await.map_err(failed)?;
        let reply = self
            .live
            .with(directory, &outputs, |known, outputs| self.skills.slash_reply(skill, message, known, outputs));
        reply.map_err(failed)
    }
}
