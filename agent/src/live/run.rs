//! Runs of skills whose bodies contain commands.

use super::LiveContext;
use crate::{
    Provider,
    run::{Run, RunError},
};
use alloc::borrow::ToOwned;
use helix_skills_runtime::{Arguments, Profile, SkillBuf};

impl LiveContext {
    /// Creates a run of the skill `name` of a provider, with its body [filled](Self::fill). When
    /// this returns, the commands of the body have run, and no model has been called.
    ///
    /// ```
    /// use helix_skills::live::LiveContext;
    /// use helix_skills::{template::Arguments, Profile, run::RunError};
    /// # use helix_skills::{Skill, SkillSet, provider::Pending, skill_set};
    /// # use helix_skills::run::{Answer, Message, Model, ToolDefinition};
    /// # struct Parrot;
    /// # impl Model for Parrot {
    /// #     fn answer<'m>(
    /// #         &'m self,
    /// #         messages: &'m [Message],
    /// #         _: &'m [ToolDefinition],
    /// #     ) -> Pending<'m, Answer> {
    /// #         let Some(Message::User(text)) = messages.get(1) else { unreachable!() };
    /// #         Box::pin(async { Ok(text.clone().into()) })
    /// #     }
    /// # }
    /// # const GREET: Skill = Skill::define("greet", "Greets.", "Say hello to $0.").build();
    /// # static SKILLS: SkillSet = skill_set![GREET];
    /// # let (model, live) = (Parrot, LiveContext::without_shell());
    /// # pollster::block_on(async {
    /// let run = live.run(&SKILLS, "greet", Profile::Agentick, Arguments::text("Ada")).await?;
    /// let text = run.text(&model).await?;
    /// # assert!(text.contains("Say hello to Ada."), "{text}");
    /// # Ok::<(), RunError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// If there is no such skill, if the provider fails, or if the body cannot be filled. In the
    /// last case, the source is a [`LiveError`](super::LiveError).
    pub async fn run(
        &self,
        skills: &(impl Provider + ?Sized),
        name: &str,
        profile: Profile,
        arguments: Arguments<'_>,
    ) -> Result<Run<'static>, RunError> {
        let run = Run::load(skills, name, profile).await?;
        run.clone().arguments(arguments).check_input()?;
        let skill = run.view(|skill| SkillBuf::from(skill));
        let body = self.fill(&skill, profile, arguments, run.directory()).await;
        match body {
            Ok(body) => Ok(run.filled(body)),
            Err(source) => Err(RunError::Body { skill: name.to_owned(), source: source.into() }),
        }
    }
}
