//! The interface to run scripts of skills.

use crate::{BoxFuture, ProviderError, run::ToolDefinition};
use alloc::string::String;
use core::fmt;
use helix_skills_runtime::{Profile, Skill, Toolbox};

/// Runs scripts of skills on request of a model: `ScriptRunner` of the crate `helix-skills-host`.
/// An [`AsyncToolbox`](crate::AsyncToolbox) offers it as one more tool if
/// [`scripts`](crate::AsyncToolboxBuilder::scripts) is set.
pub trait Scripts: Send + Sync {
    /// Returns the name of the tool.
    fn name(&self) -> &'static str;

    /// Returns the definition of the tool, for the skills of `toolbox`.
    fn tool(&self, toolbox: Toolbox<'_>) -> ToolDefinition;

    /// Returns the name of the skill that a call refers to. `arguments` is the text of a JSON
    /// object.
    ///
    /// # Errors
    /// If the arguments are not valid for the tool. The model reads the error.
    fn skill(&self, profile: Profile, arguments: &str) -> Result<String, ProviderError>;

    /// Runs the script of `skill` that a call with `arguments` names, and returns the text for the
    /// model. The model reads errors as well.
    ///
    /// `directory` returns the absolute path of the skill's files, if they are on this machine. It
    /// is awaited only once the script is known to exist, because some providers have to write the
    /// files first. Building a toolbox warns of skills whose files are not in a directory.
    fn run<'s>(
        &'s self,
        skill: &'s Skill,
        directory: BoxFuture<'s, Option<String>>,
        profile: Profile,
        arguments: &'s str,
    ) -> BoxFuture<'s, String>;
}

impl fmt::Debug for dyn Scripts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
