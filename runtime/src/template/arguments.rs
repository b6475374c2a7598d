//! What is passed on to a skill.

use super::{
    PartKind, Template, TemplatePart,
    json::{self, Parts},
    source::Source,
    syntax::Syntax,
    tokens::Words,
};
use crate::{JsonError, Neutral, escape::neutral_pieces, json::Json, render::Render};
use core::fmt::{self, Write};

/// What a skill is to work on: a text, or a JSON value.
///
/// A text is split into arguments when a body asks for one of them. An array has its items, a number or a boolean is one
/// argument. An object has the values of the skill's `arguments`, in the order that these are declared in, and of its own
/// keys as they are written if none are. `null`, a blank text and an object without members are no
/// arguments.
///
/// JSON is read where it is, without allocating. An object with more than 128 different keys is one
/// argument, and so is an array or a text so long that looking up its parts, as often as the body
/// asks for them, would read more than 32 MiB.
///
/// ```
/// use helix_skills::template::{Arguments, Template, Variables};
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
    /// The source of a valid value.
    Json(&'a str),
}

/// The source of arguments, for other crates of ours.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the constructors of `Arguments` document them")]
pub enum GivenArguments<'a> {
    None,
    Text(&'a str),
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

    /// A JSON value; a string is the text that it holds.
    ///
    /// Arrays and objects may nest 127 levels deep.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Template, Variables};
    /// let arguments = Arguments::json(r#"{"issue": 42, "labels": ["bug", "ui"]}"#)?;
    /// let filled = Template::new("Mend $issue ($labels).\n$ARGUMENTS").fill(arguments, Variables::new());
    /// assert_eq!(filled.to_string(), "Mend 42 ([\"bug\",\"ui\"]).\n{\"issue\":42,\"labels\":[\"bug\",\"ui\"]}");
    /// assert!(Arguments::json("{issue: 42}").is_err());
    /// # Ok::<(), helix_skills::template::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not one JSON value.
    pub fn json(text: &'a str) -> Result<Self, JsonError> {
        Json::parse_lenient(text).map(Self::of_json)
    }

    /// A value of a document that was read before.
    pub(crate) fn of_json(value: Json<'a>) -> Self {
        Self(Kind::Json(value.source()))
    }

    /// Whether they say nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.0 {
            Kind::None => true,
            Kind::Text(text) => text.trim().is_empty(),
            Kind::Json(json) => json::is_empty(Json::from_checked(json)),
        }
    }

    /// The source that they were made from.
    pub(crate) const fn given(&self) -> GivenArguments<'a> {
        match self.0 {
            Kind::None => GivenArguments::None,
            Kind::Text(text) => GivenArguments::Text(text),
            Kind::Json(json) => GivenArguments::Json(json),
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
            Kind::Json(json) => {
                let json = Json::from_checked(json);
                match json.text() {
                    Some(text) => neutral_pieces(text.pieces(), out),
                    None => neutral_pieces(Parts::new(json).all(), out),
                }
            }
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
    Text(Words<'a>),
    Json(Parts<'a>),
}

impl<'a> Values<'a> {
    pub(super) fn of(arguments: Arguments<'a>, syntax: Syntax) -> Self {
        match arguments.unless_empty().0 {
            Kind::None => Self::None,
            Kind::Text(text) => Self::Text(Words::of(text, syntax.tokens)),
            Kind::Json(json) => {
                let json = Json::from_checked(json);
                match json.text() {
                    Some(text) => Self::Text(Words::decoded(text, syntax.tokens)),
                    None => Self::Json(Parts::new(json)),
                }
            }
        }
    }

    /// Bounds what the lookups of a body read: see [`Words::bound`] and [`Parts::bound`].
    pub(super) fn bound(&mut self, template: &Template<'_>) {
        // Each placeholder has a byte at least, so a short body need not be read for this.
        let most = template.body.len();
        let is_lookup =
            |part: &TemplatePart<'_>| matches!(part.kind(), PartKind::Index(_) | PartKind::Name(_));
        let is_all = |part: &TemplatePart<'_>| part.kind() == PartKind::Arguments;
        match self {
            Self::None => {}
            Self::Text(words) => {
                words.bound(most, || template.all_parts().filter(is_lookup).count())
            }
            Self::Json(parts) => {
                parts.bound(most, || {
                    template.all_parts().filter(|part| is_lookup(part) || is_all(part)).count()
                });
            }
        }
    }

    pub(super) const fn are_given(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// All of them in one text.
    pub(super) fn all(&self) -> Source<'_> {
        match self {
            Self::None => Source::EMPTY,
            Self::Text(words) => words.all(),
            Self::Json(json) => json.all(),
        }
    }

    /// The one at an index. An object has them by the names that are declared, the others count.
    pub(super) fn nth(&self, index: usize, names: &[&str]) -> Option<Source<'_>> {
        match self {
            Self::None => None,
            Self::Text(words) => words.nth(index),
            Self::Json(json) => json.nth(index, names),
        }
    }

    /// The one of a name, which is declared at the index `declared` or is not.
    pub(super) fn named(&self, name: &str, declared: Option<usize>) -> Option<Source<'_>> {
        match self {
            Self::None => None,
            Self::Text(words) => words.nth(declared?),
            Self::Json(json) => json.named(name, declared),
        }
    }

    /// Whether a key of them has this name.
    pub(super) fn has_key(&self, name: &str) -> bool {
        match self {
            Self::Json(json) => json.has_key(name),
            _ => false,
        }
    }
}
