//! What a source was resolved to.

use super::{LockedRequest, MARKETPLACE, OWN_TYPE, PATH, PrintedRequest, Request};
use crate::{
    Code, DirPath, GitUrl, ObjectId, RefName,
    json::{Reader, Tree, Value},
    one_line::one_line,
};
use std::collections::BTreeSet;

/// What a source was resolved to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LockedSource", deny_unknown_fields, transform = crate::schema::locked_source_rules))]
#[non_exhaustive]
pub struct LockedSource<R = Request> {
    /// The manifest's entry with its defaults filled in. Compared as data to find drift offline.
    // The name of the key in the file is older.
    #[cfg_attr(feature = "schema", schemars(rename = "request"))]
    pub entry: R,
    /// The full name of the tag or branch that the pin resolved to; `None` for a bare `sha` and for
    /// paths. For a custom source, one line that the source chooses.
    #[cfg_attr(
        feature = "schema",
        schemars(rename = "ref", with = "Option<crate::schema::OneLine>")
    )]
    pub reference: Option<String>,
    /// The commit of a git source or of the marketplace. `None` for paths; optional for custom
    /// sources.
    pub commit: Option<ObjectId>,
    /// What the plugin of a marketplace was resolved to; `None` for other sources.
    pub plugin: Option<LockedPlugin>,
    /// The directories of the selected skills, each the `path` of a locked skill, so that a check
    /// finds a skill that a merge dropped. Absent for `path` sources, which every check reads
    /// again, and in lockfiles written before this field existed.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<DirPath>>"))]
    pub directories: Option<BTreeSet<DirPath>>,
    /// The license of skills that declare none: the license in the plugin's manifest, or the path
    /// of the license file of the plugin or repository. Informative only; absent if there is none,
    /// and in lockfiles written before this field existed.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::OneLine>"))]
    pub license: Option<String>,
}

/// Where the plugin of a marketplace is, locked like the marketplace itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, transform = crate::schema::locked_plugin_rules))]
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
    #[cfg_attr(feature = "schema", schemars(rename = "ref", with = "Option<crate::RefName>"))]
    pub reference: Option<String>,
    /// The commit of the plugin's repository; present if `url` is.
    pub commit: Option<ObjectId>,
    /// The version that the plugin declares; informative only.
    #[cfg_attr(feature = "schema", schemars(with = "Option<crate::schema::OneLine>"))]
    pub version: Option<String>,
}

impl<R> LockedSource<R> {
    /// Creates a source of which only the request is known, such as a `path` source.
    #[must_use]
    pub const fn new(entry: R) -> Self {
        Self {
            entry,
            reference: None,
            commit: None,
            plugin: None,
            directories: None,
            license: None,
        }
    }
}

impl<R: LockedRequest> LockedSource<R> {
    /// Returns the repository with the skills: the plugin's if it differs from the marketplace's.
    /// `None` for paths and custom sources.
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
    #[doc(hidden)]
    #[must_use]
    pub fn is_root(&self, path: &DirPath) -> bool {
        path.is_root() || self.plugin.as_ref().is_some_and(|plugin| plugin.path == *path)
    }

    pub(super) fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a locked source")?;
        let request = fields.require(reader, "request")?;
        let request = R::read(reader, request)?;
        let is_own = request.kind().starts_with(OWN_TYPE);
        let check = if is_own { one_line } else { reference_name };
        let reference = fields.parsed(reader, "ref", check)?;
        let commit = fields.parsed(reader, "commit", str::parse::<ObjectId>)?;
        if commit.is_none() && request.url().is_some() {
            reader.error(Code::MissingKey, fields.range, "a locked source needs the key `commit`");
        }
        if commit.is_some() && request.kind() == PATH {
            reader.error(
                Code::ConflictingKeys,
                fields.range,
                "a locked `path` source cannot have `commit`",
            );
        }
        let marketplace = request.url().filter(|_| request.kind() == MARKETPLACE);
        let plugin = match (fields.take("plugin"), marketplace) {
            (Some(value), Some(url)) => Some(LockedPlugin::read(reader, value, url)?),
            (Some(value), _) => {
                reader.error(
                    Code::ConflictingKeys,
                    value.range(),
                    "only a marketplace can have `plugin`",
                );
                None
            }
            (None, Some(_)) => {
                reader.error(
                    Code::MissingKey,
                    fields.range,
                    "a locked marketplace needs the key `plugin`",
                );
                None
            }
            (None, _) => None,
        };
        let what = "the directory of a skill";
        let directories = fields.parsed_set(reader, "directories", what, DirPath::new)?;
        if directories.is_some() && request.kind() == PATH {
            let message = "a locked `path` source cannot have `directories`";
            reader.error(Code::ConflictingKeys, fields.range, message);
        }
        let license = fields.parsed(reader, "license", one_line)?;
        fields.finish(reader);
        Some(Self { entry: request, reference, commit, plugin, directories, license })
    }
}

