//! The Renovate preset `default.json`. Its regular expressions are built here from named parts and
//! tested with Renovate's semantics. Renovate uses RE2, whose syntax and semantics are those of the
//! crate `regex`: no look-around.
//!
//! `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation renovate` updates the file.

use crate::checkout::{root, text};
use helix_skills_format::{Pin, Repository, Source, SourceKey, VersionPin};
use helix_skills_project::__internal::ManifestText;
use helix_skills_project::manifest::Manifest;
use regex::{Captures, Regex};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs};

/// A piece of a JSON object without braces: a whole string, a whole comment, or any other
/// character.
const PIECE: &str = r#"[^{}"/]|"(?:[^"\\]|\\.)*"|//[^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/"#;

/// The URL of a repository that Renovate's host can reach, which excludes local paths.
const URL: &str = r#"(?:https|ssh)://[^"\\\s]+|[^"\\\s/:@]+@[^"\\\s/:]+:[^"\\\s]+"#;

const SHA: &str = "[0-9a-f]{40}(?:[0-9a-f]{24})?";

/// A version without characters of a range is exact; see `VersionPin`.
const EXACT: &str = r#"[^"\\\s^~<>=*,|]+"#;
const RANGE: &str = r#"[^"\\]*[\s^~<>=*,|][^"\\]*"#;

/// The tags that match a version; Renovate fills in the name.
const TAG: &str = r"^(?:{{{depName}}}(?:@|-v|/v)|v)?(?<version>\d.*)$";

/// Returns an expression for pieces of a source, including nested objects.
fn source_body() -> String {
    format!(r"(?:{PIECE}|\{{(?:{PIECE})*\}})")
}

/// Returns an expression for a source with a repository. It matches neither inside a comment nor
/// the object around all sources.
fn source() -> String {
    let inside = source_body();
    format!(
        r#"(?:[\n{{,]|\*/)\s*"(?<depName>[A-Za-z0-9][A-Za-z0-9._-]{{0,63}})"\s*:\s*\{{{inside}*?"url"\s*:\s*"(?<packageName>{URL})"{inside}*\}}"#
    )
}

