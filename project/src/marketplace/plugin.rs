//! A plugin: its entry in a marketplace, and what it declares there and in its own `plugin.json`.

use super::{Marketplace, PluginName, PluginSource, path};
use helix_skills_format::{
    __internal::{Dialect, Fields, JsonKind, Reader, Value, one_line},
    DirPath, Finding,
};
use std::collections::BTreeSet;

/// Maximum size of a `plugin.json` in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The keys of components other than skills. They are never stored.
const COMPONENTS: [&str; 11] = [
    "agents",
    "channels",
    "commands",
    "experimental",
    "hooks",
    "lspServers",
    "mcpServers",
    "monitors",
    "outputStyles",
    "themes",
    "workflows",
];

/// A plugin as listed in its marketplace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plugin {
    /// Its current name, which differs from the requested one after a rename.
    pub name: PluginName,
    /// Its location.
    pub source: PluginSource,
    /// The description that the entry has for users.
    pub description: Option<String>,
    /// Whether the plugin's own `plugin.json` counts in addition to the entry. Default: true.
    pub strict: bool,
    /// What the entry declares.
    pub declared: Declared,
}

impl Plugin {
    pub(super) fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        name: &PluginName,
        marketplace: &Marketplace,
    ) -> Option<Self> {
        fields.ignore_others();
        let source = fields.require(reader, "source");
        let path = source.as_ref().and_then(Value::text).filter(|path| path::is_bare(path));
        let source = source.and_then(|v| PluginSource::read(reader, v, marketplace));
        let mut declared = Declared::read(reader, fields)?;
        // A name alone is relative to `pluginRoot`.
        declared.bare.splice(0..0, path.filter(|path| path.contains('/')).map(Into::into));
        let description = shown_text(fields, "description");
        let strict = match fields.take("strict") {
            Some(value) => reader.boolean(value, "`strict`")?,
            None => true,
        };
        Some(Self { name: name.clone(), source: source?, description, strict, declared })
    }
}

/// What a plugin declares, in its entry in the marketplace or in its own `plugin.json`, which is
/// optional.
///
/// ```
/// use helix_skills_project::__internal::marketplace::Declared;
/// let text = r#"{"name": "docs", "version": "1.2.0", "skills": "./extra"}"#;
/// let declared = Declared::parse(text).unwrap();
/// assert_eq!(declared.skills.unwrap()[0].as_str(), "extra");
/// assert!(Declared::parse(r#"{"name": "docs", "skills": ["../../x"]}"#).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declared {
    /// Its version.
    pub version: Option<String>,
    /// Its license, if it is one line.
    pub license: Option<String>,
    /// The directories that are listed as skills or directories of skills, relative to the plugin's
    /// root.
    pub skills: Option<Vec<DirPath>>,
    /// The keys of other components, such as `hooks`.
    pub components: BTreeSet<&'static str>,
    /// The paths that do not begin with `./`, which Claude Code wants.
    pub bare: Vec<String>,
}

impl Declared {
    /// The path of `plugin.json`, relative to the plugin's root.
    pub const FILE: &str = ".claude-plugin/plugin.json";

    /// Parses a `plugin.json`: JSON, after an optional byte order mark. Unknown keys are ignored.
    ///
    /// # Errors
    /// Every mistake in it, with its position.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let text = super::bounded(text, "the plugin's manifest", MAX_BYTES)?;
        Reader::document(text, Dialect::Strict, "the plugin's manifest", |reader, fields| {
            fields.ignore_others();
            // Marketplaces may list the plugin under another name.
            let name = fields.require_parsed(reader, "name", None, PluginName::new);
            let declared = Self::read(reader, fields)?;
            name.map(|_| declared)
        })
    }

    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'t>) -> Option<Self> {
        let version = fields.parsed(reader, "version", one_line)?;
        let license = shown_text(fields, "license");
        let (skills, bare) = match fields.take("skills") {
            Some(value) => {
                let (skills, bare) = path::skills(reader, value)?;
                (Some(skills), bare)
            }
            None => (None, Vec::new()),
        };
        let is_declared =
            |key: &&'static str| fields.take(key).is_some_and(|value| !is_empty(value));
        let components = COMPONENTS.into_iter().filter(is_declared).collect();
        Some(Self { version, license, skills, components, bare })
    }
}

fn is_empty(value: Value<'_>) -> bool {
    match value.kind() {
        JsonKind::Null => true,
        JsonKind::Array => value.items().next().is_none(),
        JsonKind::Object => value.members().next().is_none(),
        _ => false,
    }
}

/// Returns a text that is only shown. A value of another form is ignored: it does not make a plugin
/// unusable.
fn shown_text(fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    let text = fields.take(key)?.text()?.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
