//! Tests that the JSON Schemas of `schemas/` agree with the parsers.
//!
//! A schema accepts everything that the parser accepts. The parser refuses the following in
//! addition:
//!
//! - duplicate keys; merge conflict markers; in the lockfile, comments and trailing commas
//! - `1.0` and `1e3` as integers, and numbers of more than 64 bits
//! - characters that are not letters, names that Unicode normalization makes invalid, and lengths
//!   in bytes
//! - device names and paths that leave the skill in the keys of `allow`
//! - invalid version ranges that match the pattern; globs with unclosed brackets
//! - `::` or `://` in the path of a local or ssh repository; a port above 65535
//! - contradictions between entries: a locked skill and its source, names that differ only in case,
//!   the URLs of a plugin and of its marketplace
//!
//! The patterns work in all dialects that editors and libraries use: no lookaround, no Unicode
//! classes.

use helix_skills_project::{
    Project,
    format::{Code, Limits, Lock},
    manifest::Manifest,
};
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use std::{fs, path::Path, sync::LazyLock};

static MANIFEST: LazyLock<Validator> = LazyLock::new(|| validator(&schema(MANIFEST_SCHEMA)));
static LOCK: LazyLock<Validator> = LazyLock::new(|| validator(&schema(LOCK_SCHEMA)));

const MANIFEST_SCHEMA: &str = "helix.skills.schema.json";
const LOCK_SCHEMA: &str = "helix.skills.lock.schema.json";

fn schema(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas").join(name);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn validator(schema: &Value) -> Validator {
    jsonschema::options().with_draft(Draft::Draft7).build(schema).unwrap()
}

#[test]
fn new_manifest_names_the_schema() {
    let directory = tempfile::tempdir().unwrap();
    let project = Project::at(directory.path());
    project.init().unwrap();
    let text = fs::read_to_string(directory.path().join("helix.skills.json")).unwrap();
    let id = schema(MANIFEST_SCHEMA)["$id"].as_str().unwrap().to_owned();
    assert!(text.contains(&format!("\"$schema\": \"{id}\"")), "{text}");
}

#[test]
fn schemas_share_their_definitions() {
    let (manifest, lock) = (schema(MANIFEST_SCHEMA), schema(LOCK_SCHEMA));
    let of_lock = lock["definitions"].as_object().unwrap();
    for (name, definition) in manifest["definitions"].as_object().unwrap() {
        let other = of_lock.get(name).unwrap_or(definition);
        assert_eq!(definition, other, "{name}");
    }
    assert!(of_lock.contains_key("Source"));
}

#[test]
fn defaults_and_codes_are_those_of_the_parser() {
    let schema = schema(MANIFEST_SCHEMA);
    let limits = &schema["definitions"]["Limits"]["properties"];
    let default = |key: &str| limits[key]["default"].as_u64().unwrap();
    let found = Limits {
        files_per_skill: default("filesPerSkill"),
        bytes_per_skill: default("bytesPerSkill"),
        bytes_per_file: default("bytesPerFile"),
        objects_per_fetch: default("objectsPerFetch"),
        bytes_per_fetch: default("bytesPerFetch"),
        tree_depth: default("treeDepth"),
    };
    assert_eq!(found, Limits::default());
    let codes = Code::ALL.iter().filter(|code| code.can_be_allowed()).map(|code| code.as_str());
    let found = &schema["properties"]["allow"]["additionalProperties"]["items"]["anyOf"][0]["enum"];
    assert_eq!(*found, json!(codes.collect::<Vec<_>>()));
}

#[test]
fn every_key_has_a_description() {
    fn check(value: &Value, place: &str) {
        if let Some(properties) = value["properties"].as_object() {
            for (key, property) in properties {
                let is_rule = place.contains("/allOf") || place.contains("/if");
                let text = property["description"].as_str().unwrap_or_default();
                let nested = place.ends_with("/files");
                assert!(
                    is_rule || nested || (text.ends_with('.') && !text.contains('\n')),
                    "{place}/{key}: {property}"
                );
            }
        }
        let inner = value.as_object().into_iter().flatten();
        inner.for_each(|(key, value)| check(value, &format!("{place}/{key}")));
        let inner = value.as_array().into_iter().flatten();
        inner.enumerate().for_each(|(at, value)| check(value, &format!("{place}/{at}")));
    }
    check(&schema(MANIFEST_SCHEMA), "");
    check(&schema(LOCK_SCHEMA), "");
}

/// Returns a manifest with one source.
fn source(fields: &Value) -> Value {
    json!({ "skills": { "a": fields } })
}

