//! Validation of JSON Schemas by the crate `jsonschema`.

use helix_skills_agent::{
    ProviderError,
    run::{Mismatch, SchemaCheck},
};
use jsonschema::PatternOptions;
use serde_json::Value;

/// Maximum number of reported violations. A result of a model can have any number of them.
const MAX_VIOLATIONS: usize = 20;

/// Maximum length in bytes of a message that repeats the value.
const MAX_MESSAGE: usize = 200;

/// Compiles a JSON Schema into a check, by the crate `jsonschema`: a
/// [`SchemaValidator`](helix_skills_agent::run::SchemaValidator).
///
/// `$schema` selects one of the drafts from 4 to 2020-12; the default is 2020-12. A `format` that
/// the crate knows, such as `email`, is checked. References to other documents are an error:
/// nothing is fetched. A pattern is matched in time linear in the text, because the text comes from
/// a model; look-around and back-references are an error.
///
/// ```
/// use helix_skills::run::Shape;
/// use helix_skills_host::json_schema;
/// use {schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema)]
/// # #[allow(dead_code)]
/// struct Review {
///     #[schemars(range(min = 1, max = 5))]
///     stars: u8,
/// }
///
/// let shape = Shape::new::<Review>().validator(json_schema)?;
/// // A model that submits `{"stars": 9}` gets: `/stars`: 9 is greater than the maximum of 5
/// # Ok::<(), helix_skills::Error>(())
/// ```
///
/// # Errors
/// If the text is not a schema that the crate supports.
pub fn json_schema(schema: &str) -> Result<SchemaCheck, ProviderError> {
    let schema: Value = serde_json::from_str(schema)?;
    let validator = jsonschema::options()
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(&schema)?;
    Ok(Box::new(move |json| match serde_json::from_str::<Value>(json) {
        Ok(value) => validator
            .iter_errors(&value)
            .take(MAX_VIOLATIONS)
            .map(|error| violation(&error))
            .collect(),
        Err(error) => vec![Mismatch::new("", error.to_string())],
    }))
}

fn violation(error: &jsonschema::ValidationError<'_>) -> Mismatch {
    // The message begins with the value, which must leave room for what is wrong with it.
    let mut why = error.to_string();
    if why.len() > MAX_MESSAGE {
        why = error.masked_with("the value").to_string();
    }
    Mismatch::new(error.instance_path().as_str(), why)
}
