//! Limits for the text of an agent's prompt.

use crate::estimated_tokens;
use core::fmt::{self, Write};

/// A limit for text, in characters or tokens.
///
/// ```
/// use helix_skills::TextLimit;
/// assert_eq!(TextLimit::Chars(8_000).to_string(), "8000 characters");
/// assert_eq!(TextLimit::Tokens(2_000).to_string(), "about 2000 tokens");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextLimit {
    /// Unicode scalar values.
    Chars(usize),
    /// Tokens, as [`estimated_tokens`] estimates them.
    Tokens(usize),
}

impl TextLimit {
    /// Converts a count to the unit of this limit.
    pub(crate) const fn count(self, count: Count) -> Self {
        match self {
            Self::Chars(_) => Self::Chars(count.chars),
            Self::Tokens(_) => Self::Tokens(estimated_tokens(count.bytes)),
        }
    }

    /// Returns whether `count` is within this limit.
    pub(crate) const fn allows(self, count: Count) -> bool {
        match self {
            Self::Chars(most) => count.chars <= most,
            Self::Tokens(most) => estimated_tokens(count.bytes) <= most,
        }
    }
}

impl fmt::Display for TextLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chars(amount) => write!(f, "{amount} characters"),
            Self::Tokens(amount) => write!(f, "about {amount} tokens"),
        }
    }
}

/// The size of a text, measured without storing it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) bytes: usize,
    pub(crate) chars: usize,
    /// Characters that are two units of UTF-16.
    pairs: usize,
}

impl Count {
    pub(crate) fn measure(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> Self {
        let mut count = Self::default();
        // Counting cannot fail.
        let _ = write(&mut count);
        count
    }

    /// Returns the size in UTF-16 units, as JavaScript counts it.
    pub(crate) const fn units(self) -> usize {
        self.chars + self.pairs
    }

    /// Returns the size after a text of the size `before` is replaced by one of the size `after`.
    pub(crate) const fn replacing(self, before: Self, after: Self) -> Self {
        Self {
            bytes: self.bytes + after.bytes - before.bytes,
            chars: self.chars + after.chars - before.chars,
            pairs: self.pairs + after.pairs - before.pairs,
        }
    }
}

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes += text.len();
        self.chars += text.chars().count();
        self.pairs += text.bytes().filter(|byte| *byte >= 0xf0).count();
        Ok(())
    }
}

/// Limits for the parts of a catalog.
///
/// Nothing is cut silently. A list of skills over its budget keeps every name; it leaves out
/// descriptions from the end, and says how many and how to find them. In the profile `Agentick`,
/// whole lines are left out of the tool's description, and the names are left out of the tool's
/// parameters unless both fit. Preloaded skills over their budget are an error.
///
/// ```
/// use helix_skills::{Budget, TextLimit};
/// const SMALL: Budget =
///     Budget::NONE.catalog(TextLimit::Tokens(1_000)).preloads(TextLimit::Tokens(4_000));
/// assert_ne!(SMALL, Budget::NONE);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub(crate) catalog: Option<TextLimit>,
    pub(crate) preloads: Option<TextLimit>,
}

impl Budget {
    /// No limits.
    pub const NONE: Self = Self { catalog: None, preloads: None };

    /// Limits the list of skills, including its heading and its instructions.
    #[must_use]
    pub const fn catalog(mut self, limit: TextLimit) -> Self {
        self.catalog = Some(limit);
        self
    }

    /// Limits the block of preloaded skills.
    #[must_use]
    pub const fn preloads(mut self, limit: TextLimit) -> Self {
        self.preloads = Some(limit);
        self
    }
}
