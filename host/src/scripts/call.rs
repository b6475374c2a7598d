//! The arguments of a call by a model.

use helix_skills_runtime::{__internal::error_debug, OneLine};
use serde_json::{Map, Value};

/// A call of `skill_run_script`.
///
/// ```
/// use helix_skills_host::ScriptCall;
/// let json =
///     r#"{"skill_name": "count", "script_name": "count.sh", "script_args": "-l notes.md"}"#;
/// let call = ScriptCall::new("count", "count.sh").arguments("-l notes.md");
/// assert_eq!(ScriptCall::from_json(json).unwrap(), call);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptCall {
    /// The name of the skill.
    pub skill: String,
    /// The file in `scripts/`, with or without that directory.
    pub script: String,
    /// The arguments, as on a command line.
    pub arguments: String,
}

/// Why the arguments of a call cannot be read. `Display` is the message for the model.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptCallError {
    /// The arguments are not a JSON object.
    #[error("cannot read the call: the arguments must be a JSON object")]
    NotAnObject,
    /// A parameter is missing or not a string.
    #[error("cannot read the call: `{}` must be a string", OneLine(.parameter))]
    NotAString {
        /// The parameter.
        parameter: &'static str,
    },
}

error_debug!(ScriptCallError { NotAnObject, NotAString { parameter } });

impl ScriptCall {
    /// Creates a call of a script without arguments.
    #[must_use]
    pub fn new(skill: impl Into<String>, script: impl Into<String>) -> Self {
        Self { skill: skill.into(), script: script.into(), arguments: String::new() }
    }

    /// Sets the arguments, as on a command line.
    #[must_use]
    pub fn arguments(mut self, arguments: impl Into<String>) -> Self {
        self.arguments = arguments.into();
        self
    }

    /// Parses a JSON object with `skill_name`, `script_name` and optionally `script_args`. Unknown
    /// parameters are ignored, because models invent some.
    ///
    /// # Errors
    /// If it is not such an object.
    pub fn from_json(arguments: &str) -> Result<Self, ScriptCallError> {
        let Ok(Value::Object(object)) = serde_json::from_str(arguments) else {
            return Err(ScriptCallError::NotAnObject);
        };
        let required =
            |parameter| text(&object, parameter)?.ok_or(ScriptCallError::NotAString { parameter });
        let (skill, script) = (required("skill_name")?, required("script_name")?);
        Ok(Self { skill, script, arguments: text(&object, "script_args")?.unwrap_or_default() })
    }
}

fn text(
    object: &Map<String, Value>,
    parameter: &'static str,
) -> Result<Option<String>, ScriptCallError> {
    match object.get(parameter) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(ScriptCallError::NotAString { parameter }),
    }
}
