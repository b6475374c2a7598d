//! Marketplaces: `.claude-plugin/marketplace.json`, the plugins it lists, and where their skills
//! are.
//!
//! The files are untrusted. Their format follows the Claude Code documentation on plugin
//! marketplaces, and existing marketplaces.

mod error;
mod path;
mod plan;
mod plugin;
mod source;

pub use error::PluginError;
pub use helix_skills_format::PluginName;
pub use plan::{ListedPath, SkillPlan};
pub use plugin::{Declared, Plugin};
pub use source::PluginSource;

use helix_skills_format::{
    __internal::{Dialect, Fields, JsonKind, Reader, Value, quoted},
    Code, DirPath, Finding, GitUrl, Position,
};
use std::{collections::BTreeMap, ops::Range};

/// Maximum size of a marketplace in bytes. The largest known one has 170 KB.
const MAX_BYTES: usize = 8 << 20;

/// Maximum number of plugins of a marketplace.
const MAX_PLUGINS: usize = 20_000;

/// Maximum number of renames that are followed.
const MAX_RENAMES: usize = 32;

/// An index of plugins.
///
/// An entry is parsed when it is requested: a large index costs no more than one entry, and a
/// mistake in an entry does not affect the others. Duplicate keys in an entry are a mistake,
/// because parsers disagree on which one counts.
///
/// ```
/// use helix_skills_project::__internal::marketplace::{Marketplace, PluginName, PluginSource};
/// let marketplace = Marketplace::parse(r#"{
///     "name": "team",
///     "owner": {"name": "Team"},
///     "renames": {"writing": "docs"},
///     "plugins": [
///         {"name": "docs", "source": "./plugins/docs", "version": "1.2.0"},
///         {"name": "broken", "source": "../../elsewhere"}
///     ]
/// }"#).unwrap();
/// let asked = PluginName::new("writing").unwrap();
/// let docs = marketplace.plugin(&asked).unwrap();
/// assert_eq!(docs.name.as_str(), "docs"); // a former name was followed
/// let PluginSource::Relative { path, .. } = docs.source else { panic!() };
/// assert_eq!(path.as_str(), "plugins/docs");
///
/// let why = marketplace.plugin(&PluginName::new("broken").unwrap()).unwrap_err();
/// assert_eq!(why.findings[0].at.unwrap().to_string(), "7:38");
/// ```
#[derive(Clone, Debug)]
pub struct Marketplace {
    text: String,
    url: Option<GitUrl>,
    plugin_root: Option<Result<DirPath, String>>,
    entries: BTreeMap<PluginName, Vec<Range<usize>>>,
    renames: BTreeMap<PluginName, Option<PluginName>>,
    findings: Vec<Finding>,
}

/// Returns the text without its byte order mark if it has at most `most` bytes. `what` names the
/// text in the error.
fn bounded<'t>(text: &'t str, what: &str, most: usize) -> Result<&'t str, Vec<Finding>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() <= most {
        return Ok(text);
    }
    let message = format!("{what} of {} bytes is larger than {most} bytes", text.len());
    Err(vec![Finding::new(Code::TooLarge, None, message)])
}

impl Marketplace {
    /// The paths that the index of a marketplace's repository may have. The first one counts.
    pub const FILES: [&str; 3] = [
        ".claude-plugin/marketplace.json",
        ".github/plugin/marketplace.json",
        ".agents/plugins/marketplace.json",
    ];

