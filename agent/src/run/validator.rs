//! The interface to a JSON Schema validator.

use super::Mismatch;
use alloc::{boxed::Box, vec::Vec};
use core::error::Error;

/// Compiles JSON Schemas into checks, for [`Shape::validator`](super::Shape::validator).
///
/// The crate `helix-skills-host` implements it with the crate `jsonschema`, if its feature
/// `jsonschema` is on. A custom implementation can use another library:
///
/// ```
/// use helix_skills::run::{SchemaCheck, SchemaValidator, Mismatch, Shape};
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
///                 _ => vec![Mismatch::new(
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
pub trait SchemaValidator: Sync {
    /// Compiles the text of a JSON Schema.
    ///
    /// # Errors
    /// If the text is not a schema that the validator supports.
    fn compile(&self, schema: &str) -> Result<SchemaCheck, Box<dyn Error + Send + Sync>>;
}

/// A compiled schema: a function that returns what the text of a JSON value violates.
pub type SchemaCheck = Box<dyn Fn(&str) -> Vec<Mismatch> + Send + Sync>;
