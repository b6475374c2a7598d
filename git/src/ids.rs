//! Conversions between object ids of this crate and of gix.

use helix_skills_format::ObjectId;

use super::error::GitError;

/// The only supported object format.
pub(super) const SHA1: gix::hash::Kind = gix::hash::Kind::Sha1;

/// Converts an id to gix's type, which is built for SHA-1 only.
///
/// # Errors
/// The id is not a SHA-1.
pub(super) fn to_gix(id: &ObjectId) -> Result<gix::ObjectId, GitError> {
    gix::ObjectId::try_from(id.as_bytes()).map_err(|_| GitError::Sha256 { url: id.to_string() })
}

/// Converts an id that gix computed or read.
pub(super) fn from_gix(id: &gix::oid) -> ObjectId {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(id.as_bytes());
    bytes.into()
}

/// Returns the id of a file with these bytes; `None` if they are a SHA-1 collision attack.
#[must_use]
pub fn blob_id(bytes: &[u8]) -> Option<ObjectId> {
    let id = gix::objs::compute_hash(SHA1, gix::objs::Kind::Blob, bytes).ok()?;
    Some(from_gix(&id))
}
