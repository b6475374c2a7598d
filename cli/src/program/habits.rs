//! Hints for commands and options that users know from other package managers.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The hint for `install` and `i`.
const INSTALL: &str =
    "run `skills add SOURCE` for new skills, or `skills sync` for those of the manifest";

/// Commands of other programs, each with its hint.
const COMMANDS: [(&str, &str); 8] = [
    ("install", INSTALL),
    ("i", INSTALL),
    ("upgrade", "run `skills update`"),
    ("uninstall", "run `skills remove SOURCE`"),
    ("info", "run `skills show NAME`"),
    ("find", "run `skills search QUERY`"),
    ("check", "run `skills sync --check`"),
    ("new", "run `skills init`"),
];

/// Options of other programs for `add`, each with its hint.
const ADD_OPTIONS: [(&str, &str); 4] = [
    ("--tag", "pin a tag with `--ref TAG`"),
    ("--branch", "pin a branch with `--ref BRANCH`"),
    ("--rev", "pin a commit with `--sha COMMIT`"),
    ("--skill", "select skills with `--include DIR`"),
];

/// Returns message and hint if the error is about such a command or option. `typed` is the command
/// of the line, if it has one.
pub(super) fn explain(typed: Option<&str>, error: &Error) -> Option<(String, &'static str)> {
    let (kind, what, known) = match (error.kind(), typed) {
        (ErrorKind::InvalidSubcommand, None) => {
            (ContextKind::InvalidSubcommand, "command", &COMMANDS[..])
        }
        (ErrorKind::UnknownArgument, Some("add")) => {
            (ContextKind::InvalidArg, "option", &ADD_OPTIONS[..])
        }
        _ => return None,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else { return None };
    let (_, hint) = known.iter().find(|(habit, _)| habit == word)?;
    Some((format!("unknown {what} `{word}`"), hint))
}
