//! The entries of a manifest: where skills come from, and which of them are wanted.
//!
//! A lockfile keeps each entry in the same form, so that a change of the manifest is found offline.

mod pin;
mod plugin_name;
mod repository;
mod select;

pub use pin::{Pin, VersionPin};
pub use plugin_name::PluginName;
pub use repository::Repository;
pub use select::{Select, path_key};

use crate::{
    Code, DirPath, Error, GitUrl, ProjectPath, SourceKey,
    json::{Fields, Reader, Tree, Value, nearest, quoted},
};
use std::collections::{BTreeMap, BTreeSet};

/// Checks of values whose syntax this crate does not know. A lockfile's entry needs none, because
/// it is compared with the manifest's.
#[derive(Clone, Copy, Debug)]
pub struct EntryChecks {
    /// Checks a range of versions.
    pub range: fn(&str) -> Result<(), Error>,
    /// Checks a glob of `files`.
    pub glob: fn(&str) -> Result<(), Error>,
}

impl EntryChecks {
    /// Accepts every text.
    pub const NONE: Self = Self { range: |_| Ok(()), glob: |_| Ok(()) };
}

/// One source of the manifest: where skills come from, and which of them are wanted.
///
/// ```
/// use helix_skills_format::{DirPath, GitUrl, Pin, Repository, Source, VersionPin};
/// let url = GitUrl::parse("https://github.com/heygen-com/hyperframes.git").unwrap();
/// let mut repository = Repository::new(url);
/// repository.pin = Pin::Version(VersionPin::parse("^0.6").unwrap());
/// let mut source = Source::git(repository);
/// source.select.exclude.insert("drafts".to_owned());
/// let path = DirPath::new("skills/drafts").unwrap();
/// assert!(!source.select.matches("drafts", &path));
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
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SourceKind {
    /// A source that takes skills from a git repository.
    Git {
        /// The repository and its pin.
        repository: Repository,
        /// The directories to search for skills, at any depth. With the default, `skills`, the
        /// whole repository is searched if it has no skills there.
        skills_dir: BTreeSet<DirPath>,
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

/// The hint for an unknown or missing `type`.
const TYPES_HINT: &str = "the types are `git`, `claude-marketplace` and `path`";

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
    /// Creates a source of all skills of a repository.
    #[must_use]
    pub fn git(repository: Repository) -> Self {
        SourceKind::Git { repository, skills_dir: default_dirs() }.into()
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

    /// Returns the URL of the repository; `None` for paths.
    pub(crate) fn url(&self) -> Option<&GitUrl> {
        self.repository().map(|repository| &repository.url)
    }

    fn members(&self) -> BTreeMap<String, Tree> {
        let mut members = BTreeMap::new();
        let mut add = |key: &str, value| drop(members.insert(key.to_owned(), value));
        add("type", Tree::text(&self.type_name()));
        if let Some(repository) = self.repository() {
            repository.write(&mut add);
        }
        match &self.kind {
            SourceKind::Git { skills_dir, .. } => match skills_dir.first() {
                Some(only) if skills_dir.len() == 1 => add("skillsDir", Tree::text(only)),
                _ => add("skillsDir", Tree::texts(skills_dir)),
            },
            SourceKind::Marketplace { plugin, .. } => add("plugin", Tree::text(plugin)),
            SourceKind::Path { path } => add("path", Tree::text(path)),
        }
        self.select.write(&mut add);
        members
    }
}

#[doc(hidden)]
impl Source {
    /// Returns the plugin of a marketplace; `None` for other types.
    #[must_use]
    pub fn plugin(&self) -> Option<&PluginName> {
        if let SourceKind::Marketplace { plugin, .. } = &self.kind { Some(plugin) } else { None }
    }

    /// Returns the directory of a `path` source; `None` for other types.
    #[must_use]
    pub fn directory(&self) -> Option<&ProjectPath> {
        if let SourceKind::Path { path } = &self.kind { Some(path) } else { None }
    }

    /// Returns the `"type"` of the source.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match &self.kind {
            SourceKind::Git { .. } => "git",
            SourceKind::Marketplace { .. } => "claude-marketplace",
            SourceKind::Path { .. } => "path",
        }
    }

    /// Returns whether `skillsDir` has its default value.
    #[must_use]
    pub fn has_default_dir(&self) -> bool {
        matches!(&self.kind, SourceKind::Git { skills_dir, .. } if *skills_dir == default_dirs())
    }

    /// Returns the name of the directory of one of its skills, which `include`, `exclude` and
    /// `rename` may have as a key. `key` is the name of the source, and `path` the skill's path in
    /// the lockfile.
    #[must_use]
    pub fn directory_name<'n>(&'n self, key: &'n SourceKey, path: &'n DirPath) -> &'n str {
        path.file_name().unwrap_or_else(|| match &self.kind {
            SourceKind::Git { repository, .. } => repository.url.repository_name(),
            SourceKind::Marketplace { plugin, .. } => plugin.as_str(),
            SourceKind::Path { path } => own_name(path).unwrap_or(key.as_str()),
        })
    }

    /// Reads an entry of a manifest or lockfile.
    pub fn read<'t>(
        reader: &mut Reader<'t>,
        value: Value<'t>,
        checks: EntryChecks,
    ) -> Option<Self> {
        let mut fields = reader.object(value, "a source")?;
        let kind = SourceKind::read(reader, &mut fields, checks)?;
        let select = Select::read(reader, &mut fields, checks)?;
        // After an error, keys that were not read yet would be reported as unknown.
        let kind = kind?;
        fields.finish(reader);
        Some(Self { kind, select })
    }

    /// Returns the entry in its normal form: sorted keys, defaults filled in. Entries that ask for
    /// the same have the same form, however they are written.
    #[must_use]
    pub fn to_tree(&self) -> Tree {
        Tree::object(self.members())
    }

    /// Returns the keys of the entry that differ from another one, sorted.
    #[must_use]
    pub fn changed_keys(&self, other: &Self) -> Vec<String> {
        let (before, after) = (self.members(), other.members());
        let changed: BTreeSet<&String> = before
            .keys()
            .chain(after.keys())
            .filter(|key| before.get(*key) != after.get(*key))
            .collect();
        changed.into_iter().cloned().collect()
    }
}

