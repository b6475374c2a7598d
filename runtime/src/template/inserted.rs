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

/// The start of the names of shell variables that have values.
const NAME: &str = "SKILL_VALUE_";

/// A value as inserted into a body, or its assignment or reference in a command.
#[derive(Clone, Debug)]
pub(super) struct Inserted<'x> {
    open: [&'static str; 2],
    /// The rest of the number of a shell variable, and the power of ten of its first digit.
    number: (usize, usize),
    /// The text between the number and the value.
    assign: &'static str,
    source: ValuePieces<'x>,
    /// The rest of the current piece.
    piece: Piece<'x>,
    close: &'static str,
    is_quoted: bool,
}

impl<'x> Inserted<'x> {
    pub(super) const NOTHING: Self = Self::plain(ValuePieces::EMPTY);

    pub(super) const fn plain(source: ValuePieces<'x>) -> Self {
        Self {
            open: ["", ""],
            number: (0, 0),
            assign: "",
            source,
            piece: Piece::Text(""),
            close: "",
            is_quoted: false,
        }
    }

    /// Returns the value, preceded by a fixed text.
    pub(super) const fn after(open: &'static str, source: ValuePieces<'x>) -> Self {
        Self { open: [open, ""], ..Self::plain(source) }
    }

    /// Returns the assignment of the value to the shell variable `number`, which ends with `close`.
    pub(super) fn assigned(source: ValuePieces<'x>, number: usize, close: &'static str) -> Self {
        Self {
            open: ["", NAME],
            number: (number, power_of_ten(number)),
            assign: "='",
            close,
            is_quoted: true,
            ..Self::plain(source)
        }
    }

    /// Returns a reference to the shell variable `number`, as one word in `context`.
    pub(super) fn reference(number: usize, context: QuoteContext) -> Self {
        let (open, close) = match context {
            QuoteContext::Outside => ("\"${", "}\""),
            QuoteContext::Double => ("${", "}"),
            QuoteContext::Single => ("'\"${", "}\"'"),
        };
        Self { open: [open, NAME], number: (number, power_of_ten(number)), close, ..Self::NOTHING }
    }
}

/// Returns the largest power of ten that is at most `number`.
fn power_of_ten(number: usize) -> usize {
    10_usize.pow(number.checked_ilog10().unwrap_or(0))
}

impl<'x> Iterator for Inserted<'x> {
    type Item = Piece<'x>;

    fn next(&mut self) -> Option<Piece<'x>> {
        if let Some(open) = self.open.iter_mut().find(|open| !open.is_empty()) {
            return Some(Piece::Text(core::mem::take(open)));
        }
        if self.number.1 > 0 {
            let (rest, power) = self.number;
            self.number = (rest % power, power / 10);
            return char::from_digit((rest / power) as u32, 10).map(Piece::Char);
        }
        if !self.assign.is_empty() {
            return Some(Piece::Text(core::mem::take(&mut self.assign)));
        }
        if self.piece.is_empty() {
            self.piece = self.source.next().unwrap_or(Piece::Text(""));
        }
        let (text, rest) = match self.piece {
            Piece::Text("") => {
                let close = core::mem::take(&mut self.close);
                return Some(Piece::Text(close)).filter(|close| !close.is_empty());
            }
            Piece::Text(text) if self.is_quoted => match text.strip_prefix('\'') {
                Some(rest) => ("'\\''", rest),
                None => text.split_at(text.find('\'').unwrap_or(text.len())),
            },
            Piece::Char('\'') if self.is_quoted => ("'\\''", ""),
            piece => {
                self.piece = Piece::Text("");
                return Some(piece);
            }
        };
        self.piece = Piece::Text(rest);
        Some(Piece::Text(text))
    }
}
