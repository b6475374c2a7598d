//! Sources with custom types.

use super::{Select, data::data};
use helix_skills_format::{
    __internal::{Fields, Reader},
    Error,
};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// A source with a custom type `x-NAME`, registered by a program that uses this library.
///
/// ```
/// use helix_skills_project::manifest::{Manifest, Source};
/// let manifest = Manifest::parse(
///     r#"{"skills": {"wiki": {"type": "x-wiki", "space": "TEAM", "include": ["review"]}}}"#,
/// ).unwrap();
/// let Some(Source::Other(wiki)) = manifest.sources.values().next() else { panic!() };
/// assert_eq!(wiki.kind.as_str(), "x-wiki");
/// assert_eq!(wiki.settings["space"], "TEAM");
/// assert!(wiki.select.include.as_ref().unwrap().contains("review"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct OtherSource {
    /// The type of the source: `x-` and the name of a custom type.
    #[cfg_attr(feature = "schema", schemars(rename = "type"))]
    pub kind: SourceType,
    /// All keys of the entry except `type` and the keys of `select`: data that is compared to
    /// detect drift.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub settings: Map<String, Json>,
    /// Which of its skills are wanted.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub select: Select,
}

impl OtherSource {
    /// Creates a source without settings that selects all skills.
    #[must_use]
    pub fn new(kind: SourceType) -> Self {
        Self { kind, settings: Map::new(), select: Select::default() }
    }

    pub(super) fn read<'t>(
        kind: SourceType,
        reader: &mut Reader<'t>,
        fields: &mut Fields<'_, 't>,
    ) -> Option<Self> {
        let select = Select::read(reader, fields)?;
        let settings = fields
            .others()
            .into_iter()
            .map(|(key, value)| Some((key.to_owned(), data(reader, value)?)));
        let sorted: BTreeMap<_, _> = settings.collect::<Option<_>>()?;
        Some(Self { kind, settings: sorted.into_iter().collect(), select })
    }
}

/// The name of a custom source type: `x-`, then 1 to 62 of `a-z`, `0-9` and `-`.
///
/// ```
/// use helix_skills_project::manifest::SourceType;
/// assert_eq!(SourceType::new("x-wiki").unwrap().as_str(), "x-wiki");
/// assert!(SourceType::new("wiki").is_err()); // names without `x-` are reserved
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceType(String);

helix_skills_format::checked_text!(SourceType, borrow);

impl SourceType {
    /// Parses a type.
    ///
    /// # Errors
    /// The text does not have the form above.
    pub fn new(text: &str) -> Result<Self, Error> {
        let good = text.strip_prefix("x-").is_some_and(|name| {
            (1..=62).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        });
        if good {
            Ok(Self(text.to_owned()))
        } else {
            let form = "expected `x-`, then 1 to 62 of the characters `a-z`, `0-9` and `-`";
            Err(form.to_owned().into())
        }
    }
}
