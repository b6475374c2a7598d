//! Files of a skill beside `SKILL.md`.

use core::fmt;

/// A file of a skill other than `SKILL.md`: a reference, a script, an image.
///
/// A script is text like any other; nothing here executes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Resource<'a> {
    path: &'a str,
    content: Content<'a>,
}

/// Text is kept apart from bytes so that nobody has to prove UTF-8 again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// A text file, whose length the macro proves while compiling.
#[must_use]
pub const fn text<'a>(path: &'a str, text: &'a str, len: usize, otherwise: &str) -> Resource<'a> {
    assert!(text.len() == len, "{}", otherwise);
    Resource { path, content: Content::Text(text) }
}

/// A file that is not UTF-8, whose length the macro proves while compiling.
#[must_use]
pub const fn binary<'a>(path: &'a str, bytes: &'a [u8], len: usize, otherwise: &str) -> Resource<'a> {
    assert!(bytes.len() == len, "{}", otherwise);
    Resource { path, content: Content::Bytes(bytes) }
}

impl<'a> Resource<'a> {
    /// The path inside the skill, `/` between its parts: `references/forms.md`.
    #[must_use]
    pub const fn path(&self) -> &'a str {
        self.path
    }

    /// The bytes, exactly as they were locked.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        match self.content {
            Content::Text(text) => text.as_bytes(),
            Content::Bytes(bytes) => bytes,
        }
    }

    /// The text, if the file is UTF-8.
    #[must_use]
    pub const fn text(&self) -> Option<&'a str> {
        match self.content {
            Content::Text(text) => Some(text),
            Content::Bytes(_) => None,
        }
    }

    /// The size in bytes.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes().len()
    }

    /// Whether the file has no bytes.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }
}

impl fmt::Debug for Resource<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource").field("path", &self.path).field("len", &self.len()).finish_non_exhaustive()
    }
}
