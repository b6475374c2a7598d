//! Templates filled with arguments and variables.

use super::{Arguments, Template, Variables, variables::SKILL_DIRECTORY};
use crate::directory::SkillDirectory;
use alloc::borrow::Cow;

/// A template and its values. `Display` is the text for a model.
///
/// Nothing here runs a command. Without outputs, the text shows the commands, each after the
/// assignments of its values. A host that runs commands gets them from
/// [`commands`](Self::commands), runs them in order, and inserts their outputs.
#[derive(Clone, Copy, Debug)]
pub struct FilledTemplate<'a> {
    pub(super) template: Template<'a>,
    pub(super) arguments: Arguments<'a>,
    pub(super) variables: &'a Variables,
    /// The path of the skill's directory, in pieces. The variables take precedence over it.
    pub(super) directory: Option<[&'a str; 3]>,
    /// Whether values are inserted into commands as they are.
    pub(super) is_unquoted: bool,
    pub(super) outputs: Option<&'a [&'a str]>,
}

impl<'a> FilledTemplate<'a> {
    pub(super) const fn new(
        template: Template<'a>,
        arguments: Arguments<'a>,
        variables: &'a Variables,
    ) -> Self {
        Self { template, arguments, variables, directory: None, is_unquoted: false, outputs: None }
    }

    /// Sets the path of the skill's directory, unless it is one of the variables.
    #[must_use]
    pub fn in_directory(mut self, path: Option<&'a str>) -> Self {
        self.directory = path.map(|path| [path, "", ""]);
        self
    }

    pub(crate) fn at(mut self, directory: SkillDirectory<'a>) -> Self {
        self.directory = Some(directory.path());
        self
    }

    /// Inserts values into commands as they are, so that they can become syntax.
    #[must_use]
    pub const fn unquoted(mut self, is_unquoted: bool) -> Self {
        self.is_unquoted = is_unquoted;
        self
    }

    /// Inserts `outputs` instead of the commands, in order.
    ///
    /// The final line end of an inline command's output is removed, except in
    /// [`Profile::Agentick`](crate::Profile::Agentick).
    #[must_use]
    pub const fn with_outputs(mut self, outputs: &'a [&'a str]) -> Self {
        self.outputs = Some(outputs);
        self
    }

    /// Returns the value of a variable.
    pub(super) fn variable(&self, name: &str) -> Option<Cow<'a, str>> {
        let directory = || self.directory.filter(|_| SKILL_DIRECTORY.contains(&name));
        self.variables.get(name).map(Cow::from).or_else(|| Some(directory()?.concat().into()))
    }
}
