//! Deserializing JSON, with errors that name the field.
//!
//! Input and results are checked by deserializing them. A schema validator has many dependencies,
//! so it is optional: [`SchemaValidator`](super::SchemaValidator).

use super::Mismatch;
use crate::error_text::truncate_chars;
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde::de::DeserializeOwned;
use serde_json::{Deserializer, value::RawValue};

/// Maximum number of characters of a field's path in an error.
const MAX_FIELD: usize = 100;

/// Maximum number of characters of a problem in an error.
const MAX_WHY: usize = 500;

/// Maximum number of schema violations in an error. A model fixes these first; more would only make
/// the conversation longer.
const MAX_VIOLATIONS: usize = 5;

/// Combines the mismatches that a validator has found; `None` if there are none.
pub(super) fn combined(mismatches: Vec<Mismatch>) -> Option<Mismatch> {
    let count = mismatches.len();
    let mut mismatches = mismatches.into_iter().take(MAX_VIOLATIONS).map(shortened);
    let Mismatch { field, mut why } = mismatches.next()?;
    for mismatch in mismatches {
        why += &format!("; {mismatch}");
    }
    if count > MAX_VIOLATIONS {
        why += "; and more";
    }
    Some(Mismatch { field, why })
}

/// Shortens both texts, which may contain untrusted text of any length.
fn shortened(Mismatch { field, why }: Mismatch) -> Mismatch {
    Mismatch { field: truncate_chars(field, MAX_FIELD), why: truncate_chars(why, MAX_WHY) }
}

/// Returns the members of a JSON object. The last of duplicate keys is used.
///
/// # Errors
/// If the text is not one JSON object.
pub(super) fn object(text: &str) -> Result<BTreeMap<String, &RawValue>, Mismatch> {
    serde_json::from_str(text).map_err(|_| {
        Mismatch::whole(match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => "expected one JSON object".into(),
            Err(error) => format!("expected one JSON object: {error}"),
        })
    })
}

/// Deserializes a JSON object. More than 128 levels are an error.
pub(super) fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    object(text)?;
    read(text)
}

/// Deserializes one member of a JSON object.
pub(super) fn read_member<T: DeserializeOwned>(text: &str, member: &str) -> Result<T, Mismatch> {
    let members = object(text)?;
    let Some(value) = members.get(member) else {
        return Err(Mismatch::whole(format!("missing field `{member}`")));
    };
    read(value.get()).map_err(|error| Mismatch {
        field: match &*error.field {
            "" => member.into(),
            inner if inner.starts_with('[') => format!("{member}{inner}"),
            inner => format!("{member}.{inner}"),
        },
        ..error
    })
}

/// Deserializes a JSON value.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    serde_path_to_error::deserialize(&mut Deserializer::from_str(text)).map_err(|error| {
        let (field, error) = (error.path().to_string(), error.into_inner());
        let field = if field == "." { String::new() } else { field };
        let why = error.to_string();
        // If a field is named, the position in the text is noise.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = match why.strip_suffix(&*place) {
            Some(why) if error.is_data() => why.into(),
            _ => why,
        };
        shortened(Mismatch { field, why })
    })
}
