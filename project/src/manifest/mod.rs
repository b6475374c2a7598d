//! The manifest, `helix.skills.json`: which skills a project uses, and from where.

mod edit;
mod range;
#[cfg(test)]
mod tests;

#[doc(hidden)]
pub use edit::ManifestText;
pub(crate) use helix_skills_format::__internal::own_name;
pub(crate) use helix_skills_format::{
    __internal::DEFAULT_SKILLS_DIR, Lock, LockedSource, Pin, Repository, Select, Source,
    SourceKind, VersionPin,
};
pub(crate) use range::requirement;

use globset::GlobBuilder;
use helix_skills_format::{
    __internal::{Dialect, EntryChecks, Reader, Settings},
    Allow, Code, Error, Finding, Limits, LockedSkill, SourceKey,
};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A parsed manifest: sources with their pins, limits and exceptions.
///
/// ```
/// use helix_skills_project::{format::SourceKind, manifest::Manifest};
/// let manifest = Manifest::parse(r#"{
///   // comments and trailing commas are fine
///   "skills": {
///     "hyperframes": {
///       "type": "git",
///       "url": "https://github.com/heygen-com/hyperframes.git",
///       "version": "0.6.70",
///       "include": ["hyperframes", "hyperframes-media"],
///     },
///   },
/// }"#).unwrap();
/// let (key, source) = manifest.sources.iter().next().unwrap();
/// assert_eq!(key.as_str(), "hyperframes");
/// let SourceKind::Git { skills_dir, .. } = &source.kind else { panic!("{source:?}") };
/// assert_eq!(skills_dir.first().unwrap().as_str(), "skills");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// The sources of skills, by a name of your choice.
    pub sources: BTreeMap<SourceKey, Source>,
    /// Size limits of skills and fetches.
    pub limits: Limits,
    /// Maximum estimated tokens of the catalog and of bodies.
    pub budget: ManifestBudget,
    /// Findings that are accepted: codes by `SKILL/PATH`, the skill's name and the file's path in
    /// it.
    pub allow: Allow,
}

/// The manifest's `budget`: maximum estimated tokens of the text that a model reads. No limits by
/// default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestBudget {
    /// Maximum estimated tokens of the catalog of all skills.
    pub catalog_tokens: Option<u64>,
    /// Maximum estimated tokens of the body of each skill.
    pub body_tokens: Option<u64>,
}

impl Manifest {
    /// Parses a manifest: JSON with comments and trailing commas.
    ///
    /// # Errors
    /// Every mistake in it, with its position. For an unknown key the hint names the closest known
    /// one.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let manifest =
            Reader::document(text, Dialect::Commented, "the manifest", |reader, fields| {
                let Settings { sources, limits, budget: [catalog_tokens, body_tokens], allow } =
                    Settings::read(reader, fields, CHECKS)?;
                let budget = ManifestBudget { catalog_tokens, body_tokens };
                Some(Self { sources, limits, budget, allow })
            });
        manifest.map_err(|findings| findings.into_iter().map(with_hint).collect())
    }
}

/// Checks what an entry's parser leaves to the crates that use the values.
const CHECKS: EntryChecks = EntryChecks { range: |text| requirement(text).map(drop), glob };

/// Checks the syntax of a glob.
fn glob(text: &str) -> Result<(), Error> {
    if text.is_empty() {
        return Err("it is empty".to_owned().into());
    }
    let glob = GlobBuilder::new(text).literal_separator(true).backslash_escape(true).build();
    glob.map(drop).map_err(|error| error.kind().to_string().into())
}

/// Returns an entry as data with defaults filled in and sorted keys.
#[doc(hidden)]
#[must_use]
pub fn to_json(source: &Source) -> Json {
    // The printed text is JSON.
    serde_json::from_str(&source.to_tree().to_string()).unwrap_or_default()
}

/// Returns whether the files of a locked skill are in a directory of the project, and not in the
/// store.
pub(crate) fn is_own(lock: &Lock, skill: &LockedSkill) -> bool {
    let source = lock.sources.get(&skill.source);
    source.is_some_and(|source| source.entry.directory().is_some())
}

/// Adds the hints that are specific to manifests.
fn with_hint(finding: Finding) -> Finding {
    match finding.code {
        Code::ConflictMarkers => finding.hint("resolve the merge, then run `skills sync`"),
        Code::Syntax if finding.hint.is_none() => finding.hint(Settings::LEAST),
        _ => finding,
    }
}
