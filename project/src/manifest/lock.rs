//! The lockfile type of this crate, with the manifest's entries parsed.

use super::{Source, data};
use helix_skills_format::{
    __internal::{LockedRequest, Reader, Tree, Value},
    GitUrl, LockedSkill,
};

/// The lockfile: the commit of each source, and the integrity of each skill.
///
/// ```
/// use helix_skills_project::manifest::Lock;
/// let text = Lock::default().to_string();
/// assert_eq!(text, "{\n  \"skills\": {},\n  \"sources\": {},\n  \"version\": 1\n}\n");
/// assert_eq!(Lock::parse(&text).unwrap(), Lock::default());
/// ```
pub type Lock = helix_skills_format::Lock<Source>;

/// What a source of the manifest was resolved to.
pub type LockedSource = helix_skills_format::LockedSource<Source>;

/// Returns whether the files of a locked skill are in a directory of the project, and not in the
/// store.
pub(crate) fn is_own(lock: &Lock, skill: &LockedSkill) -> bool {
    let source = lock.sources.get(&skill.source);
    source.is_some_and(|source| source.entry.directory().is_some())
}

impl LockedRequest for Source {
    fn kind(&self) -> &str {
        self.type_name()
    }

    fn url(&self) -> Option<&GitUrl> {
        self.repository().map(|repository| &repository.url)
    }

    fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        Self::read(reader, value)
    }

    fn to_tree(&self) -> Tree {
        data::tree(&self.to_json())
    }
}
