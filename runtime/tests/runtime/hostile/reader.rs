//! A lenient reader that takes everything for a tag that looks like one.

use helix_skills_runtime::is_invisible;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The tags in texts for a model, and the same with `-` and `_` exchanged.
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

/// Reduces a text to letters without case, marks, invisible characters and fonts.
fn plain(text: &str) -> String {
    let seen = |c: &char| {
        !is_invisible(*c) && !is_combining_mark(*c) && (!c.is_control() || c.is_whitespace())
    };
    text.chars().filter(seen).nfkc().flat_map(char::to_lowercase).collect()
}

/// Returns our tags in order, opening and closing, with any decoration. `more` are further tag
/// names in this text.
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

/// Returns the lines, broken wherever any program breaks them.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.split([
        '\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}',
        '\u{2029}',
    ])
    .collect()
}

/// Returns the lines that mark a skill as loaded, right after its name.
pub(crate) fn marks(text: &str) -> usize {
    let marked = |line: &&str| {
        let entry = line.split_once(": ").map_or(*line, |(name, _)| name);
        plain(entry).contains("loaded=\"true\"")
    };
    lines(text).into_iter().filter(marked).count()
}
