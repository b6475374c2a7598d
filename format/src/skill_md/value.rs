//! Values of frontmatter keys that have no type of their own.

use std::fmt;

/// A value of the frontmatter. Nothing is guessed: numbers, booleans and nulls are the text that stands in the file.
///
/// ```
/// use helix_skills_format::{SkillMd, Value};
/// let text = "---\nname: a\ndescription: b\nversion: 1.0\n---\nBody\n";
/// let skill = SkillMd::parse(text, Some("a"), "SKILL.md").unwrap().skill;
/// assert_eq!(skill.extra, [("version".to_owned(), Value::Text("1.0".to_owned()))]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A scalar: its source text, without quotes and with escapes resolved.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A mapping, in source order; each key once.
    Map(Vec<(String, Value)>),
}

impl Value {
    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// One line in the style of YAML's flow collections: `[a, b]`, `{a: b}`; for people, texts are not quoted.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
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
