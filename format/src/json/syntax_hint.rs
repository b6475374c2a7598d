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
            (Some(closing), None | Some('}' | ']')) => format!("close it with {closing} first"),
            (Some(_), Some(_)) if before.ends_with('"') && !word.is_empty() => {
                "a `\"` is missing in this line, or in one before".to_owned()
            }
            (Some(_), Some(_)) => format!("add a `,` at {}", position(before.len())),
            (None, _) => "check the text at and before this position".to_owned(),
        },
    }
}
