//! The sources of a manifest.

use super::{Repository, Select};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{Fields, Reader, Value, nearest, quoted},
    Code, DirPath, ProjectPath, SourceKey,
};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// One source of the manifest: where skills come from, and which of them are wanted.
///
/// ```
/// use helix_skills_project::format::GitUrl;
/// use helix_skills_project::manifest::{Pin, Repository, Source, VersionPin};
/// let url = GitUrl::parse("https://github.com/heygen-com/hyperframes.git").unwrap();
/// let mut repository = Repository::new(url);
/// repository.pin = Pin::Version(VersionPin::parse("^0.6").unwrap());
/// let mut source = Source::git(repository);
/// source.select.exclude.insert("drafts".to_owned());
/// assert!(!source.select.matches("drafts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// Where the skills come from.
    pub kind: SourceKind,
    /// Which of its skills are wanted.
    pub select: Select,
}

/// Where the skills of a source come from.
///
/// ```
/// use helix_skills_project::manifest::{Manifest, SourceKind};
/// let manifest = Manifest::parse(r#"{"skills": {"docs": {
///     "type": "claude-marketplace",
///     "url": "https://github.com/anthropics/skills.git",
///     "plugin": "document-skills",
///     "include": ["pdf"]
/// }}}"#).unwrap();
/// let docs = manifest.sources.values().next().unwrap();
/// let SourceKind::Marketplace { plugin, .. } = &docs.kind else { panic!() };
/// assert_eq!(plugin.as_str(), "document-skills");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceKind {
    /// A source that takes skills from a git repository.
    Git {
        /// The repository and its pin.
        repository: Repository,
        /// The directory of the repository whose subdirectories are skills. With the default, a
        /// repository that is itself a skill is found as well.
        skills_dir: DirPath,
    },
    /// A source that takes the skills of one plugin of a marketplace, a git repository with an
    /// index of plugins.
    Marketplace {
        /// The marketplace's repository and its pin.
        repository: Repository,
        /// The name of the plugin in the marketplace; a former name is accepted if the marketplace
        /// lists it in `renames`.
        plugin: PluginName,
    },
    /// A source that reads a directory on this machine: a skill, or a directory whose
    /// subdirectories are skills. The files stay where they are.
    Path {
        /// The directory, relative to the manifest.
        path: ProjectPath,
    },
}

/// The source types.
const SOURCE_TYPES: [&str; 3] = ["git", "claude-marketplace", "path"];

/// The default of `skillsDir`.
pub const DEFAULT_SKILLS_DIR: &str = "skills";

/// The hint for a marketplace source without `plugin`.
const PLUGIN_HINT: &str = "name one with `\"plugin\": \"NAME\"`; the marketplace lists them in its `.claude-plugin/marketplace.json`";

impl From<SourceKind> for Source {
    fn from(kind: SourceKind) -> Self {
        Self { kind, select: Select::default() }
    }
}

impl Source {
    /// Creates a source of all skills in the directory `skills` of a repository.
    #[must_use]
    pub fn git(repository: Repository) -> Self {
        SourceKind::Git { repository, skills_dir: default_dir() }.into()
    }

    /// Creates a source of all skills of a plugin.
    #[must_use]
    pub fn marketplace(repository: Repository, plugin: PluginName) -> Self {
        SourceKind::Marketplace { repository, plugin }.into()
    }

    /// Creates a source of all skills in a directory.
    #[must_use]
    pub fn path(path: ProjectPath) -> Self {
        SourceKind::Path { path }.into()
    }

    /// Returns the repository of the source; `None` for paths.
    #[must_use]
    pub fn repository(&self) -> Option<&Repository> {
        match &self.kind {
            SourceKind::Git { repository, .. } | SourceKind::Marketplace { repository, .. } => {
                Some(repository)
            }
            SourceKind::Path { .. } => None,
        }
    }

    /// Returns the plugin of a marketplace; `None` for other types.
    #[doc(hidden)]
    #[must_use]
    pub fn plugin(&self) -> Option<&PluginName> {
        if let SourceKind::Marketplace { plugin, .. } = &self.kind { Some(plugin) } else { None }
    }

    /// Returns the directory of a `path` source; `None` for other types.
    #[doc(hidden)]
    #[must_use]
    pub fn directory(&self) -> Option<&ProjectPath> {
        if let SourceKind::Path { path } = &self.kind { Some(path) } else { None }
    }

    /// Returns the `"type"` of the source.
    #[doc(hidden)]
    #[must_use]
    pub fn type_name(&self) -> &str {
        match &self.kind {
            SourceKind::Git { .. } => "git",
            SourceKind::Marketplace { .. } => "claude-marketplace",
            SourceKind::Path { .. } => "path",
        }
    }

