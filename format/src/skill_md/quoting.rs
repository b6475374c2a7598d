//! Adds quotes to values that YAML refuses, or would cut at a comment, without them: the only YAML
//! mistakes that are tolerated.

use crate::Position;
use std::ops::Range;

/// The keys whose values are text for people and models, in which ` #` begins no comment.
const TEXTS: [&str; 3] = ["description", "license", "when_to_use"];

/// Frontmatter with missing quotes added.
pub(super) struct Quoted {
    pub(super) text: String,
    /// The values that were quoted.
    pub(super) values: Vec<QuotedValue>,
}

/// A value that needs quotes.
pub(super) struct QuotedValue {
    pub(super) key: String,
    pub(super) at: Position,
    /// Whether YAML reads it without quotes, but only up to a comment.
    pub(super) is_cut: bool,
}

/// Which values are quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those of [`TEXTS`] that YAML may read as something else: with a ` #`, or on several lines
    /// with a colon.
    Misread,
    /// All that need it. Besides, these are unquoted values with a colon before white space or at
    /// the end, and, for `argument-hint` only, values of several brackets (`[file] [format]`).
    All,
}

/// Quotes the top-level values that need it. Returns `None` if there are none.
pub(super) fn quote(yaml: &str, first_line: u32, wanted: Wanted) -> Option<Quoted> {
    let mut quoted = Quoted { text: String::new(), values: Vec::new() };
    let (mut copied, mut start, mut line) = (0, 0, first_line);
    while start < yaml.len() {
        let entry = first_entry(&yaml[start..]);
        if let Some((key, Range { start: from, end: to }, is_cut)) = value(entry, wanted) {
            quoted.text.push_str(&yaml[copied..start + from]);
            quoted.text.push('\'');
            quoted.text.push_str(&entry[from..to].replace('\'', "''"));
            quoted.text.push('\'');
            copied = start + to;
            let mut at = Position::from_offset(entry, from);
            at.line = at.line.saturating_add(line - 1);
            quoted.values.push(QuotedValue { key: key.to_owned(), at, is_cut });
        }
        start += entry.len();
        let lines = entry.bytes().filter(|byte| *byte == b'\n').count();
        line = line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    }
    quoted.text.push_str(&yaml[copied..]);
    (!quoted.values.is_empty()).then_some(quoted)
}

/// Returns the first line, with the blank and indented lines after it, which continue its value.
fn first_entry(yaml: &str) -> &str {
    let mut lines = yaml.split_inclusive('\n');
    let mut end = lines.next().map_or(0, str::len);
    let continues = |line: &&str| line.starts_with([' ', '\t']) || line.trim().is_empty();
    end += lines.take_while(continues).map(str::len).sum::<usize>();
    &yaml[..end]
}

/// Returns the key of an entry, the range of its value, and whether YAML only cuts the value, if it
/// needs quotes.
fn value(entry: &str, wanted: Wanted) -> Option<(&str, Range<usize>, bool)> {
    if !entry.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let line = entry.lines().next().unwrap_or_default();
    let colon = line.find(": ").into_iter().chain(line.find(":\t")).min();
    let colon = colon.or_else(|| line.strip_suffix(':').map(str::len))?;
    let (key, rest) = (&entry[..colon], &entry[colon + 1..]);
    let is_text = TEXTS.contains(&key);
    if !is_text && wanted == Wanted::Misread {
        return None;
    }
    // A carriage return alone ends a line of YAML.
    if rest.trim_end().split('\r').skip(1).any(|after| !after.starts_with('\n')) {
        return None;
    }
    let text = rest.trim_start();
    let from = entry.len() - text.len();
    let is_below = entry[colon..from].contains('\n');
    let comment = text.find(" #").into_iter().chain(text.find("\t#")).min();
    let text = text[..comment.filter(|_| !is_text).unwrap_or(text.len())].trim_end();
    let is_long = text.contains('\n');
    if !is_text && (is_below || is_long && comment.is_some()) {
        return None;
    }
    let has_colon = |text: &str| [": ", ":\t", ":\n", ":\r"].iter().any(|it| text.contains(it));
    // Quotes, blocks, collections and comments stay what they are.
    let is_structure = text.starts_with(['"', '\'', '|', '>', '[', '{', '&', '*', '!', '#'])
        || is_below && text.starts_with(['-', '?'])
        || is_below && is_long && text.lines().all(has_colon);
    let has_colon = has_colon(text) || text.ends_with(':');
    let has_comment = is_text && comment.is_some();
    let needs_quotes = match wanted {
        _ if is_structure => false,
        Wanted::Misread => has_comment || has_colon && (is_below || is_long),
        Wanted::All => has_comment || has_colon,
    };
    let is_hint = wanted == Wanted::All
        && key == "argument-hint"
        && text.starts_with('[')
        && !is_one_bracket(text);
    let is_cut = !has_colon && !is_hint;
    (is_hint || needs_quotes).then_some((key, from..from + text.len(), is_cut))
}