fn git(more: &Value) -> Value {
    let mut fields = json!({ "type": "git", "url": "https://example.com/team/skills.git" });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    source(&fields)
}

const SHA: &str = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";

#[track_caller]
fn both_accept(manifest: &Value) {
    let read = Manifest::parse(&manifest.to_string());
    assert!(read.is_ok(), "the parser refuses {manifest}: {read:?}");
    let why: Vec<String> = MANIFEST.iter_errors(manifest).map(|e| e.to_string()).collect();
    assert!(why.is_empty(), "the schema refuses {manifest}: {why:#?}");
}

#[track_caller]
fn both_refuse(manifest: &Value) {
    assert!(Manifest::parse(&manifest.to_string()).is_err(), "the parser accepts {manifest}");
    assert!(!MANIFEST.is_valid(manifest), "the schema accepts {manifest}");
}

#[test]
fn valid_manifests_are_accepted() {
    let limits = json!({
        "filesPerSkill": 1, "bytesPerSkill": 2, "bytesPerFile": 3, "objectsPerFetch": 4, "bytesPerFetch": 5, "treeDepth": 0,
    });
    for manifest in [
        json!({ "skills": {} }),
        json!({ "$schema": "x", "skills": {}, "limits": {}, "budget": {}, "allow": {} }),
        json!({ "skills": {}, "limits": limits, "budget": { "catalogTokens": 1, "bodyTokens": 0 } }),
        json!({ "skills": {}, "allow": { " a.b/docs/é.md": ["invisible-text", "invisible-text"], "a/x": [] } }),
        source(&json!({ "type": "path", "path": "../skills" })),
        source(
            &json!({ "type": "claude-marketplace", "url": "git@example.com:m.git", "plugin": "x.com", "ref": "main" }),
        ),
        git(
            &json!({ "version": "^1.2", "sha": SHA, "allowInsecure": false, "origin": false, "skillsDir": "./.claude/skills/" }),
        ),
        git(&json!({ "ref": "feature/x", "sha": SHA.to_uppercase() })),
        git(&json!({ "sha": "0".repeat(64), "allowInsecure": true, "url": "http://192.0.2.1/x" })),
        git(&json!({ "include": ["a", "a", "ä b"], "exclude": [], "prefix": "x-", "files": {} })),
        git(
            &json!({ "include": ["./", "./a", "a/b/"], "exclude": ["a/d"], "rename": { "a/b": "c" } }),
        ),
        git(&json!({ "skillsDir": ["skills", ".claude/skills", "."] })),
        git(
            &json!({ "rename": { "a b": " new_name ", "...": "技能" }, "files": { "exclude": ["**/*.{png,jpg}"], "include": ["*~"] } }),
        ),
    ] {
        both_accept(&manifest);
    }
    let example = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../helix.skills.json.example"),
    )
    .unwrap();
    let example: Value =
        jsonc_parser::parse_to_serde_value(&example, &jsonc_parser::ParseOptions::default())
            .unwrap();
    both_accept(&example);
}

