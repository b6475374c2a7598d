//! What a caller wants back.

use super::{
    ToolDefinition,
    fit::{object, read_member, read_object},
    goal::Goal,
    prompt::{SUBMIT, SUBMIT_DESCRIPTION},
};
use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString},
};
use core::{error::Error, fmt};
use serde_core::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The member that a result is put into which is no object by itself.
const RESULT: &str = "result";

/// The result that a caller wants of a [run](super::Run): a type, the JSON Schema that the model is told of it, and what has
/// to hold beyond both.
///
/// What proves a result is the type: the model's JSON has to deserialise into it, and what does not is told to the model by
/// field. The schema only says so beforehand. Of a caller with a schema alone the type is `serde_json::Value`, any object,
/// and [`check`](Self::check) is where a validator of schemas goes.
///
/// Parameters of tools are objects. A schema of anything else, an array, a number, an enumeration, is put into the member
/// `result` of one, and taken out again.
///
/// ```
/// use helix_skills::run::Shape;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Verdict {
///     fix_applied: bool,
/// }
///
/// let schema = r#"{"type": "object", "properties": {"fix_applied": {"type": "boolean"}}, "required": ["fix_applied"]}"#;
/// let shape = Shape::<Verdict>::with_schema(schema)?.check(|verdict| match verdict.fix_applied {
///     true => Ok(()),
///     false => Err("apply the fix first"), // the model is told, and goes on
/// });
/// assert_eq!(shape.schema(), schema);
/// # Ok::<(), helix_skills::run::ShapeError>(())
/// ```
///
/// With the feature `schemars`, `Shape::new` takes the schema from the type.
pub struct Shape<V> {
    schema: String,
    /// Whether the value is the member `result` of what is handed in.
    in_member: bool,
    check: Option<Check<V>>,
}

type Check<V> = Box<dyn Fn(&V) -> Result<(), String> + Send + Sync>;

impl<V: DeserializeOwned> Shape<V> {
    /// A type with the schema that it derives.
    ///
    /// Descriptions are the doc comments of type and fields. Fields come in the order that schemars has them in: by name, unless
    /// its feature `preserve_order` is on.
    ///
    /// ```
    /// use helix_skills::run::Shape;
    /// use {schemars::JsonSchema, serde::Deserialize};
    ///
    /// /// What became of an issue.
    /// #[derive(Deserialize, JsonSchema)]
    /// # #[allow(dead_code)]
    /// struct Verdict {
    ///     /// Whether a fix is in.
    ///     fix_applied: bool,
    /// }
    ///
    /// assert!(Shape::<Verdict>::new().schema().contains("Whether a fix is in."));
    /// ```
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn new() -> Self
    where
        V: schemars::JsonSchema,
    {
        Self::of(super::typed::schema_of::<V>())
    }

    /// A type with a schema that somebody wrote: the text of a JSON object. It goes to the model as it is.
    ///
    /// # Errors
    /// When the text is no JSON object.
    pub fn with_schema(schema: &str) -> Result<Self, ShapeError> {
        let members = match serde_json::from_str(schema) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(ShapeError { why: "it has to be a JSON object".to_owned() }),
            Err(error) => return Err(ShapeError { why: error.to_string() }),
        };
        // The text of whoever wrote it: its fields stay in their order.
        let is_object = object(schema).and_then(|members| members.get("type").map(|kind| kind.get() == "\"object\""));
        Ok(match is_object {
            Some(true) => Self { schema: schema.to_owned(), in_member: false, check: None },
            _ => Self::of(members),
        })
    }

    fn of(schema: Map<String, Value>) -> Self {
        let in_member = schema.get("type").and_then(Value::as_str) != Some("object");
        let schema = if in_member { member(schema) } else { schema };
        Self { schema: Value::Object(schema).to_string(), in_member, check: None }
    }

    /// With a check of the value, after its type. What it fails with is told to the model, on one line, which may try again.
    #[must_use]
    pub fn check<E: fmt::Display>(mut self, check: impl Fn(&V) -> Result<(), E> + Send + Sync + 'static) -> Self {
        self.check = Some(Box::new(move |value| check(value).map_err(|why| why.to_string())));
        self
    }

    /// The parameters of the tool that hands it in, as the text of a JSON Schema.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }
}

#[cfg(feature = "schemars")]
impl<V: DeserializeOwned + schemars::JsonSchema> Default for Shape<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V> fmt::Debug for Shape<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shape").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl<V: DeserializeOwned> Goal for Shape<V> {
    type Result = V;

    fn submit(&self) -> Option<ToolDefinition> {
        Some(ToolDefinition::new(SUBMIT, SUBMIT_DESCRIPTION, &*self.schema))
    }

    fn read(&self, arguments: &str) -> Result<V, String> {
        // Some interfaces write nothing at all for a call without arguments.
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let value = if self.in_member { read_member(arguments, RESULT) } else { read_object(arguments) };
        let value = value.map_err(|misfit| misfit.to_string())?;
        match &self.check {
            Some(check) => check(&value).map(|()| value),
            None => Ok(value),
        }
    }

    fn text(&self, _text: &str) -> Option<V> {
        None
    }
}

/// An object with the schema as that of a member. Definitions stay where every interface looks for them, at the root.
fn member(mut schema: Map<String, Value>) -> Map<String, Value> {
    let mut root = Map::new();
    for key in ["$schema", "$defs", "definitions"] {
        root.extend(schema.remove(key).map(|value| (key.to_owned(), value)));
    }
    root.values_mut().chain(schema.values_mut()).for_each(rebase);
    root.insert("type".into(), "object".into());
    root.insert("properties".into(), Map::from_iter([(RESULT.to_owned(), Value::Object(schema))]).into());
    root.insert("required".into(), [RESULT].as_slice().into());
    root.insert("additionalProperties".into(), false.into());
    root
}

/// Lets references to the root lead to where the schema is now.
fn rebase(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rebase),
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref")
                && let Some(rest) = target.strip_prefix('#')
                && !["/$defs/", "/definitions/"].iter().any(|root| rest.starts_with(root))
            {
                *target = format!("#/properties/{RESULT}{rest}");
            }
            members.values_mut().for_each(rebase);
        }
        _ => {}
    }
}

/// Why a text is no schema.
///
/// ```
/// use helix_skills::run::Shape;
/// let error = Shape::<serde_json::Value>::with_schema("[]").unwrap_err();
/// assert_eq!(error.to_string(), "cannot take the schema of a result: it has to be a JSON object");
/// ```
#[derive(Debug)]
pub struct ShapeError {
    why: String,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot take the schema of a result: {}", self.why)
    }
}

impl Error for ShapeError {}
