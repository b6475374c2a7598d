//! Toolboxes with a shell or with scripts.

use super::{AsyncToolbox, load_error_text};
use crate::{
    Provider, ReplyBuf,
    error_text::{error_text, provider_error_text},
    shell::{LiveContext, Scripts, uses_directory, without_shell},
};
use alloc::sync::Arc;
use core::{error::Error, fmt};
use helix_skills_runtime::{Arguments, CommandError, Profile, Reply, Skill, Variables};

/// Maximum number of characters of the error of a command or script that a model reads.
const MAX_LIVE_ERROR: usize = 1_000;

/// The runner of scripts, which the clones of a toolbox share.
#[derive(Clone)]
pub(super) struct SharedScripts(pub(super) Arc<dyn Scripts + Send + Sync>);

impl fmt::Debug for SharedScripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl<P: Provider> AsyncToolbox<P> {
    /// Loads a skill and fills its body with `live`.
    ///
    /// # Errors
    /// Returns the answer to the call if the skill cannot be loaded.
    pub(super) async fn load_live(
        &self,
        live: &LiveContext,
        name: &str,
        arguments: Arguments<'_>,
    ) -> Result<ReplyBuf, ReplyBuf> {
        let skill = self.loadable(name).await?;
        self.check_call(&skill, arguments).await?;
        self.answer_filled(live, &skill, arguments, |variables, outputs| {
            let loaded = self.loaded(&skill)?.with_arguments(arguments);
            Ok(loaded.filled(variables, outputs).map(|loaded| Reply::from(loaded).into()))
        })
        .await
    }

    /// Answers a user's message that calls `skill`, with the body filled by `live`.
    pub(super) async fn slash_live(
        &self,
        live: &LiveContext,
        skill: &Skill,
        message: &str,
        arguments: Arguments<'_>,
    ) -> Result<ReplyBuf, ReplyBuf> {
        self.answer_filled(live, skill, arguments, |variables, outputs| {
            let invoked = self.invoked(skill, message)?;
            Ok(invoked.filled(variables, outputs).map(ReplyBuf::from))
        })
        .await
    }

    /// Checks that `skill` can be filled without a shell. Like Agentick, its profile refuses
    /// commands that cannot run; the others keep them as text.
    ///
    /// # Errors
    /// Returns the answer to the call if the skill has commands that cannot run.
    pub(super) fn check_commands(&self, skill: &Skill) -> Result<(), ReplyBuf> {
        match self.options.profile() {
            profile @ Profile::Agentick => {
                without_shell(skill, profile).map_err(|error| failed(&error))
            }
            _ => Ok(()),
        }
    }

    /// Runs the commands of a skill, and calls `reply` to render the answer.
    async fn answer_filled(
        &self,
        live: &LiveContext,
        skill: &Skill,
        arguments: Arguments<'_>,
        reply: impl FnOnce(Variables<'_>, &[&str]) -> Result<Result<ReplyBuf, CommandError>, ReplyBuf>,
    ) -> Result<ReplyBuf, ReplyBuf> {
        let profile = self.options.profile();
        let directory = if uses_directory(skill, profile) {
            let name = skill.name();
            self.directory(name).await.map_err(|error| {
                ReplyBuf::failed(&load_error_text(name, &provider_error_text(error)))
            })?
        } else {
            None
        };
        let directory = directory.as_deref();
        let outputs = live
            .outputs(skill, profile, arguments, directory)
            .await
            .map_err(|error| failed(&error))?;
        live.with_variables(directory, &outputs, reply)?.map_err(|error| failed(&error))
    }

    /// Answers a call of the tool that runs scripts.
    pub(super) async fn run_script(
        &self,
        scripts: &(dyn Scripts + Send + Sync),
        arguments: &str,
    ) -> ReplyBuf {
        let name = match scripts.skill(arguments) {
            Ok(name) => name,
            Err(error) => return failed(&*error),
        };
        let skill = match self.loadable(&name).await {
            Ok(skill) => skill,
            Err(reply) => return reply,
        };
        let request = self.options.request();
        let directory = self.provider.directory(&name, &request);
        match scripts.run(&skill, directory, arguments).await {
            Ok(text) => ReplyBuf::new(text),
            Err(error) => failed(&*error),
        }
    }
}

fn failed(error: &dyn Error) -> ReplyBuf {
    ReplyBuf::failed(&error_text(error, MAX_LIVE_ERROR))
}
