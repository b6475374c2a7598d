//! The Renovate preset `default.json`: its expressions are made here from parts with names, and tried as Renovate tries
//! them. Renovate's engine is RE2, whose syntax and meaning are those of the crate `regex`: no looking around.
//!
//! `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation renovate` writes the file anew.

use crate::checkout::{root, text};
use helix_skills_format::SourceKey;
use helix_skills_project::manifest::{Manifest, ManifestText};
use regex::{Captures, Regex};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs};

/// One piece of an object of the manifest that is no brace: a string or a comment as a whole, or any other character.
const PIECE: &str = r#"[^{}"/]|"(?:[^"\\]|\\.)*"|//[^\n]*\n|/\*(?:[^*]|\*+[^*/])*\*+/"#;

/// A repository that Renovate's machine can ask; a local one lies elsewhere.
const URL: &str = r#"(?:https|ssh)://[^"\\\s]+|[^"\\\s/:@]+@[^"\\\s/:]+:[^"\\\s]+"#;

const SHA: &str = "[0-9a-f]{40}(?:[0-9a-f]{24})?";

/// What has no character of a range is exact; see `VersionPin`.
const EXACT: &str = r#"[^"\\\s^~<>=*,|]+"#;
const RANGE: &str = r#"[^"\\]*[\s^~<>=*,|][^"\\]*"#;

/// The tags that a version is looked for under; Renovate fills in the name.
const TAG: &str = r"^(?:{{{depName}}}(?:@|-v|/v)|v)?(?<version>\d.*)$";

/// Pieces of a source, objects inside it included.
fn inside() -> String {
    format!(r"(?:{PIECE}|\{{(?:{PIECE})*\}})")
}

/// A source with a repository, by its name: not inside a comment, and not the object around all sources.
fn source() -> String {
    let inside = inside();
    format!(
        r#"(?:[\n{{,]|\*/)\s*"(?<depName>[A-Za-z0-9][A-Za-z0-9._-]{{0,63}})"\s*:\s*\{{{inside}*?"url"\s*:\s*"(?<packageName>{URL})"{inside}*\}}"#
    )
}

/// A text of a source, wherever it stands among its keys.
fn field(key: &str, group: &str, value: &str) -> String {
    let inside = inside();
    format!(r#"^[^"]*"[^"]*"\s*:\s*\{{{inside}*?"{key}"\s*:\s*"(?<{group}>{value})"[\s\S]*$"#)
}

/// The same, if it is there.
fn optional(key: &str, group: &str, value: &str) -> String {
    let inside = inside();
    format!(r#"^[^"]*"[^"]*"\s*:\s*\{{(?:{inside}*?"{key}"\s*:\s*"(?<{group}>{value})")?[\s\S]*$"#)
}

fn preset() -> Value {
    let manager = |description: &str, matches: Vec<String>, datasource: &str, versioning: &str| {
        json!({
            "description": description,
            "customType": "regex",
            "managerFilePatterns": [r"/(^|/)helix\.skills\.json$/"],
            // Each expression looks into what the one before it found, so that keys may stand in any order.
            "matchStringsStrategy": "recursive",
            "matchStrings": matches,
            "datasourceTemplate": datasource,
            "versioningTemplate": versioning,
            "depTypeTemplate": "skills",
        })
    };
    let sha = optional("sha", "currentDigest", SHA);
    let mut exact = manager(
        "An exact `version`, and the `sha` beside it if there is one.",
        vec![source(), sha, field("version", "currentValue", EXACT)],
        "git-tags",
        "semver",
    );
    let mut range = manager(
        "A `version` that is a range of cargo's kind.",
        vec![source(), field("version", "currentValue", RANGE)],
        "git-tags",
        "cargo",
    );
    for tags in [&mut exact, &mut range] {
        tags["extractVersionTemplate"] = json!(TAG);
    }
    let reference = manager(
        "The `sha` beside a `ref`: what the branch or tag means now.",
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
        "description": "Updates the pins of helix.skills.json. `skills sync` has to follow: it writes lock and store.",
        "customManagers": [exact, range, reference],
    })
}

/// What Renovate knows of a source after it read the manifest.
type Found = BTreeMap<&'static str, String>;

const GROUPS: [&str; 4] = ["depName", "packageName", "currentValue", "currentDigest"];

/// The strategy `recursive`: each expression looks into every match of the one before it; groups are gathered.
fn recurse(expressions: &[Regex], content: &str, found: &Found) -> Vec<Found> {
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

/// Everything that the preset on disk finds in a manifest: datasource, versioning, and what was captured.
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
        for found in recurse(&expressions, manifest, &Found::new()) {
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
fn the_preset_is_made_of_its_parts() {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(root().join("default.json"), format!("{:#}\n", preset())).unwrap();
    }
    // Compared as data: another crate may build `serde_json` with an order of its own.
    let found: Value = serde_json::from_str(&text("default.json")).unwrap();
    let mended =
        "run `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation renovate`";
    assert!(found == preset(), "default.json is not what its parts make: {mended}");
}

#[test]
fn every_order_of_keys_is_read() {
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
            let wanted = [
                "git-tags",
                "semver",
                "a.b",
                "https://example.com/team/skills.git",
                "1.2.3",
                COMMIT,
            ];
            assert_eq!(find(&manifest), [wanted], "{manifest}");
        }
    }
}

#[test]
fn every_kind_of_pin_has_its_datasource_and_nothing_else_is_touched() {
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
fn manifests_as_the_program_writes_them_are_read() {
    let example = text("helix.skills.json.example");
    let versions = find(&example);
    assert!(versions.iter().any(|found| found[2..5]
        == ["hyperframes", "https://github.com/heygen-com/hyperframes.git", "0.6.70"]));

    let mut written =
        ManifestText::parse("{\n  // Where skills come from\n  \"skills\": {}\n}\n").unwrap();
    for (key, version) in [("a", "1.0.0"), ("b", "^2")] {
        let url = format!("https://example.com/{key}.git");
        let source = [
            ("type", json!("git")),
            ("url", json!(url)),
            ("version", json!(version)),
            ("include", json!(["x"])),
        ];
        written.add(&SourceKey::new(key).unwrap(), &source).unwrap();
    }
    let found: Vec<_> = find(&written.to_string())
        .into_iter()
        .map(|[_, _, key, _, version, _]| (key, version))
        .collect();
    assert_eq!(found, [("b".to_owned(), "^2".to_owned()), ("a".to_owned(), "1.0.0".to_owned())]);
}

/// The tags that `version` is tried under, and what Renovate makes of them.
#[test]
fn versions_are_found_in_the_tags_that_a_sync_looks_for() {
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
