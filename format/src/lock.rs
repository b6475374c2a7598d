//! The lock, `helix.skills.lock`: exactly what a project has.

use crate::{
    Code, DirPath, Finding, Integrity, ObjectId, RelPath, SkillName, Source, SourceKey,
    json::{Dialect, Fields, Reader},
};
use jsonc_parser::{ast::Value, common::Ranged as _};
use serde_json::{Map, Value as Json, json};
use std::{collections::BTreeMap, fmt};

/// The version of the lock that this crate reads and writes.
pub const LOCK_VERSION: u64 = 1;

/// Exactly what a project has: which commit each source means, and the integrity of each skill.
///
/// Printed, it is JSON with sorted keys, LF and a final newline, no time stamps and no absolute paths; the same lock
/// has the same bytes on every machine, and `parse(print(x)) == x`.
///
/// ```
/// use helix_skills_format::Lock;
/// let text = Lock::default().to_string();
/// assert_eq!(text, "{\n  \"skills\": {},\n  \"sources\": {},\n  \"version\": 1\n}\n");
/// assert_eq!(Lock::parse(&text).unwrap(), Lock::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// What each source of the manifest was resolved to.
    pub sources: BTreeMap<SourceKey, LockedSource>,
    /// The skills, by the name they have at run time.
    pub skills: BTreeMap<SkillName, LockedSkill>,
}

/// What a source was resolved to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedSource {
    /// The manifest's entry with its defaults filled in; compared as data to find drift.
    pub request: Source,
    /// The full name of the tag or branch that the pin meant; none for a bare `sha` and for paths.
    pub reference: Option<String>,
    /// The commit; none for paths.
    pub commit: Option<ObjectId>,
}

/// One skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedSkill {
    /// The source it comes from.
    pub source: SourceKey,
    /// Its directory, from the root of the repository or of the `path` source.
    pub path: DirPath,
    /// The git tree of that directory; none for paths.
    pub tree: Option<ObjectId>,
    /// The digest of its listing.
    pub integrity: Integrity,
    /// How many files it has.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// Links whose target lies outside the skill's tree: path in the skill, and the object that stands there.
    pub links: BTreeMap<RelPath, ObjectId>,
}

