//! Making shapes and checking values with them.

use super::{
    Mismatch, SchemaCheck, SchemaValidator, Shape,
    json::{combined, object, read_member, read_object},
    shape::ShapeParts,
};
use crate::{Error, ErrorKind};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::fmt;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The member that contains a result that is not an object.
const RESULT_MEMBER: &str = "result";

impl Shape {
    /// Creates the shape of a type, with the schema that it derives.
    ///
    /// Descriptions are the doc comments of the type and its fields. schemars sorts fields by name,
    /// unless its feature `preserve_order` is on.
    #[cfg(feature = "schemars")]
    #[must_use]
    pub fn new<V: DeserializeOwned + schemars::JsonSchema>() -> Self {
        let mut shape = Self::from_members(schema_of::<V>());
        let is_wrapped = shape.0.is_wrapped;
        shape.parts().checks.push(Arc::new(move |json| value::<V>(json, is_wrapped).map(drop)));
        shape
    }

    /// Creates a shape with the text of a JSON Schema. A schema of type `object` is passed to the
    /// model unchanged.
    ///
    /// ```
    /// use helix_skills::run::Shape;
    /// let schema = r#"{
    ///     "type": "object",
    ///     "properties": {"fix_applied": {"type": "boolean"}},
    ///     "required": ["fix_applied"]
    /// }"#;
    /// assert_eq!(Shape::with_schema(schema)?.schema(), schema);
    /// # Ok::<(), helix_skills::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a JSON object.
    pub fn with_schema(schema: &str) -> Result<Self, Error> {
        let members = match serde_json::from_str(schema) {
            Ok(Value::Object(members)) => members,
            Ok(_) => return Err(unusable("cannot use the schema: it has to be a JSON object")),
            Err(error) => return Err(unusable("cannot read the schema").with_source(error)),
        };
        let mut shape = Self::from_members(members);
        if !shape.0.is_wrapped {
            // The text is kept as it is, so that its fields keep their order.
            shape.parts().schema = schema.to_owned();
        }
        Ok(shape)
    }

    /// Creates a shape without checks.
    pub(super) fn from_members(schema: Map<String, Value>) -> Self {
        let is_wrapped = schema.get("type").and_then(Value::as_str) != Some("object");
        let schema = if is_wrapped { wrap(schema) } else { schema };
        let schema = Value::Object(schema).to_string();
        Self(Arc::new(ShapeParts { schema, is_wrapped, checks: Vec::new() }))
    }

    fn parts(&mut self) -> &mut ShapeParts {
        Arc::make_mut(&mut self.0)
    }

    /// Checks each value against the whole schema, before its type is checked. Without a validator,
    /// a number out of `range` is accepted.
    ///
    /// # Errors
    /// If the validator does not support the schema.
    pub fn validator(mut self, validator: SchemaValidator) -> Result<Self, Error> {
        let validate = self.compile(validator)?;
        self.parts().checks.insert(0, Arc::new(move |json| validated(&validate, json)));
        Ok(self)
    }

    /// Checks each value after its type is checked. The model gets the error on one line, and may
    /// try again.
    #[must_use]
    pub fn check<V: DeserializeOwned, E: fmt::Display>(
        mut self,
        check: impl Fn(&V) -> Result<(), E> + Send + Sync + 'static,
    ) -> Self {
        let is_wrapped = self.0.is_wrapped;
        self.parts().checks.push(Arc::new(move |json| {
            check(&value(json, is_wrapped)?).map_err(|why| Mismatch::whole(why.to_string()))
        }));
        self
    }

    pub(super) fn compile(&self, validator: SchemaValidator) -> Result<SchemaCheck, Error> {
        validator(self.schema())
            .map_err(|error| unusable("cannot compile the schema").with_source(error))
    }

    /// Makes all checks on the text of a JSON object.
    pub(super) fn check_text(&self, json: &str) -> Result<(), Mismatch> {
        object(json)?;
        self.0.checks.iter().try_for_each(|check| check(json))
    }

    /// Reads a value from the text of a JSON object. `validate` is the validator of a run.
    pub(super) fn read<V: DeserializeOwned>(
        &self,
        json: &str,
        validate: Option<&SchemaCheck>,
    ) -> Result<V, Mismatch> {
        // Some APIs send an empty text for a call without arguments.
        let json = if json.trim().is_empty() { "{}" } else { json };
        if let Some(validate) = validate {
            validated(validate, json)?;
        }
        self.check_text(json)?;
        value(json, self.0.is_wrapped)
    }
}

/// Checks the text of a JSON object by a validator.
fn validated(validate: &SchemaCheck, json: &str) -> Result<(), Mismatch> {
    object(json)?;
    combined(validate(json)).map_or(Ok(()), Err)
}

fn value<V: DeserializeOwned>(json: &str, is_wrapped: bool) -> Result<V, Mismatch> {
    if is_wrapped { read_member(json, RESULT_MEMBER) } else { read_object(json) }
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
