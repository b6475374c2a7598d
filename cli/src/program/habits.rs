//! Hints for commands and options that users know from other package managers.

use super::{quoted::quoted, typed::Typed};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use helix_skills_format::ObjectId;
use std::ffi::OsString;

/// Commands of other programs: the command of this one, and what it needs.
const COMMANDS: [(&str, &str, &str); 8] = [
    ("install", "add", "SOURCE"),
    ("i", "add", "SOURCE"),
    ("upgrade", "update", ""),
    ("uninstall", "remove", "NAME"),
    ("info", "show", "NAME"),
    ("find", "search", "QUERY"),
    ("check", "sync --check", ""),
    ("new", "", "NAME"),
];

/// Options of other programs for `add`: the option of this one, and its value.
const ADD_OPTIONS: [(&str, &str, &str); 4] = [
    ("--tag", "--ref", "TAG"),
    ("--branch", "--ref", "BRANCH"),
    ("--rev", "--sha", "COMMIT"),
    ("--skill", "--include", "DIR"),
];

/// Returns message and hint if the error is about such a command or option. `typed` is the command
/// of the line, if it has one.
pub(super) fn explain(
    typed: Option<&str>,
    arguments: &[OsString],
    error: &Error,
) -> Option<(String, String)> {
    let typed_words = arguments.iter().skip(1).map(|word| Typed::from(word.as_os_str()));
    let mut words = typed_words.map(|word| word.to_string());
    match (error.kind(), typed) {
        (ErrorKind::InvalidSubcommand, None) => {
            let word = context(error, ContextKind::InvalidSubcommand)?;
            let (_, instead, needed) = COMMANDS.iter().find(|(habit, ..)| habit == word)?;
            let before: Vec<String> = words.by_ref().take_while(|typed| typed != word).collect();
            let rest: Vec<String> = words.collect();
            let hint = command(word, instead, needed, &before, &rest);
            Some((format!("unknown command `{word}`"), hint))
        }
        (ErrorKind::UnknownArgument, Some("add")) => {
            let word = context(error, ContextKind::InvalidArg)?;
            ADD_OPTIONS.iter().find(|(habit, ..)| habit == word)?;
            let line: Vec<String> = words.collect();
            Some((format!("unknown option `{word}`"), format!("run `skills{}`", options(&line))))
        }
        _ => None,
    }
}

fn context(error: &Error, kind: ContextKind) -> Option<&String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    }
}

/// Returns the hint for a command of another program with its arguments.
fn command(word: &str, instead: &str, needed: &str, before: &[String], rest: &[String]) -> String {
    let is_option = |word: &&String| word.starts_with('-');
    let name = rest.iter().find(|word| !is_option(word));
    let line = |command: &str, rest: &[String]| {
        let words: Vec<String> = before.iter().chain(rest).cloned().collect();
        let words = match command {
            "add" => options(&words),
            _ => words.iter().map(|word| format!(" {}", quoted(word))).collect(),
        };
        format!("`skills {command}{words}`")
    };
    match (word, name) {
        ("new", _) => {
            let name = name.map_or(needed, String::as_str);
            let file = quoted(&format!("skills/{name}/SKILL.md"));
            format!("write `{file}`, then run `skills add ./skills`")
        }
        ("check", _) => format!("run {}", line(instead, &[])),
        ("install" | "i", None) => format!(
            "run `skills {instead} {needed}` for new skills, or {} for those of the manifest",
            line("sync", rest)
        ),
        (_, None) if !needed.is_empty() => format!("run `skills {instead} {needed}`"),
        _ => format!("run {}", line(instead, rest)),
    }
}

/// Returns the words of a line with the options of this program, a space before each.
fn options(words: &[String]) -> String {
    let mut words = words.iter().peekable();
    let mut line = String::new();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        let Some((_, instead, needed)) = ADD_OPTIONS.iter().find(|(habit, ..)| *habit == option)
        else {
            line.push_str(&format!(" {}", quoted(word)));
            continue;
        };
        let next = || words.next_if(|value| !value.starts_with('-')).map(String::as_str);
        let value = value.or_else(next);
        let instead = match (option, value) {
            // All skills are the default.
            ("--skill", Some("*")) => continue,
            ("--rev", Some(value)) if value.parse::<ObjectId>().is_err() => "--ref",
            _ => instead,
        };
        let value = value.map_or_else(|| (*needed).to_owned(), quoted);
        line.push_str(&format!(" {instead} {value}"));
    }
    line
}
