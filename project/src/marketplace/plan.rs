//! The directories in which the skills of a plugin are searched.
//!
//! These rules follow the documentation of Claude Code.

use super::{Plugin, PluginManifest};
use crate::marketplace::PluginName;
use helix_skills_format::{
    __internal::{error_debug, listed_all},
    DirPath,
};
use std::{collections::BTreeSet, fmt};

/// The directory of a plugin whose subdirectories are skills even if they are not listed.
const SKILLS_DIR: &str = "skills";

/// The directories in which the skills of a plugin are searched, according to its entry in the
/// marketplace and its own manifest.
///
/// ```
/// use helix_skills_project::__internal::marketplace::{DefaultScan, Marketplace, PluginName, SkillPlan};
/// let marketplace = Marketplace::parse(r#"{"plugins": [
///     {"name": "pdf", "source": "./", "strict": false, "skills": ["./skills/pdf"]}
/// ]}"#).unwrap();
/// let plugin = marketplace.plugin(&PluginName::new("pdf").unwrap()).unwrap();
/// let plan = SkillPlan::new(&plugin, None, true).unwrap();
/// // The plugin's root is the marketplace's, so the list replaces the default.
/// assert_eq!(plan.scan, DefaultScan::IfNothingListedExists);
/// assert_eq!(plan.listed[0].path.as_str(), "skills/pdf");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillPlan {
    /// Whether the subdirectories of `skills/` are skills.
    pub scan: DefaultScan,
    /// The listed directories without duplicates, the marketplace's first. Each is a skill, or its
    /// subdirectories are.
    pub listed: Vec<ListedPath>,
    /// Whether the plugin's root is a skill if it has a `SKILL.md` and no directory `skills`. True
    /// if nothing is listed.
    pub may_be_one_skill: bool,
    /// The version that the plugin declares: that of its manifest, else that of its entry, as in
    /// Claude Code.
    pub version: Option<String>,
    /// The license that the plugin declares, in the same order.
    pub license: Option<String>,
    /// The keys of other components that the plugin declares. They are never stored.
    pub ignored: BTreeSet<&'static str>,
}

/// Whether the subdirectories of a plugin's `skills/` are skills even if they are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefaultScan {
    /// Always.
    Always,
    /// Only if none of the listed directories exists.
    IfNothingListedExists,
}

/// A directory that is listed as a skill, or as a directory of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedPath {
    /// The directory, relative to the plugin's root.
    pub path: DirPath,
    /// The file that lists it.
    pub by: ListedBy,
    /// Whether it is an error if it has no skill. It is not an error for the plugin's root and for
    /// `skills`, because they are also listed to keep the default.
    pub is_required: bool,
}

/// The file that lists a directory of skills. `Display` prints its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListedBy {
    /// The marketplace.
    Marketplace,
    /// The plugin's own manifest.
    Plugin,
}

impl fmt::Display for ListedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Marketplace => "marketplace.json",
            Self::Plugin => "plugin.json",
        })
    }
}

/// The error for a plugin with `"strict": false` in its entry, which makes the entry the whole
/// definition, while its own manifest declares components as well.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StrictConflict {
    /// The plugin.
    pub plugin: PluginName,
    /// The keys that the plugin's manifest declares.
    pub declared: BTreeSet<&'static str>,
}

impl StrictConflict {
    /// Returns an instruction that may fix the error.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "report it to the marketplace's owner, or use a source of type `git` for the plugin's directory"
    }
}

impl fmt::Display for StrictConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = listed_all(&self.declared);
        write!(
            f,
            "the plugin `{}` has `\"strict\": false` in its entry, but its plugin.json declares {keys} as well",
            self.plugin
        )
    }
}

error_debug!(StrictConflict = StrictConflict { plugin, declared });

impl std::error::Error for StrictConflict {}

impl SkillPlan {
    /// Combines the entry of a plugin and its own manifest. With `at_marketplace_root`, the
    /// plugin's root is the marketplace's, where several plugins may share one `skills/`: listed
    /// directories then replace the default scan.
    ///
    /// `"strict": false` forbids the manifest to declare any component. It does not turn the
    /// default scan off, because the documentation does so only for plugins at the marketplace's
    /// root.
    ///
    /// # Errors
    /// The entry has `"strict": false`, and the manifest declares components.
    pub fn new(
        plugin: &Plugin,
        manifest: Option<&PluginManifest>,
        at_marketplace_root: bool,
    ) -> Result<Self, StrictConflict> {
        if let (false, Some(manifest)) = (plugin.strict, manifest) {
            let mut declared = manifest.components.clone();
            if manifest.skills.as_ref().is_some_and(|paths| !paths.is_empty()) {
                declared.insert("skills");
            }
            if !declared.is_empty() {
                return Err(StrictConflict { plugin: plugin.name.clone(), declared });
            }
        }
        let by_entry = plugin.skills.iter().flatten().map(|path| (path, ListedBy::Marketplace));
        let of_manifest = manifest.and_then(|manifest| manifest.skills.as_ref());
        let by_manifest = of_manifest.into_iter().flatten().map(|path| (path, ListedBy::Plugin));
        let mut listed: Vec<ListedPath> = Vec::new();
        let mut seen = BTreeSet::new();
        for (path, by) in by_entry.chain(by_manifest) {
            if seen.insert(path) {
                let is_required = !keeps_default(path);
                listed.push(ListedPath { path: path.clone(), by, is_required });
            }
        }
        let is_complete = at_marketplace_root
            && !listed.is_empty()
            && !listed.iter().any(|listed| keeps_default(&listed.path));
        let scan =
            if is_complete { DefaultScan::IfNothingListedExists } else { DefaultScan::Always };
        let may_be_one_skill = plugin.skills.is_none() && of_manifest.is_none();
        let version = manifest
            .and_then(|manifest| manifest.version.clone())
            .or_else(|| plugin.version.clone());
        let license = manifest
            .and_then(|manifest| manifest.license.clone())
            .or_else(|| plugin.license.clone());
        let mut ignored = plugin.components.clone();
        ignored.extend(manifest.iter().flat_map(|manifest| &manifest.components));
        Ok(Self { scan, listed, may_be_one_skill, version, license, ignored })
    }
}

/// Returns whether listing this directory keeps the default scan: the plugin's root, and `skills`.
fn keeps_default(path: &DirPath) -> bool {
    path.is_root() || path.as_str() == SKILLS_DIR
}
