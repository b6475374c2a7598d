//! Whether a value of JSON is of a type, and where it is not.

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

/// How many characters of the path to a field are shown.
const MAX_FIELD: usize = 100;

/// How many characters of what is wrong with it.
const MAX_WHY: usize = 500;

/// How many violations of a schema are listed. A model fixes these first; more would only make the
/// conversation longer.
const MAX_VIOLATIONS: usize = 5;

/// Why a value is not of a type.
pub(super) struct Mismatch {
    /// The field, as `issue.labels[2]`; `.` is the whole value.
    pub(super) field: String,
    pub(super) why: String,
}

impl Mismatch {
    pub(super) fn whole(why: String) -> Self {
        Self { field: ".".into(), why }
    }

    /// What a schema does not allow; `None` if there is nothing.
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

/// The members of a JSON object; `None` for any other text. Of duplicate keys the last one counts.
pub(super) fn object(text: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(text).ok()
}

/// An object of JSON as a value of a type. What is deeper than 128 levels is refused.
pub(super) fn read_object<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    if object(text).is_none() {
        return Err(not_an_object(text));
    }
    read(text)
}

/// One member of an object of JSON as a value of a type.
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

/// A value of JSON as one of a type.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Mismatch> {
    serde_path_to_error::deserialize(&mut Deserializer::from_str(text)).map_err(|error| {
        let (field, error) = (error.path().to_string(), error.into_inner());
        let why = error.to_string();
        // Where a field is named, nobody counts columns.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let why = match why.strip_suffix(&*place) {
            Some(why) if error.is_data() => why.into(),
            _ => why,
        };
        // Both may hold what a stranger wrote, whole.
        Mismatch { field: truncate_chars(field, MAX_FIELD), why: truncate_chars(why, MAX_WHY) }
    })
}