    /// Returns whether `skillsDir` has its default value. Only then is the root of the repository
    /// considered as a skill.
    pub(crate) fn has_default_dir(&self) -> bool {
        matches!(&self.kind, SourceKind::Git { skills_dir, .. } if is_default_dir(skills_dir))
    }

    /// Returns the name of the directory of one of its skills, as in `include`, `exclude` and
    /// `rename`. `key` is the name of the source, and `path` the skill's path in the lockfile.
    #[doc(hidden)]
    #[must_use]
    pub fn directory_name<'n>(&'n self, key: &'n SourceKey, path: &'n DirPath) -> &'n str {
        path.file_name().unwrap_or_else(|| match &self.kind {
            SourceKind::Git { repository, .. } => repository.url.repository_name(),
            SourceKind::Marketplace { plugin, .. } => plugin.as_str(),
            SourceKind::Path { path } => own_name(path).unwrap_or(key.as_str()),
        })
    }

    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let kind = SourceKind::read(reader, &mut fields)?;
        let select = Select::read(reader, &mut fields)?;
        // After an error, keys that were not read yet would be reported as unknown.
        let kind = kind?;
        fields.finish(reader);
        Some(Self { kind, select })
    }

    /// Returns the entry as data with defaults filled in and sorted keys. The lockfile keeps it to
    /// detect drift.
    #[doc(hidden)]
    #[must_use]
    pub fn to_json(&self) -> Json {
        // Sorted here, because another crate may build `serde_json` with `preserve_order`.
        let mut map = BTreeMap::new();
        map.insert("type".to_owned(), json!(self.type_name()));
        if let Some(repository) = self.repository() {
            repository.write(&mut map);
        }
        match &self.kind {
            SourceKind::Git { skills_dir, .. } => {
                drop(map.insert("skillsDir".to_owned(), json!(skills_dir.as_str())));
            }
            SourceKind::Marketplace { plugin, .. } => {
                drop(map.insert("plugin".to_owned(), json!(plugin.as_str())));
            }
            SourceKind::Path { path } => {
                drop(map.insert("path".to_owned(), json!(path.as_str())));
            }
        }
        self.select.write(&mut map);
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

impl SourceKind {
    /// Reads the type and the keys that belong to it. The inner value is `None` if one of these
    /// keys has a mistake.
    fn read<'t>(reader: &mut Reader<'t>, fields: &mut Fields<'t>) -> Option<Option<Self>> {
        let kind = fields.require_as(reader, "type", types_hint().as_str())?;
        let found = reader.string(kind, "`type`")?;
        Some(match found.as_str() {
            "git" => {
                fields
                    .belongs_elsewhere("plugin", "plugins need `\"type\": \"claude-marketplace\"`");
                let repository = Repository::read(reader, fields);
                let directory = fields.parsed(reader, "skillsDir", DirPath::new);
                repository.zip(directory).map(|(repository, directory)| Self::Git {
                    repository,
                    skills_dir: directory.unwrap_or_else(default_dir),
                })
            }
            "claude-marketplace" => {
                let repository = Repository::read(reader, fields);
                let plugin = fields
                    .require_as(reader, "plugin", PLUGIN_HINT)
                    .and_then(|v| reader.parsed(v, "`plugin`", PluginName::new));
                let both = repository.zip(plugin);
                both.map(|(repository, plugin)| Self::Marketplace { repository, plugin })
            }
            "path" => fields
                .require_as(reader, "path", "for example `\"path\": \"agents/skills\"`")
                .and_then(|path| reader.parsed(path, "`path`", ProjectPath::new))
                .map(|path| Self::Path { path }),
            _ => {
                let message = format!("unknown source type {}", quoted(&found));
                let hint = match nearest(&found, SOURCE_TYPES) {
                    Some(near) => format!("did you mean `{near}`? {}", types_hint()),
                    None => types_hint(),
                };
                reader.error_hint(Code::BadValue, kind.start(), message, hint);
                return None;
            }
        })
    }
}

fn types_hint() -> String {
    let [first, second, third] = SOURCE_TYPES;
    format!("the types are `{first}`, `{second}` and `{third}`")
}

fn default_dir() -> DirPath {
    DirPath::new(DEFAULT_SKILLS_DIR).unwrap_or_else(|_| DirPath::root())
}

/// Returns whether a directory is the default of `skillsDir`.
pub(crate) fn is_default_dir(directory: &DirPath) -> bool {
    directory.as_str() == DEFAULT_SKILLS_DIR
}

/// Returns the name of the directory of a `path` source if the manifest has it. The name of a
/// checkout may differ between machines.
pub(crate) fn own_name(path: &ProjectPath) -> Option<&str> {
    path.as_str().rsplit('/').next().filter(|part| !matches!(*part, "." | ".."))
}
