//! The manifest, `helix.skills.json`: which skills a project uses, and from where.

mod budget;
mod data;
#[cfg(test)]
mod drift_tests;
mod edit;
mod lock;
#[cfg(test)]
mod lock_tests;
mod other;
mod pin;
mod repository;
mod select;
mod source;

pub use crate::marketplace::{PluginName, PluginNameError};
pub use budget::ManifestBudget;
#[doc(hidden)]
pub use edit::ManifestText;
pub use lock::{Lock, LockedSource};
pub use other::{OtherSource, SourceType, SourceTypeError};
pub use pin::{Pin, VersionPin, VersionPinError};
pub use repository::Repository;
pub use select::Select;
pub use source::{GitSource, MarketplaceSource, PathSource, Source};

use helix_skills_format::{
    __internal::{Dialect, Reader, Settings},
    Allow, Code, Finding, Limits, SourceKey,
};
use std::collections::BTreeMap;

/// A parsed manifest: sources with their pins, limits and exceptions.
///
/// ```
/// use helix_skills_project::manifest::{Manifest, Source};
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
/// assert!(matches!(source, Source::Git(git) if git.skills_dir.as_str() == "skills"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename_all = "camelCase", deny_unknown_fields, transform = crate::schema::manifest_rules))]
#[non_exhaustive]
pub struct Manifest {
    #[cfg_attr(feature = "schema", schemars(rename = "skills"))]
    /// The sources of skills, by a name of your choice.
    pub sources: BTreeMap<SourceKey, Source>,
    /// Size limits of skills and fetches.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub limits: Limits,
    /// Maximum estimated tokens of the catalog and of bodies.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub budget: ManifestBudget,
    /// Findings that are accepted: codes by `SKILL/PATH`, the skill's name and the file's path in
    /// it.
    #[cfg_attr(feature = "schema", schemars(default, with = "BTreeMap<String, Vec<String>>"))]
    pub allow: Allow,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<(Code, String, Option<String>)> {
        let findings = Manifest::parse(text).expect_err(text);
        findings
            .into_iter()
            .map(|f| (f.code, f.at.map(|at| at.to_string()).unwrap_or_default(), f.hint))
            .collect()
    }

    #[test]
    fn every_mistake_has_a_position() {
        let source = |body: &str| format!("{{\"skills\": {{\"a\": {{\n{body}}}}}}}");
        for (body, code, at) in [
            ("\"type\": \"git\"", Code::MissingKey, "1:18"),
            ("\"type\": \"svn\"", Code::BadValue, "2:9"),
            ("\"type\": 1", Code::WrongType, "2:9"),
            ("\"type\": \"path\", \"path\": \"/etc\"", Code::BadValue, "2:25"),
            ("\"type\": \"path\", \"path\": \"a/../../b\"", Code::BadValue, "2:25"),
            ("\"type\": \"path\", \"path\": \"x\", \"path\": \"y\"", Code::DuplicateKey, "2:30"),
            ("\"type\": \"path\", \"path\": \"x\", \"inclde\": []", Code::UnknownKey, "2:30"),
            ("\"type\": \"path\", \"path\": \"x\", \"include\": [\"a/b\"]", Code::BadValue, "2:42"),
            (
                "\"type\": \"path\", \"path\": \"x\", \"files\": {\"exclude\": [\"[\"]}",
                Code::BadValue,
                "2:52",
            ),
            (
                "\"type\": \"path\", \"path\": \"x\", \"files\": {\"exclude\": [\"[z-a]\"]}",
                Code::BadValue,
                "2:52",
            ),
            ("\"type\": \"x-\"", Code::BadValue, "2:9"),
            ("\"type\": \"x-Wiki\"", Code::BadValue, "2:9"),
            ("\"type\": \"x-w\", \"include\": [1]", Code::WrongType, "2:28"),
            ("\"type\": \"x-w\", \"a\": {\"b\": 1, \"b\": 2}", Code::DuplicateKey, "2:30"),
            ("\"type\": \"x-w\", \"a\": 1e999", Code::BadValue, "2:21"),
            ("\"type\": \"claude-marketplace\", \"url\": \"./r\"", Code::MissingKey, "1:18"),
            (
                "\"type\": \"claude-marketplace\", \"url\": \"./r\", \"plugin\": \"a/b\"",
                Code::BadValue,
                "2:55",
            ),
            (
                "\"type\": \"claude-marketplace\", \"url\": \"./r\", \"plugin\": \"a\", \"skillsDir\": \"x\"",
                Code::UnknownKey,
                "2:60",
            ),
            ("\"type\": \"git\", \"url\": \"--x\"", Code::BadUrl, "2:23"),
            (
                "\"type\": \"git\", \"url\": \"./r\", \"version\": \"1\", \"ref\": \"m\"",
                Code::ConflictingKeys,
                "2:53",
            ),
            ("\"type\": \"git\", \"url\": \"./r\", \"sha\": \"abc\"", Code::BadValue, "2:37"),
            (
                "\"type\": \"git\", \"url\": \"./r\", \"version\": \">=1 <2\"",
                Code::BadValue,
                "2:41",
            ),
        ] {
            let found = findings(&source(body));
            assert_eq!((found[0].0, found[0].1.as_str()), (code, at), "{body}: {found:?}");
        }
        assert_eq!(findings("")[0].0, Code::Syntax);
        assert_eq!(findings("{\"skills\": {}} x")[0].0, Code::Syntax);
        assert_eq!(findings(&"[".repeat(100_000))[0].0, Code::Syntax);
        assert_eq!(
            findings("{\"skills\": {}, \"limits\": {\"filesPerSkil\": 1}}")[0].2.as_deref(),
            Some("did you mean `filesPerSkill`?")
        );
    }

