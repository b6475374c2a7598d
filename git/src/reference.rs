//! References.

use helix_skills_format::{ObjectId, RefName};

use super::ids::from_gix;

/// A branch, a tag, or `HEAD`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reference {
    /// `HEAD`, or a full name such as `refs/tags/v1`.
    pub name: String,
    /// The object it points at: for an annotated tag, the tag object.
    pub id: ObjectId,
    /// The object behind annotated tags; otherwise the same as `id`.
    pub peeled: ObjectId,
    /// The target of a symbolic reference such as `HEAD`.
    #[doc(hidden)]
    pub target: Option<String>,
}

impl Reference {
    /// Creates a reference from untrusted data. Returns `None` if the name is not valid in git,
    /// because a lockfile with it could not be read again. A target with such a name is dropped for
    /// the same reason.
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
