//! The message of an error, built by constant functions, for compile errors.

use crate::{
    excerpt, is_invisible,
    scalars::{char_at, slice},
};

/// Concatenated pieces of text. The buffer is large enough for the longest message of a
/// definition; longer text is cut.
pub(crate) struct Message {
    bytes: [u8; 512],
    len: usize,
}

impl Message {
    pub(crate) const fn new(text: &str) -> Self {
        Self { bytes: [0; 512], len: 0 }.text(text)
    }

    /// Appends trusted text.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() <= self.bytes.len() {
            let mut at = 0;
            while at < bytes.len() {
                self.bytes[self.len + at] = bytes[at];
                at += 1;
            }
            self.len += bytes.len();
        }
        self
    }

    /// Appends the start of an untrusted text, in backticks and on one line.
    pub(crate) const fn quoted(self, text: &str) -> Self {
        let mut message = self.text("`");
        let (text, is_cut) = excerpt::start(text);
        let mut at = 0;
        while at < text.len() {
            let (c, next) = char_at(text, at);
            message = message.text(if is_break(c) { " " } else { slice(text, at, next) });
            at = next;
        }
        message.text(if is_cut { "…`" } else { "`" })
    }

    /// Appends a character in backticks; an invisible one by its number.
    pub(crate) const fn character(self, c: char) -> Self {
        if c.is_whitespace() || is_break(c) || is_invisible(c) {
            return self.text("`U+").hexadecimal(c as u32).text("`");
        }
        let mut bytes = [0; 4];
        self.quoted(c.encode_utf8(&mut bytes))
    }

    /// Appends a number with at least four hexadecimal digits.
    const fn hexadecimal(mut self, number: u32) -> Self {
        let mut digit = 4;
        while number >> (4 * digit) > 0 {
            digit += 1;
        }
        while digit > 0 {
            digit -= 1;
            let value = (number >> (4 * digit) & 0xf) as usize;
            self = self.text(slice("0123456789ABCDEF", value, value + 1));
        }
        self
    }

    pub(crate) const fn number(self, number: usize) -> Self {
        let before = if number > 9 { self.number(number / 10) } else { self };
        let digit = number % 10;
        before.text(slice("0123456789", digit, digit + 1))
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "", // unreachable: only whole texts are appended
        }
    }
}

/// Returns whether a character would break the line.
const fn is_break(c: char) -> bool {
    matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}')
}
