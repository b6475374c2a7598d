//! What a source was resolved to.

use super::object_id;
use crate::{
    Code, DirPath, GitUrl, ObjectId, RefName, Source,
    entry::EntryChecks,
    json::{Reader, Tree, Value},
    one_line::one_line,
};
use std::collections::BTreeSet;

/// What a source was resolved to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockedSource {
    /// The manifest's entry with its defaults filled in. Compared as data to find drift offline.
    // The name of the key in the file is older.
    pub entry: Source,
    /// The full name of the tag or branch that the pin resolved to; `None` for a bare `sha` and for
    /// paths.
    pub reference: Option<String>,
    /// The commit of a git source or of the marketplace. `None` for paths.
    pub commit: Option<ObjectId>,
    /// What the plugin of a marketplace was resolved to; `None` for other sources.
    pub plugin: Option<LockedPlugin>,
    /// The directories of the selected skills, each the `path` of a locked skill, so that a check
    /// finds a skill that a merge dropped. Absent for `path` sources, which every check reads
    /// again, and in lockfiles written before this field existed.
    pub directories: Option<BTreeSet<DirPath>>,
    /// The license of skills that declare none: the license in the plugin's manifest, or the path
    /// of the license file of the plugin or repository. Informative only; absent if there is none,
    /// and in lockfiles written before this field existed.
    pub license: Option<String>,
}

/// Where the plugin of a marketplace is, locked like the marketplace itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockedPlugin {
    /// The plugin's repository; `None` if it is in the same commit of the marketplace's repository.
    pub url: Option<GitUrl>,
    /// The plugin's root, relative to the root of its repository.
    pub path: DirPath,
    /// The full name of the tag or branch that the marketplace's entry named; `None` for a bare
    /// `sha` and without a `url`.
    ///
    /// Only informative, like `version`; `outdated` checks url, path and commit.
    pub reference: Option<String>,
    /// The commit of the plugin's repository; present if `url` is.
    pub commit: Option<ObjectId>,
    /// The version that the plugin declares; informative only.
    pub version: Option<String>,
}

impl LockedSource {
    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a locked source")?;
        let at = fields.at;
        let request = fields.require(reader, "request")?;
        let entry = Source::read(reader, request, EntryChecks::NONE)?;
        let is_path = entry.directory().is_some();
        let reference = fields.parsed(reader, "ref", reference_name)?;
        let commit = fields.parsed(reader, "commit", object_id)?;
        if commit.is_none() && entry.url().is_some() {
            reader.needs_key(at, "a locked source", "commit");
        }
        if commit.is_some() && is_path {
            reader.cannot_have(at, "a locked `path` source", "`commit`");
        }
        let marketplace = entry.url().filter(|_| entry.plugin().is_some());
        let plugin = match (fields.take("plugin"), marketplace) {
            (Some(value), Some(url)) => Some(LockedPlugin::read(reader, value, url)?),
            (Some(value), None) => {
                let message = "only a marketplace can have `plugin`";
                reader.error(Code::ConflictingKeys, value.start(), message);
                None
            }
            (None, Some(_)) => {
                reader.needs_key(at, "a locked marketplace", "plugin");
                None
            }
            (None, None) => None,
        };
        let what = "the directory of a skill";
        let directories = fields.parsed_set(reader, "directories", what, DirPath::new)?;
        if directories.is_some() && is_path {
            reader.cannot_have(at, "a locked `path` source", "`directories`");
        }
        let license = fields.parsed(reader, "license", one_line)?;
        fields.finish(reader);
        Some(Self { entry, reference, commit, plugin, directories, license })
    }

    pub(super) fn to_tree(&self) -> Tree {
        // Git reports a conflict if two branches change one of two lines that are next to each
        // other. A commit belongs to its `ref`, between which `directories` would be; without
        // them, all keys are sorted.
        let (directories, reference) = (self.directories.as_ref(), self.reference.as_ref());
        Tree::present(vec![
            ("commit", self.commit.as_ref().map(Tree::text)),
            ("ref", reference.filter(|_| directories.is_some()).map(Tree::text)),
            ("directories", directories.map(Tree::texts)),
            ("license", self.license.as_ref().map(Tree::text)),
            ("plugin", self.plugin.as_ref().map(LockedPlugin::to_tree)),
            ("ref", reference.filter(|_| directories.is_none()).map(Tree::text)),
            ("request", Some(self.entry.to_tree())),
        ])
    }
}

