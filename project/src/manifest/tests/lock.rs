//! Tests of lockfiles that hold the manifest's entries.

use crate::manifest::Lock;
use helix_skills_format::{Code, Finding};

const TEXT: &str = r#"{
  "skills": {
    "alpha": {
      "bytes": 3,
      "executable": [
        "scripts/run.sh"
      ],
      "files": 1,
      "integrity": "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "links": {
        "references/shared.md": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74"
      },
      "path": "skills/alpha",
      "source": "team",
      "tree": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74"
    },
    "house": {
      "bytes": 3,
      "files": 1,
      "integrity": "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "path": ".",
      "source": "own"
    }
  },
  "sources": {
    "own": {
      "request": {
        "path": "skills/house",
        "type": "path"
      }
    },
    "team": {
      "commit": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74",
      "ref": "refs/tags/v1.0.0",
      "directories": [
        "skills/alpha"
      ],
      "request": {
        "exclude": [
          "b"
        ],
        "files": {
          "exclude": [
            "*.png"
          ]
        },
        "include": [
          "a"
        ],
        "prefix": "t-",
        "rename": {
          "a": "alpha"
        },
        "skillsDir": "skills",
        "type": "git",
        "url": "https://example.com/team/skills.git",
        "version": "^1"
      }
    }
  },
  "version": 1
}
"#;

#[test]
fn printing_a_parsed_lockfile_gives_the_same_text() {
    let lock = Lock::parse(TEXT).unwrap_or_else(|findings| panic!("{findings:?}"));
    assert_eq!(lock.to_string(), TEXT);
    assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
}

/// Parses a lockfile with the source `s` and, if `tree` is given, a skill of it with or without a
/// tree.
fn one_source(source: &str, tree: Option<bool>) -> Result<Lock, Vec<Finding>> {
    let id = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";
    let skill = tree.map_or(String::new(), |tree| {
        let tree = if tree { format!(", \"tree\": \"{id}\"") } else { String::new() };
        let integrity = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        format!(
            "\"k\": {{\"source\": \"s\", \"path\": \"k\", \"integrity\": \"{integrity}\", \"files\": 1, \"bytes\": 1{tree}}}"
        )
    });
    let source = source.replace("ID", &format!("\"{id}\""));
    Lock::parse(&format!(
        "{{\"version\": 1, \"sources\": {{\"s\": {{{source}}}}}, \"skills\": {{{skill}}}}}"
    ))
}

const MARKETPLACE: &str =
    r#""request": {"type": "claude-marketplace", "url": "http://127.0.0.1/m", "plugin": "p"}"#;

