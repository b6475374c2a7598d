//! Commands of other programs that this one does not have, answered with those that it has.

use super::usage_error::usage_error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use helix_skills_project::Error;

/// Subcommands that users try, and what to run instead.
const ANSWERS: [(&str, &str); 4] = [
    (
        "audit",
        "run `skills show NAME` for what a skill can run, and `skills diff` for what changed",
    ),
    ("lock", "run `skills sync`: it writes the lockfile and the store"),
    (
        "restore",
        "run `skills sync` to fetch what is locked, or `skills sync --restore` to undo edits in the store",
    ),
    ("use", "run `skills add OWNER/REPO --list`, then `skills add OWNER/REPO --include NAME`"),
];

/// Returns the error for a subcommand of another program.
pub(super) fn answer(error: &clap::Error) -> Option<Error> {
    let typed = match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(typed)) if error.kind() == ErrorKind::InvalidSubcommand => typed,
        _ => return None,
    };
    let (name, hint) = ANSWERS.iter().find(|(name, _)| name == typed)?;
    Some(usage_error(format!("unrecognized subcommand `{name}`"), *hint))
}
