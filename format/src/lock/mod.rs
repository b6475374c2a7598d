//! The lock, `helix.skills.lock`: exactly what a project has.

mod skill;
mod source;

pub use skill::LockedSkill;
pub use source::{LockedPlugin, LockedSource};

use crate::{
    Code, Finding, SkillName, SourceKey,
    json::{Dialect, Reader, escape_invisible},
};
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeMap, fmt};

/// The lockfile version that this crate reads and writes.
///
/// Every 0.x release reads version 1, as written by itself and by all earlier releases: a key that is
/// added within the version is optional. A release that adds a key writes lockfiles that earlier
/// releases refuse, because they report unknown keys.
pub const LOCK_VERSION: u64 = 1;

/// The lockfile: which commit each source means, and the integrity of each skill. Every 0.x release
/// reads version 1.
///
/// Printed, it is JSON with sorted keys, LF and a final newline, no time stamps and no absolute paths.
/// The same lockfile has the same bytes on every machine, and `parse(print(x)) == x`.
///
/// ```
/// use helix_skills_format::Lock;
/// let text = Lock::default().to_string();
/// assert_eq!(text, "{\n  \"skills\": {},\n  \"sources\": {},\n  \"version\": 1\n}\n");
/// assert_eq!(Lock::parse(&text).unwrap(), Lock::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields, transform = crate::schema::lock_rules))]
pub struct Lock {
    /// What each source of the manifest was resolved to.
    pub sources: BTreeMap<SourceKey, LockedSource>,
    /// The skills, by the name they have at run time.
    pub skills: BTreeMap<SkillName, LockedSkill>,
}

impl Lock {
    /// Reads a lock. It is untrusted: every value becomes a checked type.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place; a newer version and conflict markers are told apart.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let lock = Reader::document(text, Dialect::Strict, "the lock", |reader, fields| {
            let version = fields.require(reader, "version")?;
            let found = reader.number(version, "`version`")?;
            let sources = fields.require(reader, "sources");
            let skills = fields.require(reader, "skills");
            if found > LOCK_VERSION {
                // Nothing else can be told of a text in another format.
                let message = format!("the lock has version {found}, this program reads version {LOCK_VERSION}");
                let finding = Finding::new(Code::NewerVersion, None, message);
                reader.findings = vec![finding.hint("update helix-skills, in Cargo.toml and the program `skills`")];
                return None;
            }
            if found < LOCK_VERSION {
                reader.error(Code::BadValue, version.range(), format!("there was no version {found} of the lock"));
            }
            let mut lock = Self::default();
            for (key, at, value) in reader.object(sources?, "`sources`")?.entries() {
                let key = reader.checked(key, at, "the name of a source", SourceKey::new);
                if let (Some(key), Some(source)) = (key, LockedSource::read(reader, value)) {
                    lock.sources.insert(key, source);
                }
            }
            let mut folded: BTreeMap<String, SkillName> = BTreeMap::new();
            let sources_read = reader.findings.is_empty();
            for (name, at, value) in reader.object(skills?, "`skills`")?.entries() {
                let name = reader.checked(name, at, "the name of a skill", |text| match SkillName::new(text) {
                    Ok(name) if name.as_str() != text => Err(format!("it is written `{name}`")),
                    Ok(name) => Ok(name),
                    Err(why) => Err(why.to_string()),
                });
                if let (Some(name), Some(skill)) = (name, LockedSkill::read(reader, value)) {
                    match lock.sources.get(&skill.source) {
                        Some(source) => skill.check_source(reader, value.range(), &source.request),
                        None if sources_read => reader.error(
                            Code::BadValue,
                            value.range(),
                            format!("the skill `{name}` names the unknown source `{}`", skill.source),
                        ),
                        None => {}
                    }
                    if let Some(other) = folded.insert(name.folded(), name.clone()) {
                        reader.error(
                            Code::DuplicateKey,
                            at,
                            format!("`{name}` and `{other}` are one name to some file systems"),
                        );
                    }
                    lock.skills.insert(name, skill);
                }
            }
            Some(lock)
        });
        lock.map_err(|findings| findings.into_iter().map(mend).collect())
    }

    /// The skills of one source.
    pub fn skills_of(&self, source: &SourceKey) -> impl Iterator<Item = (&SkillName, &LockedSkill)> {
        self.skills.iter().filter(move |(_, skill)| skill.source == *source)
    }
}

fn mend(finding: Finding) -> Finding {
    match finding.code {
        Code::ConflictMarkers => {
            finding.hint("take either side, `git checkout --ours helix.skills.lock`, then run `skills sync`")
        }
        _ if finding.hint.is_none() => finding
            .hint("the lock is written by `skills sync`; restore it from version control, or delete it and sync anew"),
        _ => finding,
    }
}

