//! `plugin.json`: what a plugin says of itself.

use super::{components, path};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Dialect, Reader, one_line},
    Code, DirPath, Finding,
};
use std::collections::BTreeSet;

/// Larger texts are refused unread.
const MAX_BYTES: usize = 1 << 20;

/// A plugin's own manifest. Plugins need none.
///
/// ```
/// use helix_skills_project::marketplace::PluginManifest;
/// let manifest = PluginManifest::parse(r#"{"name": "docs", "version": "1.2.0", "skills": "./extra"}"#).unwrap();
/// assert_eq!(manifest.skills.unwrap()[0].as_str(), "extra");
/// assert!(PluginManifest::parse(r#"{"name": "docs", "skills": ["../../x"]}"#).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PluginManifest {
    /// What the plugin calls itself; marketplaces may list it under another name.
    pub name: PluginName,
    /// Its version.
    pub version: Option<String>,
    /// The directories it lists as skills or as holding them, from the root of the plugin.
    pub skills: Option<Vec<DirPath>>,
    /// What else it declares, by the key: `hooks`, `mcpServers`.
    pub components: BTreeSet<&'static str>,
}

impl PluginManifest {
    /// Where a plugin has its manifest, from the plugin's root.
    pub const FILE: &str = ".claude-plugin/plugin.json";

    /// Reads a manifest: JSON, after a byte order mark if there is one. Keys that are not known are let be.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.len() > MAX_BYTES {
            let message = format!("the plugin's manifest of {} bytes is larger than {MAX_BYTES} bytes", text.len());
            return Err(vec![Finding::new(Code::TooLarge, None, message)]);
        }
        Reader::document(text, Dialect::Strict, "the plugin's manifest", |reader, fields| {
            fields.ignore_others();
            let name = fields.require(reader, "name").and_then(|v| reader.parsed(v, "`name`", PluginName::new));
            let version = match fields.take("version") {
                Some(value) => Some(reader.parsed(value, "`version`", one_line)?),
                None => None,
            };
            let skills = match fields.take("skills") {
                Some(value) => Some(path::skills(reader, value)?),
                None => None,
            };
            let components = components::declared(fields);
            Some(Self { name: name?, version, skills, components })
        })
    }
}
