//! The record of what a program has written into a directory of skills.
//!
//! ```json
//! {
//!   "version": 1,
//!   "skills": {
//!     "csv": { "link": "../../.agents/skills/csv" },
//!     "pdf": { "integrity": "sha256:…" }
//!   }
//! }
//! ```
//!
//! During a change it also has the key `pending`, with what is being written. If the program is
//! killed, a skill may be either version, and a missing one was not removed by the user.

use crate::{Error, ErrorKind, error::Problem};
use helix_skills_format::Integrity;
use helix_skills_runtime::check_name;
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, path::Path};

/// The version of the format.
const VERSION: u64 = 1;

/// What was written for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// A directory with files of this integrity.
    Copy(Integrity),
    /// A symbolic link with this target, separated by `/`.
    Link(String),
}

/// What was written for each skill.
pub(super) type Skills = BTreeMap<String, Written>;

/// The contents of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// What was last written.
    pub(super) skills: Skills,
    /// What was being written when the program was killed.
    pub(super) pending: Skills,
}

impl Record {
    /// Returns whether the program has written `found` for this skill.
    pub(super) fn has(&self, name: &str, found: &Written) -> bool {
        self.skills.get(name) == Some(found) || self.pending.get(name) == Some(found)
    }

    /// Returns whether the program has written anything for this skill.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.skills.contains_key(name) || self.pending.contains_key(name)
    }

    /// Returns whether the program has written a directory for this skill.
    pub(super) fn has_copy(&self, name: &str) -> bool {
        let written = [&self.skills, &self.pending].map(|skills| skills.get(name));
        written.into_iter().flatten().any(|written| matches!(written, Written::Copy(_)))
    }

    /// Parses the record at `path`.
    pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let invalid = |why: &str| {
            let shown = path.display();
            let hint = "restore it from version control, or remove it together with the skills that it names";
            Problem::other(ErrorKind::Invalid, format!("`{shown}` is not valid: {why}"), hint)
                .at(path)
        };
        let value: Value = serde_json::from_slice(bytes).map_err(|error| {
            invalid(&format!("it is not JSON at line {}, column {}", error.line(), error.column()))
        })?;
        match value.get("version").and_then(Value::as_u64) {
            Some(VERSION) => {}
            Some(version) if version > VERSION => {
                return Err(invalid(&format!(
                    "version {version} is of a newer program, expected {VERSION}"
                )));
            }
            _ => return Err(invalid("expected `\"version\": 1`")),
        }
        let skills = |key: &str| -> Result<Skills, Error> {
            let Some(value) = value.get(key) else { return Ok(Skills::new()) };
            let all = value.as_object().ok_or_else(|| invalid(&format!("`{key}` is no object")))?;
            let mut skills = Skills::new();
            for (name, entry) in all {
                let text = |key: &str| entry.get(key).and_then(Value::as_str);
                let written = match (text("integrity"), text("link")) {
                    (Some(digest), None) => digest.parse().ok().map(Written::Copy),
                    (None, Some(target)) => Some(Written::Link(target.to_owned())),
                    _ => None,
                };
                // A name is a path below the directory.
                let Some(written) = written.filter(|_| check_name(name).is_ok()) else {
                    return Err(invalid(&format!(
                        "the entry `{}` in `{key}` is not a skill's name with `integrity` or `link`",
                        name.escape_debug()
                    )));
                };
                skills.insert(name.clone(), written);
            }
            Ok(skills)
        };
        Ok(Self { skills: skills("skills")?, pending: skills("pending")? })
    }

    /// Returns the text of the file.
    pub(super) fn to_text(&self) -> String {
        let skills = |skills: &Skills| -> Value {
            let entry = |(name, written): (&String, &Written)| {
                let entry = match written {
                    Written::Copy(integrity) => json!({ "integrity": integrity.to_string() }),
                    Written::Link(target) => json!({ "link": target }),
                };
                (name.clone(), entry)
            };
            skills.iter().map(entry).collect::<Map<_, _>>().into()
        };
        let mut document = json!({ "version": VERSION, "skills": skills(&self.skills) });
        if !self.pending.is_empty() {
            document["pending"] = skills(&self.pending);
        }
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
        for record in [
            Record::default(),
            Record { skills: skills.clone(), pending: Skills::new() },
            Record { skills, pending },
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
