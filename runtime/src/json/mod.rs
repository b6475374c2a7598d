//! A reader of JSON (RFC 8259) over borrowed text, without a heap.
//!
//! [`Json::parse`] checks a whole document once, in one pass and without recursion. Everything else
//! is a view of the checked text: [`members`](Json::members) and [`items`](Json::items) find one
//! value after the other, so asking for a value costs a pass over those before it.

mod error;
mod number;
mod scan;
mod text;

pub use error::JsonError;
pub(crate) use number::whole;
pub use scan::MAX_DEPTH;
use scan::{LoneSurrogates, Scanner};
pub(crate) use text::{Decoded, char_at};
pub use text::{Text, TextPieces};

/// A value of a checked document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<'j> {
    document: &'j str,
    start: usize,
    end: usize,
}

/// What a value is.
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
    /// Reads the value of a document.
    ///
    /// # Errors
    /// The first thing that is not JSON, that nests deeper than [`MAX_DEPTH`], or that is an escape
    /// of half a surrogate pair.
    pub fn parse(document: &'j str) -> Result<Self, JsonError> {
        Self::read(document, LoneSurrogates::Refused)
    }

    /// Reads the value of a document as models write them: a string may have an escape of half a
    /// surrogate pair, and has no text then.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub(crate) fn parse_lenient(document: &'j str) -> Result<Self, JsonError> {
        Self::read(document, LoneSurrogates::Allowed)
    }

    fn read(document: &'j str, surrogates: LoneSurrogates) -> Result<Self, JsonError> {
        let mut scanner = Scanner { text: document, at: 0, surrogates };
        let (start, end) =
            scanner.document().map_err(|message| JsonError::new(message, document, scanner.at))?;
        Ok(Self { document, start, end })
    }

    /// A value from its source, which was checked before.
    pub(crate) const fn from_checked(source: &'j str) -> Self {
        Self { document: source, start: 0, end: source.len() }
    }

    /// The value as it is written.
    #[must_use]
    pub fn source(&self) -> &'j str {
        self.document.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the value starts in its document, in bytes.
    #[must_use]
    pub const fn start(&self) -> usize {
        self.start
    }

    /// What the value is.
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

    /// The text of a string. `None` for other values, and for strings with half a surrogate pair.
    #[must_use]
    pub fn text(&self) -> Option<Text<'j>> {
        Text::new(self.source().strip_prefix('"')?.strip_suffix('"')?)
    }

    /// The members of an object as keys and values, in the order of the document. None of other
    /// values.
    ///
    /// A key may occur twice: for most readers, the last one counts.
    #[must_use]
    pub fn members(&self) -> JsonMembers<'j> {
        JsonMembers(self.inside(JsonKind::Object))
    }

    /// The items of an array. None of other values.
    #[must_use]
    pub fn items(&self) -> JsonItems<'j> {
        JsonItems(self.inside(JsonKind::Array))
    }

    /// The items of an array from the one that starts at the byte `start` of the document.
    pub(crate) const fn items_from(&self, start: usize) -> JsonItems<'j> {
        JsonItems(Scanner { text: self.document, at: start, surrogates: LoneSurrogates::Allowed })
    }

    /// A scanner behind the opening bracket; at the end of the document if this is another value.
    fn inside(&self, kind: JsonKind) -> Scanner<'j> {
        let at = if self.kind() == kind { self.start + 1 } else { self.document.len() };
        Scanner { text: self.document, at, surrogates: LoneSurrogates::Allowed }
    }
}

/// The members of an object: [`Json::members`].
#[derive(Clone, Debug)]
pub struct JsonMembers<'j>(Scanner<'j>);

impl<'j> Iterator for JsonMembers<'j> {
    type Item = (Json<'j>, Json<'j>);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, end) = self.0.key().ok()?;
        Some((Json { document: self.0.text, start, end }, next_value(&mut self.0)?))
    }
}

/// The items of an array: [`Json::items`].
#[derive(Clone, Debug)]
pub struct JsonItems<'j>(Scanner<'j>);

impl<'j> Iterator for JsonItems<'j> {
    type Item = Json<'j>;

    fn next(&mut self) -> Option<Json<'j>> {
        next_value(&mut self.0)
    }
}

/// The next value, and past the comma after it. `None` at a closing bracket.
fn next_value<'j>(scanner: &mut Scanner<'j>) -> Option<Json<'j>> {
    scanner.blanks();
    let start = scanner.at;
    scanner.value().ok()?;
    let end = scanner.at;
    scanner.blanks();
    scanner.take(b',');
    Some(Json { document: scanner.text, start, end })
}
