//! The record of what a program has written into a directory of skills.
//!
//! ```json
//! {
//!   "files": { "pdf": "…  SKILL.md\n…  scripts/fill.py\n" },
//!   "skills": {
//!     "csv": { "link": "../../.agents/skills/csv" },
//!     "pdf": { "integrity": "sha256:…" }
//!   },
//!   "version": 1
//! }
//! ```
//!
//! `files` has the digests of a copy's files, as `sha256sum` prints them: they say which files the
//! user has edited.
//!
//! During a change it also has the key `pending`, with what is being written. If the program is
//! killed, a skill may be either version, and a missing one was not removed by the user.

use crate::{Error, ErrorKind, error::Problem};
use helix_skills_format::{Integrity, Listing, Lock};
use helix_skills_runtime::check_name;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// The version of the format.
const VERSION: u64 = 1;

/// What was written for a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Written {
    /// A directory with files of this integrity.
    #[serde(rename = "integrity", serialize_with = "to_text", deserialize_with = "from_text")]
    Copy(Integrity),
    /// A symbolic link with this target, separated by `/`.
    #[serde(rename = "link")]
    Link(String),
}

fn to_text<S: Serializer>(integrity: &Integrity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(integrity)
}

fn from_text<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Integrity, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// What was written for each skill.
pub(super) type Skills = BTreeMap<String, Written>;

/// The contents of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    /// What was last written.
    pub(super) skills: Skills,
    /// What was being written when the program was killed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) pending: Skills,
    /// The listings of the copies that were last written.
    pub(super) files: BTreeMap<String, String>,
}

impl Record {
    /// Returns what the program has written for a skill: one thing, unless it was killed.
    pub(super) fn written(&self, name: &str) -> impl Iterator<Item = &Written> {
        [&self.skills, &self.pending].into_iter().filter_map(move |skills| skills.get(name))
    }

    /// Returns whether the copies that were last written are not the locked skills.
    pub(super) fn differs_from(&self, lock: &Lock) -> bool {
        self.skills.len() != lock.skills.len()
            || lock.skills.iter().any(|(name, locked)| match self.skills.get(name.as_str()) {
                Some(Written::Copy(integrity)) => *integrity != locked.integrity,
                written => written.is_none(),
            })
    }

    /// Returns the files of the copy that was last written, if they are known.
    pub(super) fn listing(&self, name: &str) -> Listing {
        let text = self.files.get(name).map(String::as_str).unwrap_or_default();
        Listing::parse(text).unwrap_or_default()
    }

    /// Notes what was written for a skill with these files.
    pub(super) fn insert(&mut self, name: &str, written: Written, listing: &Listing) {
        self.remove(name);
        if let Written::Copy(_) = written {
            self.files.insert(name.to_owned(), listing.to_string());
        }
        self.skills.insert(name.to_owned(), written);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.skills.remove(name);
        self.files.remove(name);
    }

    /// Parses the record at `path`.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let invalid = |why: &str| {
            let shown = path.display();
            let hint = "restore it from version control, or remove it together with the skills that it names";
            Problem::other(ErrorKind::Invalid, format!("`{shown}` is not valid: {why}"), hint)
                .at(path)
        };
        let not_json = |error: serde_json::Error| invalid(&error.to_string());
        let value: Value = serde_json::from_slice(bytes).map_err(not_json)?;
        match value.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(version) if version > VERSION => {
                return Err(invalid(&format!(
                    "version {version} is of a newer program, expected {VERSION}"
                )));
            }
            _ => return Err(invalid("expected `\"version\": 1`")),
        }
        let record: Self = serde_json::from_value(value).map_err(not_json)?;
        // A name is a path below the directory.
        match record.skills.keys().chain(record.pending.keys()).find(|it| check_name(it).is_err()) {
            Some(name) => {
                Err(invalid(&format!("`{}` is not the name of a skill", name.escape_debug())))
            }
            None => Ok(record),
        }
    }

    /// Returns the text of the file.
    pub(super) fn to_text(&self) -> String {
        let mut document = json!(self);
        document["version"] = VERSION.into();
        format!("{document:#}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_is_read_as_it_was_written() {
        let copy = Written::Copy(format!("sha256:{}", "a".repeat(64)).parse().unwrap());
        let link = Written::Link("../../.agents/skills/csv".to_owned());
        let skills = Skills::from([("csv".to_owned(), link), ("pdf".to_owned(), copy.clone())]);
        let pending = Skills::from([("pdf".to_owned(), copy)]);
        let files = BTreeMap::from([("pdf".to_owned(), format!("{}  a\n", "a".repeat(64)))]);
        for record in [
            Record::default(),
            Record { skills: skills.clone(), ..Record::default() },
            Record { skills, pending, files },
        ] {
            let text = record.to_text();
            assert_eq!(Record::parse(text.as_bytes(), Path::new("r")).unwrap(), record, "{text}");
        }
    }

    #[test]
    fn invalid_records_are_errors() {
        for text in [
            "",
            "[]",
            r#"{"version": 2}"#,
            r#"{"version": 1, "skills": []}"#,
            r#"{"version": 1, "skills": {"../x": {"link": "y"}}}"#,
            r#"{"version": 1, "skills": {"x": {"integrity": "md5:0"}}}"#,
            r#"{"version": 1, "skills": {"x": {}}}"#,
            "<<<<<<< ours\n{}\n",
        ] {
            let error = Record::parse(text.as_bytes(), Path::new("r.json")).unwrap_err();
            assert!(error.to_string().starts_with("`r.json` is not valid: "), "{error}");
            assert_eq!(error.kind(), ErrorKind::Invalid);
        }
    }
}
