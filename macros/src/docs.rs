//! The doc comments of generated items.

use crate::skill::{BakedResource, BakedSkill, ContentKind, Origin};
use helix_skills_format::__internal::{printable, printable_lines};
use helix_skills_runtime::estimated_tokens;
use std::fmt::Write as _;

/// The doc of the module, unless the caller writes one.
pub(crate) const MODULE: &str = "Agent skills, verified at compile time: `SKILLS` is the set of them, `TOOLBOX` serves them to an agent, and every other item is one skill or one of its files.";

/// The doc of the set.
pub(crate) const SET: &str = "All skills of this module.";

/// The doc of a placeholder for an invalid skill or file.
pub(crate) const UNVERIFIED: &str = "Could not be verified.";

/// Returns the doc of the toolbox.
pub(crate) fn toolbox(preloaded: &[String]) -> String {
    format!("A toolbox of all skills of this module{}.", with_bodies(preloaded))
}

/// Returns the doc of the constant with the size of the catalog.
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

/// Returns the doc of a skill whose answer of `load_skill` has `loaded` bytes.
pub(crate) fn skill(skill: &BakedSkill, loaded: usize) -> String {
    let loaded = estimated_tokens(loaded);
    let mut text =
        format!("The skill {}.\n\n{}\n\n", code(&skill.name), block(skill.skill.description()));
    let _ = write!(text, "About {loaded} tokens when it is loaded");
    match skill.resources.len() {
        0 => {}
        1 => text.push_str("; one file next to `SKILL.md`"),
        files => {
            let _ = write!(text, "; {files} files next to `SKILL.md`");
        }
    }
    let _ = write!(text, ". {}.", origin(&skill.origin));
    text
}

/// Returns the doc of a file.
pub(crate) fn file(skill: &BakedSkill, file: &BakedResource) -> String {
    let kind = if matches!(file.kind, ContentKind::Binary) { "binary" } else { "text" };
    let (path, name) = (code(&file.path), code(&skill.name));
    format!("The file {path} of the skill {name}.\n\nIts size is {} bytes, {kind}.", file.len)
}

/// Returns the provenance of a skill.
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

/// Returns untrusted text as a Markdown code span on one line.
fn code(text: &str) -> String {
    let text = printable(text);
    let ticks = "`".repeat(longest_run(&text) + 1);
    // Markdown strips one blank at each end, so that the text may start or end with a backtick or
    // blank.
    let blank = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{ticks}{blank}{text}{blank}{ticks}")
}

/// Returns untrusted text as a Markdown code block. Nothing in it can end the block, because its
/// fence is longer than every run of backticks in the text.
fn block(text: &str) -> String {
    let text = printable_lines(text);
    let fence = "`".repeat(longest_run(&text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
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
            ("a\nb\u{200b}", "`a\\u{a}b\\u{200b}`"),
        ] {
            assert_eq!(code(text), expected);
        }
    }
}
