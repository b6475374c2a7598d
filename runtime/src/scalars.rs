//! String functions for constant functions, which cannot iterate.

/// Returns the last character boundary at or before `at`, or the end of a shorter text.
#[must_use]
pub const fn floor(text: &str, at: usize) -> usize {
    let mut at = if at < text.len() { at } else { text.len() };
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns the character at the byte `at`, and the start of the next one. `at` is a boundary inside
/// of the text.
pub(crate) const fn char_at(text: &str, at: usize) -> (char, usize) {
    let bytes = text.as_bytes();
    let (len, first) = match bytes[at] {
        ascii @ 0..=0x7f => return (ascii as char, at + 1),
        two @ ..=0xdf => (2, two & 0x1f),
        three @ ..=0xef => (3, three & 0x0f),
        four => (4, four & 0x07),
    };
    let mut code = first as u32;
    let mut next = at + 1;
    while next < at + len {
        code = code << 6 | (bytes[next] & 0x3f) as u32;
        next += 1;
    }
    match char::from_u32(code) {
        Some(c) => (c, next),
        None => (char::REPLACEMENT_CHARACTER, next), // unreachable in a `str`
    }
}

/// Returns the number of characters.
pub(crate) const fn count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        count += is_boundary(bytes[at]) as usize;
        at += 1;
    }
    count
}

/// Returns the bytes `start..end`; both are character boundaries.
pub(crate) const fn slice(text: &str, start: usize, end: usize) -> &str {
    text.split_at(end).0.split_at(start).1
}

/// Returns the end of the white space at the start of a text.
const fn blank_start(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() {
        let (c, next) = char_at(text, at);
        if !c.is_whitespace() {
            break;
        }
        at = next;
    }
    at
}

/// Like [`str::trim_end`].
pub(crate) const fn trim_end(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut end = text.len();
    while end > 0 {
        let mut last = end - 1;
        while !is_boundary(bytes[last]) {
            last -= 1;
        }
        if !char_at(text, last).0.is_whitespace() {
            break;
        }
        end = last;
    }
    text.split_at(end).0
}

/// Like [`str::trim`].
pub(crate) const fn trim(text: &str) -> &str {
    let text = trim_end(text);
    text.split_at(blank_start(text)).1
}

/// Returns whether a text contains only white space.
pub(crate) const fn is_blank(text: &str) -> bool {
    blank_start(text) == text.len()
}

/// Trims a body: drops blank lines at the start and white space at the end. The first line keeps
/// its indentation.
pub(crate) const fn trim_body(text: &str) -> &str {
    let text = trim_end(text);
    let mut start = blank_start(text);
    while start > 0 && !matches!(text.as_bytes()[start - 1], b'\n' | b'\r') {
        start -= 1;
    }
    text.split_at(start).1
}

/// Returns whether two texts are equal.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && !less(a, b) && !less(b, a)
}

/// Returns whether `a` is less than `b`, by their bytes.
pub(crate) const fn less(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() {
        if a[at] != b[at] {
            return a[at] < b[at];
        }
        at += 1;
    }
    a.len() < b.len()
}

/// Returns whether a character can start with `byte`.
const fn is_boundary(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Samples, rounds};

    const ALPHABET: &str = "ab \t\n\r\u{85}é\u{a0}日\u{2028}\u{3000}🦞\u{10ffff}.";

    #[test]
    fn functions_agree_with_the_standard_library() {
        for text in Samples::new(ALPHABET, 9).take(rounds(20_000)) {
            let mut at = 0;
            for expected in text.chars() {
                let (c, next) = char_at(&text, at);
                assert_eq!((c, next), (expected, at + expected.len_utf8()));
                at = next;
            }
            assert_eq!(count(&text), text.chars().count());
            assert_eq!((trim(&text), trim_end(&text)), (text.trim(), text.trim_end()), "{text:?}");
            assert_eq!(is_blank(&text), text.trim().is_empty());
        }
        for pair in Samples::new("ab\u{e9}", 4).zip(Samples::new("ab\u{e9}", 3)).take(rounds(5_000))
        {
            assert_eq!(
                (less(&pair.0, &pair.1), equal(&pair.0, &pair.1)),
                (pair.0 < pair.1, pair.0 == pair.1)
            );
        }
    }

    #[test]
    fn bodies_lose_blank_lines_and_keep_their_indentation() {
        for (text, body) in [
            ("", ""),
            (" \n\t", ""),
            ("\n \r\n    code\n\n", "    code"),
            ("  a", "  a"),
            ("\u{85}a", "\u{85}a"),
            ("# T\n\nx \u{3000}", "# T\n\nx"),
        ] {
            assert_eq!(trim_body(text), body, "{text:?}");
        }
    }
}
