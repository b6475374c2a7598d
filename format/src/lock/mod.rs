//! The lockfile, `helix.skills.lock`: exactly what a project has.

mod drift;
mod skill;
mod source;

pub use skill::LockedSkill;
pub use source::{LockedPlugin, LockedSource};

use crate::{
    Code, Error, Finding, ObjectId, SkillName, SourceKey,
    json::{Dialect, Reader, Tree},
};
use std::{collections::BTreeMap, fmt};

/// The lockfile version that this crate reads and writes.
///
/// Every 0.x release reads version 1, as written by itself and by all earlier releases: a key that
/// is added within the version is optional. A release that adds a key writes lockfiles that earlier
/// releases refuse, because they report unknown keys.
pub(crate) const LOCK_VERSION: u64 = 1;

/// The lockfile: the commit of each source, and the integrity of each skill.
///
/// Its `Display` is JSON with sorted keys, but `ref` before `directories`, with LF and a final
/// newline, without timestamps and absolute paths. The same lockfile has the same bytes on every
/// machine, and `parse(print(x)) == x`.
///
/// ```
/// use helix_skills_format::Lock;
/// let text = "{\n  \"skills\": {},\n  \"sources\": {},\n  \"version\": 1\n}\n";
/// let lock = Lock::parse(text).unwrap();
/// assert_eq!(lock, Lock::default());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lock {
    /// What each source of the manifest was resolved to.
    pub sources: BTreeMap<SourceKey, LockedSource>,
    /// The skills, by the names that they have at run time.
    pub skills: BTreeMap<SkillName, LockedSkill>,
}

impl Lock {
    /// Parses a lockfile. It is untrusted: every value becomes a checked type.
    ///
    /// # Errors
    /// All problems, each with its position. A newer version and conflict markers are reported
    /// alone, with codes of their own.
    pub fn parse(text: &str) -> Result<Self, Vec<Finding>> {
        let lock = Reader::document(text, Dialect::Strict, "the lockfile", |reader, fields| {
            let version = fields.require(reader, "version")?;
            let found = reader.number(version, "`version`")?;
            let sources = fields.require(reader, "sources");
            let skills = fields.require(reader, "skills");
            if found > LOCK_VERSION {
                // The format of a newer version is unknown.
                let message = format!(
                    "the lockfile has version {found}; this program reads version {LOCK_VERSION}"
                );
                let finding = Finding::new(Code::NewerVersion, None, message);
                reader.findings = vec![
                    finding.hint("update helix-skills, in Cargo.toml and the program `skills`"),
                ];
                return None;
            }
            if found < LOCK_VERSION {
                let message = format!("version {found} of the lockfile does not exist");
                reader.error(Code::BadValue, version.start(), message);
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
                let name = reader.checked(name, at, "the name of a skill", |text| {
                    normal(text, SkillName::new(text)?)
                });
                let Some((name, skill)) = name.zip(LockedSkill::read(reader, value)) else {
                    continue;
                };
                match lock.sources.get(&skill.source) {
                    Some(source) => skill.check_source(reader, value.start(), &source.entry),
                    None if sources_read => {
                        let message = format!(
                            "the skill `{name}` names the unknown source `{}`",
                            skill.source
                        );
                        reader.error(Code::BadValue, value.start(), message);
                    }
                    None => {}
                }
                if let Some(other) = folded.insert(name.folded(), name.clone()) {
                    let message =
                        format!("`{name}` and `{other}` are the same name on some file systems");
                    reader.error(Code::DuplicateKey, at, message);
                }
                lock.skills.insert(name, skill);
            }
            Some(lock)
        });
        lock.map_err(|findings| findings.into_iter().map(with_hint).collect())
    }

    /// Returns the skills of one source.
    #[doc(hidden)]
    pub fn skills_of(
        &self,
        source: &SourceKey,
    ) -> impl Iterator<Item = (&SkillName, &LockedSkill)> {
        self.skills.iter().filter(move |(_, skill)| skill.source == *source)
    }
}

/// Parses a value that is in its normal form.
fn normal<T: fmt::Display>(text: &str, value: T) -> Result<T, Error> {
    match value.to_string() == text {
        true => Ok(value),
        false => Err(format!("its normal form is `{value}`").into()),
    }
}

/// Parses the id of an object, whose digits are in lower case.
fn object_id(text: &str) -> Result<ObjectId, Error> {
    normal(text, text.parse()?)
}

fn with_hint(finding: Finding) -> Finding {
    match finding.code {
        Code::ConflictMarkers => {
            finding.hint("resolve `helix.skills.json`, then run `skills sync`, which merges both sides")
        }
        _ if finding.hint.is_none() => finding
            .hint("`skills sync` writes the lockfile; restore it from version control, or delete it and run `skills sync`"),
        _ => finding,
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sources = self.sources.iter().map(|(key, source)| (key.as_str(), source.to_tree()));
        let skills = self.skills.iter().map(|(name, skill)| (name.as_str(), skill.to_tree()));
        let document = Tree::object([
            ("skills", Tree::object(skills)),
            ("sources", Tree::object(sources)),
            ("version", Tree::from(LOCK_VERSION)),
        ]);
        writeln!(f, "{document}")
    }
}