impl Lock {
    /// Reads a lock. It is untrusted: every value becomes a checked type.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place; a newer version and conflict markers are told apart.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let lock = Reader::document(text, Dialect::Plain, "the lock", |reader, fields| {
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
                    let is_path =
                        lock.sources.get(&skill.source).map(|source| matches!(source.request, Source::Path(_)));
                    match is_path {
                        Some(true) if skill.tree.is_some() || !skill.links.is_empty() => {
                            reader.error(
                                Code::ConflictingKeys,
                                value.range(),
                                "a skill of a path has no `tree` and no `links`",
                            );
                        }
                        Some(false) if skill.tree.is_none() => {
                            reader.error(
                                Code::MissingKey,
                                value.range(),
                                "a skill of a repository needs the key `tree`",
                            );
                        }
                        _ => {}
                    }
                    if sources_read && is_path.is_none() {
                        reader.error(
                            Code::BadValue,
                            value.range(),
                            format!("the skill `{name}` names the unknown source `{}`", skill.source),
                        );
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

impl LockedSource {
    fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a locked source")?;
        let request = fields.require(reader, "request")?;
        let request_value = Source::read(reader, request)?;
        let reference = match fields.take("ref") {
            Some(value) => Some(reader.parsed(value, "`ref`", |text| {
                if text == "HEAD" {
                    Ok("HEAD".to_owned())
                } else {
                    crate::RefName::new(text).map(|name| name.as_str().to_owned())
                }
            })?),
            None => None,
        };
        let is_path = matches!(request_value, Source::Path(_));
        let commit = match fields.take("commit") {
            Some(value) => Some(reader.parsed(value, "`commit`", str::parse::<ObjectId>)?),
            None => None,
        };
        if commit.is_none() && !is_path {
            reader.error(Code::MissingKey, fields.range, "a locked source needs the key `commit`");
        }
        if commit.is_some() && is_path {
            reader.error(Code::ConflictingKeys, fields.range, "a locked path has no `commit`");
        }
        fields.finish(reader);
        Some(Self { request: request_value, reference, commit })
    }
}

impl LockedSkill {
    fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut fields = reader.object(value, "a locked skill")?;
        let mut need = |reader: &mut Reader<'t>, key| Fields::require(&mut fields, reader, key);
        let source = need(reader, "source").and_then(|v| reader.parsed(v, "`source`", SourceKey::new));
        let path = need(reader, "path").and_then(|v| reader.parsed(v, "`path`", DirPath::new));
        let integrity = need(reader, "integrity").and_then(|v| reader.parsed(v, "`integrity`", str::parse));
        let files = need(reader, "files").and_then(|v| reader.number(v, "`files`"));
        let bytes = need(reader, "bytes").and_then(|v| reader.number(v, "`bytes`"));
        let tree = match fields.take("tree") {
            Some(value) => Some(reader.parsed(value, "`tree`", str::parse::<ObjectId>)?),
            None => None,
        };
        let mut links = BTreeMap::new();
        if let Some(value) = fields.take("links") {
            for (path, at, id) in reader.object(value, "`links`")?.entries() {
                let path = reader.checked(path, at, "the path of a link", |text| RelPath::new(text))?;
                links.insert(path, reader.parsed(id, "the object of a link", str::parse::<ObjectId>)?);
            }
        }
        fields.finish(reader);
        Some(Self { source: source?, path: path?, tree, integrity: integrity?, files: files?, bytes: bytes?, links })
    }

    fn to_json(&self) -> Json {
        let mut map = BTreeMap::from([
            ("bytes", json!(self.bytes)),
            ("files", json!(self.files)),
            ("integrity", json!(self.integrity.to_string())),
            ("path", json!(self.path.as_str())),
            ("source", json!(self.source.as_str())),
        ]);
        if let Some(tree) = &self.tree {
            map.insert("tree", json!(tree.as_str()));
        }
        if !self.links.is_empty() {
            map.insert("links", object(self.links.iter().map(|(path, id)| (path.as_str(), json!(id.as_str())))));
        }
        object(map)
    }
}

/// An object whose keys come in the order given.
fn object<'k>(entries: impl IntoIterator<Item = (&'k str, Json)>) -> Json {
    Json::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources = self.sources.iter().map(|(key, source)| {
            let mut map = BTreeMap::from([("request", source.request.to_json())]);
            if let Some(reference) = &source.reference {
                map.insert("ref", json!(reference));
            }
            if let Some(commit) = &source.commit {
                map.insert("commit", json!(commit.as_str()));
            }
            (key.as_str(), object(map))
        });
        let skills = self.skills.iter().map(|(name, skill)| (name.as_str(), skill.to_json()));
        let document =
            object([("skills", object(skills)), ("sources", object(sources)), ("version", json!(LOCK_VERSION))]);
        writeln!(f, "{document:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "skills": {
    "alpha": {
      "bytes": 3,
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

    #[test]
    fn every_value_is_checked() {
        for (from, to, line, code) in [
            ("\"alpha\"", "\"../alpha\"", 3, Code::BadValue),
            ("sha256:ba", "sha256:BA", 6, Code::BadValue),
            ("references/shared.md", "../x", 8, Code::BadValue),
            ("skills/alpha", "../alpha", 10, Code::BadValue),
            ("\"source\": \"team\"", "\"source\": \"nobody\"", 3, Code::BadValue),
            ("https://example.com", "ext::sh", 50, Code::BadUrl),
            ("\"bytes\": 3", "\"bytes\": -3", 4, Code::BadValue),
            ("\"version\": 1\n", "\"version\": 1, // x\n", 55, Code::Syntax),
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