#[doc(hidden)]
impl LockedSource {
    /// Creates a source of which only the request is known, such as a `path` source.
    #[must_use]
    pub const fn new(entry: Source) -> Self {
        Self {
            entry,
            reference: None,
            commit: None,
            plugin: None,
            directories: None,
            license: None,
        }
    }

    /// Returns the repository with the skills: the plugin's if it differs from the marketplace's.
    /// `None` for paths.
    #[must_use]
    pub fn skills_url(&self) -> Option<&GitUrl> {
        let plugin = self.plugin.as_ref().and_then(|plugin| plugin.url.as_ref());
        plugin.or_else(|| self.entry.url())
    }

    /// Returns the commit with the skills.
    #[must_use]
    pub fn skills_commit(&self) -> Option<&ObjectId> {
        self.plugin.as_ref().and_then(|plugin| plugin.commit.as_ref()).or(self.commit.as_ref())
    }

    /// Returns the full name of the tag or branch that led to that commit.
    #[must_use]
    pub fn skills_reference(&self) -> Option<&str> {
        match &self.plugin {
            Some(plugin) if plugin.url.is_some() => plugin.reference.as_deref(),
            _ => self.reference.as_deref(),
        }
    }

    /// Returns whether a skill at `path` is at the root of its repository or plugin, where only
    /// some of the files belong to it.
    #[must_use]
    pub fn is_root(&self, path: &DirPath) -> bool {
        path.is_root() || self.plugin.as_ref().is_some_and(|plugin| plugin.path == *path)
    }
}

impl LockedPlugin {
    /// Creates a plugin at `path` of its marketplace's repository, without a version.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(path: DirPath) -> Self {
        Self { url: None, path, reference: None, commit: None, version: None }
    }

    /// Parses a plugin. `marketplace` is the URL in the manifest. Because the user has chosen it,
    /// the plugin's URL may equal it, even if its scheme is not allowed for plugins.
    fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>, marketplace: &GitUrl) -> Option<Self> {
        let mut fields = reader.object(value, "a locked plugin")?;
        let parse = |text: &str| GitUrl::parse_fetched(text, Some(marketplace));
        let url = fields.optional("url", |value| reader.url(value, parse))?;
        let path = fields.require_parsed(reader, "path", None, DirPath::new)?;
        let reference = fields.parsed(reader, "ref", reference_name)?;
        let commit = fields.parsed(reader, "commit", object_id)?;
        let version = fields.parsed(reader, "version", one_line)?;
        let here = "a locked plugin without `url` is in the marketplace's repository and";
        if url.is_some() && commit.is_none() {
            reader.needs_key(fields.at, "a locked plugin with a `url`", "commit");
        } else if url.is_none() && commit.is_some() {
            reader.cannot_have(fields.at, here, "`commit`");
        } else if url.is_none() && reference.is_some() {
            reader.cannot_have(fields.at, here, "`ref`");
        }
        fields.finish(reader);
        Some(Self { url, path, reference, commit, version })
    }

    fn to_tree(&self) -> Tree {
        Tree::present(vec![
            ("commit", self.commit.as_ref().map(Tree::text)),
            ("path", Some(Tree::text(&self.path))),
            ("ref", self.reference.as_ref().map(Tree::text)),
            ("url", self.url.as_ref().map(Tree::text)),
            ("version", self.version.as_ref().map(Tree::text)),
        ])
    }
}

fn reference_name(text: &str) -> Result<String, crate::Error> {
    RefName::new(text).map(|name| name.as_str().to_owned())
}