#[test]
fn invalid_manifests_are_refused() {
    for manifest in [
        json!([]),
        json!({}),
        json!({ "skills": [] }),
        json!({ "skills": {}, "skils": {} }),
        json!({ "skills": {}, "$schema": 1 }),
        json!({ "skills": {}, "limits": null }),
        json!({ "skills": {}, "limits": { "filesPerSkil": 1 } }),
        json!({ "skills": {}, "limits": { "treeDepth": -1 } }),
        json!({ "skills": {}, "limits": { "treeDepth": 1.5 } }),
        json!({ "skills": {}, "limits": { "treeDepth": "1" } }),
        json!({ "skills": {}, "budget": { "catalogTokens": null } }),
        json!({ "skills": {}, "budget": { "tokens": 1 } }),
        json!({ "skills": {}, "allow": { "SKILL.md": [] } }),
        json!({ "skills": {}, "allow": { "a/SKILL.md": "invisible-text" } }),
        json!({ "skills": {}, "allow": { "a/SKILL.md": [1] } }),
        json!({ "skills": {}, "allow": { "a b/SKILL.md": [] } }),
        json!({ "skills": {}, "allow": { "a/": [] } }),
        json!({ "skills": { "../c": { "type": "path", "path": "x" } } }),
        json!({ "skills": { "-c": { "type": "path", "path": "x" } } }),
        json!({ "skills": { "a": "https://example.com/x.git" } }),
        source(&json!({})),
        source(&json!({ "type": "svn", "url": "https://example.com/x" })),
        source(&json!({ "type": "x-wiki", "a": 1 })),
        source(&json!({ "type": 1 })),
        source(&json!({ "type": "git" })),
        source(&json!({ "type": "path" })),
        source(&json!({ "type": "path", "path": 1 })),
        source(&json!({ "type": "path", "path": "x", "url": "https://example.com/x" })),
        source(&json!({ "type": "claude-marketplace", "url": "https://example.com/x" })),
        source(
            &json!({ "type": "claude-marketplace", "url": "https://example.com/x", "plugin": "../a" }),
        ),
        source(
            &json!({ "type": "claude-marketplace", "url": "https://example.com/x", "plugin": "a", "skillsDir": "b" }),
        ),
        git(&json!({ "version": "1.0.0", "ref": "main" })),
        git(&json!({ "version": 1 })),
        git(&json!({ "version": null })),
        git(&json!({ "sha": "f5d81cb" })),
        git(&json!({ "sha": format!("{SHA}0") })),
        git(&json!({ "plugin": "a" })),
        git(&json!({ "inclde": [] })),
        git(&json!({ "include": [1] })),
        git(&json!({ "include": ["a\\b"] })),
        git(&json!({ "include": ["a/../b"] })),
        git(&json!({ "skillsDir": ["a", 1] })),
        source(&json!({ "type": "path", "path": "x", "include": ["a/b"] })),
        git(&json!({ "exclude": [".."] })),
        git(&json!({ "rename": [] })),
        git(&json!({ "rename": { "/a/b": "x" } })),
        source(&json!({ "type": "path", "path": "x", "rename": { "./b": "y" } })),
        git(&json!({ "rename": { "a": "x y" } })),
        git(&json!({ "rename": { "a": "../x" } })),
        git(&json!({ "rename": { "a": "Nul.txt" } })),
        git(&json!({ "rename": { "a": "a.sha256" } })),
        git(&json!({ "prefix": ".x" })),
        git(&json!({ "files": { "exclude": [""] } })),
        git(&json!({ "files": { "include": "*~" } })),
        git(&json!({ "files": { "includes": [] } })),
        git(&json!({ "files": [] })),
        git(&json!({ "allowInsecure": "yes" })),
        git(&json!({ "origin": "no" })),
        source(&json!({ "type": "path", "path": "x", "origin": false })),
        git(&json!({ "url": "http://example.com/x.git" })),
        git(&json!({ "url": "http://192.0.2.1/x.git", "allowInsecure": false })),
    ] {
        both_refuse(&manifest);
    }
}

/// Some of the list at the top of this file, which the parser alone refuses.
#[test]
fn limits_of_the_schema_are_documented() {
    for manifest in [
        git(&json!({ "files": { "exclude": ["["] } })),
        git(&json!({ "version": "^1.2.3-01" })),
        git(&json!({ "rename": { "a": "a\u{ff0f}b" } })),
        git(&json!({ "rename": { "a": "x".repeat(201) } })),
        git(&json!({ "url": "./a::b" })),
        git(&json!({ "url": "https://example.com:99999/x" })),
    ] {
        assert!(Manifest::parse(&manifest.to_string()).is_err(), "{manifest}");
        assert!(MANIFEST.is_valid(&manifest), "remove it from the list: {manifest}");
    }
    for number in ["1.0", "1e3", "18446744073709551616"] {
        let text = format!("{{\"skills\": {{}}, \"limits\": {{\"treeDepth\": {number}}}}}");
        assert!(Manifest::parse(&text).is_err(), "{text}");
        assert!(
            MANIFEST.is_valid(&serde_json::from_str(&text).unwrap()),
            "remove it from the list: {text}"
        );
    }
    let twice = "{\"skills\": {}, \"skills\": {}}";
    assert!(
        Manifest::parse(twice).is_err() && MANIFEST.is_valid(&serde_json::from_str(twice).unwrap())
    );
}

/// Every text of up to three of these pieces, and of up to two after each of `starts`.
fn texts(starts: &[&str]) -> Vec<String> {
    let pieces = [
        "", "a", "B", "1", ".", "..", "/", "-", "~", " ", "\\", "@", "{", ":", "*", "^", ">=", ",",
        "_", "#", ".lock", "::", "\u{0}", "\u{85}", "\u{a0}", "é", "x.y:", "con", "[",
    ];
    let pairs = pieces.iter().flat_map(|first| pieces.map(|second| format!("{first}{second}")));
    let mut texts = Vec::new();
    for pair in pairs {
        texts.extend(pieces.map(|third| format!("{pair}{third}")));
        texts.extend(starts.iter().map(|start| format!("{start}{pair}")));
    }
    texts.sort();
    texts.dedup();
    texts
}

