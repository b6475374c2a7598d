//! What runs the scripts of skills.

use crate::{Pending, ProviderError, run::ToolDefinition};
use alloc::string::String;
use helix_skills_runtime::{SkillBuf, Toolbox};

/// Runs scripts of skills when a model asks for it: a tool of its own in an
/// [`AsyncToolbox`](crate::AsyncToolbox), which [`scripts`](crate::AsyncToolboxBuilder::scripts) adds.
///
/// `ScriptRunner` of the crate `helix-skills-host` runs them as programs of the operating system; an
/// agent with a sandbox implements this trait.
pub trait Scripts {
    /// The name of the tool.
    fn name(&self) -> &'static str;

    /// The tool as a model reads it, for the skills of `toolbox`.
    fn tool(&self, toolbox: Toolbox<'_>) -> ToolDefinition;

    /// The name of the skill that a call with `arguments`, the text of a JSON object, is about.
    ///
    /// # Errors
    /// If the arguments are not those of the tool. The model reads why.
    fn skill(&self, arguments: &str) -> Result<String, ProviderError>;

    /// Runs the script of `skill` that a call with `arguments` asks for. The answer is the text for the
    /// model, which reads errors as well.
    ///
    /// `directory` returns the absolute path of the skill's files, if they are on this machine. It is
    /// awaited once the script is known to exist, because some providers write the files first.
    fn run<'s>(
        &'s self,
        skill: &'s SkillBuf,
        directory: Pending<'s, Option<String>>,
        arguments: &'s str,
    ) -> Pending<'s, String>;
}
