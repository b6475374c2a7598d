//! Values of frontmatter keys without a field of their own.

/// A YAML value. Scalars keep their source text: `version: 1.0` is the number `1.0`, not `1`.
///
/// The type of a scalar is that of the [core schema](https://yaml.org/spec/1.2.2/#103-core-schema)
/// of YAML 1.2.
///
/// ```
/// use helix_skills::Value;
/// let openclaw = Value::Map(&[
///     ("emoji", Value::Text("🦞")),
///     ("bins", Value::List(&[Value::Text("curl")])),
/// ]);
/// assert_eq!(openclaw.get("emoji").and_then(|v| v.as_text()), Some("🦞"));
/// assert_eq!(openclaw.get("bins").and_then(|v| v.as_list()).map(<[_]>::len), Some(1));
/// assert_eq!(openclaw.as_text(), None);
/// assert_eq!(Value::Number("1.0").as_text(), Some("1.0"));
/// assert_eq!(Value::Bool("True").as_bool(), Some(true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A quoted scalar, a block scalar, or a plain one that is neither a number, a boolean nor
    /// null. Escapes are decoded.
    Text(&'a str),
    /// A number, as in the source: `1.0`, `0x1F`, `-.inf`.
    Number(&'a str),
    /// A boolean, as in the source: `true`, `False`.
    Bool(&'a str),
    /// A null, as in the source: `~`, `null`, or an empty text.
    Null(&'a str),
    /// A sequence.
    List(&'a [Value<'a>]),
    /// A mapping with unique keys, in the order of the source.
    Map(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Value<'a> {
    /// Returns the source text of a scalar of any type.
    #[must_use]
    pub const fn as_text(&self) -> Option<&'a str> {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Bool(text) | Self::Null(text) => {
                Some(text)
            }
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// Returns the value of a boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(text) => Some(text.eq_ignore_ascii_case("true")),
            _ => None,
        }
    }

    /// Returns the items of a list.
    #[must_use]
    pub const fn as_list(&self) -> Option<&'a [Value<'a>]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the entries of a map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&'a [(&'a str, Value<'a>)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the value of `key`, if this is a map that contains it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.as_map()?.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}