/// Checks that the schema accepts every text that the parser accepts, and returns the texts that
/// only the schema accepts.
#[track_caller]
fn compare(starts: &[&str], place: &str, manifest: impl Fn(&str) -> Value) -> Vec<String> {
    // Keeps only the alternative for the source's type: trying the others is slow, and other tests
    // do.
    let mut schema = schema(MANIFEST_SCHEMA);
    let kind = manifest("x")["skills"]["a"]["type"].clone();
    let alternatives = schema["definitions"]["Source"]["oneOf"].as_array_mut().unwrap();
    alternatives.retain(|one| one["properties"]["type"]["const"] == kind);
    assert_eq!(alternatives.len(), 1);
    let validator = validator(&schema);
    let (mut only_schema, mut only_reader) = (Vec::new(), Vec::new());
    let mut accepted = 0;
    for text in texts(starts) {
        let manifest = manifest(&text);
        let (reader, schema) =
            (Manifest::parse(&manifest.to_string()).is_ok(), validator.is_valid(&manifest));
        accepted += usize::from(reader);
        match (schema, reader) {
            (true, false) => only_schema.push(text),
            (false, true) => only_reader.push(text),
            _ => {}
        }
    }
    assert!(accepted > 10, "{place}: {accepted}");
    assert!(
        only_reader.is_empty(),
        "{place}: the parser accepts what the schema refuses: {only_reader:?}"
    );
    only_schema
}

#[test]
fn schema_and_parser_agree_on_names_and_paths() {
    let none = Vec::<String>::new();
    assert_eq!(compare(&[], "skillsDir", |text| git(&json!({ "skillsDir": text }))), none);
    assert_eq!(compare(&[], "path", |text| source(&json!({ "type": "path", "path": text }))), none);
    assert_eq!(compare(&[], "include", |text| git(&json!({ "include": [text] }))), none);
    assert_eq!(compare(&[], "rename", |text| git(&json!({ "rename": { "a": text } }))), none);
    assert_eq!(compare(&[], "prefix", |text| git(&json!({ "prefix": text }))), none);
}

#[test]
fn schema_and_parser_agree_on_pins() {
    let none = Vec::<String>::new();
    assert_eq!(compare(&[], "ref", |text| git(&json!({ "ref": text }))), none);
    assert_eq!(
        compare(&["1.2", ">1", "v1.2.3-a"], "version", |text| git(&json!({ "version": text }))),
        none
    );
}

#[test]
fn schema_and_parser_agree_on_urls() {
    let starts = [
        "https://h",
        "https://h/",
        "http://localhost",
        "ssh://g@h",
        "file://",
        "./",
        "g@h:",
        "h.x:",
    ];
    let mut other = compare(&starts, "url", |text| git(&json!({ "url": text })));
    other.retain(|text| !text.contains("::") && !text.contains("://"));
    assert_eq!(other, Vec::<String>::new());
}

/// Returns a lockfile with every key.
fn lock() -> Value {
    let integrity = format!("sha256:{}", "0".repeat(64));
    let skill = |source: &str| json!({ "source": source, "path": "skills/x", "tree": SHA, "integrity": integrity, "files": 1, "bytes": 2 });
    let mut linked = skill("team");
    linked["links"] = json!({ "references/shared.md": SHA });
    linked["executable"] = json!(["scripts/run.sh"]);
    let request = |kind: &str| json!({ "type": kind, "url": "https://example.com/x.git" });
    let mut marketplace = request("claude-marketplace");
    marketplace["plugin"] = json!("docs");
    let plugin = json!({ "url": "https://example.com/p.git", "path": ".", "ref": "refs/heads/x", "commit": SHA, "version": "1" });
    json!({
        "version": 1,
        "skills": {
            "alpha": linked,
            "beta": skill("market"),
            "house": { "source": "own", "path": ".", "integrity": integrity, "files": 0, "bytes": 0 },
        },
        "sources": {
            "team": { "request": request("git"), "commit": SHA, "ref": "refs/tags/v1" },
            "market": { "request": marketplace, "commit": SHA, "plugin": plugin },
            "own": { "request": { "type": "path", "path": "skills" } },
        },
    })
}

/// Returns the lockfile with one value replaced, or the key removed for `None`.
fn changed(pointer: &str, value: Option<Value>) -> Value {
    let mut lock = lock();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent =
        lock.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}")).as_object_mut().unwrap();
    match value {
        Some(value) => drop(parent.insert(key.to_owned(), value)),
        None => drop(parent.remove(key).unwrap_or_else(|| panic!("{pointer}"))),
    }
    lock
}

