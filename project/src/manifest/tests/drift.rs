//! Tests of the comparison of entries, which `include_skills!` and a sync share.

use crate::manifest::{Lock, LockedSource, Manifest};
use helix_skills_format::{DirPath, LockedPlugin, SourceKey};

/// Groups of entries. Entries of one group ask for the same, and entries of two groups do not.
const GROUPS: &[&[&str]] = &[
    &[
        r#""type": "git", "url": "https://example.com/g""#,
        r#""url": "https:\/\/example.com/g", "type": "git", "skillsDir": "./skills/""#,
        r#""type": "git", "url": "https://example.com/g", "allowInsecure": false, "origin": true, "exclude": []"#,
        r#""type": "git", "url": "https://example.com/g", "rename": {}, "files": {"exclude": []}"#,
        r#""type": "git", "url": "https://example.com/g", "files": {}"#,
    ],
    &[r#""type": "git", "url": "https://example.com/g.git""#],
    &[r#""type": "git", "url": "https://example.com/g", "allowInsecure": true"#],
    &[r#""type": "git", "url": "https://example.com/g", "origin": false"#],
    &[r#""type": "git", "url": "http://192.0.2.1/g", "allowInsecure": true"#],
    &[r#""type": "git", "url": "git@example.com:g""#],
    &[r#""type": "git", "url": "ssh://git@example.com/g""#],
    &[r#""type": "git", "url": "../g""#],
    &[r#""type": "git", "url": "./g""#],
    &[
        r#""type": "git", "url": "./g", "skillsDir": ".""#,
        r#""type": "git", "url": "./g", "skillsDir": "./""#,
    ],
    &[r#""type": "git", "url": "./g", "include": []"#],
    &[
        r#""type": "git", "url": "./g", "include": ["a", "b"]"#,
        r#""type": "git", "url": "./g", "include": ["b", "a", "b"], // twice"#,
    ],
    &[r#""type": "git", "url": "./g", "exclude": ["a", "b"]"#],
    &[
        r#""type": "git", "url": "./g", "version": "^1""#,
        r#""type": "git", "url": "./g", "version": " ^1 ""#,
    ],
    &[r#""type": "git", "url": "./g", "version": "^1.0""#],
    &[r#""type": "git", "url": "./g", "version": "1""#],
    &[r#""type": "git", "url": "./g", "ref": "1""#],
    &[
        r#""type": "git", "url": "./g", "sha": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74""#,
        r#""type": "git", "url": "./g", "sha": "F5D81CB5A7B1D15CDC08C15BAFBC7E3C91123A74""#,
    ],
    &[
        r#""type": "git", "url": "./g", "rename": {"a": "file", "b": "c"}"#,
        r#""type": "git", "url": "./g", "rename": {"b": " c ", "a": "\ufb01le"}"#,
    ],
    &[r#""type": "git", "url": "./g", "prefix": "t-""#],
    &[r#""type": "git", "url": "./g", "prefix": """#],
    &[
        r#""type": "git", "url": "./g", "files": {"exclude": ["*.png", "a"], "include": []}"#,
        r#""type": "git", "url": "./g", "files": {"exclude": ["a", "*.png"]}"#,
    ],
    &[r#""type": "git", "url": "./g", "files": {"include": ["*.png", "a"]}"#],
    &[
        r#""type": "claude-marketplace", "url": "./g", "plugin": "p""#,
        r#""plugin": "\u0070", "type": "claude-marketplace", "url": "./g", "exclude": []"#,
    ],
    &[r#""type": "claude-marketplace", "url": "./g", "plugin": "P""#],
    &[r#""type": "claude-marketplace", "url": "./g", "plugin": "p", "version": "^1""#],
    &[r#""type": "path", "path": "./p//q/""#, r#""type": "path", "path": "p/q""#],
    &[r#""type": "path", "path": "../p/q""#],
    &[r#""type": "path", "path": ".""#, r#""type": "path", "path": "./""#],
    &[r#""type": "path", "path": ".", "include": ["a"]"#],
];

fn manifest(entry: &str) -> (String, Manifest) {
    let text = format!("{{\"skills\": {{\"s\": {{{entry}\n}}}}}}");
    let manifest = Manifest::parse(&text).unwrap_or_else(|why| panic!("{entry}: {why:?}"));
    (text, manifest)
}

/// Locks the sources of a manifest, without skills.
fn locked(manifest: &Manifest) -> Lock {
    let id = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";
    let mut lock = Lock::default();
    for (key, source) in &manifest.sources {
        let mut locked = LockedSource::new(source.clone());
        locked.commit = source.repository().map(|_| id.parse().expect("an id"));
        locked.plugin = source.plugin().map(|_| LockedPlugin::new(DirPath::root()));
        lock.sources.insert(key.clone(), locked);
    }
    lock
}

/// Returns the differences between the text of a manifest and a printed lockfile, as the macro
/// finds them.
fn drift(text: &str, lock: &Lock) -> Vec<String> {
    let lock = Lock::parse(&lock.to_string());
    lock.and_then(|lock| lock.drift(text)).unwrap_or_else(|why| panic!("{text}: {why:?}"))
}

#[test]
fn entries_are_compared_in_normal_form() {
    let entries = GROUPS
        .iter()
        .enumerate()
        .flat_map(|(group, entries)| entries.iter().map(move |entry| (group, manifest(entry))));
    let entries: Vec<_> = entries.collect();
    for (group, (_, before)) in &entries {
        let lock = locked(before);
        for (other, (text, after)) in &entries {
            assert_eq!(drift(text, &lock).is_empty(), group == other, "{text}\n{lock}");
            assert_eq!(before.sources == after.sources, group == other, "{text}\n{lock}");
        }
    }
}

#[test]
fn added_and_removed_sources_are_drift() {
    let (text, one) = manifest(GROUPS[0][0]);
    let mut two = one.clone();
    let source = two.sources.values().next().expect("one").clone();
    two.sources.insert(SourceKey::new("a").expect("a key"), source);
    assert_eq!(drift(&text, &Lock::default()).len(), 1);
    assert_eq!(drift(&text, &locked(&two)).len(), 1);
    assert!(drift(&format!("\u{feff}{text}"), &locked(&one)).is_empty());
}

#[test]
fn the_macro_rejects_the_settings_that_sync_rejects() {
    for settings in [
        r#""$schema": 1"#,
        r#""limits": {"filesPerSkil": 1}"#,
        r#""limits": {"filesPerSkill": -1}"#,
        r#""limits": []"#,
        r#""budget": {"catalog": 1}"#,
        r#""budget": {"bodyTokens": "many"}"#,
        r#""allow": {"pdf": []}"#,
        r#""limit": {}"#,
    ] {
        let text = format!("{{\"skills\": {{}}, {settings}}}");
        let of_macro = Lock::default().drift(&text).expect_err(&text);
        assert_eq!(of_macro, Manifest::parse(&text).expect_err(&text), "{text}");
    }
}
