//! One entry of a marketplace.

use super::{Marketplace, PluginSource, components, path};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Fields, Reader, one_line},
    DirPath,
};
use std::collections::BTreeSet;

/// A plugin as its marketplace lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plugin {
    /// The name it is listed under. Another one than was asked for when the plugin was renamed since.
    pub name: PluginName,
    /// Where it lies.
    pub source: PluginSource,
    /// The version that the entry declares.
    pub version: Option<String>,
    /// Whether the plugin's own `plugin.json` counts beside the entry, as it does unless the entry says otherwise.
    pub strict: bool,
    /// The directories that the entry lists as skills or as holding them, from the root of the plugin.
    pub skills: Option<Vec<DirPath>>,
    /// What else the entry declares, by the key: `hooks`, `mcpServers`.
    pub components: BTreeSet<&'static str>,
}

impl Plugin {
    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'_, 't>,
        name: &PluginName,
        marketplace: &Marketplace,
    ) -> Option<Self> {
        fields.ignore_others();
        let source = fields.require(reader, "source").and_then(|v| PluginSource::read(reader, v, marketplace));
        let version = match fields.take("version") {
            Some(value) => Some(reader.parsed(value, "`version`", one_line)?),
            None => None,
        };
        let strict = match fields.take("strict") {
            Some(value) => reader.boolean(value, "`strict`")?,
            None => true,
        };
        let skills = match fields.take("skills") {
            Some(value) => Some(path::skills(reader, value)?),
            None => None,
        };
        let components = components::declared(fields);
        Some(Self { name: name.clone(), source: source?, version, strict, skills, components })
    }
}
