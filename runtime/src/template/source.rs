//! A value in pieces: what is inserted is written from where it is, and can be read ahead.

use super::{json::Dense, shell::Place, tokens::TokenPieces};
use crate::{json::TextPieces, piece::Piece};

/// The text of a value, piece after piece.
#[derive(Clone, Debug)]
pub(super) enum Source<'x> {
    Texts([&'x str; 3]),
    Token(TokenPieces<'x>),
    /// The text of a JSON string.
    Decoded(TextPieces<'x>),
    /// Any other JSON value.
    Dense(Dense<'x>),
}

impl<'x> Source<'x> {
    pub(super) const EMPTY: Self = Self::Texts([""; 3]);

    pub(super) const fn text(text: &'x str) -> Self {
        Self::Texts([text, "", ""])
    }

    pub(super) const fn texts(texts: [&'x str; 3]) -> Self {
        Self::Texts(texts)
    }
}

impl<'x> Iterator for Source<'x> {
    type Item = Piece<'x>;

    /// The next piece that is not empty.
    fn next(&mut self) -> Option<Piece<'x>> {
        match self {
            Self::Texts(texts) => texts
                .iter_mut()
                .find(|text| !text.is_empty())
                .map(|text| Piece::Text(core::mem::take(text))),
            Self::Token(pieces) => pieces.find(|piece| !piece.is_empty()),
            Self::Decoded(pieces) => pieces.next(),
            Self::Dense(pieces) => pieces.next().map(Piece::Text),
        }
    }
}

/// A value as it stands in a body, or as one word of a shell in a command.
#[derive(Clone, Debug)]
pub(super) struct Inserted<'x> {
    open: &'static str,
    source: Source<'x>,
    /// What is left of a piece.
    piece: Piece<'x>,
    close: &'static str,
    quoted: bool,
}

impl<'x> Inserted<'x> {
    pub(super) const NOTHING: Self = Self::plain(Source::EMPTY);

    pub(super) const fn plain(source: Source<'x>) -> Self {
        Self { open: "", source, piece: Piece::Text(""), close: "", quoted: false }
    }

    /// The value, after a text of ours.
    pub(super) const fn after(open: &'static str, source: Source<'x>) -> Self {
        Self { open, ..Self::plain(source) }
    }

    /// The value where a shell reads it literally. It leaves the shell in the state that it finds it in.
    pub(super) const fn quoted(source: Source<'x>, place: Place) -> Self {
        let (open, close) = match place {
            Place::Outside => ("'", "'"),
            Place::Double => ("\"'", "'\""),
            Place::Single => ("", ""),
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
