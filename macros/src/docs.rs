//! What the items of a module say of themselves.

use crate::skill::{BakedResource, BakedSkill, Kind, Origin};
use helix_skills_runtime::{estimated_tokens, is_invisible};
use std::fmt::Write as _;

/// The module itself, where the caller says nothing of it.
pub(crate) const MODULE: &str = "Agent skills, verified at compile time: `SKILLS` is the set of them, `TOOLBOX` serves them to an agent, and every other item is one skill or one of its files.";

/// The set.
pub(crate) const SET: &str = "All skills of this module.";

/// An item that stands where something is wrong with a skill.
pub(crate) const UNPROVED: &str = "Could not be proved.";

/// The toolbox.
pub(crate) fn toolbox(preloaded: &[String]) -> String {
    format!("A toolbox of all skills of this module{}.", with_bodies(preloaded))
}

/// The constant with the size of the catalog.
pub(crate) fn catalog_tokens(preloaded: &[String]) -> String {
    format!("The estimated tokens of `TOOLBOX`'s catalog{}.", with_bodies(preloaded))
}

fn with_bodies(preloaded: &[String]) -> String {
    if preloaded.is_empty() {
        return String::new();
    }
    let names: Vec<_> = preloaded.iter().map(|name| code(name)).collect();
    format!(", with the bodies of {}", names.join(", "))
}

/// One skill; the answer of `load_skill` has `loaded` bytes.
pub(crate) fn skill(skill: &BakedSkill, loaded: usize) -> String {
    let loaded = estimated_tokens(loaded);
    let mut text =
        format!("The skill {}.\n\n{}\n\n", code(&skill.name), block(&skill.skill_md.description));
    let _ = write!(text, "About {loaded} tokens when it is loaded");
    match skill.resources.len() {
        0 => {}
        1 => text.push_str("; one file beside `SKILL.md`"),
        files => {
            let _ = write!(text, "; {files} files beside `SKILL.md`");
        }
    }
    let _ = write!(text, ". {}.", origin(&skill.origin));
    text
}

/// One file of a skill.
pub(crate) fn file(skill: &BakedSkill, file: &BakedResource) -> String {
    let kind = if matches!(file.kind, Kind::Binary) { "binary" } else { "text" };
    let (path, name) = (code(&file.path), code(&skill.name));
    format!("The file {path} of the skill {name}.\n\nIts size is {} bytes, {kind}.", file.len)
}

/// Where a skill is from.
fn origin(origin: &Origin) -> String {
    let mut text = format!("From {}", code(&origin.path));
    for (label, value) in [
        ("of the source", &origin.source),
        ("in", &origin.url),
        ("at", &origin.reference),
        ("commit", &origin.commit),
    ] {
        if let Some(value) = value {
            let _ = write!(text, ", {label} {}", code(value));
        }
    }
    text
}

/// Untrusted text on one line, as it is.
fn code(text: &str) -> String {
    let text = visible(text, false);
    let ticks = "`".repeat(longest_run(&text) + 1);
    // Between blanks, which are not shown, the text may begin and end with what it likes.
    let blank = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// Untrusted text with its lines, as it is. Nothing in it ends the block: no run of its
/// backticks is as long as the fence.
fn block(text: &str) -> String {
    let text = visible(text, true);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

/// How many backticks stand in a row at most.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// `text` with its invisible characters escaped.
fn visible(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if (lines && matches!(c, '\n' | '\t')) || !(c.is_control() || is_invisible(c)) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_block() {
        for (text, expected) in [
            ("Does it.", "```text\nDoes it.\n```"),
            ("a\n```\nb", "````text\na\n```\nb\n````"),
            ("~~~\n``````x", "```````text\n~~~\n``````x\n```````"),
            ("a\r\n```\u{202e}\u{2028}\0", "````text\na\\r\n```\\u{202e}\\u{2028}\\u{0}\n````"),
        ] {
            assert_eq!(block(text), expected);
        }
    }

    #[test]
    fn nothing_breaks_out_of_a_span() {
        for (text, expected) in [
            ("a.md", "`a.md`"),
            ("a``b", "```a``b```"),
            ("`a", "`` `a ``"),
            (" a", "`  a `"),
            ("a\nb\u{200b}", "`a\\nb\\u{200b}`"),
        ] {
            assert_eq!(code(text), expected);
        }
    }
}
