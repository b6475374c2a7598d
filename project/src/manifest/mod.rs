//! The manifest, `helix.skills.json`: which skills a project uses, and from where.

mod data;
mod edit;
mod lock;
mod pin;
mod repository;
mod select;
mod source;
#[cfg(test)]
mod tests;

pub use crate::marketplace::PluginName;
#[doc(hidden)]
pub use edit::ManifestText;
pub(crate) use lock::is_own;
pub use lock::{Lock, LockedSource};
pub use pin::{Pin, VersionPin};
pub use repository::Repository;
pub use select::Select;
#[doc(hidden)]
pub use source::DEFAULT_SKILLS_DIR;
#[cfg(feature = "git")]
pub(crate) use source::is_default_dir;
pub(crate) use source::own_name;
pub use source::{Source, SourceKind};

use helix_skills_format::{
    __internal::{Dialect, Reader, Settings},
    Allow, Code, Finding, Limits, SourceKey,
};
use std::collections::BTreeMap;

/// A parsed manifest: sources with their pins, limits and exceptions.
///
/// ```
/// use helix_skills_project::manifest::{Manifest, SourceKind};
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
/// assert_eq!(skills_dir.as_str(), "skills");
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
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let manifest =
            Reader::document(text, Dialect::Commented, "the manifest", |reader, fields| {
                let mut manifest = Self::default();
                if let Some(skills) = fields.require_as(reader, "skills", LEAST)
                    && let Some(skills) = reader.object(skills, "`skills`")
                {
                    for (key, at, value) in skills.entries() {
                        let key = reader.checked_hint(
                            key,
                            at,
                            "the name of a source",
                            SourceKey::new,
                            "name it after where the skills come from, for example `superpowers`",
                        );
                        let source = Source::read(reader, value);
                        if let (Some(key), Some(source)) = (key, source) {
                            manifest.sources.insert(key, source);
                        }
                    }
                }
                let Settings { limits, budget: [catalog_tokens, body_tokens], allow } =
                    Settings::read(reader, fields)?;
                manifest.limits = limits;
                manifest.budget = ManifestBudget { catalog_tokens, body_tokens };
                manifest.allow = allow;
                Some(manifest)
            });
        manifest.map_err(|findings| findings.into_iter().map(with_hint).collect())
    }
}

/// The hint for a manifest without `skills`.
const LEAST: &str = "the smallest manifest is `{ \"skills\": {} }`; `skills init` writes one";

/// Adds the hints that are specific to manifests.
fn with_hint(finding: Finding) -> Finding {
    match finding.code {
        Code::ConflictMarkers => finding.hint("resolve the merge, then run `skills sync`"),
        Code::Syntax if finding.hint.is_none() => finding.hint(LEAST),
        _ => finding,
    }
}
