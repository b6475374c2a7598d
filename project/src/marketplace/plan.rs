//! The directories in which the skills of a plugin are searched.
//!
//! These rules follow the documentation of Claude Code.

use super::{Declared, Plugin, PluginError};
use helix_skills_format::DirPath;
use std::{collections::BTreeSet, iter};

/// The directory of a plugin whose subdirectories are skills even if they are not listed.
const SKILLS_DIR: &str = "skills";

/// The directories in which the skills of a plugin are searched, according to its entry in the
/// marketplace and its own manifest.
///
/// ```
/// use helix_skills_project::__internal::marketplace::{Marketplace, PluginName, SkillPlan};
/// let marketplace = Marketplace::parse(r#"{"plugins": [
///     {"name": "pdf", "source": "./", "strict": false, "skills": ["./skills/pdf"]}
/// ]}"#).unwrap();
/// let plugin = marketplace.plugin(&PluginName::new("pdf").unwrap()).unwrap();
/// let plan = SkillPlan::new(&plugin, None, true).unwrap();
/// // The plugin's root is the marketplace's, so the list replaces the default.
/// assert!(plan.replaces_default);
/// assert_eq!(plan.listed[0].path.as_str(), "skills/pdf");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillPlan {
    /// Whether the listed directories replace the default, the subdirectories of `skills/`, unless
    /// none of them exists.
    pub replaces_default: bool,
    /// The listed directories without duplicates, the marketplace's first. Each is a skill, or its
    /// subdirectories are.
    pub listed: Vec<ListedPath>,
    /// Whether the plugin's root is a skill if it has a `SKILL.md` and no directory `skills`. True
    /// if nothing is listed.
    pub may_be_one_skill: bool,
    /// The version that the plugin declares in its manifest, or else in its entry, as in Claude
    /// Code.
    pub version: Option<String>,
    /// The license that the plugin declares, looked up in the same order.
    pub license: Option<String>,
    /// The keys of other components that the plugin declares. They are never stored.
    pub ignored: BTreeSet<&'static str>,
    /// The paths that do not begin with `./`.
    pub bare: Vec<String>,
}

/// A directory that is listed as a skill, or as a directory of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedPath {
    /// The directory, relative to the plugin's root.
    pub path: DirPath,
    /// The name of the file that lists it: `marketplace.json` or `plugin.json`.
    pub by: &'static str,
    /// Whether it is an error if it has no skill. It is not an error for the plugin's root and for
    /// `skills`, because they are also listed to keep the default.
    pub is_required: bool,
}

impl SkillPlan {
    /// Combines the entry of a plugin and its own manifest. With `at_marketplace_root`, the
    /// plugin's root is the marketplace's, where several plugins may share one `skills/`: listed
    /// directories then replace the default scan.
    ///
    /// `"strict": false` forbids the manifest to declare components; only skills matter here. It
    /// does not turn the default scan off, because the documentation does so only for plugins at
    /// the marketplace's root.
    ///
    /// # Errors
    /// The entry has `"strict": false`, and the manifest declares skills.
    pub fn new(
        plugin: &Plugin,
        manifest: Option<&Declared>,
        at_marketplace_root: bool,
    ) -> Result<Self, PluginError> {
        let declares_skills =
            |manifest: &Declared| manifest.skills.as_ref().is_some_and(|paths| !paths.is_empty());
        if !plugin.strict && manifest.is_some_and(declares_skills) {
            return Err(PluginError::conflict(&plugin.name));
        }
        let entry = &plugin.declared;
        let by_entry = entry.skills.iter().flatten().map(|path| (path, "marketplace.json"));
        let of_manifest = manifest.and_then(|manifest| manifest.skills.as_ref());
        let by_manifest = of_manifest.into_iter().flatten().map(|path| (path, "plugin.json"));
        let mut listed: Vec<ListedPath> = Vec::new();
        let mut seen = BTreeSet::new();
        for (path, by) in by_entry.chain(by_manifest) {
            if seen.insert(path) {
                let is_required = !keeps_default(path);
                listed.push(ListedPath { path: path.clone(), by, is_required });
            }
        }
        let replaces_default = at_marketplace_root
            && !listed.is_empty()
            && !listed.iter().any(|listed| keeps_default(&listed.path));
        let may_be_one_skill = entry.skills.is_none() && of_manifest.is_none();
        let by_precedence = || manifest.into_iter().chain([entry]);
        let version = by_precedence().find_map(|declared| declared.version.clone());
        let license = by_precedence().find_map(|declared| declared.license.clone());
        let ignored = by_precedence().flat_map(|declared| &declared.components).copied().collect();
        let bare = iter::once(entry).chain(manifest).flat_map(|it| &it.bare).cloned().collect();
        Ok(Self { replaces_default, listed, may_be_one_skill, version, license, ignored, bare })
    }
}

/// Returns whether listing this directory keeps the default scan: the plugin's root, and `skills`.
fn keeps_default(path: &DirPath) -> bool {
    path.is_root() || path.as_str() == SKILLS_DIR
}
