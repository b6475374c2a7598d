//! Deserializing JSON, with errors that name the field.
//!
//! Input and results are checked by deserializing them. A schema validator has many dependencies,
//! so it is optional: [`SchemaValidator`](super::SchemaValidator).

use super::{InputError, SchemaViolation};
use crate::error_text::truncate_chars;
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde_core::de::DeserializeOwned;
use serde_json::{Deserializer, value::RawValue};

/// Maximum number of characters of a field's path in an error.
const MAX_FIELD: usize = 100;

/// Maximum number of characters of a problem in an error.
const MAX_WHY: usize = 500;

/// Maximum number of schema violations in an error. A model fixes these first; more would only make
/// the conversation longer.
const MAX_VIOLATIONS: usize = 5;

/// Combines the violations of a schema; `None` if there are none.
pub(super) fn from_violations(violations: Vec<SchemaViolation>) -> Option<InputError> {
    let count = violations.len();
    let mut violations =
        violations.into_iter().take(MAX_VIOLATIONS).map(|SchemaViolation { pointer, why }| {
            SchemaViolation::new(truncate_chars(pointer, MAX_FIELD), truncate_chars(why, MAX_WHY))
        });
    let SchemaViolation { pointer, mut why } = violations.next()?;
    for violation in violations {
        why += &format!("; {violation}");
    }
    if count > MAX_VIOLATIONS {
        why += "; and more";
    }
    Some(match &*pointer {
        "" => InputError::whole(why),
        _ => InputError { field: pointer, why },
    })
}

/// Returns the members of a JSON object; `None` for any other text. The last of duplicate keys is
/// used.
pub(super) fn object(text: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(text).ok()
}

/// Deserializes a JSON object. More than 128 levels are an error.
pub(super) fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, InputError> {
    if object(text).is_none() {
        return Err(not_an_object(text));
    }
    read(text)
}

/// Deserializes one member of a JSON object.
pub(super) fn read_member<T: DeserializeOwned>(text: &str, member: &str) -> Result<T, InputError> {
    let Some(members) = object(text) else { return Err(not_an_object(text)) };
    let Some(value) = members.get(member) else {
        return Err(InputError::whole(format!("missing field `{member}`")));
    };
    read(value.get()).map_err(|error| InputError {
        field: match &*error.field {
            "." => member.into(),
            inner if inner.starts_with('[') => format!("{member}{inner}"),
            inner => format!("{member}.{inner}"),
        },
        ..error
    })
}

pub(super) fn not_an_object(text: &str) -> InputError {
    let why = match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => "expected one JSON object".into(),
        Err(error) => format!("expected one JSON object: {error}"),
    };
    InputError::whole(why)
}

/// Deserializes a JSON value.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, InputError> {
    serde_path_to_error::deserialize(&mut Deserializer::from_str(text)).map_err(|error| {
        let (field, error) = (error.path().to_string(), error.into_inner());
        let why = error.to_string();
        // If a field is named, the position in the text is noise.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = match why.strip_suffix(&*place) {
            Some(why) if error.is_data() => why.into(),
            _ => why,
        };
        // Both may contain untrusted text of any length.
        InputError { field: truncate_chars(field, MAX_FIELD), why: truncate_chars(why, MAX_WHY) }
    })
}
