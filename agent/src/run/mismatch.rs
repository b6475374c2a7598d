//! Deserializing JSON, with errors that name the field.
//!
//! Input and results are checked by deserializing them. A schema validator has many dependencies,
//! so it is optional: [`SchemaValidator`](super::SchemaValidator).

use super::{RunError, SchemaViolation};
use crate::error_text::truncate_chars;
use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;
use serde_core::de::DeserializeOwned;
use serde_json::{Deserializer, value::RawValue};

/// Maximum number of characters of a field's path in an error.
const MAX_FIELD: usize = 100;

/// Maximum number of characters of a problem in an error.
const MAX_WHY: usize = 500;

/// Maximum number of schema violations in an error. A model fixes these first; more would only make
/// the conversation longer.
const MAX_VIOLATIONS: usize = 5;

/// The error if a value does not have the required type.
pub(super) struct Mismatch {
    /// The path of the field, such as `issue.labels[2]`; `.` is the whole value.
    pub(super) field: String,
    pub(super) why: String,
}

impl Mismatch {
    pub(super) fn whole(why: String) -> Self {
        Self { field: ".".into(), why }
    }

    /// Combines the violations of a schema; `None` if there are none.
    pub(super) fn from_violations(violations: Vec<SchemaViolation>) -> Option<Self> {
        let count = violations.len();
        let mut violations =
            violations.into_iter().take(MAX_VIOLATIONS).map(|SchemaViolation { pointer, why }| {
                SchemaViolation::new(
                    truncate_chars(pointer, MAX_FIELD),
                    truncate_chars(why, MAX_WHY),
                )
            });
        let SchemaViolation { pointer, mut why } = violations.next()?;
        for violation in violations {
            why += &format!("; {violation}");
        }
        if count > MAX_VIOLATIONS {
            why += "; and more";
        }
        Some(match &*pointer {
            "" => Self::whole(why),
            _ => Self { field: pointer, why },
        })
    }

    pub(super) fn into_run_error(self, skill: &str) -> RunError {
        RunError::Input { skill: skill.to_owned(), field: self.field, why: self.why }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.field {
            "." => f.write_str(&self.why),
            field => write!(f, "`{field}`: {}", self.why),
        }
    }
}

/// Returns the members of a JSON object; `None` for any other text. The last of duplicate keys is
/// used.
pub(super) fn object(text: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(text).ok()
}

/// Deserializes a JSON object. More than 128 levels are an error.
pub(super) fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    if object(text).is_none() {
        return Err(not_an_object(text));
    }
    read(text)
}

/// Deserializes one member of a JSON object.
pub(super) fn read_member<T: DeserializeOwned>(text: &str, member: &str) -> Result<T, Mismatch> {
    let Some(members) = object(text) else { return Err(not_an_object(text)) };
    let Some(value) = members.get(member) else {
        return Err(Mismatch::whole(format!("missing field `{member}`")));
    };
    read(value.get()).map_err(|mismatch| Mismatch {
        field: match &*mismatch.field {
            "." => member.into(),
            inner if inner.starts_with('[') => format!("{member}{inner}"),
            inner => format!("{member}.{inner}"),
        },
        ..mismatch
    })
}

pub(super) fn not_an_object(text: &str) -> Mismatch {
    let why = match serde_json::from_str::<&RawValue>(text) {
        Ok(_) => "expected one JSON object".into(),
        Err(error) => format!("expected one JSON object: {error}"),
    };
    Mismatch::whole(why)
}

/// Deserializes a JSON value.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
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
        Mismatch { field: truncate_chars(field, MAX_FIELD), why: truncate_chars(why, MAX_WHY) }
    })
}
