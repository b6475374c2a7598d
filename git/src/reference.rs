//! References.

use gix::bstr::ByteSlice as _;
use helix_skills_format::{ObjectId, RefName};

use super::ids::from_gix;
use super::packets::Failure;

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
    /// Parses a line of a list of references, with version 2 of the protocol. Returns `None` as
    /// [`Reference::checked`] does.
    pub(super) fn parse(line: &[u8]) -> Result<Option<Self>, Failure> {
        let (id, rest) = split_id(line)?;
        let mut words = rest.split_str(" ");
        let name = words.next().unwrap_or_default();
        let (mut peeled, mut target) = (id, None);
        for word in words {
            if let Some(object) = word.strip_prefix(b"peeled:") {
                peeled = parse_id(object)?;
            } else if let Some(name) = word.strip_prefix(b"symref-target:") {
                target = Some(name);
            }
        }
        Ok(Self::checked(name, id, peeled, target))
    }

    /// Creates a reference from untrusted data. Returns `None` if the name is not valid in git,
    /// because a lockfile with it could not be read again. A target with such a name is dropped for
    /// the same reason.
    pub(super) fn checked(
        name: &[u8],
        id: ObjectId,
        peeled: ObjectId,
        target: Option<&[u8]>,
    ) -> Option<Self> {
        let checked = |name| {
            std::str::from_utf8(name)
                .ok()
                .filter(|name| RefName::new(name).is_ok())
                .map(str::to_owned)
        };
        let target = target.and_then(checked).filter(|target| target.starts_with("refs/"));
        Some(Self { name: checked(name)?, id, peeled, target })
    }
}

/// Returns whether a reference has one of these prefixes.
pub(super) fn is_below(name: &str, prefixes: &[String]) -> bool {
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Splits a line at the space after an object id.
pub(super) fn split_id(line: &[u8]) -> Result<(ObjectId, &[u8]), Failure> {
    let (id, rest) = line
        .split_once_str(" ")
        .ok_or_else(|| Failure::protocol("a line of the list of references has no name"))?;
    Ok((parse_id(id)?, rest))
}

fn parse_id(hex: &[u8]) -> Result<ObjectId, Failure> {
    Ok(from_gix(&gix::ObjectId::from_hex(hex)?))
}
