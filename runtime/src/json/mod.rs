//! A JSON reader (RFC 8259) over borrowed text.
//!
//! [`Json::parse`] checks a whole document once, in one pass and without recursion. Everything else
//! is a view of the checked text: [`members`](Json::members) and [`items`](Json::items) scan from
//! one value to the next, so the cost of a value is a pass over those before it.

mod error;
mod scan;
mod text;

use alloc::borrow::Cow;
use core::iter;

pub use error::JsonError;
pub use scan::MAX_DEPTH;
use scan::{LoneSurrogates, Scanner};
use text::decode;

/// A value of a checked document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'j> {
    document: &'j str,
    start: usize,
    end: usize,
}

/// The type of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of RFC 8259")]
pub enum JsonKind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl<'j> Json<'j> {
    /// Parses a document with one value.
    ///
    /// # Errors
    /// If the document is not JSON, nests deeper than [`MAX_DEPTH`], or contains an escape of half
    /// a surrogate pair.
    pub fn parse(document: &'j str) -> Result<Self, JsonError> {
        Self::read(document, LoneSurrogates::Refused)
    }

    /// Parses a document as models write them: a string may contain an escape of half a surrogate
    /// pair, and then has no text.
    ///
    /// # Errors
    /// Like [`parse`](Self::parse).
    pub(crate) fn parse_lenient(document: &'j str) -> Result<Self, JsonError> {
        Self::read(document, LoneSurrogates::Allowed)
    }

    fn read(document: &'j str, surrogates: LoneSurrogates) -> Result<Self, JsonError> {
        let mut scanner = Scanner { text: document, at: 0, surrogates };
        let (start, end) =
            scanner.document().map_err(|message| JsonError::new(message, document, scanner.at))?;
        Ok(Self { document, start, end })
    }

    /// Makes a value from its source, which has been checked before.
    pub(crate) const fn from_checked(source: &'j str) -> Self {
        Self { document: source, start: 0, end: source.len() }
    }

    /// Returns the value as in the source.
    #[must_use]
    pub fn source(&self) -> &'j str {
        self.document.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the start of the value in its document, in bytes.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// Returns the type of the value.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        match self.source().as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Boolean,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Returns the text of a string; `None` for other values, and for strings with half a surrogate
    /// pair.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'j, str>> {
        decode(self.source().strip_prefix('"')?.strip_suffix('"')?)
    }

    /// Returns the members of an object in the order of the document; empty for other values.
    ///
    /// A key may be repeated. Most readers use its last value.
    pub fn members(&self) -> impl Iterator<Item = (Self, Self)> + use<'j> {
        let mut scanner = self.inside(JsonKind::Object);
        iter::from_fn(move || {
            let (start, end) = scanner.key().ok()?;
            Some((Json { document: scanner.text, start, end }, next_value(&mut scanner)?))
        })
    }

    /// Returns the items of an array; empty for other values.
    pub fn items(&self) -> impl Iterator<Item = Self> + use<'j> {
        let mut scanner = self.inside(JsonKind::Array);
        iter::from_fn(move || next_value(&mut scanner))
    }

    /// Returns a scanner after the opening bracket, or at the end of the document if the value has
    /// another type.
    fn inside(&self, kind: JsonKind) -> Scanner<'j> {
        let at = if self.kind() == kind { self.start + 1 } else { self.document.len() };
        Scanner { text: self.document, at, surrogates: LoneSurrogates::Allowed }
    }
}

/// Returns the next value, and skips the comma after it. Returns `None` at a closing bracket.
fn next_value<'j>(scanner: &mut Scanner<'j>) -> Option<Json<'j>> {
    scanner.blanks();
    let start = scanner.at;
    scanner.value().ok()?;
    let end = scanner.at;
    scanner.blanks();
    scanner.take(b',');
    Some(Json { document: scanner.text, start, end })
}
