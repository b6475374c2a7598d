//! A JSON text as a tree whose values have places.

use super::{Dialect, MAX_DEPTH};
use helix_skills_runtime::__internal::{Json, JsonKind};
use jsonc_parser::{CollectOptions, ParseOptions, ast, common::Ranged as _, parse_to_ast};
use std::borrow::Cow;

/// The bytes of a text that a value takes, with its quotes or brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A value, and where it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Value<'t> {
    range: Range,
    pub(crate) data: Data<'t>,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data<'t> {
    Null,
    Boolean(bool),
    /// As it is written.
    Number(&'t str),
    String(Cow<'t, str>),
    Array(Vec<Value<'t>>),
    Object(Vec<Member<'t>>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member<'t> {
    pub(crate) name: Cow<'t, str>,
    pub(crate) name_range: Range,
    pub(crate) value: Value<'t>,
}

/// Why a text is not a value, and at which byte.
pub(crate) struct SyntaxError {
    pub(crate) what: String,
    pub(crate) at: usize,
}

impl<'t> Value<'t> {
    /// Reads a text. `None` if there is nothing in it.
    pub(super) fn parse(text: &'t str, dialect: Dialect) -> Result<Option<Self>, SyntaxError> {
        match dialect {
            Dialect::Strict => strict(text),
            Dialect::Plain => with_comments(text, false),
            Dialect::Commented => with_comments(text, true),
        }
    }

    pub(crate) const fn range(&self) -> Range {
        self.range
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        if let Data::String(text) = &self.data { Some(text) } else { None }
    }

    /// The members of an object.
    pub(crate) fn as_object(&self) -> Option<&[Member<'t>]> {
        if let Data::Object(members) = &self.data { Some(members) } else { None }
    }
}

/// Reads RFC 8259, at most once for each level of nesting.
fn strict(text: &str) -> Result<Option<Value<'_>>, SyntaxError> {
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    let error = |at, what: &str| SyntaxError { what: what.to_owned(), at };
    Json::parse(text).map(|json| Some(of_json(json))).map_err(|why| error(why.at(), why.what()))
}

fn of_json(json: Json<'_>) -> Value<'_> {
    let data = match json.kind() {
        JsonKind::Null => Data::Null,
        JsonKind::Boolean => Data::Boolean(json.source() == "true"),
        JsonKind::Number => Data::Number(json.source()),
        JsonKind::String => Data::String(text_of(json)),
        JsonKind::Array => Data::Array(json.items().map(of_json).collect()),
        JsonKind::Object => Data::Object(
            json.members()
                .map(|(key, value)| Member { name: text_of(key), name_range: range_of(key), value: of_json(value) })
                .collect(),
        ),
    };
    Value { range: range_of(json), data }
}

/// The text of a string; a strict document has no string without one.
fn text_of(json: Json<'_>) -> Cow<'_, str> {
    json.text().map_or(Cow::Borrowed(""), |text| text.as_str().map_or_else(|| text.to_string().into(), Cow::Borrowed))
}

fn range_of(json: Json<'_>) -> Range {
    Range { start: json.start(), end: json.start() + json.source().len() }
}

fn with_comments(text: &str, comments: bool) -> Result<Option<Value<'_>>, SyntaxError> {
    let options = ParseOptions {
        allow_comments: comments,
        allow_trailing_commas: comments,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let kind = error.kind().to_string();
        let mut letters = kind.chars();
        let first = letters.next().map(|c| c.to_ascii_lowercase()).into_iter();
        let what = first.chain(letters).collect::<String>();
        SyntaxError { what: what.trim_end_matches('.').to_owned(), at: error.range().start }
    })?;
    parsed.value.map(|value| of_ast(value, MAX_DEPTH)).transpose()
}

/// A value with at most `levels` nested arrays and objects.
fn of_ast(value: ast::Value<'_>, levels: u32) -> Result<Value<'_>, SyntaxError> {
    let range = range(value.range());
    let below = || {
        let what = format!("more than {MAX_DEPTH} nested arrays and objects");
        levels.checked_sub(1).ok_or(SyntaxError { what, at: range.start })
    };
    let data = match value {
        ast::Value::NullKeyword(_) => Data::Null,
        ast::Value::BooleanLit(found) => Data::Boolean(found.value),
        ast::Value::NumberLit(found) => Data::Number(found.value),
        ast::Value::StringLit(found) => Data::String(found.value),
        ast::Value::Array(found) => {
            let levels = below()?;
            Data::Array(found.elements.into_iter().map(|item| of_ast(item, levels)).collect::<Result<_, _>>()?)
        }
        ast::Value::Object(found) => {
            let levels = below()?;
            Data::Object(found.properties.into_iter().map(|found| member(found, levels)).collect::<Result<_, _>>()?)
        }
    };
    Ok(Value { range, data })
}

fn member(property: ast::ObjectProp<'_>, levels: u32) -> Result<Member<'_>, SyntaxError> {
    let name_range = range(property.name.range());
    let name = match property.name {
        ast::ObjectPropName::String(name) => name.value,
        ast::ObjectPropName::Word(name) => Cow::Borrowed(name.value),
    };
    Ok(Member { name, name_range, value: of_ast(property.value, levels)? })
}

fn range(found: jsonc_parser::common::Range) -> Range {
    Range { start: found.start, end: found.end }
}
