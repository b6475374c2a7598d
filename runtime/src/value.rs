//! Values of frontmatter keys that have no field of their own.

/// A value of YAML. Every scalar keeps its source text: `version: 1.0` is the number `1.0`, not `1`.
///
/// The kind of a scalar is that of YAML 1.2's [core schema](https://yaml.org/spec/1.2.2/#103-core-schema).
///
/// ```
/// use helix_skills::Value;
/// let openclaw = Value::Map(&[("emoji", Value::Text("🦞")), ("bins", Value::List(&[Value::Text("curl")]))]);
/// assert_eq!(openclaw.get("emoji").and_then(|v| v.as_text()), Some("🦞"));
/// assert_eq!(openclaw.get("bins").and_then(|v| v.as_list()).map(<[_]>::len), Some(1));
/// assert_eq!(openclaw.as_text(), None);
/// assert_eq!(Value::Number("1.0").as_text(), Some("1.0"));
/// assert_eq!(Value::Bool("True").as_bool(), Some(true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A scalar in quotes, a block scalar, or one that is no number, boolean or null; with escapes
    /// resolved.
    Text(&'a str),
    /// A number, as it is written: `1.0`, `0x1F`, `-.inf`.
    Number(&'a str),
    /// A boolean, as it is written: `true`, `False`.
    Bool(&'a str),
    /// A null, as it is written: `~`, `null`, or nothing at all.
    Null(&'a str),
    /// A sequence.
    List(&'a [Value<'a>]),
    /// A mapping, in the order of the source, keys unique.
    Map(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Value<'a> {
    /// The source text of a scalar of any kind.
    #[must_use]
    pub const fn as_text(&self) -> Option<&'a str> {
        match self {
            Self::Text(text) | Self::Number(text) | Self::Bool(text) | Self::Null(text) => {
                Some(text)
            }
            Self::List(_) | Self::Map(_) => None,
        }
    }

    /// The value of a boolean.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(text) => Some(text.eq_ignore_ascii_case("true")),
            _ => None,
        }
    }

    /// The items of a list.
    #[must_use]
    pub const fn as_list(&self) -> Option<&'a [Value<'a>]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a map.
    #[must_use]
    pub const fn as_map(&self) -> Option<&'a [(&'a str, Value<'a>)]> {
        match self {
            Self::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of `key`, if this is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.as_map()?.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }
}
