//! Values of frontmatter keys that have no field of their own.

/// A value of YAML with every scalar as its source text: `version: 1.0` is the text `1.0`.
///
/// ```
/// use helix_skills_runtime::Value;
/// let openclaw = Value::Map(&[("emoji", Value::Text("🦞")), ("bins", Value::List(&[Value::Text("curl")]))]);
/// assert_eq!(openclaw.get("emoji").and_then(|v| v.as_text()), Some("🦞"));
/// assert_eq!(openclaw.get("bins").and_then(|v| v.as_list()).map(<[_]>::len), Some(1));
/// assert_eq!(openclaw.as_text(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A scalar, as it is written; `null` and nothing are the empty text.
    Text(&'a str),
    /// A sequence.
    List(&'a [Value<'a>]),
    /// A mapping, in the order of the source, keys unique.
    Map(&'a [(&'a str, Value<'a>)]),
}

impl<'a> Value<'a> {
    /// The text of a scalar.
    #[must_use]
    pub const fn as_text(&self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
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
