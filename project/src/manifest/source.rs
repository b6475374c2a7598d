//! The sources of a manifest.

use super::{OtherSource, Repository, Select, SourceType};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Fields, Reader, Value, nearest, quoted},
    Code, DirPath, GitUrl, ProjectPath, SourceKey,
};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// One source of the manifest: where skills come from, and which of them are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// `"type": "git"`: a repository.
    Git(GitSource),
    /// `"type": "claude-marketplace"`: a plugin of a repository that has an index of plugins.
    Marketplace(MarketplaceSource),
    /// `"type": "path"`: a directory in or next to the project.
    Path(PathSource),
    /// `"type": "x-NAME"`: a custom type, registered with
    /// [`Project::source_type`](crate::Project::source_type).
    Other(OtherSource),
}

/// The built-in source types.
const SOURCE_TYPES: [&str; 3] = ["git", "claude-marketplace", "path"];

/// The hint for a marketplace source without `plugin`.
const PLUGIN_HINT: &str = "name one with `\"plugin\": \"NAME\"`; the marketplace lists them in its `.claude-plugin/marketplace.json`";

/// A source that takes skills from a git repository.
///
/// ```
/// use helix_skills_project::{format::GitUrl, manifest::{GitSource, Pin, VersionPin}};
/// let url = GitUrl::parse("https://github.com/heygen-com/hyperframes.git").unwrap();
/// let mut source = GitSource::new(url);
/// source.repository.pin = Pin::Version(VersionPin::parse("^0.6").unwrap());
/// assert_eq!(source.skills_dir.as_str(), "skills");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase", deny_unknown_fields))]
#[non_exhaustive]
pub struct GitSource {
    /// The repository and its pin.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub repository: Repository,
    /// The directory of the repository whose subdirectories are skills. With the default, a
    /// repository that is itself a skill is found as well.
    #[cfg_attr(feature = "schema", schemars(with = "Option<DirPath>", extend("default" = GitSource::DEFAULT_SKILLS_DIR)))]
    pub skills_dir: DirPath,
    /// Which of its skills are wanted.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub select: Select,
}

/// A source that takes the skills of one plugin of a marketplace, a git repository with an index of
/// plugins.
///
/// ```
/// use helix_skills_project::manifest::{Manifest, Source};
/// let manifest = Manifest::parse(r#"{"skills": {"docs": {
///     "type": "claude-marketplace",
///     "url": "https://github.com/anthropics/skills.git",
///     "plugin": "document-skills",
///     "include": ["pdf"]
/// }}}"#).unwrap();
/// let Some(Source::Marketplace(docs)) = manifest.sources.values().next() else { panic!() };
/// assert_eq!(docs.plugin.as_str(), "document-skills");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase", deny_unknown_fields))]
#[non_exhaustive]
pub struct MarketplaceSource {
    /// The marketplace's repository and its pin.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub repository: Repository,
    /// The name of the plugin in the marketplace; a former name is accepted if the marketplace
    /// lists it in `renames`.
    pub plugin: PluginName,
    /// Which of its skills are wanted.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub select: Select,
}

/// A source that reads a directory on this machine: a skill, or a directory whose subdirectories
/// are skills. The files stay where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase", deny_unknown_fields))]
#[non_exhaustive]
pub struct PathSource {
    /// The directory, relative to the manifest.
    pub path: ProjectPath,
    /// Which of its skills are wanted.
    #[cfg_attr(feature = "schema", schemars(flatten))]
    pub select: Select,
}

impl Source {
    /// Returns which skills of the source are wanted.
    #[must_use]
    pub fn select(&self) -> &Select {
        match self {
            Self::Git(git) => &git.select,
            Self::Marketplace(marketplace) => &marketplace.select,
            Self::Path(path) => &path.select,
            Self::Other(other) => &other.select,
        }
    }

    /// Returns which skills of the source are wanted, to change it.
    pub fn select_mut(&mut self) -> &mut Select {
        match self {
            Self::Git(git) => &mut git.select,
            Self::Marketplace(marketplace) => &mut marketplace.select,
            Self::Path(path) => &mut path.select,
            Self::Other(other) => &mut other.select,
        }
    }

    /// Returns the repository of the source; `None` for paths and custom types.
    #[must_use]
    pub fn repository(&self) -> Option<&Repository> {
        match self {
            Self::Git(git) => Some(&git.repository),
            Self::Marketplace(marketplace) => Some(&marketplace.repository),
            Self::Path(_) | Self::Other(_) => None,
        }
    }

    /// Returns the `"type"` of the source.
    #[must_use]
    pub fn kind(&self) -> &str {
        match self {
            Self::Git(_) => "git",
            Self::Marketplace(_) => "claude-marketplace",
            Self::Path(_) => "path",
            Self::Other(other) => other.kind.as_str(),
        }
    }

