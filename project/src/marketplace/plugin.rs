//! The entry of a plugin in a marketplace.

use super::{Marketplace, PluginSource, components, path};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Fields, Reader, one_line},
    DirPath,
};
use std::collections::BTreeSet;

/// A plugin as listed in its marketplace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plugin {
    /// Its current name, which differs from the requested one after a rename.
    pub name: PluginName,
    /// Its location.
    pub source: PluginSource,
    /// The version that the entry declares.
    pub version: Option<String>,
    /// The license that the entry declares, if it is one line.
    pub license: Option<String>,
    /// The description that the entry has for users.
    pub description: Option<String>,
    /// Whether the plugin's own `plugin.json` counts in addition to the entry. Default: true.
    pub strict: bool,
    /// The directories that the entry lists as skills or directories of skills, relative to the
    /// plugin's root.
    pub skills: Option<Vec<DirPath>>,
    /// The keys of other components that the entry declares, such as `hooks`.
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
        let source = fields
            .require(reader, "source")
            .and_then(|v| PluginSource::read(reader, v, marketplace));
        let version = match fields.take("version") {
            Some(value) => Some(reader.parsed(value, "`version`", one_line)?),
            None => None,
        };
        let (license, description) =
            (shown_text(fields, "license"), shown_text(fields, "description"));
        let strict = match fields.take("strict") {
            Some(value) => reader.boolean(value, "`strict`")?,
            None => true,
        };
        let skills = match fields.take("skills") {
            Some(value) => Some(path::skills(reader, value)?),
            None => None,
        };
        let components = components::declared(fields);
        Some(Self {
            name: name.clone(),
            source: source?,
            version,
            license,
            description,
            strict,
            skills,
            components,
        })
    }
}

/// Returns a text that is only shown. A value of another form is ignored: it does not make a plugin
/// unusable.
pub(super) fn shown_text(fields: &mut Fields<'_, '_>, key: &'static str) -> Option<String> {
    let text = fields.take(key)?.as_str()?.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
