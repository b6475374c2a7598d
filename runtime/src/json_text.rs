//! Text of JSON values, and how it is written.

use alloc::string::String;
use core::fmt::{self, Write};

/// The text of a JSON value. With the feature `serde`, it serializes as the value itself and not as
/// a string.
///
/// ```
/// # use helix_skills::{Skill, SkillSet, Toolbox};
/// # const ALL: &[Skill] = &[Skill::define("pdf", "Reads PDF files.", "Use it.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(ALL);
/// let load = Toolbox::new(SKILLS).tools([])?.next().unwrap();
/// assert!(load.parameters().as_str().starts_with(r#"{"type":"object","#));
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// Makes a value of text that is expected to be JSON. If it is not, serializing fails.
    #[must_use]
    pub(crate) const fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<JsonText> for String {
    fn from(json: JsonText) -> Self {
        json.0
    }
}

#[cfg(feature = "serde")]
mod serialize {
    use super::JsonText;
    use crate::json::{Json, JsonKind};
    use serde_core::{
        Serialize, Serializer,
        ser::{Error as _, SerializeMap as _, SerializeSeq as _},
    };

    impl Serialize for JsonText {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Json::parse(&self.0).map_err(S::Error::custom)?.serialize(serializer)
        }
    }

    impl Serialize for Json<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.kind() {
                JsonKind::Null => serializer.serialize_unit(),
                JsonKind::Boolean => serializer.serialize_bool(self.source() == "true"),
                JsonKind::Number => number(self.source(), serializer),
                JsonKind::String => match self.text() {
                    Some(text) => serializer.serialize_str(&text),
                    None => Err(S::Error::custom("half of a surrogate pair")),
                },
                JsonKind::Array => {
                    let mut items = serializer.serialize_seq(None)?;
                    self.items().try_for_each(|item| items.serialize_element(&item))?;
                    items.end()
                }
                JsonKind::Object => {
                    let mut members = serializer.serialize_map(None)?;
                    self.members()
                        .try_for_each(|(key, value)| members.serialize_entry(&key, &value))?;
                    members.end()
                }
            }
        }
    }

    fn number<S: Serializer>(source: &str, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(number) = source.parse() {
            serializer.serialize_u64(number)
        } else if let Ok(number) = source.parse() {
            serializer.serialize_i64(number)
        } else {
            serializer.serialize_f64(source.parse().map_err(S::Error::custom)?)
        }
    }
}

/// Writes `text` as a JSON string.
///
/// # Errors
/// If `out` fails.
pub fn write_string(text: &str, out: &mut dyn Write) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\u{8}' => out.write_str("\\b")?,
            '\u{c}' => out.write_str("\\f")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            '\0'..='\x1f' => write!(out, "\\u{:04x}", u32::from(c))?,
            _ => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
