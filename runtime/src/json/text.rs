//! The text of a JSON string.

use crate::piece::Piece;
use core::fmt::{self, Write};

/// A JSON string, decoded on the fly.
#[derive(Clone, Copy)]
pub struct Text<'j> {
    /// The text between the quotes.
    pub(super) raw: &'j str,
    pub(super) has_escapes: bool,
}

impl<'j> Text<'j> {
    /// Makes a text from what is between the quotes; `None` if an escape in it is not a Unicode
    /// character.
    pub(super) fn new(raw: &'j str) -> Option<Self> {
        let text = Self { raw, has_escapes: raw.contains('\\') };
        let mut rest = raw;
        while let Some(at) = rest.find('\\') {
            let (c, len) = escape(&rest[at..])?;
            c?;
            rest = &rest[at + len..];
        }
        Some(text)
    }

    /// Returns the text, if it contains no escapes.
    #[must_use]
    pub const fn as_str(self) -> Option<&'j str> {
        if self.has_escapes { None } else { Some(self.raw) }
    }

    /// Returns the text in pieces, none of them empty.
    #[must_use]
    pub const fn pieces(self) -> TextPieces<'j> {
        TextPieces { rest: self.raw }
    }

    /// Returns the characters of the text.
    pub fn chars(self) -> impl Iterator<Item = char> + Clone + use<'j> {
        self.pieces().flat_map(Piece::chars)
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        match self.as_str() {
            Some(text) => text == other,
            None => self.chars().eq(other.chars()),
        }
    }
}

impl PartialEq for Text<'_> {
    fn eq(&self, other: &Self) -> bool {
        match other.as_str() {
            Some(other) => self == other,
            None => self.chars().eq(other.chars()),
        }
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|piece| piece.write(f))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        self.chars().flat_map(char::escape_debug).try_for_each(|c| f.write_char(c))?;
        f.write_char('"')
    }
}

/// An iterator over the pieces of a string's text.
#[derive(Clone, Debug)]
pub struct TextPieces<'j> {
    rest: &'j str,
}

impl<'j> Iterator for TextPieces<'j> {
    type Item = Piece<'j>;

    fn next(&mut self) -> Option<Piece<'j>> {
        let (piece, len) = piece_at(self.rest)?;
        self.rest = &self.rest[len..];
        Some(piece)
    }
}

/// Returns the first piece of a string, and its length in the source; `None` at the end.
fn piece_at(raw: &str) -> Option<(Piece<'_>, usize)> {
    match raw.find('\\') {
        Some(0) => char_at(raw).map(|(c, len)| (Piece::Char(c), len)),
        _ if raw.is_empty() => None,
        end => {
            let end = end.unwrap_or(raw.len());
            Some((Piece::Text(&raw[..end]), end))
        }
    }
}

/// Returns the first character of a string, and its length in the source.
pub(crate) fn char_at(raw: &str) -> Option<(char, usize)> {
    let first = raw.chars().next()?;
    if first != '\\' {
        return Some((first, first.len_utf8()));
    }
    let (c, len) = escape(raw)?;
    Some((c.unwrap_or(char::REPLACEMENT_CHARACTER), len))
}

/// Returns the character of the escape at the start of a text, and the length of the escape.
///
/// The character is `None` for half of a surrogate pair. Returns `None` if the text does not start
/// with an escape.
pub(super) fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let bytes = text.as_bytes();
    let c = match bytes.get(1)? {
        same @ (b'"' | b'\\' | b'/') => char::from(*same),
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(bytes),
        _ => return None,
    };
    Some((Some(c), 2))
}

/// Returns the character of one `\u` escape, or of two that are a surrogate pair.
fn unicode(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let first = code_unit(bytes)?;
    let character = char::from_u32(first);
    if character.is_some() || first >= 0xdc00 {
        return Some((character, 6));
    }
    match bytes.get(6..).and_then(code_unit) {
        Some(second @ 0xdc00..=0xdfff) => {
            Some((char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 12))
        }
        _ => Some((None, 6)),
    }
}

/// Returns the number of the `\u` escape at the start of `bytes`.
fn code_unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?))
}

/// A text that is borrowed, or decoded into `N` bytes on the stack. A longer one is cut at the last
/// character that fits.
#[derive(Clone)]
pub(crate) struct Decoded<'j, const N: usize>(Storage<'j, N>);

#[derive(Clone)]
enum Storage<'j, const N: usize> {
    Borrowed(&'j str),
    Buffer { bytes: [u8; N], len: usize, is_cut: bool },
}

impl<'j, const N: usize> Decoded<'j, N> {
    #[inline(never)]
    pub(crate) fn new(text: Text<'j>) -> Self {
        if let Some(text) = text.as_str() {
            return Self(Storage::Borrowed(text));
        }
        let (mut bytes, mut len) = ([0; N], 0);
        let mut chars = text.chars();
        let is_cut = chars.any(|c| match bytes.get_mut(len..len + c.len_utf8()) {
            Some(room) => {
                len += c.encode_utf8(room).len();
                false
            }
            None => true,
        });
        Self(Storage::Buffer { bytes, len, is_cut })
    }

    pub(crate) fn as_str(&self) -> &str {
        match &self.0 {
            Storage::Borrowed(text) => text,
            // Only whole characters were written.
            Storage::Buffer { bytes, len, .. } => {
                core::str::from_utf8(&bytes[..*len]).unwrap_or_default()
            }
        }
    }

    /// Returns the text, unless it was cut.
    pub(crate) fn whole(&self) -> Option<&str> {
        let is_cut = matches!(self.0, Storage::Buffer { is_cut: true, .. });
        (!is_cut).then(|| self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Decoded<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
