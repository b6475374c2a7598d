//! Toolboxes with a shell or with scripts.

use super::{AsyncToolbox, cannot_load};
use crate::{
    Error, ErrorKind, Provider,
    error_text::{error_text, provider_error_text},
    shell::{ShellContext, scripts::Scripts},
};
use alloc::string::{String, ToString};
use core::error;
use helix_skills_runtime::{
    __internal::{directory_of, text_reply},
    Arguments, OneLine, Reply, Skill,
};

/// Maximum number of characters of the error of a command or script that a model reads.
const MAX_SHELL_ERROR: usize = 1_000;

impl<P: Provider> AsyncToolbox<P> {
    /// Fills the body of a skill, and runs its commands.
    pub(super) async fn fill_in_shell(
        &self,
        shell: &ShellContext,
        skill: &Skill,
        arguments: Arguments<'_>,
    ) -> Result<String, Error> {
        let profile = self.options.profile;
        let filled = skill.template(profile).bind(arguments, &shell.variables);
        let directory = if filled.uses_directory() {
            let name = skill.name();
            self.provider
                .directory(name, profile)
                .await
                .map_err(|error| cannot_load(name, &provider_error_text(error)))?
        } else {
            None
        };
        // The path in the text may be one that only the model knows.
        let shown = directory.clone().or_else(|| directory_of(&self.options.only(skill), skill));
        let (directory, shown) = (directory.as_deref(), shown.as_deref());
        let filled = shell.fill_in(skill, profile, filled, directory, shown).await;
        filled.map_err(|error| failed(&error))
    }

    /// Answers a call of the tool that runs scripts.
    pub(super) async fn run_script(
        &self,
        scripts: &dyn Scripts,
        arguments: &str,
    ) -> Result<Reply<'static>, Error> {
        let profile = self.options.profile;
        let name = scripts.skill(profile, arguments).map_err(|error| failed(&*error))?;
        let skill = self.loadable(&name, None).await?;
        let directory = self.provider.directory(&name, profile);
        let text = scripts.run(&skill, directory, profile, arguments).await;
        Ok(text_reply(text.map_err(|error| failed(&*error))?, false))
    }
}

fn failed(error: &dyn error::Error) -> Error {
    let text = error_text(error, MAX_SHELL_ERROR);
    Error::new(ErrorKind::Failed, OneLine(&text).to_string())
}
