//! What to do about text that is not JSON.

use crate::Position;

/// Maximum length of a word in a hint, in characters.
const MAX_WORD_CHARS: usize = 40;

/// Returns an instruction for the syntax error `what` at byte `at` of `json`, whose comments are
/// blank. `position` converts a byte offset.
pub(super) fn syntax_hint(
    json: &str,
    at: usize,
    what: &str,
    position: impl Fn(usize) -> Position,
) -> String {
    let (before, rest) = json.split_at_checked(at).unwrap_or((json, ""));
    let before = before.trim_ascii_end();
    let next = rest.chars().next();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let word = rest.split(|c| !is_word(c)).next().unwrap_or_default();
    let word: String = word.chars().take(MAX_WORD_CHARS).collect();
    // `}` of "expected `,` or `}`".
    let closing = what.strip_prefix("expected `,` or ");
    match (what, next) {
        ("a control character in a string", Some('\n' | '\r')) => {
            "close the string with `\"` before the end of the line".to_owned()
        }
        ("a control character in a string", _) => "write it as an escape, such as `\\t`".to_owned(),
        ("expected a closing quote", _) => "close the string with `\"`".to_owned(),
        (_, Some('\'')) => "write keys and strings in double quotes".to_owned(),
        (_, Some('#')) => "write comments as `// …`".to_owned(),
        ("expected nothing after the value", _) => {
            "remove it, or move it before the `}` that closes the text".to_owned()
        }
        ("expected `:`", _) => "write `:` and a value after the key".to_owned(),
        ("expected a key in double quotes", Some(',')) => "remove this `,`".to_owned(),
        ("expected a key in double quotes" | "expected a value", _) if !word.is_empty() => {
            format!("write it in double quotes: `\"{word}\"`")
        }
        ("expected a value", Some(',' | '}' | ']')) => "write a value before it".to_owned(),
        _ => match (closing, next) {
            (Some(closing), None | Some('}' | ']')) => {
                let open = open_bracket(before).unwrap_or(0);
                let bracket = json.get(open..=open).unwrap_or_default();
                format!("close the `{bracket}` at {} with {closing} first", position(open))
            }
            (Some(_), Some(_)) if before.ends_with('"') && !word.is_empty() => {
                "a `\"` is missing in this line, or in one before".to_owned()
            }
            (Some(_), Some(_)) => format!("add a `,` at {}", position(before.len())),
            (None, _) => "check the text at and before this position".to_owned(),
        },
    }
}

/// Returns the offset of the innermost bracket that is open at the end of `json`.
fn open_bracket(json: &str) -> Option<usize> {
    let (mut open, mut in_string, mut is_escaped) = (Vec::new(), false, false);
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => open.push(at),
            b'}' | b']' => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}