/// Returns whether the bracket that opens a text closes at its end.
fn is_one_bracket(text: &str) -> bool {
    let mut depth = 0_i32;
    let closes = |c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0
    };
    text.find(closes).is_some_and(|end| end + 1 == text.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quotes_only_values_that_need_it() {
        let yaml = "name: a\r\nx-title: Don't: x # c: d\r\nargument-hint: [a] [b]\nx: \"a: b\"\ny: |\n  k: v: w\n";
        let quoted = quote(yaml, 2, Wanted::All).unwrap();
        assert_eq!(
            quoted.text,
            "name: a\r\nx-title: 'Don''t: x' # c: d\r\nargument-hint: '[a] [b]'\nx: \"a: b\"\ny: |\n  k: v: w\n"
        );
        let places: Vec<_> =
            quoted.values.iter().map(|it| format!("{} {} {}", it.key, it.at, it.is_cut)).collect();
        assert_eq!(places, ["x-title 3:10 false", "argument-hint 4:16 false"]);
        assert!(quote(yaml, 2, Wanted::Misread).is_none());
    }

    #[test]
    fn texts_keep_comments_and_continued_lines() {
        for (yaml, expected, at) in [
            ("license: MIT # see\r\n", "license: 'MIT # see'\r\n", "2:10 true"),
            ("when_to_use: a\t# b\nname: b\n", "when_to_use: 'a\t# b'\nname: b\n", "2:14 true"),
            (
                "name: b\ndescription: C\n  a #1\n\n  b\n\nlicense: MIT\n",
                "name: b\ndescription: 'C\n  a #1\n\n  b'\n\nlicense: MIT\n",
                "3:14 true",
            ),
            ("description: It's\n  a: b\n", "description: 'It''s\n  a: b'\n", "2:14 false"),
            ("description:\n  é: b\n", "description:\n  'é: b'\n", "3:3 false"),
            (
                "description: \r\n\r\n\ta;\r\n\tb:\r\n",
                "description: \r\n\r\n\t'a;\r\n\tb:'\r\n",
                "4:2 false",
            ),
        ] {
            let quoted = quote(yaml, 2, Wanted::Misread).unwrap();
            assert_eq!(quoted.text, expected);
            assert_eq!(format!("{} {}", quoted.values[0].at, quoted.values[0].is_cut), at);
        }
        for yaml in [
            "description: a#b\n  c:d\n",
            "description: \"a # b\"\n",
            "description: >-\n  a # b: c\n",
            "description:\n  - a: b\n",
            "description: # a comment\n  a\n",
            "license:\n  name: MIT\n  url: x\n",
            "metadata:\n  a: b # c\n",
            "compatibility: a # b\n",
            "description: a\n# b: c\nname: d\n",
        ] {
            assert!(quote(yaml, 2, Wanted::Misread).is_none(), "{yaml:?}");
        }
    }

    #[test]
    fn keeps_other_values() {
        assert!(quote("a: b\nc: [d]\n- e: f: g\n", 2, Wanted::All).is_none());
        assert!(quote("argument-hint: [[a] b]\n", 2, Wanted::All).is_none());
        assert!(quote("a: b\n  c # d: e\n", 2, Wanted::All).is_none());
        assert!(quote("hooks:\n  a: b\n", 2, Wanted::All).is_none());
        // The carriage return ends the line, so the value begins on the next one.
        assert!(quote("description: \rUse: é\n", 2, Wanted::All).is_none());
    }
}
