//! What is passed on to a skill.

use super::{source::Source, syntax::Syntax, tokens::Words};
use crate::{Neutral, render::Render};
#[cfg(feature = "serde")]
use crate::{TokenMode, escape::neutral_pieces};
use core::fmt::{self, Write};

/// What a skill is to work on: a text, or with the feature `serde` a value of JSON.
///
/// A text is split into arguments when a body asks for one of them. An array has its items, a number or a boolean is one
/// argument. An object has the values of the skill's `arguments`, in the order that these are declared in, and of its own
/// keys as they are written if none are. `null`, a blank text and an object without members say nothing: there are no arguments.
///
/// ```
/// use helix_skills_runtime::{Arguments, Template, Variables};
/// let filled = Template::new("Move $0 to $1.").fill(Arguments::text("'the old one' archive/"), Variables::new());
/// assert_eq!(filled.to_string(), "Move the old one to archive/.");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments<'a>(Kind<'a>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind<'a> {
    #[default]
    None,
    Text(&'a str),
    /// As it is written, without white space around.
    #[cfg(feature = "serde")]
    Json(&'a str),
}

impl<'a> Arguments<'a> {
    /// None at all.
    pub const NONE: Self = Self(Kind::None);

    /// A text, as a person types it after the name of a skill.
    #[must_use]
    pub const fn text(text: &'a str) -> Self {
        Self(Kind::Text(text))
    }

    /// A value of JSON; a string is the text that it holds.
    ///
    /// ```
    /// use helix_skills_runtime::{Arguments, Template, Variables};
    /// let arguments = Arguments::json(r#"{"issue": 42, "labels": ["bug", "ui"]}"#)?;
    /// let filled = Template::new("Mend $issue ($labels).\n$ARGUMENTS").fill(arguments, Variables::new());
    /// assert_eq!(filled.to_string(), "Mend 42 ([\"bug\",\"ui\"]).\n{\"issue\":42,\"labels\":[\"bug\",\"ui\"]}");
    /// assert!(Arguments::json("{issue: 42}").is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not one value of JSON.
    #[cfg(feature = "serde")]
    pub fn json(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self::raw)
    }

    /// A value that was read before.
    #[cfg(feature = "serde")]
    pub(crate) fn raw(value: &'a serde_json::value::RawValue) -> Self {
        Self(Kind::Json(value.get()))
    }

    /// Whether they say nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.0 {
            Kind::None => true,
            Kind::Text(text) => text.trim().is_empty(),
            #[cfg(feature = "serde")]
            Kind::Json(json) => super::json::is_empty(json),
        }
    }

    /// None at all, where they say nothing.
    pub(crate) fn unless_empty(self) -> Self {
        if self.is_empty() { Self::NONE } else { self }
    }

    /// Whether there are none: known without reading them.
    pub(crate) const fn is_none(&self) -> bool {
        matches!(self.0, Kind::None)
    }
}

impl Render for Arguments<'_> {
    /// All of them, as text for a model.
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        match self.0 {
            Kind::None => Ok(()),
            Kind::Text(text) => Neutral(text).render(out),
            #[cfg(feature = "serde")]
            Kind::Json(json) => neutral_pieces(super::json::Json::of(json, TokenMode::Posix).all(), out),
        }
    }
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self::text(text)
    }
}

/// Arguments, read: each can be asked for.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, and no heap to put it on")]
pub(super) enum Values<'a> {
    None,
    Text(Words<&'a str>),
    #[cfg(feature = "serde")]
    Json(super::json::Json<'a>),
}

#[cfg_attr(not(feature = "serde"), expect(unused_variables, reason = "only JSON has keys"))]
impl<'a> Values<'a> {
    pub(super) fn of(arguments: Arguments<'a>, syntax: Syntax) -> Self {
        match arguments.unless_empty().0 {
            Kind::None => Self::None,
            Kind::Text(text) => Self::Text(Words::of(text, syntax.tokens)),
            #[cfg(feature = "serde")]
            Kind::Json(json) => Self::Json(super::json::Json::of(json, syntax.tokens)),
        }
    }

    /// Bounds the lookups of words: see [`Words::bound`].
    pub(super) fn bound(&mut self, most: usize, lookups: impl FnOnce() -> usize) {
        match self {
            Self::None => {}
            Self::Text(words) => words.bound(most, lookups),
            #[cfg(feature = "serde")]
            Self::Json(json) => json.bound(most, lookups),
        }
    }

    pub(super) const fn are_given(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// All of them in one text.
    pub(super) fn all(&self) -> Source<'_> {
        match self {
            Self::None => Source::EMPTY,
            Self::Text(words) => Source::text(words.text()),
            #[cfg(feature = "serde")]
            Self::Json(json) => json.all(),
        }
    }

    /// The one at an index. An object has them by the names that are declared, the others count.
    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<Source<'_>> {
        match self {
            Self::None => None,
            Self::Text(words) => words.nth(index),
            #[cfg(feature = "serde")]
            Self::Json(json) => json.nth(index, names),
        }
    }

    /// The one of a name, which is declared at the index `declared` or is not.
    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Source<'_>> {
        match self {
            Self::None => None,
            Self::Text(words) => words.nth(declared?),
            #[cfg(feature = "serde")]
            Self::Json(json) => json.named(name, declared),
        }
    }

    /// Whether a key of them has this name.
    pub(super) fn has_key(&self, name: &str) -> bool {
        match self {
            #[cfg(feature = "serde")]
            Self::Json(json) => json.has_key(name),
            _ => false,
        }
    }
}
