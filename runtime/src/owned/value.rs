//! Owned values of frontmatter keys.

use crate::Value;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use core::fmt;

/// A [`Value`] that owns its text.
///
/// ```
/// use helix_skills::{define::ValueBuf, Value};
/// let tags = ValueBuf::from(Value::List(&[Value::Text("pdf"), Value::Number("1.0")]));
/// assert_eq!(tags.to_string(), "[pdf, 1.0]");
/// assert_eq!(tags.as_text(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueBuf {
    /// A quoted scalar, a block scalar, or a plain one that is neither a number, a boolean nor
    /// null. Escapes are decoded.
    Text(String),
    /// A number, as in the source.
    Number(String),
    /// A boolean, as in the source.
    Bool(String),
    /// A null, as in the source; may be empty.
    Null(String),
    /// A sequence.
    List(Vec<ValueBuf>),
    /// A mapping with unique keys, in the order of the source.
    Map(Vec<(String, ValueBuf)>),
}

impl ValueBuf {
    /// Returns the source text of a scalar of any type.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Bool(text) | Self::Null(text) => {
                Some(text)
            }
            Self::List(_) | Self::Map(_) => None,
        }
    }
}

impl From<Value<'_>> for ValueBuf {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Number(text) => Self::Number(text.to_owned()),
            Value::Bool(text) => Self::Bool(text.to_owned()),
            Value::Null(text) => Self::Null(text.to_owned()),
            Value::List(items) => Self::List(items.iter().map(|item| Self::from(*item)).collect()),
            Value::Map(entries) => Self::Map(owned_entries(entries)),
        }
    }
}

pub(super) fn owned_entries(entries: &[(&str, Value<'_>)]) -> Vec<(String, ValueBuf)> {
    entries.iter().map(|(key, value)| ((*key).to_owned(), ValueBuf::from(*value))).collect()
}

/// One line in the style of YAML's flow collections: `[a, b]`, `{a: b}`. Texts are not quoted,
/// because the output is for humans.
impl fmt::Display for ValueBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Bool(text) | Self::Null(text) => {
                f.write_str(text)
            }
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (at, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("}")
            }
        }
    }
}
