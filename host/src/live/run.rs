//! Runs of skills whose bodies are filled here.

use super::LiveContext;
use helix_skills_agent::{
    Provider,
    run::{Run, RunError},
};
use helix_skills_runtime::{Arguments, Profile, SkillBuf};
use std::path::Path;

impl LiveContext {
    /// A run of the skill that a provider has by this name, with the body that is [filled](Self::fill) here: its commands have run
    /// when this returns, and no model has been asked.
    ///
    /// ```
    /// use helix_skills_host::{Directories, LiveContext, SystemShell};
    /// use helix_skills::{template::Arguments, Profile, run::RunError};
    /// # use helix_skills::{provider::Pending, run::{Answer, Message, Model, ToolDefinition}};
    /// # struct Parrot;
    /// # impl Model for Parrot {
    /// #     fn answer<'m>(&'m self, messages: &'m [Message], _: &'m [ToolDefinition]) -> Pending<'m, Answer> {
    /// #         let Some(Message::User(told)) = messages.get(1) else { unreachable!() };
    /// #         Box::pin(async { Ok(told.clone().into()) })
    /// #     }
    /// # }
    /// # fn ready<T>(future: impl Future<Output = T>) -> T {
    /// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    /// #     match std::pin::pin!(future).poll(&mut context) { std::task::Poll::Ready(ready) => ready, _ => unreachable!() }
    /// # }
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// # std::fs::create_dir(path.join("greet")).unwrap();
    /// # std::fs::write(path.join("greet/SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nSay hello to $0.\n").unwrap();
    /// # let model = Parrot;
    /// # ready(async {
    /// let (skills, live) = (Directories::new().root(path), LiveContext::new(SystemShell::new()));
    /// let run = live.run(&skills, "greet", Profile::Agentick, Arguments::text("Ada")).await?;
    /// let text = run.text(&model).await?;
    /// # assert!(text.contains("Say hello to Ada."), "{text}");
    /// # Ok::<(), RunError>(())
    /// # }).unwrap();
    /// ```
    ///
    /// # Errors
    /// When there is no such skill, when the provider fails, or when the body cannot be filled: then a
    /// [`LiveError`](crate::LiveError) is the source.
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
        let body = self.fill(&skill, profile, arguments, run.directory().map(Path::new)).await;
        match body {
            Ok(body) => Ok(run.filled(body)),
            Err(source) => Err(RunError::Body { skill: name.to_owned(), source: source.into() }),
        }
    }
}
