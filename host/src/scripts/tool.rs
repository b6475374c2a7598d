//! The toolbox tool that runs scripts.

use super::ScriptRunner;
use crate::{Error, ErrorKind};
use helix_skills_agent::{__internal::Scripts, BoxFuture, ProviderError, run::ToolDefinition};
use helix_skills_runtime::{
    __internal::{Excerpt, TokenMode, closest, has_names, tokenize},
    Profile, Skill, Toolbox,
};
use serde_json::{Value, json};

/// Maximum number of parameters that are compared with one that is absent.
const MAX_COMPARED: usize = 16;

/// A call of the tool by a model.
pub(super) struct ScriptCall {
    /// The name of the skill.
    pub(super) skill: String,
    /// The file in `scripts/`, with or without that directory.
    pub(super) script: String,
    pub(super) arguments: Vec<String>,
}

/// Returns the parameters for the skill, the script and its arguments.
const fn parameter_names(profile: Profile) -> [&'static str; 3] {
    match profile {
        Profile::SkillUse => ["skill_name", "script_name", "script_args"],
        _ => ["skill", "path", "arguments"],
    }
}

impl ScriptCall {
    /// Parses a JSON object with the skill, the script and optionally arguments: an array, or one
    /// text. Ignores unknown parameters, because models invent some, unless a parameter is absent,
    /// and one resembles it or its name in another profile. For a required parameter, one that
    /// resembles none is an error, too.
    fn from_json(profile: Profile, arguments: &str) -> Result<Self, Error> {
        let Ok(Value::Object(object)) = serde_json::from_str(arguments) else {
            return Err(unreadable("the arguments must be a JSON object".to_owned()));
        };
        let names = parameter_names(profile);
        let all = [Profile::Helix, Profile::SkillUse].map(parameter_names);
        // Returns the position of the parameter that an unknown key resembles most.
        let meant = |key: &str| {
            let name = *closest(key, &mut all.as_flattened().iter().copied()).first()?;
            all.iter().find_map(|names| names.iter().position(|it| *it == name))
        };
        let find = |at: usize, is_required: bool| {
            let found = object.get(names[at]).filter(|value| !value.is_null());
            let is_candidate = |key: &&String| {
                !names.contains(&&***key) && meant(key).map_or(is_required, |it| it == at)
            };
            let keys = object.keys().take(MAX_COMPARED).filter(is_candidate);
            match keys.min_by_key(|key| meant(key).is_none()).filter(|_| found.is_none()) {
                Some(key) => {
                    let (key, name) = (Excerpt(key), names[at]);
                    Err(unreadable(format!("unknown parameter `{key}`; did you mean `{name}`?")))
                }
                None => Ok(found),
            }
        };
        let required = |at: usize| {
            let missing = || unreadable(format!("`{}` is missing", names[at]));
            text(find(at, true)?.ok_or_else(missing)?, names[at], "a string")
        };
        // The script first: its wrong name may be any word, and one of the skill is recognized.
        let (script, skill) = (required(1)?, required(0)?);
        let is_text = profile == Profile::SkillUse;
        let expected = if is_text { "a string" } else { "an array of strings" };
        let argument = |value| text(value, names[2], expected);
        let arguments = match find(2, false)? {
            None => Vec::new(),
            Some(Value::Array(list)) => list.iter().map(argument).collect::<Result<_, _>>()?,
            Some(line) => tokenize(&argument(line)?, TokenMode::Posix),
        };
        Ok(Self { skill, script, arguments })
    }
}

fn text(value: &Value, parameter: &str, expected: &str) -> Result<String, Error> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(unreadable(format!("`{parameter}` must be {expected}"))),
    }
}

fn unreadable(why: String) -> Error {
    Error::of_call(ErrorKind::Invalid, format!("cannot read the call: {why}"))
}

/// The tool `skill_run_script {"skill", "path", "arguments"}`; in the profile `SkillUse`,
/// `{"skill_name", "script_name", "script_args"}`.
impl Scripts for ScriptRunner {
    fn name(&self) -> &'static str {
        "skill_run_script"
    }

    fn tool(&self, toolbox: Toolbox<'_>) -> ToolDefinition {
        ToolDefinition::new(self.name(), self.description(), parameters(toolbox).to_string())
    }

    fn skill(&self, profile: Profile, arguments: &str) -> Result<String, ProviderError> {
        Ok(ScriptCall::from_json(profile, arguments)?.skill)
    }

    fn run<'s>(
        &'s self,
        skill: &'s Skill,
        directory: BoxFuture<'s, Option<String>>,
        profile: Profile,
        arguments: &'s str,
    ) -> BoxFuture<'s, String> {
        Box::pin(async move {
            let call = ScriptCall::from_json(profile, arguments)?;
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
    let [skill_name, script_name, arguments_name] = parameter_names(toolbox.profile());
    let script = "The file in the skill's directory `scripts`, such as count.sh.";
    let arguments = match toolbox.profile() {
        Profile::SkillUse => json!({
            "type": "string",
            "description": "Command-line arguments. Quote those that contain spaces. No shell interprets them.",
        }),
        _ => json!({
            "type": "array",
            "items": {"type": "string"},
            "description": "Command-line arguments, one per item. No shell interprets them.",
        }),
    };
    json!({
        "type": "object",
        "properties": {
            skill_name: skill,
            script_name: {"type": "string", "description": script},
            arguments_name: arguments,
        },
        "required": [skill_name, script_name],
        "additionalProperties": false,
    })
}
