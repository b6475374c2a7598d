//! Where the skills of a plugin are looked for.

use super::{Plugin, PluginManifest};
use crate::marketplace::PluginName;
use helix_skills_format::__internal::{error_debug, listed_all};
use helix_skills_format::DirPath;
use std::{collections::BTreeSet, fmt};

/// The directory of a plugin whose subdirectories are skills without being listed.
const SKILLS_DIR: &str = "skills";

/// Where the skills of a plugin are looked for: the entry and the plugin's own manifest, put together.
///
/// ```
/// use helix_skills_project::marketplace::{DefaultScan, Marketplace, PluginName, SkillPlan};
/// let marketplace = Marketplace::parse(
///     r#"{"plugins": [{"name": "pdf", "source": "./", "strict": false, "skills": ["./skills/pdf"]}]}"#,
/// ).unwrap();
/// let plugin = marketplace.plugin(&PluginName::new("pdf").unwrap()).unwrap();
/// let plan = SkillPlan::new(&plugin, None, true).unwrap();
/// // The plugin's root is the marketplace's: the list is all there is to it.
/// assert_eq!(plan.scan, DefaultScan::IfNothingListedExists);
/// assert_eq!(plan.listed[0].path.as_str(), "skills/pdf");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillPlan {
    /// Whether the subdirectories of `skills/` are skills.
    pub scan: DefaultScan,
    /// The directories that are listed, each once, in the order of the texts. Each is a skill, or its subdirectories
    /// are; they may lie in `skills/` as well.
    pub listed: Vec<ListedPath>,
    /// Whether the plugin's root is itself the skill when it has a `SKILL.md` and no directory `skills`: nothing is
    /// listed.
    pub may_be_one_skill: bool,
    /// The version that the plugin declares: its manifest's, else its entry's.
    pub version: Option<String>,
    /// What the plugin declares besides skills, by the key. It is never written anywhere.
    pub ignored: BTreeSet<&'static str>,
}

/// Whether the subdirectories of a plugin's `skills/` are skills without being listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefaultScan {
    /// They are.
    Always,
    /// They are only if not one of the listed directories exists.
    IfNothingListedExists,
}

/// A directory that is listed as a skill, or as holding skills.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedPath {
    /// The directory, from the root of the plugin.
    pub path: DirPath,
    /// Which text lists it.
    pub by: ListedBy,
    /// Whether it is an error that no skill is there. It is none for the plugin's root and for `skills/`, which are
    /// also listed in order to keep the default.
    pub is_required: bool,
}

/// Which text lists a directory of skills. `Display` is the name of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListedBy {
    /// The marketplace's entry.
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

/// The entry says that it is the whole definition (`"strict": false`), and the plugin's manifest defines more.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StrictConflict {
    /// The plugin.
    pub plugin: PluginName,
    /// What the plugin's manifest declares, by the key.
    pub declared: BTreeSet<&'static str>,
}

impl StrictConflict {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "tell the marketplace's owner, or name the plugin's directory with a source of the type `git`"
    }
}

impl fmt::Display for StrictConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = listed_all(&self.declared);
        write!(
            f,
            "the plugin `{}` has `\"strict\": false` in its entry, and declares {keys} in its own plugin.json, too",
            self.plugin
        )
    }
}

error_debug!(struct StrictConflict { plugin, declared });

impl std::error::Error for StrictConflict {}

impl SkillPlan {
    /// Puts entry and manifest together. `at_marketplace_root` tells that the plugin's root is the marketplace's, so
    /// that several plugins may share one `skills/`: directories that are listed then take the place of the default.
    ///
    /// `"strict": false` forbids the manifest to declare anything; it does not turn the default off, which the
    /// documentation does for plugins at the marketplace's root alone.
    ///
    /// # Errors
    /// When the entry is the whole definition, and the manifest declares something all the same.
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
        let is_complete =
            at_marketplace_root && !listed.is_empty() && !listed.iter().any(|listed| keeps_default(&listed.path));
        let scan = if is_complete { DefaultScan::IfNothingListedExists } else { DefaultScan::Always };
        let may_be_one_skill = plugin.skills.is_none() && of_manifest.is_none();
        let version = manifest.and_then(|manifest| manifest.version.clone()).or_else(|| plugin.version.clone());
        let mut ignored = plugin.components.clone();
        ignored.extend(manifest.iter().flat_map(|manifest| &manifest.components));
        Ok(Self { scan, listed, may_be_one_skill, version, ignored })
    }
}

/// Whether listing this directory means the default: the plugin's root, and `skills/` itself.
fn keeps_default(path: &DirPath) -> bool {
    path.is_root() || path.as_str() == SKILLS_DIR
}
