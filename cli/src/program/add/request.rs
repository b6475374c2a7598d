//! What `skills add` is asked for, and the commands that ask for something else.

use super::{
    page::pin_option,
    spec::Spec,
    suggested::{add_command, pinned},
};
use crate::program::{args::Add, usage_error::usage_error};
use helix_skills_format::GitUrl;
use helix_skills_project::{Error, GitSource, References};

/// A source, and the options that select and pin its skills.
pub(super) struct Request {
    pub(super) spec: Spec,
    /// The options as if all of them had been typed, and the source as commands name it.
    pub(super) args: Add,
    /// The word of `OWNER/REPO@WORD`.
    pub(super) word: Option<String>,
    /// The default branch, if the address is that of one of its pages.
    pub(super) default_branch: Option<String>,
    /// Whether a command has to name the default directory, because a source of the manifest has
    /// another one.
    pub(super) names_directory: bool,
}

impl Request {
    /// Returns the error for a word after `@` that is a tag or branch.
    pub(super) fn as_pin(
        &self,
        url: &GitUrl,
        word: &str,
        references: &References,
    ) -> Option<Error> {
        let is_tag = |name: &str| references.tags.iter().any(|tag| tag == name);
        let (option, value) = match pin_option(word) {
            ("--version", bare) if is_tag(word) || is_tag(&format!("v{bare}")) => {
                ("--version", bare)
            }
            _ if is_tag(word) || references.branches.iter().any(|name| name == word) => {
                ("--ref", word)
            }
            _ => return None,
        };
        let what = format!("`{word}` is not a skill of `{url}`, but a tag or branch");
        let mut args = pinned(&self.args, option, value);
        args.include.retain(|name| name != word);
        Some(usage_error(what, format!("run `{}`", self.command(&args))))
    }

    /// Returns the command with these arguments.
    pub(super) fn command(&self, args: &Add) -> String {
        let mut args = args.clone();
        let default = || Some(GitSource::DEFAULT_SKILLS_DIR.to_owned());
        if args.skills_dir.is_none() || args.skills_dir == default() {
            let is_needed = self.names_directory && args.plugin.is_none();
            args.skills_dir = default().filter(|_| is_needed);
        }
        add_command(&args)
    }

    /// Returns the command that lists what the repository has.
    pub(super) fn list(&self, args: &Add) -> String {
        let args = Add {
            list: true,
            no_sync: false,
            dry_run: false,
            plugin: None,
            skills_dir: None,
            name: None,
            include: Vec::new(),
            exclude: Vec::new(),
            rename: Vec::new(),
            prefix: None,
            ..args.clone()
        };
        add_command(&args)
    }
}