    /// Parses an index: JSON, after an optional byte order mark. Unknown keys are ignored.
    ///
    /// # Errors
    /// The text is not JSON, has no list `plugins`, or has more than 8 MiB or 20,000 entries.
    /// Mistakes in single plugins are errors of [`Marketplace::plugin`] or part of
    /// [`Marketplace::findings`].
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let text = bounded(text, "the marketplace", MAX_BYTES)?;
        Reader::document(text, Dialect::Strict, "the marketplace", |reader, fields| {
            fields.ignore_others();
            let plugins = fields.require(reader, "plugins")?;
            let plugins = reader.list(plugins, "`plugins`", "a list of plugins")?;
            if plugins.len() > MAX_PLUGINS {
                let message = format!(
                    "the marketplace lists {} plugins, more than {MAX_PLUGINS}",
                    plugins.len()
                );
                reader.error(Code::TooLarge, fields.at, message);
                return None;
            }
            // Findings from here on do not make the whole index unusable.
            let fatal = reader.findings.len();
            let mut entries: BTreeMap<PluginName, Vec<Range<usize>>> = BTreeMap::new();
            for entry in plugins {
                let Some((name, at)) = name_of(reader, entry) else { continue };
                let places = entries.entry(name).or_default();
                places.push(entry.start()..entry.start() + entry.source().len());
                if places.len() == 2 {
                    let name = reader.string(at, "`name`")?;
                    let message = format!("the plugin {} is listed more than once", quoted(&name));
                    reader.error(Code::DuplicateKey, at.start(), message);
                }
            }
            let plugin_root = plugin_root(reader, fields);
            let renames = renames(reader, fields).unwrap_or_default();
            let findings = reader.findings.split_off(fatal);
            let text = text.to_owned();
            Some(Self { text, url: None, plugin_root, entries, renames, findings })
        })
    }

    /// Sets the repository that the marketplace was read from. Plugins may be in that repository
    /// regardless of the scheme of its URL; all other URLs have to be https or ssh.
    #[must_use]
    pub fn at(self, url: &GitUrl) -> Self {
        Self { url: Some(url.clone()), ..self }
    }

    /// Returns the names of its plugins, including those that cannot be used.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &PluginName> {
        self.entries.keys()
    }

    /// Returns the mistakes outside of single entries: entries without a valid name, duplicates,
    /// and renames to invalid names.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the entry of a plugin. A former name is followed to the current one,
    /// [`Plugin::name`]; the name of a listed plugin is never renamed, because a former name may be
    /// given again.
    ///
    /// # Errors
    /// The marketplace has no such plugin, or its entry cannot be used.
    pub fn plugin(&self, asked: &PluginName) -> Result<Plugin, PluginError> {
        let (name, places) = self.current(asked)?;
        let [place] = places else {
            let at = places.iter().map(|range| Position::from_offset(&self.text, range.start));
            return Err(PluginError::duplicate(name, at));
        };
        Reader::part(&self.text, place.clone(), Dialect::Strict, "a plugin", |reader, fields| {
            Plugin::read(reader, fields, name, self)
        })
        .map_err(|findings| PluginError::broken(name, findings))
    }

    /// Returns the current name of the plugin `asked` and the ranges of its entries.
    fn current<'m>(
        &'m self,
        asked: &PluginName,
    ) -> Result<(&'m PluginName, &'m [Range<usize>]), PluginError> {
        let mut renamed: Vec<PluginName> = Vec::new();
        loop {
            let last = renamed.last().unwrap_or(asked);
            if let Some((name, places)) = self.entries.get_key_value(last) {
                return Ok((name, places));
            }
            let next = match self.renames.get(last) {
                None => return Err(PluginError::unknown(asked, &renamed, self.names())),
                Some(None) => return Err(PluginError::removed(asked, &renamed)),
                Some(Some(next)) => next,
            };
            let is_cycle = next == asked || renamed.contains(next);
            renamed.push(next.clone());
            if is_cycle {
                return Err(PluginError::cycle(asked, &renamed));
            }
            if renamed.len() > MAX_RENAMES {
                return Err(PluginError::too_many_renames(asked));
            }
        }
    }
}

/// Returns the name of an entry and its value.
fn name_of<'t>(reader: &mut Reader<'t>, entry: Value<'t>) -> Option<(PluginName, Value<'t>)> {
    if entry.kind() != JsonKind::Object {
        reader.wrong_type(entry, "a plugin", "an object");
        return None;
    }
    let is_name = |(key, _): &(Value<'t>, _)| key.text().is_some_and(|key| key == "name");
    let Some((_, name)) = entry.members().find(is_name) else {
        reader.error(Code::MissingKey, entry.start(), "a plugin needs the key `name`");
        return None;
    };
    Some((reader.parsed(name, "`name`", PluginName::new)?, name))
}

/// Returns the base directory of plugins, or why it cannot be used.
fn plugin_root<'t>(
    reader: &mut Reader<'t>,
    fields: &mut Fields<'t>,
) -> Option<Result<DirPath, String>> {
    let mut metadata = reader.object(fields.take("metadata")?, "`metadata`")?;
    let written = metadata.take("pluginRoot")?;
    let text = reader.string(written, "`pluginRoot`")?;
    let root = DirPath::new(&text).map_err(|why| why.to_string());
    if let Err(why) = &root {
        let message = format!("`pluginRoot` {} is refused: {why}", quoted(&text));
        reader.error(Code::BadPath, written.start(), message);
    }
    Some(root)
}

/// Returns the new names of renamed plugins, `None` for removed ones.
fn renames<'t>(
    reader: &mut Reader<'t>,
    fields: &mut Fields<'t>,
) -> Option<BTreeMap<PluginName, Option<PluginName>>> {
    let mut renames = BTreeMap::new();
    for (former, at, now) in reader.object(fields.take("renames")?, "`renames`")?.entries() {
        let Some(former) = reader.checked(former, at, "the former name", PluginName::new) else {
            continue;
        };
        let now = match now.kind() {
            JsonKind::Null => None,
            _ => match reader.parsed(now, "the new name", PluginName::new) {
                Some(now) => Some(now),
                None => continue,
            },
        };
        renames.entry(former).or_insert(now);
    }
    Some(renames)
}

#[cfg(test)]
mod tests;