#[test]
fn marketplace_sources_lock_their_plugin() {
    for (plugin, expected) in [
        (r#"{"path": "."}"#, None),
        (r#"{"path": "plugins/p", "version": "1.2.0"}"#, None),
        (
            r#"{"url": "https://example.com/p.git", "path": ".", "ref": "refs/heads/main", "commit": ID}"#,
            None,
        ),
        (r#"{"url": "git@example.com:p.git", "path": ".", "commit": ID}"#, None),
        (r#"{"url": "http://127.0.0.1/m", "path": ".", "commit": ID}"#, None),
        (r#"{"url": "http://127.0.0.1/other", "path": ".", "commit": ID}"#, Some(Code::BadUrl)),
        (r#"{"url": "../p", "path": ".", "commit": ID}"#, Some(Code::BadUrl)),
        (r#"{"url": "https://example.com/p.git", "path": "."}"#, Some(Code::MissingKey)),
        (r#"{"path": ".", "commit": ID}"#, Some(Code::ConflictingKeys)),
        (r#"{"path": ".", "ref": "main"}"#, Some(Code::ConflictingKeys)),
        (r#"{"version": "1"}"#, Some(Code::MissingKey)),
        (r#"{"path": "../p"}"#, Some(Code::BadValue)),
        (r#"{"path": ".", "version": "1\n2"}"#, Some(Code::BadValue)),
        (r#"{"path": ".", "sha": ID}"#, Some(Code::UnknownKey)),
    ] {
        let lock =
            one_source(&format!("{MARKETPLACE}, \"commit\": ID, \"plugin\": {plugin}"), Some(true));
        assert_eq!(
            lock.as_ref().err().map(|findings| findings[0].code),
            expected,
            "{plugin}: {lock:?}"
        );
        if let Ok(lock) = lock {
            assert_eq!(Lock::parse(&lock.to_string()).as_ref(), Ok(&lock), "{plugin}");
        }
    }
}

#[test]
fn each_source_type_has_its_own_keys() {
    let git = r#""request": {"type": "git", "url": "https://example.com/g"}"#;
    let path = r#""request": {"type": "path", "path": "p"}"#;
    for (source, tree, expected) in [
        (format!("{git}, \"commit\": ID"), Some(true), None),
        (format!("{git}, \"commit\": ID"), Some(false), Some(Code::MissingKey)),
        (git.to_owned(), None, Some(Code::MissingKey)),
        (
            format!("{git}, \"commit\": ID, \"plugin\": {{\"path\": \".\"}}"),
            None,
            Some(Code::ConflictingKeys),
        ),
        (format!("{MARKETPLACE}, \"plugin\": {{\"path\": \".\"}}"), None, Some(Code::MissingKey)),
        (format!("{MARKETPLACE}, \"commit\": ID"), None, Some(Code::MissingKey)),
        (
            format!("{MARKETPLACE}, \"commit\": ID, \"plugin\": {{\"path\": \".\"}}"),
            Some(false),
            Some(Code::MissingKey),
        ),
        (path.to_owned(), Some(false), None),
        (path.to_owned(), Some(true), Some(Code::ConflictingKeys)),
        (format!("{path}, \"commit\": ID"), None, Some(Code::ConflictingKeys)),
        (format!("{git}, \"commit\": ID, \"ref\": \"as of: 3 May\""), None, Some(Code::BadValue)),
        (format!("{git}, \"commit\": ID, \"directories\": [\"k\", \".\"]"), Some(true), None),
        (format!("{git}, \"commit\": ID, \"directories\": [\"../k\"]"), None, Some(Code::BadValue)),
        (format!("{git}, \"commit\": ID, \"directories\": \"k\""), None, Some(Code::WrongType)),
        (format!("{path}, \"directories\": []"), None, Some(Code::ConflictingKeys)),
    ] {
        let lock = one_source(&source, tree);
        assert_eq!(
            lock.as_ref().err().map(|findings| findings[0].code),
            expected,
            "{source}: {lock:?}"
        );
        if let Ok(lock) = lock {
            assert_eq!(Lock::parse(&lock.to_string()).as_ref(), Ok(&lock), "{source}");
        }
    }
}

#[test]
fn invisible_characters_are_printed_escaped() {
    let text = TEXT.replacen("\"path\": \"skills/alpha\"", "\"path\": \"skills/al\\u202epha\"", 1);
    let lock = Lock::parse(&text).unwrap_or_else(|findings| panic!("{findings:?}"));
    assert!(lock.skills.values().any(|skill| skill.path.as_str().contains('\u{202e}')));
    assert_eq!(lock.to_string(), text);
}

#[test]
fn every_value_is_checked() {
    for (from, to, line, code) in [
        ("\"alpha\"", "\"../alpha\"", 3, Code::BadValue),
        ("sha256:ba", "sha256:BA", 9, Code::BadValue),
        ("scripts/run.sh", "../run.sh", 6, Code::BadValue),
        ("\"scripts/run.sh\"", "{}", 6, Code::WrongType),
        ("references/shared.md", "../x", 11, Code::BadValue),
        ("skills/alpha", "../alpha", 13, Code::BadValue),
        ("\"source\": \"team\"", "\"source\": \"absent\"", 3, Code::BadValue),
        ("https://example.com", "ext::sh", 56, Code::BadUrl),
        ("\"bytes\": 3", "\"bytes\": -3", 4, Code::BadValue),
        ("\"path\": \".\",", "\"path\": \".\", \"executable\": [],", 17, Code::ConflictingKeys),
        ("\"version\": 1\n", "\"version\": 1, // x\n", 61, Code::Syntax),
    ] {
        let findings = Lock::parse(&TEXT.replacen(from, to, 1)).expect_err(from);
        assert!(findings.iter().all(|f| f.hint.is_some()), "{findings:?}");
        let first = &findings[0];
        assert_eq!(
            (first.code, first.at.map(|at| at.line)),
            (code, Some(line)),
            "{from}: {findings:?}"
        );
    }
}

#[test]
fn newer_versions_and_merge_conflicts_have_their_codes() {
    let newer = Lock::parse(r#"{"version": 2, "things": []}"#).expect_err("newer");
    assert_eq!(newer.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::NewerVersion]);
    let merged = Lock::parse(&TEXT.replacen("  \"skills\"", "<<<<<<< ours\n  \"skills\"", 1))
        .expect_err("markers");
    assert_eq!(merged[0].code, Code::ConflictMarkers);
    assert!(merged[0].hint.as_ref().is_some_and(|hint| hint.contains("skills sync")));
}

#[test]
fn invalid_entries_of_a_lockfile_are_errors() {
    for (source, code) in [
        (r#""request": {"type": "svn"}"#, Code::BadValue),
        (r#""request": {"type": "git", "url": "ext::sh"}, "commit": ID"#, Code::BadUrl),
        (r#""request": {"type": "git", "url": "http://192.0.2.1/g"}, "commit": ID"#, Code::BadUrl),
        (r#""request": {"type": "path", "path": "/etc"}"#, Code::BadValue),
        (r#""request": {"type": "path"}"#, Code::MissingKey),
        (r#""request": {"type": "path", "path": "p", "path": "q"}"#, Code::DuplicateKey),
    ] {
        let text =
            format!("{{\"version\": 1, \"sources\": {{\"s\": {{{source}}}}}, \"skills\": {{}}}}");
        let text = text.replace("ID", "\"f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74\"");
        let found = Lock::parse(&text).expect_err(source);
        assert_eq!(found[0].code, code, "{source}: {found:?}");
    }
}
