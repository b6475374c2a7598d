//! Adds quotes to one-line values that contain `: `, the only YAML mistake that is tolerated.

use crate::Position;

/// Frontmatter with missing quotes added.
pub(super) struct Quoted {
    pub(super) text: String,
    /// The key and position of each value that was quoted.
    pub(super) values: Vec<(String, Position)>,
}

/// Quotes the one-line top-level values that need it. Returns `None` if there are none.
///
/// These are unquoted values that contain a colon before a space or end with a colon, and, for
/// `argument-hint` only, values of several brackets (`[file] [format]`). Comments stay comments.
pub(super) fn quote(yaml: &str, first_line: u32) -> Option<Quoted> {
    let mut quoted = Quoted { text: String::with_capacity(yaml.len() + 16), values: Vec::new() };
    let mut lines = yaml.split_inclusive('\n');
    let mut number = first_line;
    while let Some(line) = lines.next() {
        // An indented next line continues the value, which then cannot be quoted on one line.
        let continued = || {
            lines.clone().find(|l| !l.trim().is_empty()).is_some_and(|l| l.starts_with([' ', '\t']))
        };
        match value(line) {
            Some((key, from, to)) if !continued() => {
                quoted.text.push_str(&line[..from]);
                quoted.text.push('\'');
                quoted.text.push_str(&line[from..to].replace('\'', "''"));
                quoted.text.push('\'');
                quoted.text.push_str(&line[to..]);
                let column = u32::try_from(line[..from].chars().count() + 1).unwrap_or(u32::MAX);
                quoted.values.push((key.to_owned(), Position { line: number, column }));
            }
            _ => quoted.text.push_str(line),
        }
        number = number.saturating_add(1);
    }
    (!quoted.values.is_empty()).then_some(quoted)
}

/// Returns the key of a line and the range of its value, if the value needs quotes.
fn value(line: &str) -> Option<(&str, usize, usize)> {
    if !line.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let colon = line.find(": ").into_iter().chain(line.find(":\t")).min()?;
    let key = &line[..colon];
    let rest = &line[colon + 1..];
    let from = line.len() - rest.trim_start_matches([' ', '\t']).len();
    let comment = rest.find(" #").into_iter().chain(rest.find("\t#")).min();
    let text = rest[..comment.unwrap_or(rest.len())].trim_start_matches([' ', '\t']);
    let text = text.trim_end_matches([' ', '\t', '\r', '\n']);
    if text.contains('\r') {
        return None; // several lines to YAML
    }
    let hint = key == "argument-hint" && text.starts_with('[') && !is_one_bracket(text);
    let colon = text.contains(": ") || text.contains(":\t") || text.ends_with(':');
    let plain = !text.starts_with(['"', '\'', '|', '>', '[', '{', '&', '*', '!', '#']);
    (hint || (colon && plain)).then_some((key, from, from + text.len()))
}

/// Returns whether the bracket that opens a text closes at its end.
fn is_one_bracket(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn quotes_only_values_that_need_it() {
        let yaml = "name: a\r\ndescription: Don't: x # c: d\r\nargument-hint: [a] [b]\nx: \"a: b\"\ny: |\n  k: v: w\n";
        let quoted = quote(yaml, 2).unwrap();
        assert_eq!(
            quoted.text,
            "name: a\r\ndescription: 'Don''t: x' # c: d\r\nargument-hint: '[a] [b]'\nx: \"a: b\"\ny: |\n  k: v: w\n"
        );
        let places: Vec<_> = quoted.values.iter().map(|(key, at)| format!("{key} {at}")).collect();
        assert_eq!(places, ["description 3:14", "argument-hint 4:16"]);
    }

    #[test]
    fn keeps_values_of_several_lines() {
        assert!(quote("description: Use: this\n  and that\n", 2).is_none());
        assert!(quote("a: b\nc: [d]\n- e: f: g\n", 2).is_none());
        assert!(quote("argument-hint: [[a] b]\n", 2).is_none());
        // The carriage return ends the line, so the value begins on the next one.
        assert!(quote("description: \rUse: é\n", 2).is_none());
    }
}
