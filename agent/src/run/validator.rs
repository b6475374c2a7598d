//! The interface to a JSON Schema validator.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{error::Error, fmt};

/// Compiles JSON Schemas into checks, for [`Shape::validator`](super::Shape::validator).
///
/// The crate `helix-skills-host` implements it with the crate `jsonschema`, if its feature
/// `jsonschema` is on. A custom implementation can use another library:
///
/// ```
/// use helix_skills::run::{SchemaCheck, SchemaValidator, SchemaViolation, Shape};
/// use std::error::Error;
///
/// /// Supports one keyword: `maxProperties`.
/// struct Counter;
///
/// impl SchemaValidator for Counter {
///     fn compile(
///         &self,
///         schema: &str,
///     ) -> Result<SchemaCheck, Box<dyn Error + Send + Sync>> {
///         let schema: serde_json::Value = serde_json::from_str(schema)?;
///         let most =
///             schema["maxProperties"].as_u64().ok_or("`maxProperties` is missing")?;
///         Ok(Box::new(move |json| {
///             match serde_json::from_str::<serde_json::Value>(json) {
///                 Ok(value)
///                     if value
///                         .as_object()
///                         .is_some_and(|members| members.len() as u64 <= most) =>
///                 {
///                     vec![]
///                 }
///                 _ => vec![SchemaViolation::new(
///                     "",
///                     format!("has to be an object with at most {most} members"),
///                 )],
///             }
///         }))
///     }
/// }
///
/// let shape = Shape::<serde_json::Value>::with_schema(
///     r#"{"type": "object", "maxProperties": 3}"#,
/// )?;
/// let shape = shape.validator(&Counter)?;
/// # Ok::<(), helix_skills::Error>(())
/// ```
pub trait SchemaValidator {
    /// Compiles the text of a JSON Schema.
    ///
    /// # Errors
    /// If the text is not a schema that the validator supports.
    fn compile(&self, schema: &str) -> Result<SchemaCheck, Box<dyn Error + Send + Sync>>;
}

/// A compiled schema: a function that returns the violations of the text of a JSON value.
pub type SchemaCheck = Box<dyn Fn(&str) -> Vec<SchemaViolation> + Send + Sync>;

/// A value that its schema does not allow. `Display` is a text for the model.
///
/// ```
/// use helix_skills::run::SchemaViolation;
/// let violation = SchemaViolation::new("/stars", "9 is greater than the maximum of 5");
/// assert_eq!(violation.to_string(), "`/stars`: 9 is greater than the maximum of 5");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaViolation {
    /// The JSON pointer of the value; empty for the whole document.
    pub pointer: String,
    /// The problem.
    pub why: String,
}

impl SchemaViolation {
    /// Creates a violation of the value at a JSON pointer.
    #[must_use]
    pub fn new(pointer: impl Into<String>, why: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), why: why.into() }
    }
}

impl fmt::Display for SchemaViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.pointer {
            "" => f.write_str(&self.why),
            pointer => write!(f, "`{pointer}`: {}", self.why),
        }
    }
}