#[test]
fn valid_lockfiles_are_accepted() {
    for lock in [
        lock(),
        json!({ "version": 1, "sources": {}, "skills": {} }),
        changed("/sources/market/plugin", Some(json!({ "path": "plugins/docs" }))),
        changed("/sources/market/ref", Some(json!("HEAD"))),
        changed("/skills/alpha/executable", Some(json!([]))),
        changed("/skills/alpha/executable", None),
        changed("/sources/team/directories", Some(json!([".", "skills/x", "skills/x"]))),
    ] {
        assert!(
            Lock::parse(&lock.to_string()).is_ok(),
            "{lock}: {:?}",
            Lock::parse(&lock.to_string())
        );
        let why: Vec<String> = LOCK.iter_errors(&lock).map(|e| e.to_string()).collect();
        assert!(why.is_empty(), "{lock}: {why:#?}");
        let printed = Lock::parse(&lock.to_string()).unwrap().to_string();
        assert!(LOCK.is_valid(&serde_json::from_str(&printed).unwrap()), "{printed}");
    }
}

#[test]
fn invalid_lockfiles_are_refused() {
    let whole = |key: &str| changed(&format!("/{key}"), None);
    let set = |pointer: &str, value: Value| changed(pointer, Some(value));
    let mut locks = vec![
        whole("version"),
        whole("sources"),
        whole("skills"),
        json!([]),
        set("/things", json!(1)),
    ];
    for version in [json!(0), json!(2), json!("1"), json!(null)] {
        locks.push(set("/version", version));
    }
    for key in ["source", "path", "integrity", "files", "bytes"] {
        locks.push(changed(&format!("/skills/alpha/{key}"), None));
        locks.push(set(&format!("/skills/alpha/{key}"), json!(null)));
    }
    for (key, bad) in [
        ("path", "../etc"),
        ("path", "/etc"),
        ("tree", "--x"),
        ("integrity", "md5:0"),
        ("integrity", "sha256:AB"),
        ("files", "1"),
        ("source", "../x"),
        ("name", "alpha"),
    ] {
        locks.push(set(&format!("/skills/alpha/{key}"), json!(bad)));
    }
    for number in [json!(-1), json!(0.5)] {
        locks.push(set("/skills/alpha/bytes", number));
    }
    for name in ["..", "CON", " a", "a b", "x.sha256", ""] {
        locks.push(set(&format!("/skills/{name}"), lock()["skills"]["alpha"].clone()));
    }
    for path in ["..~1x", "~1etc", "a~1", ".git~1config", "a:b", "-", "a~1~1b", "a. ~1b"] {
        locks.push(set(&format!("/skills/alpha/links/{path}"), json!(SHA)));
        locks.last_mut().unwrap()["skills"]["alpha"]["links"] =
            json!({ path.replace("~1", "/"): SHA });
    }
    for source in ["team", "market"] {
        locks.push(changed(&format!("/sources/{source}/commit"), None));
        locks.push(set(&format!("/sources/{source}/ref"), json!("--x")));
        locks.push(set(&format!("/sources/{source}/commit"), json!("main")));
        locks.push(set(&format!("/sources/{source}/request/url"), json!("ext::sh")));
    }
    let plugin = lock()["sources"]["market"]["plugin"].clone();
    for source in ["team", "own"] {
        locks.push(set(&format!("/sources/{source}/plugin"), plugin.clone()));
    }
    locks.push(changed("/sources/market/plugin", None));
    locks.push(set("/sources/own/commit", json!(SHA)));
    locks.push(set("/sources/own/at", json!("today")));
    for key in ["commit", "url", "path"] {
        locks.push(changed(&format!("/sources/market/plugin/{key}"), None));
    }
    locks.push(set("/sources/market/plugin/version", json!("")));
    locks.push(set("/sources/own/directories", json!([])));
    for directories in [json!(null), json!("skills/x"), json!([1]), json!(["../x"]), json!(["/x"])]
    {
        locks.push(set("/sources/team/directories", directories));
    }
    for executable in
        [json!(null), json!("x"), json!({}), json!([1]), json!(["a:b"]), json!(["../x"])]
    {
        locks.push(set("/skills/alpha/executable", executable));
    }
    for lock in locks {
        assert!(Lock::parse(&lock.to_string()).is_err(), "the parser accepts {lock:#}");
        assert!(!LOCK.is_valid(&lock), "the schema accepts {lock:#}");
    }
}
