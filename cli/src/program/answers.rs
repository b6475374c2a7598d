//! Commands and options of other programs that this one does not have, answered with those that it
//! has.

use super::usage_error::usage_error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use helix_skills_project::Error;

/// Subcommands and options that users try, and what to run instead.
const ANSWERS: [(&str, &str); 12] = [
    ("--force", "run `skills sync --restore` to undo edits in the store"),
    ("--latest", "run `skills outdated` for newer releases and the commands that pin them"),
    ("audit", "run `skills show NAME` for what it can run, `skills diff` for what changed"),
    ("check", "run `skills sync --check`"),
    ("find", "run `skills add OWNER/REPO --list WORD`; `skills search WORD` finds locked skills"),
    ("lint", "run `skills validate`"),
    ("lock", "run `skills sync`: it writes the lockfile and the store"),
    ("publish", "push its directory to a git repository, for `skills add OWNER/REPO`"),
    ("restore", "run `skills sync`, or `skills sync --restore` to undo edits in the store"),
    ("status", "run `skills sync --check`, or `skills outdated` to ask upstream"),
    ("use", "run `skills add OWNER/REPO --list`, then `skills add OWNER/REPO --include NAME`"),
    ("verify", "run `skills sync --check`"),
];

/// Returns the error for a subcommand or an option of another program.
pub(super) fn answer(error: &clap::Error) -> Option<Error> {
    let (what, kind) = match error.kind() {
        ErrorKind::InvalidSubcommand => ("unrecognized subcommand", ContextKind::InvalidSubcommand),
        ErrorKind::UnknownArgument => ("unexpected argument", ContextKind::InvalidArg),
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let (name, hint) = ANSWERS.iter().find(|(name, _)| name == typed)?;
    Some(usage_error(format!("{what} `{name}`"), *hint))
}
