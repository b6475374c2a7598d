//! Splits a text into arguments like a shell, without running one.

use alloc::{string::String, vec::Vec};

/// How a text is split into arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenMode {
    /// Like a POSIX shell: spaces, tabs and line ends separate words, quotes and backslashes
    /// protect characters, adjacent parts form one word, and `""` is an empty argument.
    ///
    /// A text with an unclosed quote is treated as prose: it is split at white space and keeps its
    /// quotes.
    #[default]
    Posix,
    /// Like Agentick: any white space separates, backslashes are ordinary characters, empty
    /// arguments are dropped, and an unclosed quote extends to the end.
    Agentick,
}

/// Splits a text into arguments. Nothing is expanded: `$HOME`, `*` and `;` are ordinary characters.
#[must_use]
pub fn tokenize(text: &str, mode: TokenMode) -> Vec<String> {
    match mode {
        TokenMode::Posix => posix(text).unwrap_or_else(|| {
            let words = text.split(is_posix_blank).filter(|word| !word.is_empty());
            words.map(String::from).collect()
        }),
        TokenMode::Agentick => agentick(text),
    }
}

fn is_posix_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Returns `None` if a quote is not closed.
fn posix(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if quote.is_none() && is_posix_blank(c) {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if c == open => quote = None,
            (None, '\\') => word.push(chars.next().unwrap_or('\\')),
            (Some('"'), '\\') => {
                word.push(chars.next_if(|c| matches!(c, '"' | '\\' | '$' | '`')).unwrap_or('\\'));
            }
            _ => word.push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

fn agentick(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in text.chars() {
        match quote {
            None if is_space(c) => words.push(core::mem::take(&mut word)),
            None if matches!(c, '"' | '\'') => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Returns whether `c` is white space in JavaScript.
pub(super) fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_mode_splits_like_a_shell() {
        for (text, tokens) in [
            (r"a\\ b c", &[r"a\", "b", "c"][..]),
            (r"a\ b c\", &["a b", r"c\"]),
            (r#""a\"b" 'c\' "\d""#, &[r#"a"b"#, r"c\", r"\d"]),
            (r#""\$x \` \\""#, &[r"$x ` \"]),
            (r#"a"b c"'d'\'e"#, &["ab cd'e"]),
            ("'' \"\"", &["", ""]),
            ("a\u{a0}b\r\nc\td", &["a\u{a0}b", "c", "d"]),
            ("", &[]),
            (" \n", &[]),
            (r"$(x) ; 技\能", &["$(x)", ";", "技能"]),
            (r#"say "it's"#, &["say", "\"it's"]),
            (r"a\ b 'c", &[r"a\", "b", "'c"]),
        ] {
            assert_eq!(tokenize(text, TokenMode::Posix), tokens, "{text}");
        }
    }
}
