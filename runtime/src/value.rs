//! Values of frontmatter keys without a field of their own.

use alloc::borrow::Cow;
use core::fmt;

/// A YAML value. Scalars keep their source text: `version: 1.0` is the number `1.0`, not `1`.
///
/// The type of a scalar is that of the [core schema](https://yaml.org/spec/1.2.2/#103-core-schema)
/// of YAML 1.2.
///
/// Constants borrow their text; values that are read at run time own it.
///
/// ```
/// use helix_skills::Value;
/// use std::borrow::Cow::Borrowed;
/// const OPENCLAW: Value = Value::Map(Borrowed(&[
///     (Borrowed("emoji"), Value::Text(Borrowed("🦞"))),
///     (Borrowed("bins"), Value::List(Borrowed(&[Value::Text(Borrowed("curl"))]))),
/// ]));
/// assert_eq!(OPENCLAW.get("emoji").and_then(Value::as_text), Some("🦞"));
/// assert!(matches!(OPENCLAW.get("bins"), Some(Value::List(bins)) if bins.len() == 1));
/// assert_eq!(OPENCLAW.as_text(), None);
/// assert_eq!(OPENCLAW.to_string(), "{emoji: 🦞, bins: [curl]}");
///
/// assert_eq!(Value::Number("1.0".into()).as_text(), Some("1.0"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A quoted scalar, a block scalar, or a plain one that is neither a number, a boolean nor
    /// null. Escapes are decoded.
    Text(Cow<'static, str>),
    /// A number, as in the source: `1.0`, `0x1F`, `-.inf`.
    Number(Cow<'static, str>),
    /// A boolean, as in the source: `true`, `False`.
    Bool(Cow<'static, str>),
    /// A null, as in the source: `~`, `null`, or an empty text.
    Null(Cow<'static, str>),
    /// A sequence.
    List(Cow<'static, [Value]>),
    /// A mapping with unique keys, in the order of the source.
    Map(Cow<'static, [(Cow<'static, str>, Value)]>),
}

impl Value {
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

    /// Returns the value of `key`, if this is a map that contains it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Map(entries) => {
                entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

/// One line in the style of YAML's flow collections: `[a, b]`, `{a: b}`. Texts are not quoted,
/// because the output is for humans.
impl fmt::Display for Value {
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