impl SourceKind {
    /// Reads the type and the keys that belong to it. The inner value is `None` if one of these
    /// keys has a mistake.
    fn read<'t>(
        reader: &mut Reader<'t>,
        fields: &mut Fields<'t>,
        checks: EntryChecks,
    ) -> Option<Option<Self>> {
        let kind = fields.require_as(reader, "type", TYPES_HINT)?;
        let found = reader.string(kind, "`type`")?;
        Some(match found.as_str() {
            "git" => {
                fields
                    .belongs_elsewhere("plugin", "plugins need `\"type\": \"claude-marketplace\"`");
                let repository = Repository::read(reader, fields, checks);
                let skills_dir = read_skills_dir(reader, fields);
                let both = repository.zip(skills_dir);
                both.map(|(repository, skills_dir)| Self::Git { repository, skills_dir })
            }
            "claude-marketplace" => {
                let repository = Repository::read(reader, fields, checks);
                let plugin = fields.require_parsed(reader, "plugin", PLUGIN_HINT, PluginName::new);
                let both = repository.zip(plugin);
                both.map(|(repository, plugin)| Self::Marketplace { repository, plugin })
            }
            "path" => {
                let hint = "for example `\"path\": \"agents/skills\"`";
                let path = fields.require_parsed(reader, "path", hint, ProjectPath::new);
                path.map(|path| Self::Path { path })
            }
            _ => {
                let message = format!("unknown source type {}", quoted(&found));
                let hint = match nearest(&found, SOURCE_TYPES) {
                    Some(near) => format!("did you mean `{near}`? {TYPES_HINT}"),
                    None => TYPES_HINT.to_owned(),
                };
                reader.error_hint(Code::BadValue, kind.start(), message, hint);
                return None;
            }
        })
    }
}

/// Reads `skillsDir`: a directory, or a list of directories.
fn read_skills_dir<'t>(
    reader: &mut Reader<'t>,
    fields: &mut Fields<'t>,
) -> Option<BTreeSet<DirPath>> {
    if fields.peek("skillsDir").is_some() {
        let only = fields.parsed(reader, "skillsDir", DirPath::new)?;
        return Some(only.into_iter().collect());
    }
    let directories = fields.parsed_set(reader, "skillsDir", "the directory", DirPath::new)?;
    Some(directories.filter(|directories| !directories.is_empty()).unwrap_or_else(default_dirs))
}

fn default_dirs() -> BTreeSet<DirPath> {
    DirPath::new(DEFAULT_SKILLS_DIR).into_iter().collect()
}

/// Returns the name of the directory of a `path` source if the manifest has it. The name of a
/// checkout may differ between machines.
pub fn own_name(path: &ProjectPath) -> Option<&str> {
    path.as_str().rsplit('/').next().filter(|part| !matches!(*part, "." | ".."))
}
