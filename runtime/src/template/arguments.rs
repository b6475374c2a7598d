//! The arguments of a skill.

use crate::{
    Error, Neutral,
    json::{Json, JsonKind},
    render::Render,
};
use alloc::{borrow::Cow, string::String};
use core::fmt::{self, Write};

/// The arguments of a skill: a text, or a JSON value.
///
/// The items of an array are its
/// arguments; a number or boolean is one argument. The arguments of an object are the values of the
/// names that the skill declares, in that order, or if it declares none, the object's own values as
/// ordered in the source. `null`, a blank text and an object without members are empty.
///
/// JSON is inserted without white space between values, with numbers as written: `1.0` is not `1`.
///
/// ```
/// use helix_skills::template::{Arguments, Variables};
/// use helix_skills::{Profile, Skill};
/// let skill = Skill::define("move", "Moves files.", "Move $0 to $1.").build();
/// let arguments = Arguments::text("'the old one' archive/");
/// let filled = skill.fill(Profile::Helix, arguments, &Variables::new());
/// assert_eq!(filled, "Move the old one to archive/.");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arguments<'a>(Repr<'a>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Repr<'a> {
    #[default]
    None,
    Text(&'a str),
    Json(JsonValue<'a>),
}

/// A valid JSON value.
///
/// It has a pointer to the function that writes it, so that a program that passes only text does
/// not link the code that reads JSON.
#[derive(Clone, Copy, Debug)]
struct JsonValue<'a> {
    source: &'a str,
    is_empty: bool,
    write: fn(&str, &mut dyn Write) -> fmt::Result,
}

impl PartialEq for JsonValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for JsonValue<'_> {}

/// The source of arguments, for the other crates of this project.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the constructors of `Arguments` document them")]
pub enum GivenArguments<'a> {
    None,
    Text(&'a str),
    Json(&'a str),
}

/// Returns the source that arguments were made from.
#[must_use]
pub const fn given<'a>(arguments: &Arguments<'a>) -> GivenArguments<'a> {
    match arguments.0 {
        Repr::None => GivenArguments::None,
        Repr::Text(text) => GivenArguments::Text(text),
        Repr::Json(json) => GivenArguments::Json(json.source),
    }
}

impl<'a> Arguments<'a> {
    /// No arguments.
    pub const NONE: Self = Self(Repr::None);

    /// Creates arguments from text, as a user types it after the name of a skill.
    #[must_use]
    pub const fn text(text: &'a str) -> Self {
        Self(Repr::Text(text))
    }

    /// Creates arguments from a JSON value; a string is used as its text.
    ///
    /// Arrays and objects can be nested 127 levels deep.
    ///
    /// ```
    /// use helix_skills::template::{Arguments, Variables};
    /// use helix_skills::{Profile, Skill};
    /// let arguments = Arguments::json(r#"{"issue": 42, "labels": ["bug", "ui"]}"#)?;
    /// let body = "Fix $issue ($labels).\n$ARGUMENTS";
    /// let skill = Skill::define("fix", "Fixes an issue.", body).try_build()?;
    /// let filled = skill.fill(Profile::Helix, arguments, &Variables::new());
    /// assert_eq!(
    ///     filled,
    ///     "Fix 42 ([\"bug\",\"ui\"]).\n{\"issue\":42,\"labels\":[\"bug\",\"ui\"]}",
    /// );
    /// assert_eq!(
    ///     Arguments::json("{\"issue\": 42,\n \"labels\" []}").unwrap_err().to_string(),
    ///     "expected `:` at line 2 column 11",
    /// );
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not one JSON value.
    pub fn json(text: &'a str) -> Result<Self, Error> {
        Ok(Self::from_json(Json::parse_lenient(text)?))
    }

    /// Creates arguments from a parsed JSON value.
    pub(crate) fn from_json(value: Json<'a>) -> Self {
        Self(Repr::Json(JsonValue {
            source: value.source(),
            is_empty: is_empty(value),
            write: write_json,
        }))
    }

    /// Returns whether these are empty arguments: see [`Arguments`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self.0 {
            Repr::None => true,
            Repr::Text(text) => text.trim().is_empty(),
            Repr::Json(json) => json.is_empty,
        }
    }

    /// [`NONE`](Self::NONE) if these arguments are empty.
    pub(crate) fn unless_empty(self) -> Self {
        if self.is_empty() { Self::NONE } else { self }
    }

    /// Returns whether these are [`NONE`](Self::NONE), without parsing them.
    pub(crate) const fn is_none(&self) -> bool {
        matches!(self.0, Repr::None)
    }
}

impl Render for Arguments<'_> {
    /// Writes all arguments as text for a model.
    fn render(&self, out: &mut dyn Write) -> fmt::Result {
        match self.0 {
            Repr::None => Ok(()),
            Repr::Text(text) => Neutral(text).render(out),
            Repr::Json(json) => (json.write)(json.source, out),
        }
    }
}

/// Writes a string as its text, and other values without white space between their tokens.
fn write_json(source: &str, out: &mut dyn Write) -> fmt::Result {
    let json = Json::from_checked(source);
    Neutral(&json.text().unwrap_or_else(|| compact(json))).render(out)
}

impl<'a> From<&'a str> for Arguments<'a> {
    fn from(text: &'a str) -> Self {
        Self::text(text)
    }
}

/// Returns the source of a value without the white space between its tokens.
pub(super) fn compact<'a>(json: Json<'a>) -> Cow<'a, str> {
    let source = json.source();
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut is_kept = |c: char| {
        let was_quoted = is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = was_quoted && c == '\\' && !is_escaped;
        was_quoted || !c.is_ascii_whitespace()
    };
    match source.find(|c| !is_kept(c)) {
        None => source.into(),
        Some(at) => {
            let (before, rest) = source.split_at(at);
            let mut text = String::from(before);
            // The first character of the rest is white space outside of quotes.
            text.extend(rest.chars().skip(1).filter(|c| is_kept(*c)));
            text.into()
        }
    }
}

/// Returns whether a value means no arguments: null, an object without members, or a blank string.
fn is_empty(json: Json<'_>) -> bool {
    match json.kind() {
        JsonKind::Null => true,
        JsonKind::Object => json.members().next().is_none(),
        JsonKind::String => json.text().is_some_and(|text| text.chars().all(char::is_whitespace)),
        JsonKind::Boolean | JsonKind::Number | JsonKind::Array => false,
    }
}
