//! A reader who takes everything for a tag that looks like one.

use helix_skills_runtime::is_invisible;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The tags that structure what a model reads, as we write them or with the other of `-` and `_`.
pub(crate) const TAGS: [&str; 14] = [
    "skill",
    "skills",
    "skill_resources",
    "skill-resources",
    "skill_file",
    "skill-file",
    "skill-context",
    "skill_context",
    "skill_result",
    "skill-result",
    "available_skills",
    "available-skills",
    "system-reminder",
    "system_reminder",
];

/// What is left of a text for somebody who sees no marks, no invisible characters, no cases and no fonts.
fn plain(text: &str) -> String {
    let seen = |c: &char| {
        !is_invisible(*c) && !is_combining_mark(*c) && (!c.is_control() || c.is_whitespace())
    };
    text.chars().filter(seen).nfkc().flat_map(char::to_lowercase).collect()
}

/// Our tags in their order, opening and closing, whatever they are decorated with. `more` are names that are tags of
/// ours in this text, too.
pub(crate) fn tags(text: &str, more: &[&str]) -> Vec<String> {
    let text = plain(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let inside = &text[at + 1..];
        let name =
            inside.trim_start_matches(|c: char| c.is_whitespace() || "/\\!|?\u{2800}".contains(c));
        let closes = inside[..inside.len() - name.len()].contains('/');
        let end = name
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
            .unwrap_or(name.len());
        if TAGS.contains(&&name[..end]) || more.contains(&&name[..end]) {
            found.push(format!("{}{}", if closes { "/" } else { "" }, &name[..end]));
        }
    }
    found
}

/// The lines, for somebody who breaks them wherever any program does.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split([
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ])
    .collect()
}

/// The lines that say that a skill is loaded: the mark right after the name.
pub(crate) fn marks(text: &str) -> usize {
    let marked = |line: &&str| {
        let entry = line.split_once(": ").map_or(*line, |(name, _)| name);
        plain(entry).contains("loaded=\"true\"")
    };
    lines(text).into_iter().filter(marked).count()
}
