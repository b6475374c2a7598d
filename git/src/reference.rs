//! Names of commits.

use helix_skills_format::{ObjectId, RefName};

use super::ids::from_gix;

/// A branch, a tag, or `HEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reference {
    /// `HEAD`, or a full name such as `refs/tags/v1`.
    pub name: String,
    /// What it points at: for an annotated tag, the tag object.
    pub id: ObjectId,
    /// What it means: for an annotated tag, what is behind it; else the same as `id`.
    pub peeled: ObjectId,
    /// The reference that a symbolic one such as `HEAD` stands for.
    pub target: Option<String>,
}

impl Reference {
    /// What a server or a repository says of a reference. `None` if git allows no such name: it would be written to a
    /// lockfile that cannot be read again. For the same reason a target with such a name is left out.
    pub(super) fn checked(
        name: &[u8],
        id: &gix::oid,
        peeled: &gix::oid,
        target: Option<&[u8]>,
    ) -> Option<Self> {
        let checked = |name| {
            std::str::from_utf8(name)
                .ok()
                .filter(|name| RefName::new(name).is_ok())
                .map(str::to_owned)
        };
        let target = target.and_then(checked).filter(|target| target.starts_with("refs/"));
        Some(Self { name: checked(name)?, id: from_gix(id), peeled: from_gix(peeled), target })
    }
}
