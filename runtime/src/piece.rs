//! Pieces of a text that contains escapes.

use core::fmt::{self, Write};

/// A part of a text: borrowed, or the character that an escape represents.
///
/// A text with escapes is not in memory in its decoded form, so it is written piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'x> {
    /// Text as it is in the source.
    Text(&'x str),
    /// The character of an escape.
    Char(char),
}

impl<'x> Piece<'x> {
    /// Returns the piece as text; `room` is the buffer for a character.
    pub(crate) fn as_str<'r>(&self, room: &'r mut [u8; 4]) -> &'r str
    where
        'x: 'r,
    {
        match self {
            Self::Text(text) => text,
            Self::Char(c) => c.encode_utf8(room),
        }
    }

    pub(crate) fn chars(self) -> impl Iterator<Item = char> + Clone + use<'x> {
        let (text, c) = match self {
            Self::Text(text) => (text, None),
            Self::Char(c) => ("", Some(c)),
        };
        c.into_iter().chain(text.chars())
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(self.as_str(&mut [0; 4]))
    }
}
