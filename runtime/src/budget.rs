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
}

impl Count {
    pub(crate) fn measure(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> Self {
        let mut count = Self::default();
        // Counting cannot fail.
        let _ = write(&mut count);
        count
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self { bytes: self.bytes + other.bytes, chars: self.chars + other.chars }
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(other.bytes),
            chars: self.chars.saturating_sub(other.chars),
        }
    }
}

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes += text.len();
        self.chars += text.chars().count();
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
