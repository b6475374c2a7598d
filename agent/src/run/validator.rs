//! The interface to a JSON Schema validator.

use super::Mismatch;
use crate::ProviderError;
use alloc::{boxed::Box, vec::Vec};

/// A function that compiles the text of a JSON Schema into a check. An error says that it does not
/// support the schema.
///
/// `json_schema` of the crate `helix-skills-host` uses the crate `jsonschema`, if its feature
/// `jsonschema` is on. Your own can use another library:
///
/// ```
/// use helix_skills::{ProviderError, run::{Mismatch, SchemaCheck, Shape}};
/// use serde_json::Value;
///
/// /// Supports one keyword: `maxProperties`.
/// fn counter(schema: &str) -> Result<SchemaCheck, ProviderError> {
///     let schema: Value = serde_json::from_str(schema)?;
///     let most = schema["maxProperties"].as_u64().ok_or("`maxProperties` is missing")?;
///     Ok(Box::new(move |json| match serde_json::from_str::<Value>(json) {
///         Ok(Value::Object(members)) if members.len() as u64 <= most => vec![],
///         _ => vec![Mismatch::new("", format!("it must have at most {most} members"))],
///     }))
/// }
///
/// let shape = Shape::with_schema(r#"{"type": "object", "maxProperties": 3}"#)?;
/// let shape = shape.validator(counter)?;
/// # Ok::<(), helix_skills::Error>(())
/// ```
pub type SchemaValidator = fn(&str) -> Result<SchemaCheck, ProviderError>;

/// A compiled schema: a function that returns what the text of a JSON value violates.
pub type SchemaCheck = Box<dyn Fn(&str) -> Vec<Mismatch> + Send + Sync>;
