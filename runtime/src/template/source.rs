//! A value as pieces of borrowed text: what is inserted is written from where it lies, and can be read ahead.

use super::{shell::Place, tokens::TokenPieces};

/// The text of a value, piece after piece.
#[derive(Clone, Debug)]
pub(super) enum Source<'x> {
    Texts([&'x str; 3]),
    Token(TokenPieces<'x>),
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
    type Item = &'x str;

    /// The next piece that is not empty.
    fn next(&mut self) -> Option<&'x str> {
        match self {
            Self::Texts(texts) => texts.iter_mut().find(|text| !text.is_empty()).map(core::mem::take),
            Self::Token(pieces) => pieces.find(|piece| !piece.is_empty()),
        }
    }
}

/// A value as it stands in a body, or as one word of a shell in a command.
#[derive(Clone, Debug)]
pub(super) struct Inserted<'x> {
    open: &'static str,
    source: Source<'x>,
    /// What is left of a piece.
    piece: &'x str,
    close: &'static str,
    quoted: bool,
}

impl<'x> Inserted<'x> {
    pub(super) const NOTHING: Self = Self::plain(Source::EMPTY);

    pub(super) const fn plain(source: Source<'x>) -> Self {
        Self { open: "", source, piece: "", close: "", quoted: false }
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
        Self { open, source, piece: "", close, quoted: true }
    }
}

impl<'x> Iterator for Inserted<'x> {
    type Item = &'x str;

    fn next(&mut self) -> Option<&'x str> {
        if !self.open.is_empty() {
            return Some(core::mem::take(&mut self.open));
        }
        if self.piece.is_empty() {
            self.piece = self.source.next().unwrap_or_default();
        }
        if self.piece.is_empty() {
            return Some(core::mem::take(&mut self.close)).filter(|close| !close.is_empty());
        }
        if !self.quoted {
            return Some(core::mem::take(&mut self.piece));
        }
        if let Some(rest) = self.piece.strip_prefix('\'') {
            self.piece = rest;
            return Some("'\\''");
        }
        let (text, rest) = self.piece.split_at(self.piece.find('\'').unwrap_or(self.piece.len()));
        self.piece = rest;
        Some(text)
    }
}