    #[test]
    fn unknown_type_hint_names_the_closest() {
        for (found, near) in [
            ("gti", "did you mean `git`?"),
            ("claude-marketplce", "did you mean `claude-marketplace`?"),
        ] {
            let found = findings(&format!("{{\"skills\": {{\"a\": {{\"type\": \"{found}\"}}}}}}"));
            let hint = found[0].2.as_deref().unwrap_or_default();
            assert!(hint.starts_with(near) && hint.contains("`path`"), "{hint}");
        }
    }

    #[test]
    fn mistakes_have_hints_that_can_be_pasted() {
        let source = |body: &str| format!("{{\"skills\": {{\"a\": {{{body}}}}}}}");
        let git = "\"type\": \"git\", \"url\": \"./r\"";
        for (text, hint) in [
            (String::new(), "the smallest manifest is `{ \"skills\": {} }`"),
            ("{\"skills\": oops}".to_owned(), "write it in double quotes: `\"oops\"`"),
            ("{}".to_owned(), "the smallest manifest is"),
            (source("\"type\": \"git\""), "for example `\"url\": "),
            (source("\"type\": \"path\""), "for example `\"path\": "),
            (
                source(&git.replace("git", "claude-marketplace")),
                "name one with `\"plugin\": \"NAME\"`",
            ),
            (
                source(&format!("{git}, \"plugin\": \"p\"")),
                "plugins need `\"type\": \"claude-marketplace\"`",
            ),
            (source(&format!("{git}, \"include\": \"x\"")), "write `[\"x\"]`"),
            (
                source(&git.replace("./r", "obra/superpowers")),
                "write `https://github.com/obra/superpowers.git`",
            ),
            (
                source(&format!("{git}, \"include\": [\"skills/b\"]")),
                "write `b`; its parent directory belongs in `skillsDir`",
            ),
            (
                source("\"type\": \"path\", \"path\": \"p\", \"exclude\": [\"s/b/\"]"),
                "write `b`; its parent directory belongs in `path`",
            ),
            (
                source(&format!("{git}, \"sha\": \"F5d81cb\"")),
                "`git rev-parse F5d81cb` in a clone prints the full id",
            ),
        ] {
            let found = findings(&text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(
                found[0].2.as_deref().is_some_and(|found| found.starts_with(hint)),
                "{text}: {found:?}"
            );
        }
        // A misspelled key is reported once.
        let found = findings("{\"skils\": {}}");
        assert_eq!((found.len(), found[0].0), (1, Code::UnknownKey), "{found:?}");
        let text = source(&format!("{git}, \"rename\": {{\"b\": \"no good\"}}"));
        let found = Manifest::parse(&text).expect_err("refused");
        assert!(found[0].message.contains("the name of `b` in `rename`"), "{found:?}");
    }

    #[test]
    fn settings_of_a_custom_type_are_data() {
        let entry = |settings: &str| {
            let text = format!(
                "{{\"skills\": {{\"a\": {{\"type\": \"x-wiki\", {settings} \"prefix\": \"w-\"}}}}}}"
            );
            Manifest::parse(&text)
                .unwrap_or_else(|why| panic!("{why:?}"))
                .sources
                .into_values()
                .next()
                .expect("one")
        };
        let source = entry("\"z\": [1, 2.50, null], \"a\": {\"d\": true, \"c\": \"é\"}, // why\n");
        assert_eq!(source.kind(), "x-wiki");
        assert_eq!(
            source.to_json().to_string(),
            r#"{"a":{"c":"é","d":true},"prefix":"w-","type":"x-wiki","z":[1,2.5,null]}"#
        );
        assert_eq!(
            source,
            entry("\"a\": {\"c\": \"\\u00e9\", \"d\": true}, \"z\": [1, 2.5, null],")
        );
        assert_ne!(source, entry("\"z\": [1],"));
    }

    #[test]
    fn passwords_in_urls_are_not_printed() {
        let text = "{\"skills\": {\"a\": {\"type\": \"git\", \"url\": \"https://u:hunter2@example.com/r\"}}}";
        assert!(!format!("{:?}", Manifest::parse(text).expect_err("refused")).contains("hunter2"));
    }

    #[test]
    fn edits_keep_comments_and_formatting() {
        let text = "{\n  // ours\n  \"skills\": {\n    \"a\": {\"type\": \"path\", \"path\": \"a\"}, // first\n  },\n}\n";
        let mut edited = ManifestText::parse(text).expect("valid");
        let key = SourceKey::new("b").expect("a key");
        edited.set(
            &key,
            &PathSource::new(helix_skills_format::ProjectPath::new("b").expect("a path")).into(),
        );
        let with_b = edited.to_string();
        assert!(with_b.contains("// ours") && with_b.contains("// first"), "{with_b}");
        assert_eq!(Manifest::parse(&with_b).expect("still valid").sources.len(), 2, "{with_b}");
        assert!(edited.remove(&key) && !edited.remove(&key));
        assert_eq!(edited.to_string(), text);
    }
}
