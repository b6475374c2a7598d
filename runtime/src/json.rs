//! JSON as it is written. What reads it is large: each kind of value is read in one place.

use alloc::{collections::BTreeMap, string::String};
use serde_json::value::RawValue;

/// The members of an object. Of a key that is there twice the last one counts.
pub(crate) type Object<'j> = BTreeMap<String, &'j RawValue>;

/// The members of an object; none of any other value.
#[inline(never)]
pub(crate) fn object(json: &str) -> Option<Object<'_>> {
    serde_json::from_str(json).ok()
}

/// The text of a string; none of any other value.
#[inline(never)]
pub(crate) fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}