impl<R: PrintedRequest> LockedSource<R> {
    pub(super) fn to_tree(&self) -> Tree {
        let mut members = vec![("request", self.entry.to_tree())];
        if let Some(reference) = &self.reference {
            members.push(("ref", Tree::from(reference.as_str())));
        }
        if let Some(commit) = &self.commit {
            members.push(("commit", Tree::Text(commit.to_string())));
        }
        if let Some(plugin) = &self.plugin {
            members.push(("plugin", plugin.to_tree()));
        }
        if let Some(directories) = &self.directories {
            members.push(("directories", Tree::texts(directories.iter().map(DirPath::as_str))));
        }
        if let Some(license) = &self.license {
            members.push(("license", Tree::from(license.as_str())));
        }
        Tree::object(members)
    }
}

impl LockedPlugin {
    /// Creates a plugin at `path` of its marketplace's repository, without a version.
    #[must_use]
    pub const fn new(path: DirPath) -> Self {
        Self { url: None, path, reference: None, commit: None, version: None }
    }

    /// Parses a plugin. `marketplace` is the URL in the manifest. Because the user has chosen it,
    /// the plugin's URL may equal it, even if its scheme is not allowed for plugins.
    fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>, marketplace: &GitUrl) -> Option<Self> {
        let mut fields = reader.object(value, "a locked plugin")?;
        let url = match fields.take("url") {
            Some(value) => {
                Some(reader.url(value, |text| GitUrl::parse_fetched(text, Some(marketplace)))?)
            }
            None => None,
        };
        let path = fields.require_parsed(reader, "path", DirPath::new)?;
        let reference = fields.parsed(reader, "ref", reference_name)?;
        let commit = fields.parsed(reader, "commit", str::parse::<ObjectId>)?;
        let version = fields.parsed(reader, "version", one_line)?;
        match (&url, &commit) {
            (Some(_), None) => {
                reader.error(
                    Code::MissingKey,
                    fields.range,
                    "a locked plugin with a `url` needs the key `commit`",
                );
            }
            (None, Some(_)) => {
                let message = "a locked plugin without `url` is in the marketplace's repository and cannot have `commit`";
                reader.error(Code::ConflictingKeys, fields.range, message);
            }
            (None, None) if reference.is_some() => {
                let message = "a locked plugin without `url` is in the marketplace's repository and cannot have `ref`";
                reader.error(Code::ConflictingKeys, fields.range, message);
            }
            _ => {}
        }
        fields.finish(reader);
        Some(Self { url, path, reference, commit, version })
    }

    fn to_tree(&self) -> Tree {
        let commit = self.commit.map(|commit| commit.to_string());
        let members = [
            ("path", Some(self.path.as_str())),
            ("url", self.url.as_ref().map(GitUrl::as_str)),
            ("ref", self.reference.as_deref()),
            ("commit", commit.as_deref()),
            ("version", self.version.as_deref()),
        ];
        Tree::object(members.into_iter().filter_map(|(key, value)| Some((key, Tree::from(value?)))))
    }
}

fn reference_name(text: &str) -> Result<String, crate::Error> {
    RefName::new(text).map(|name| name.as_str().to_owned())
}
