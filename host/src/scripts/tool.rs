//! The toolbox tool that runs scripts.

use super::ScriptRunner;
use crate::{Error, ErrorKind};
use helix_skills_agent::{__internal::Scripts, BoxFuture, ProviderError, run::ToolDefinition};
use helix_skills_runtime::{
    __internal::{TokenMode, has_names, tokenize},
    Skill, Toolbox,
};
use serde_json::{Value, json};

/// A call of the tool by a model.
pub(super) struct ScriptCall {
    /// The name of the skill.
    pub(super) skill: String,
    /// The file in `scripts/`, with or without that directory.
    pub(super) script: String,
    pub(super) arguments: Vec<String>,
}

impl ScriptCall {
    /// Parses a JSON object with `skill_name`, `script_name` and optionally `script_args`. Unknown
    /// parameters are ignored, because models invent some.
    fn from_json(arguments: &str) -> Result<Self, Error> {
        let Ok(Value::Object(object)) = serde_json::from_str(arguments) else {
            return Err(unreadable("the arguments must be a JSON object".to_owned()));
        };
        let required = |parameter: &str| {
            let value = object.get(parameter).filter(|value| !value.is_null());
            text(value.ok_or_else(|| unreadable(format!("`{parameter}` is missing")))?, parameter)
        };
        let (skill, script) = (required("skill_name")?, required("script_name")?);
        let arguments = match object.get("script_args") {
            None | Some(Value::Null) => Vec::new(),
            // Models also pass the arguments one by one.
            Some(Value::Array(list)) => {
                list.iter().map(|value| text(value, "script_args")).collect::<Result<_, _>>()?
            }
            Some(line) => tokenize(&text(line, "script_args")?, TokenMode::Posix),
        };
        Ok(Self { skill, script, arguments })
    }
}

fn text(value: &Value, parameter: &str) -> Result<String, Error> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(unreadable(format!("`{parameter}` must be a string"))),
    }
}

fn unreadable(why: String) -> Error {
    Error::of_call(ErrorKind::Invalid, format!("cannot read the call: {why}"))
}

/// The tool `skill_run_script {"skill_name", "script_name", "script_args"}`.
impl Scripts for ScriptRunner {
    fn name(&self) -> &'static str {
        "skill_run_script"
    }

    fn tool(&self, toolbox: Toolbox<'_>) -> ToolDefinition {
        ToolDefinition::new(self.name(), self.description(), parameters(toolbox).to_string())
    }

    fn skill(&self, arguments: &str) -> Result<String, ProviderError> {
        Ok(ScriptCall::from_json(arguments)?.skill)
    }

    fn run<'s>(
        &'s self,
        skill: &'s Skill,
        directory: BoxFuture<'s, Option<String>>,
        arguments: &'s str,
    ) -> BoxFuture<'s, String> {
        Box::pin(async move {
            let call = ScriptCall::from_json(arguments)?;
            Ok(self.run_call(skill, directory, &call).await?)
        })
    }
}

impl ScriptRunner {
    fn description(&self) -> String {
        let endings: Vec<_> =
            self.interpreters.keys().map(|extension| format!(".{extension}")).collect();
        format!(
            "Run a script of a skill ({}) when the skill's instructions mention it, and get its output and exit status. It runs in \
             the skill's directory, for at most {} seconds and without input.",
            endings.join(", "),
            self.time_limit.as_secs().max(1),
        )
    }
}

/// Returns the parameters as a JSON Schema of type `object`.
fn parameters(toolbox: Toolbox<'_>) -> Value {
    let mut skill = json!({"type": "string", "description": "The name of the skill."});
    if has_names(&toolbox, None) {
        skill["enum"] = toolbox.skills().map(|skill| skill.name()).collect();
    }
    json!({
        "type": "object",
        "properties": {
            "skill_name": skill,
            "script_name": {"type": "string", "description": "The file in the skill's directory `scripts`, such as count.sh."},
            "script_args": {
                "type": "string",
                "description": "Command-line arguments. Quote those that contain spaces. No shell interprets them.",
            },
        },
        "required": ["skill_name", "script_name"],
        "additionalProperties": false,
    })
}
