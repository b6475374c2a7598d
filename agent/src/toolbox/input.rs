//! Checks of arguments against the input contract of a skill.

use super::{AsyncToolbox, cannot_load};
use crate::{Error, Provider, error_text::provider_error_text};
use alloc::format;
use helix_skills_runtime::{__internal::takes_arguments, Arguments, Skill};

impl<P: Provider> AsyncToolbox<P> {
    /// Checks the arguments of a tool call, before the body of `skill` is filled. Unlike
    /// [`check_input`](Self::check_input), it accepts a call without arguments if the tool has no
    /// parameter for arguments.
    ///
    /// # Errors
    /// Returns the answer to the call if the arguments do not fit or the provider fails.
    pub(super) async fn check_call(
        &self,
        skill: &Skill,
        arguments: Arguments<'_>,
    ) -> Result<(), Error> {
        if arguments.is_empty() && !takes_arguments(&self.listed()) {
            return Ok(());
        }
        self.check_input(skill, arguments).await
    }

    /// Checks arguments against the [contract](Provider::input) of `skill`, before its body is
    /// filled and its commands run.
    ///
    /// # Errors
    /// Returns the answer to the call if the arguments do not fit or the provider fails.
    pub(super) async fn check_input(
        &self,
        skill: &Skill,
        arguments: Arguments<'_>,
    ) -> Result<(), Error> {
        let profile = self.options.profile;
        let failed = |why: &str| cannot_load(skill.name(), why);
        let contract = self
            .provider
            .input(skill.name(), profile)
            .await
            .map_err(|error| failed(&provider_error_text(error)))?;
        let Some(contract) = contract else { return Ok(()) };
        let checked = contract.check_arguments(skill, arguments, profile);
        checked.map_err(|error| failed(&format!("its input does not fit: {error}")))
    }
}
