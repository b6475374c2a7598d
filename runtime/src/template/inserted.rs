//! Inserted values, in pieces borrowed from where they are. Cloning the iterator allows reading
//! ahead.

use super::{json::Compact, shell::QuoteContext, tokens::TokenPieces};
use crate::{json::TextPieces, piece::Piece};

/// An iterator over the pieces of a value's text.
#[derive(Clone, Debug)]
pub(super) enum ValuePieces<'x> {
    Texts([&'x str; 3]),
    Token(TokenPieces<'x>),
    /// The text of a JSON string with escapes.
    Decoded(TextPieces<'x>),
    /// Any other JSON value.
    Compact(Compact<'x>),
}

impl<'x> ValuePieces<'x> {
    pub(super) const EMPTY: Self = Self::Texts([""; 3]);

    pub(super) const fn text(text: &'x str) -> Self {
        Self::Texts([text, "", ""])
    }

    pub(super) const fn texts(texts: [&'x str; 3]) -> Self {
        Self::Texts(texts)
    }
}

impl ValuePieces<'_> {
    /// Returns whether this is an absolute path of characters that have no meaning to a shell.
    pub(super) fn is_plain_path(&self) -> bool {
        let mut chars = self.clone().flat_map(Piece::chars);
        chars.next() == Some('/')
            && chars.all(|c| matches!(c, 'a'..='z' | 'A'..='Z' | '0'..='9' | '/' | '.' | '_' | '-'))
    }
}

impl<'x> Iterator for ValuePieces<'x> {
    type Item = Piece<'x>;

    /// Returns the next piece that is not empty.
    fn next(&mut self) -> Option<Piece<'x>> {
        match self {
            Self::Texts(texts) => texts
                .iter_mut()
                .find(|text| !text.is_empty())
                .map(|text| Piece::Text(core::mem::take(text))),
            Self::Token(pieces) => pieces.find(|piece| !piece.is_empty()),
            Self::Decoded(pieces) => pieces.next(),
            Self::Compact(pieces) => pieces.next().map(Piece::Text),
        }
    }
}

/// A value as inserted into a body, or as one word of a shell into a command.
#[derive(Clone, Debug)]
pub(super) struct Inserted<'x> {
    open: &'static str,
    source: ValuePieces<'x>,
    /// The rest of the current piece.
    piece: Piece<'x>,
    close: &'static str,
    quoted: bool,
}

impl<'x> Inserted<'x> {
    pub(super) const NOTHING: Self = Self::plain(ValuePieces::EMPTY);

    pub(super) const fn plain(source: ValuePieces<'x>) -> Self {
        Self { open: "", source, piece: Piece::Text(""), close: "", quoted: false }
    }

    /// Returns the value, preceded by a fixed text.
    pub(super) const fn after(open: &'static str, source: ValuePieces<'x>) -> Self {
        Self { open, ..Self::plain(source) }
    }

    /// Returns the value, quoted so that a shell in `context` reads it literally and is in the same
    /// context afterwards.
    pub(super) const fn quoted(source: ValuePieces<'x>, context: QuoteContext) -> Self {
        let (open, close) = match context {
            QuoteContext::Outside => ("'", "'"),
            QuoteContext::Double => ("\"'", "'\""),
            QuoteContext::Single | QuoteContext::Verbatim => ("", ""),
        };
        Self { open, source, piece: Piece::Text(""), close, quoted: true }
    }
}

impl<'x> Iterator for Inserted<'x> {
    type Item = Piece<'x>;

    fn next(&mut self) -> Option<Piece<'x>> {
        if !self.open.is_empty() {
            return Some(Piece::Text(core::mem::take(&mut self.open)));
        }
        if self.piece.is_empty() {
            self.piece = self.source.next().unwrap_or(Piece::Text(""));
        }
        let (text, rest) = match self.piece {
            Piece::Text("") => {
                let close = core::mem::take(&mut self.close);
                return Some(Piece::Text(close)).filter(|close| !close.is_empty());
            }
            Piece::Text(text) if self.quoted => match text.strip_prefix('\'') {
                Some(rest) => ("'\\''", rest),
                None => text.split_at(text.find('\'').unwrap_or(text.len())),
            },
            Piece::Char('\'') if self.quoted => ("'\\''", ""),
            piece => {
                self.piece = Piece::Text("");
                return Some(piece);
            }
        };
        self.piece = Piece::Text(rest);
        Some(Piece::Text(text))
    }
}
