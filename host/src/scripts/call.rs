//! The arguments of a call by a model.

use super::ScriptProblem;
use crate::Error;
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
    pub fn from_json(arguments: &str) -> Result<Self, Error> {
        let Ok(Value::Object(object)) = serde_json::from_str(arguments) else {
            return Err(ScriptProblem::NotAnObject.into());
        };
        let required =
            |parameter| text(&object, parameter)?.ok_or(ScriptProblem::NotAString { parameter });
        let (skill, script) = (required("skill_name")?, required("script_name")?);
        Ok(Self { skill, script, arguments: text(&object, "script_args")?.unwrap_or_default() })
    }
}

fn text(
    object: &Map<String, Value>,
    parameter: &'static str,
) -> Result<Option<String>, ScriptProblem> {
    match object.get(parameter) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(ScriptProblem::NotAString { parameter }),
    }
}