/// Returns an expression for a string field of a source, at any position among its keys.
fn field(key: &str, group: &str, value: &str) -> String {
    let inside = source_body();
    format!(r#"^[^"]*"[^"]*"\s*:\s*\{{{inside}*?"{key}"\s*:\s*"(?<{group}>{value})"[\s\S]*$"#)
}

/// Like [`field`], for a field that may be missing.
fn optional(key: &str, group: &str, value: &str) -> String {
    let inside = source_body();
    format!(r#"^[^"]*"[^"]*"\s*:\s*\{{(?:{inside}*?"{key}"\s*:\s*"(?<{group}>{value})")?[\s\S]*$"#)
}

fn preset() -> Value {
    let manager = |description: &str, matches: Vec<String>, datasource: &str, versioning: &str| {
        json!({
            "description": description,
            "customType": "regex",
            "managerFilePatterns": [r"/(^|/)helix\.skills\.json$/"],
            // Each expression searches the matches of the one before it, so that keys may have any
            // order.
            "matchStringsStrategy": "recursive",
            "matchStrings": matches,
            "datasourceTemplate": datasource,
            "versioningTemplate": versioning,
            "depTypeTemplate": "skills",
        })
    };
    let sha = optional("sha", "currentDigest", SHA);
    let mut exact = manager(
        "An exact `version`, and the `sha` next to it, if present.",
        vec![source(), sha, field("version", "currentValue", EXACT)],
        "git-tags",
        "semver",
    );
    let mut range = manager(
        "A `version` that is a range in cargo's syntax.",
        vec![source(), field("version", "currentValue", RANGE)],
        "git-tags",
        "cargo",
    );
    for tags in [&mut exact, &mut range] {
        tags["extractVersionTemplate"] = json!(TAG);
    }
    let reference = manager(
        "The `sha` next to a `ref`: the commit that the branch or tag points to.",
        vec![
            source(),
            field("sha", "currentDigest", SHA),
            field("ref", "currentValue", r#"[^"\\\s]+"#),
        ],
        "git-refs",
        "git",
    );
    json!({
        "$schema": "https://docs.renovatebot.com/renovate-schema.json",
        "description": "Updates the pins of helix.skills.json. Run `skills sync` afterwards to update lockfile and store.",
        "customManagers": [exact, range, reference],
    })
}

/// The data that Renovate extracts for a source.
type Extracted = BTreeMap<&'static str, String>;

const GROUPS: [&str; 4] = ["depName", "packageName", "currentValue", "currentDigest"];

/// Implements the strategy `recursive`: each expression is applied to every match of the one before
/// it, and their groups are combined.
fn recurse(expressions: &[Regex], content: &str, found: &Extracted) -> Vec<Extracted> {
    let Some((first, rest)) = expressions.split_first() else { return vec![found.clone()] };
    let deeper = |captures: Captures<'_>| {
        let mut found = found.clone();
        for group in GROUPS {
            if let Some(text) = captures.name(group) {
                found.insert(group, text.as_str().to_owned());
            }
        }
        recurse(rest, captures.get(0).map_or("", |all| all.as_str()), &found)
    };
    first.captures_iter(content).flat_map(deeper).collect()
}

/// Returns everything that the preset finds in a manifest: datasource, versioning and captured
/// groups.
#[track_caller]
fn find(manifest: &str) -> Vec<[String; 6]> {
    assert!(Manifest::parse(manifest).is_ok(), "{:?}", Manifest::parse(manifest));
    let preset: Value = serde_json::from_str(&text("default.json")).unwrap();
    let mut all = Vec::new();
    for manager in preset["customManagers"].as_array().unwrap() {
        assert_eq!(manager["matchStringsStrategy"], "recursive");
        let expressions = manager["matchStrings"].as_array().unwrap();
        let expressions: Vec<Regex> =
            expressions.iter().map(|e| Regex::new(e.as_str().unwrap()).unwrap()).collect();
        for found in recurse(&expressions, manifest, &Extracted::new()) {
            let get = |group| found.get(group).cloned().unwrap_or_default();
            let [name, package, value, digest] = GROUPS.map(get);
            let template = |key: &str| manager[key].as_str().unwrap().to_owned();
            all.push([
                template("datasourceTemplate"),
                template("versioningTemplate"),
                name,
                package,
                value,
                digest,
            ]);
        }
    }
    all.sort();
    all
}

const COMMIT: &str = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";

#[test]
fn preset_is_up_to_date() {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(root().join("default.json"), format!("{:#}\n", preset())).unwrap();
    }
    // Compared as data, because feature unification may change the key order of `serde_json`.
    let found: Value = serde_json::from_str(&text("default.json")).unwrap();
    let fix = "run `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation renovate`";
    assert!(found == preset(), "default.json is outdated: {fix}");
}

#[test]
fn keys_may_have_any_order() {
    let fields = [
        ("url", "\"https://example.com/team/skills.git\"".to_owned()),
        ("version", "\"1.2.3\"".to_owned()),
        ("sha", format!("\"{COMMIT}\"")),
        ("rename", "{\"version\": \"ref\", \"url\": \"sha\"}".to_owned()),
    ];
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for next in 0..fields.len() {
        let insert = |order: Vec<usize>| {
            (0..=order.len()).map(move |at| [&order[..at], &[next], &order[at..]].concat())
        };
        orders = orders.into_iter().flat_map(insert).collect();
    }
    assert_eq!(orders.len(), 24);
    for order in orders {
        let lines: Vec<String> =
            order.iter().map(|at| format!("\"{}\": {}", fields[*at].0, fields[*at].1)).collect();
        for between in [
            ", ",
            ",\n      ",
            ", // \"version\": \"0.0.1\" {\n      ",
            ", /* \"sha\": \"x\" } */ ",
        ] {
            let manifest = format!(
                "{{\"skills\": {{\"a.b\": {{\"type\": \"git\", {}}}}}}}",
                lines.join(between)
            );
            let expected = [
                "git-tags",
                "semver",
                "a.b",
                "https://example.com/team/skills.git",
                "1.2.3",
                COMMIT,
            ];
            assert_eq!(find(&manifest), [expected], "{manifest}");
        }
    }
}

#[test]
fn each_pin_has_its_datasource_and_nothing_else_matches() {
    let manifest = format!(
        r#"// helix
{{
  "skills": {{
    // "old": {{"type": "git", "url": "https://example.com/old.git", "version": "0.1.0"}},
    "exact": {{ "type": "git", "url": "https://example.com/exact.git", "version": "1.2.3" }}, // first
    // the second
    "range": {{
      "type": "git",
      "version": ">=1.2, <2", /* why */
      "url": "ssh://git@example.com/range.git",
      "files": {{"exclude": ["**/*.png"]}},
    }},
    "branch": {{ "sha": "{COMMIT}", "type": "git", "ref": "main", "url": "git@example.com:team/branch.git" }},
    "commit": {{ "type": "git", "url": "https://example.com/commit.git", "sha": "{COMMIT}" }},
    "head": {{ "type": "git", "url": "https://example.com/head.git", "ref": "main" }},
    "local": {{ "type": "git", "url": "./local", "version": "1.0.0" }},
    "own": {{ "type": "path", "path": "skills" }},
  }},
  "allow": {{"exact/SKILL.md": ["invisible-text"]}},
  "limits": {{"treeDepth": 4}},
}}
"#
    );
    assert_eq!(
        find(&manifest),
        [
            ["git-refs", "git", "branch", "git@example.com:team/branch.git", "main", COMMIT],
            ["git-tags", "cargo", "range", "ssh://git@example.com/range.git", ">=1.2, <2", ""],
            ["git-tags", "semver", "exact", "https://example.com/exact.git", "1.2.3", ""],
        ]
    );
}

#[test]
fn manifests_written_by_the_program_match() {
    let example = text("helix.skills.json.example");
    let versions = find(&example);
    assert!(versions.iter().any(|found| found[2..5]
        == ["hyperframes", "https://github.com/heygen-com/hyperframes.git", "0.6.70"]));

    let mut written =
        ManifestText::parse("{\n  // Where skills come from\n  \"skills\": {}\n}\n").unwrap();
    for (key, version) in [("a", "1.0.0"), ("b", "^2")] {
        let url = format!("https://example.com/{key}.git");
        let mut repository = Repository::new(helix_skills_format::GitUrl::parse(&url).unwrap());
        repository.pin = Pin::Version(VersionPin::parse(version).unwrap());
        let mut source = Source::git(repository);
        source.select.include = Some(["x".to_owned()].into());
        written.set(&SourceKey::new(key).unwrap(), &source);
    }
    let found: Vec<_> = find(&written.to_string())
        .into_iter()
        .map(|[_, _, key, _, version, _]| (key, version))
        .collect();
    assert_eq!(found, [("b".to_owned(), "^2".to_owned()), ("a".to_owned(), "1.0.0".to_owned())]);
}

/// The tags that a `version` is looked up under, and the version that Renovate extracts from them.
#[test]
fn version_is_extracted_from_the_tags_of_a_sync() {
    let preset: Value = serde_json::from_str(&text("default.json")).unwrap();
    let template = preset["customManagers"][0]["extractVersionTemplate"].as_str().unwrap();
    let expression = Regex::new(&template.replace("{{{depName}}}", "my.key")).unwrap();
    for tag in ["v1.2.3", "1.2.3", "my.key@1.2.3", "my.key-v1.2.3", "my.key/v1.2.3"] {
        assert_eq!(
            &expression.captures(tag).unwrap_or_else(|| panic!("{tag}"))["version"],
            "1.2.3"
        );
    }
    for tag in ["other@1.2.3", "my.key-1.2.3", "release-1.2.3", "vv1.2.3", "latest"] {
        assert!(!expression.is_match(tag), "{tag}");
    }
}