    /// Returns the name of the directory of one of its skills, as in `include`, `exclude` and
    /// `rename`. `key` is the name of the source, and `path` the skill's path in the lockfile.
    #[doc(hidden)]
    #[must_use]
    pub fn directory_name<'n>(&'n self, key: &'n SourceKey, path: &'n DirPath) -> &'n str {
        path.file_name().unwrap_or_else(|| match self {
            Self::Git(git) => git.repository.url.repository_name(),
            Self::Marketplace(market) => market.plugin.as_str(),
            Self::Path(path) => path.own_name().unwrap_or(key.as_str()),
            Self::Other(_) => key.as_str(),
        })
    }

    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let kind = fields.require_as(reader, "type", types_hint().as_str())?;
        let found = reader.string(kind, "`type`")?;
        let source = match found.as_str() {
            "git" => GitSource::read(reader, &mut fields).map(Self::Git),
            "claude-marketplace" => {
                MarketplaceSource::read(reader, &mut fields).map(Self::Marketplace)
            }
            "path" => PathSource::read(reader, &mut fields).map(Self::Path),
            _ if found.starts_with("x-") => {
                let kind = reader.checked(&found, kind.range(), "`type`", SourceType::new)?;
                OtherSource::read(kind, reader, &mut fields).map(Self::Other)
            }
            _ => {
                let message = format!("unknown source type {}", quoted(&found));
                let hint = match nearest(&found, SOURCE_TYPES) {
                    Some(near) => format!("did you mean `{near}`? {}", types_hint()),
                    None => types_hint(),
                };
                reader.error_hint(Code::BadValue, kind.range(), message, hint);
                return None;
            }
        };
        // After an error, keys that were not read yet would be reported as unknown.
        if source.is_some() {
            fields.finish(reader);
        }
        source
    }

    /// Returns the entry as data with defaults filled in and sorted keys. The lockfile keeps it to
    /// detect drift.
    #[doc(hidden)]
    #[must_use]
    pub fn to_json(&self) -> Json {
        // Sorted here, because another crate may build `serde_json` with `preserve_order`.
        let mut map = BTreeMap::new();
        map.insert("type".to_owned(), json!(self.kind()));
        if let Some(repository) = self.repository() {
            repository.write(&mut map);
        }
        match self {
            Self::Git(git) => {
                drop(map.insert("skillsDir".to_owned(), json!(git.skills_dir.as_str())))
            }
            Self::Marketplace(marketplace) => {
                map.insert("plugin".to_owned(), json!(marketplace.plugin.as_str()));
            }
            Self::Path(path) => drop(map.insert("path".to_owned(), json!(path.path.as_str()))),
            Self::Other(other) => map.extend(other.settings.clone()),
        }
        self.select().write(&mut map);
        Json::Object(map.into_iter().collect())
    }

    /// Returns the keys of the entry that differ from another one, sorted.
    pub(crate) fn changed_keys(&self, other: &Self) -> Vec<String> {
        let (before, after) = (self.to_json(), other.to_json());
        let maps = before.as_object().into_iter().chain(after.as_object());
        let keys = maps.flat_map(|map| map.keys());
        let changed: BTreeSet<&String> =
            keys.filter(|key| before.get(*key) != after.get(*key)).collect();
        changed.into_iter().cloned().collect()
    }
}

impl From<GitSource> for Source {
    fn from(source: GitSource) -> Self {
        Self::Git(source)
    }
}

impl From<MarketplaceSource> for Source {
    fn from(source: MarketplaceSource) -> Self {
        Self::Marketplace(source)
    }
}

impl From<PathSource> for Source {
    fn from(source: PathSource) -> Self {
        Self::Path(source)
    }
}

fn types_hint() -> String {
    let [first, second, third] = SOURCE_TYPES;
    format!("the types are `{first}`, `{second}`, `{third}`, and `x-NAME` for custom source types")
}

impl GitSource {
    /// Creates a source of all skills in the directory `skills` of the default branch of the
    /// repository at `url`.
    #[must_use]
    pub fn new(url: GitUrl) -> Self {
        let skills_dir = Self::default_dir();
        Self { repository: Repository::new(url), skills_dir, select: Select::default() }
    }

    fn default_dir() -> DirPath {
        DirPath::new(Self::DEFAULT_SKILLS_DIR).unwrap_or_else(|_| DirPath::root())
    }

    /// The default of [`skills_dir`](Self::skills_dir).
    #[doc(hidden)]
    pub const DEFAULT_SKILLS_DIR: &str = "skills";

    /// Returns whether `skillsDir` has its default value. Only then is the root of the repository
    /// considered as a skill.
    pub(crate) fn has_default_dir(&self) -> bool {
        self.skills_dir.as_str() == Self::DEFAULT_SKILLS_DIR
    }

    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        fields.belongs_elsewhere("plugin", "plugins need `\"type\": \"claude-marketplace\"`");
        let repository = Repository::read(reader, fields);
        let skills_dir = fields.parsed(reader, "skillsDir", DirPath::new);
        let skills_dir = skills_dir.map(|found| found.unwrap_or_else(Self::default_dir));
        let select = Select::read(reader, fields)?;
        Some(Self { repository: repository?, skills_dir: skills_dir?, select })
    }
}

impl MarketplaceSource {
    /// Creates a source of all skills of a plugin, from the default branch of the marketplace at
    /// `url`.
    #[must_use]
    pub fn new(url: GitUrl, plugin: PluginName) -> Self {
        Self { repository: Repository::new(url), plugin, select: Select::default() }
    }

    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        let repository = Repository::read(reader, fields);
        let plugin = fields
            .require_as(reader, "plugin", PLUGIN_HINT)
            .and_then(|v| reader.parsed(v, "`plugin`", PluginName::new));
        let select = Select::read(reader, fields)?;
        Some(Self { repository: repository?, plugin: plugin?, select })
    }
}

impl PathSource {
    /// Creates a source of all skills in a directory.
    #[must_use]
    pub fn new(path: ProjectPath) -> Self {
        Self { path, select: Select::default() }
    }

    /// Returns the name of the directory if the manifest has it. The name of a checkout may differ
    /// between machines.
    pub(crate) fn own_name(&self) -> Option<&str> {
        self.path.as_str().rsplit('/').next().filter(|part| !matches!(*part, "." | ".."))
    }

    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'_, 't>) -> Option<Self> {
        let path =
            fields.require_as(reader, "path", "for example `\"path\": \"agents/skills\"`")?;
        let path = reader.parsed(path, "`path`", ProjectPath::new);
        let select = Select::read(reader, fields)?;
        Some(Self { path: path?, select })
    }
}
