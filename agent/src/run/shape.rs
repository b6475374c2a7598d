//! The result type of a run, its schema and its checks.

use super::{
    Mismatch, SchemaCheck, SchemaValidator,
    json::{combined, not_an_object, object, read_member, read_object},
};
use crate::{Error, ErrorKind};
use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString},
};
use core::fmt;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The member that contains a result that is not an object.
const RESULT_MEMBER: &str = "result";

/// The result type of a [run](super::Run): a Rust type, its JSON Schema, and the checks of a value.
///
/// Without a [`validator`](Self::validator), a value is checked by its type and by
/// [`check`](Self::check) only, and the schema only informs the model: a number out of `range` or a
/// member that is missing from a `serde_json::Value` is accepted. With a validator, the value has
/// to satisfy the schema first. The answer to a rejected call names the field, and the model may
/// try again.
///
/// Because parameters of tools are objects, a value of another type, such as an array or a number,
/// is wrapped in the member `result` of an object.
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
/// let schema = r#"{
///     "type": "object",
///     "properties": {"fix_applied": {"type": "boolean"}},
///     "required": ["fix_applied"]
/// }"#;
/// let shape = Shape::<Verdict>::with_schema(schema)?.check(|verdict| match verdict.fix_applied {
///     true => Ok(()),
///     false => Err("apply the fix first"), // the answer to the model
/// });
/// assert_eq!(shape.schema(), schema);
/// # Ok::<(), helix_skills::Error>(())
/// ```
///
/// With the feature `schemars`, `Shape::new` takes the schema from the type.
pub struct Shape<V> {
    schema: String,
    /// Whether the value is the member `result` of the submitted object.
    is_wrapped: bool,
    validate: Option<SchemaCheck>,
    check: Option<Check<V>>,
}

type Check<V> = Box<dyn Fn(&V) -> Result<(), String> + Send + Sync>;

impl<V: DeserializeOwned> Shape<V> {
    /// Creates a shape with the schema that a type derives.
    ///
    /// Descriptions are the doc comments of the type and its fields. schemars sorts fields by name,
    /// unless its feature `preserve_order` is on.
    ///
    /// ```
    /// use helix_skills::run::Shape;
    /// use {schemars::JsonSchema, serde::Deserialize};
    ///
    /// /// The outcome of an issue.
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
        Self::from_members(schema_of::<V>())
    }

    /// Creates a shape with the text of a JSON Schema. A schema of type `object` is passed to the
    /// model unchanged.
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn with_schema(schema: &str) -> Result<Self, Error> {
        let members = match serde_json::from_str(schema) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(unusable("cannot use the schema: it has to be a JSON object")),
            Err(error) => return Err(unusable("cannot read the schema").with_source(error)),
        };
        // The text is kept as it is, so that its fields keep their order.
        let is_object = object(schema)
            .and_then(|members| members.get("type").map(|kind| kind.get() == "\"object\""));
        Ok(match is_object {
            Some(true) => {
                Self { schema: schema.to_owned(), is_wrapped: false, validate: None, check: None }
            }
            _ => Self::from_members(members),
        })
    }

    fn from_members(schema: Map<String, Value>) -> Self {
        let is_wrapped = schema.get("type").and_then(Value::as_str) != Some("object");
        let schema = if is_wrapped { wrap(schema) } else { schema };
        Self { schema: Value::Object(schema).to_string(), is_wrapped, validate: None, check: None }
    }

    /// Checks each value against the schema, before its type is checked.
    ///
    /// # Errors
    /// If the validator does not support the schema.
    pub fn validator(mut self, validator: &(impl SchemaValidator + ?Sized)) -> Result<Self, Error> {
        self.validate = Some(self.compile(validator)?);
        Ok(self)
    }

    /// Checks each value after its type is checked. The model gets the error on one line, and may
    /// try again.
    #[must_use]
    pub fn check<E: fmt::Display>(
        mut self,
        check: impl Fn(&V) -> Result<(), E> + Send + Sync + 'static,
    ) -> Self {
        self.check = Some(Box::new(move |value| check(value).map_err(|why| why.to_string())));
        self
    }

    /// Returns the parameters of the tool `submit`, as the text of a JSON Schema.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns the check by the validator of a run, unless this shape has its own.
    ///
    /// # Errors
    /// If the validator does not support the schema.
    pub(super) fn compile_for(
        &self,
        validator: Option<&dyn SchemaValidator>,
    ) -> Result<Option<SchemaCheck>, Error> {
        let validator = validator.filter(|_| self.validate.is_none());
        validator.map(|validator| self.compile(validator)).transpose()
    }

    fn compile(&self, validator: &(impl SchemaValidator + ?Sized)) -> Result<SchemaCheck, Error> {
        let compiled = validator.compile(&self.schema);
        compiled.map_err(|error| unusable("cannot compile the schema").with_source(error))
    }

    /// Reads a value from the text of a JSON object with this schema.
    pub(super) fn value(&self, json: &str) -> Result<V, Mismatch> {
        self.read(json, None)
    }

    /// Like [`value`](Self::value), with the check by the validator of a run.
    pub(super) fn read(&self, json: &str, validate: Option<&SchemaCheck>) -> Result<V, Mismatch> {
        // Some APIs send an empty text for a call without arguments.
        let json = if json.trim().is_empty() { "{}" } else { json };
        if let Some(validate) = validate.or(self.validate.as_ref()) {
            if object(json).is_none() {
                return Err(not_an_object(json));
            }
            if let Some(error) = combined(validate(json)) {
                return Err(error);
            }
        }
        let value =
            if self.is_wrapped { read_member(json, RESULT_MEMBER) } else { read_object(json) }?;
        match &self.check {
            Some(check) => check(&value).map(|()| value).map_err(Mismatch::whole),
            None => Ok(value),
        }
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

/// Returns the schema for deserializing a type, without `$schema`.
#[cfg(feature = "schemars")]
pub(super) fn schema_of<T: schemars::JsonSchema>() -> Map<String, Value> {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(), // `true`: anything
    }
}

/// Returns the schema of an object with one member of the given schema. Definitions stay at the
/// root, where APIs expect them.
fn wrap(mut schema: Map<String, Value>) -> Map<String, Value> {
    let mut root = Map::new();
    for key in ["$schema", "$defs", "definitions"] {
        root.extend(schema.remove(key).map(|value| (key.to_owned(), value)));
    }
    root.values_mut().chain(schema.values_mut()).for_each(rebase_refs);
    root.insert("type".into(), "object".into());
    root.insert(
        "properties".into(),
        Map::from_iter([(RESULT_MEMBER.to_owned(), Value::Object(schema))]).into(),
    );
    root.insert("required".into(), [RESULT_MEMBER].as_slice().into());
    root.insert("additionalProperties".into(), false.into());
    root
}

/// Adjusts references to the root to the new position of the schema.
fn rebase_refs(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(rebase_refs),
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref")
                && let Some(rest) = target.strip_prefix('#')
                && !["/$defs/", "/definitions/"].iter().any(|root| rest.starts_with(root))
            {
                *target = format!("#/properties/{RESULT_MEMBER}{rest}");
            }
            members.values_mut().for_each(rebase_refs);
        }
        _ => {}
    }
}

fn unusable(message: &str) -> Error {
    Error::new(ErrorKind::Setup, message)
}
