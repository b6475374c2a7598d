//! Ids of objects: the type of this crate's interface, and the one of gix.

use helix_skills_format::ObjectId;

use super::error::GitError;

/// The only object format that is built in.
pub(super) const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

/// The id as gix has it, which is built for SHA-1 alone.
///
/// # Errors
/// It is not a SHA-1.
pub(super) fn to_gix(id: &ObjectId) -> Result<gix::ObjectId, GitError> {
    gix::ObjectId::try_from(id.as_bytes()).map_err(|_| GitError::Sha256 { url: id.to_string() })
}

/// The ids as gix has them.
///
/// # Errors
/// One of them is not a SHA-1.
pub(super) fn all_to_gix(ids: &[ObjectId]) -> Result<Vec<gix::ObjectId>, GitError> {
    ids.iter().map(to_gix).collect()
}

/// An id that gix computed or read.
pub(super) fn from_gix(id: &gix::oid) -> ObjectId {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(id.as_bytes());
    bytes.into()
}
