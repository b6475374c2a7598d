//! `plugin.json`: the manifest of a plugin.

use super::{components, path, plugin::shown_text};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Dialect, Reader, one_line},
    DirPath, Finding,
};
use std::collections::BTreeSet;

/// Maximum size of a manifest in bytes.
const MAX_BYTES: usize = 1 << 20;

/// A plugin's own manifest, which is optional.
///
/// ```
/// use helix_skills_project::__internal::marketplace::PluginManifest;
/// let text = r#"{"name": "docs", "version": "1.2.0", "skills": "./extra"}"#;
/// let manifest = PluginManifest::parse(text).unwrap();
/// assert_eq!(manifest.skills.unwrap()[0].as_str(), "extra");
/// assert!(PluginManifest::parse(r#"{"name": "docs", "skills": ["../../x"]}"#).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginManifest {
    /// Its own name; marketplaces may list it under another one.
    pub name: PluginName,
    /// Its version.
    pub version: Option<String>,
    /// The license that it declares.
    pub license: Option<String>,
    /// The directories that it lists as skills or directories of skills, relative to the plugin's
    /// root.
    pub skills: Option<Vec<DirPath>>,
    /// The keys of other components that it declares, such as `hooks`.
    pub components: BTreeSet<&'static str>,
}

impl PluginManifest {
    /// The path of the manifest, relative to the plugin's root.
    pub const FILE: &str = ".claude-plugin/plugin.json";

    /// Parses a manifest: JSON, after an optional byte order mark. Unknown keys are ignored.
    ///
    /// # Errors
    /// Every mistake in it, with its position.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let text = super::bounded(text, "the plugin's manifest", MAX_BYTES)?;
        Reader::document(text, Dialect::Strict, "the plugin's manifest", |reader, fields| {
            fields.ignore_others();
            let name = fields
                .require(reader, "name")
                .and_then(|v| reader.parsed(v, "`name`", PluginName::new));
            let version = match fields.take("version") {
                Some(value) => Some(reader.parsed(value, "`version`", one_line)?),
                None => None,
            };
            let license = shown_text(fields, "license");
            let skills = match fields.take("skills") {
                Some(value) => Some(path::skills(reader, value)?),
                None => None,
            };
            let components = components::declared(fields);
            Some(Self { name: name?, version, license, skills, components })
        })
    }
}