/// An object whose keys come in the order given.
fn object<'k>(entries: impl IntoIterator<Item = (&'k str, Json)>) -> Json {
    Json::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources = self.sources.iter().map(|(key, source)| (key.as_str(), source.to_json()));
        let skills = self.skills.iter().map(|(name, skill)| (name.as_str(), skill.to_json()));
        let document =
            object([("skills", object(skills)), ("sources", object(sources)), ("version", json!(LOCK_VERSION))]);
        // People review it: what nobody would see is written as what it is.
        writeln!(f, "{}", escape_invisible(&format!("{document:#}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
      "directories": [
        "skills/alpha"
      ],
      "ref": "refs/tags/v1.0.0",
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
    fn what_is_printed_is_what_was_parsed() {
        let lock = Lock::parse(TEXT).unwrap_or_else(|findings| panic!("{findings:?}"));
        assert_eq!(lock.to_string(), TEXT);
        assert_eq!(Lock::parse(&lock.to_string()), Ok(lock));
    }

    /// A lock with the source `s`, and with a skill of it that has a tree or not.
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
        Lock::parse(&format!("{{\"version\": 1, \"sources\": {{\"s\": {{{source}}}}}, \"skills\": {{{skill}}}}}"))
    }

    const MARKETPLACE: &str =
        r#""request": {"type": "claude-marketplace", "url": "http://127.0.0.1/m", "plugin": "p"}"#;

    #[test]
    fn both_hops_of_a_marketplace_are_locked() {
        for (plugin, expected) in [
            (r#"{"path": "."}"#, None),
            (r#"{"path": "plugins/p", "version": "1.2.0"}"#, None),
            (r#"{"url": "https://example.com/p.git", "path": ".", "ref": "refs/heads/main", "commit": ID}"#, None),
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
            let lock = one_source(&format!("{MARKETPLACE}, \"commit\": ID, \"plugin\": {plugin}"), Some(true));
            assert_eq!(lock.as_ref().err().map(|findings| findings[0].code), expected, "{plugin}: {lock:?}");
            if let Ok(lock) = lock {
                assert_eq!(Lock::parse(&lock.to_string()).as_ref(), Ok(&lock), "{plugin}");
            }
        }
    }

    #[test]
    fn each_type_of_source_has_its_keys() {
        let git = r#""request": {"type": "git", "url": "https://example.com/g"}"#;
        let path = r#""request": {"type": "path", "path": "p"}"#;
        let own = r#""request": {"type": "x-wiki", "space": {"b": 1, "a": [2.5, null]}}"#;
        for (source, tree, expected) in [
            (format!("{git}, \"commit\": ID"), Some(true), None),
            (format!("{git}, \"commit\": ID"), Some(false), Some(Code::MissingKey)),
            (git.to_owned(), None, Some(Code::MissingKey)),
            (format!("{git}, \"commit\": ID, \"plugin\": {{\"path\": \".\"}}"), None, Some(Code::ConflictingKeys)),
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
            (own.to_owned(), Some(false), None),
            (own.to_owned(), Some(true), Some(Code::ConflictingKeys)),
            (format!("{own}, \"commit\": ID, \"ref\": \"as of: 3 May, [draft]\""), Some(false), None),
            (format!("{own}, \"ref\": \"a\\nb\""), None, Some(Code::BadValue)),
            (format!("{own}, \"ref\": \"{}\"", "é".repeat(256)), None, None),
            (format!("{own}, \"ref\": \"{}\"", "é".repeat(257)), None, Some(Code::BadValue)),
            (format!("{git}, \"commit\": ID, \"ref\": \"as of: 3 May\""), None, Some(Code::BadValue)),
            (format!("{git}, \"commit\": ID, \"directories\": [\"k\", \".\"]"), Some(true), None),
            (format!("{own}, \"directories\": []"), None, None),
            (format!("{git}, \"commit\": ID, \"directories\": [\"../k\"]"), None, Some(Code::BadValue)),
            (format!("{git}, \"commit\": ID, \"directories\": \"k\""), None, Some(Code::WrongType)),
            (format!("{path}, \"directories\": []"), None, Some(Code::ConflictingKeys)),
        ] {
            let lock = one_source(&source, tree);
            assert_eq!(lock.as_ref().err().map(|findings| findings[0].code), expected, "{source}: {lock:?}");
            if let Ok(lock) = lock {
                assert_eq!(Lock::parse(&lock.to_string()).as_ref(), Ok(&lock), "{source}");
            }
        }
    }

    #[test]
    fn what_nobody_would_see_is_written_as_what_it_is() {
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
            ("\"source\": \"team\"", "\"source\": \"nobody\"", 3, Code::BadValue),
            ("https://example.com", "ext::sh", 56, Code::BadUrl),
            ("\"bytes\": 3", "\"bytes\": -3", 4, Code::BadValue),
            ("\"path\": \".\",", "\"path\": \".\", \"executable\": [],", 17, Code::ConflictingKeys),
            ("\"version\": 1\n", "\"version\": 1, // x\n", 61, Code::Syntax),
        ] {
            let findings = Lock::parse(&TEXT.replacen(from, to, 1)).expect_err(from);
            assert!(findings.iter().all(|f| f.hint.is_some()), "{findings:?}");
            let first = &findings[0];
            assert_eq!((first.code, first.at.map(|at| at.line)), (code, Some(line)), "{from}: {findings:?}");
        }
    }

    #[test]
    fn a_newer_version_and_a_merge_are_told_apart() {
        let newer = Lock::parse(r#"{"version": 2, "things": []}"#).expect_err("newer");
        assert_eq!(newer.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::NewerVersion]);
        let merged = Lock::parse(&TEXT.replacen("  \"skills\"", "<<<<<<< ours\n  \"skills\"", 1)).expect_err("markers");
        assert_eq!(merged[0].code, Code::ConflictMarkers);
        assert!(merged[0].hint.as_ref().is_some_and(|hint| hint.contains("skills sync")));
    }
}
