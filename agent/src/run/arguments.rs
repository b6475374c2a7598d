//! Conversion of arguments to the JSON object that a contract checks.

use super::{Mismatch, Shape, json::object};
use alloc::{
    borrow::{Cow, ToOwned},
    format,
    string::{String, ToString},
    vec::Vec,
};
use helix_skills_runtime::{
    __internal::{GivenArguments, TokenMode, given, token_mode, tokenize},
    Arguments, Profile, Skill,
};
use serde_json::{Map, Value};

impl Shape {
    /// Checks the arguments that `skill` is called with.
    pub(crate) fn check_arguments(
        &self,
        skill: &Skill,
        arguments: Arguments<'_>,
        profile: Profile,
    ) -> Result<(), Mismatch> {
        let names: Vec<&str> = skill.arguments().iter().collect();
        let mode = token_mode(profile);
        self.check_text(&arguments_object(self.schema(), &names, mode, arguments)?)
    }
}

/// Returns an error that names the first declared argument without a value, if any. If there is a
/// contract, only the arguments that it requires need a value.
pub(super) fn check_declared(
    skill: &Skill,
    mode: TokenMode,
    arguments: Arguments<'_>,
    contract: Option<&Shape>,
) -> Result<(), Mismatch> {
    let names: Vec<&str> = skill.arguments().iter().collect();
    // Without types, each word is a string. If there are too many values, each name has one.
    let values = arguments_object("{}", &names, mode, arguments).ok();
    let members = values.as_deref().and_then(|values| object(values).ok());
    let Some(members) = members else { return Ok(()) };
    let schema =
        contract.and_then(|contract| serde_json::from_str::<Value>(contract.schema()).ok());
    let needs_value = |name: &str| match &schema {
        Some(schema) => schema["required"].as_array().is_some_and(|required| {
            required.iter().any(|required| required == name) && !members.contains_key(name)
        }),
        None => members.get(name).is_none_or(|value| value.get() == "null"),
    };
    match names.iter().find(|name| needs_value(name)) {
        Some(name) => {
            Err(Mismatch::new(*name, "the skill declares this argument, and it is missing"))
        }
        None => Ok(()),
    }
}

/// Returns the text of an object whose keys are the declared `names`. An object is returned
/// unchanged.
fn arguments_object<'a>(
    schema: &str,
    names: &[&str],
    mode: TokenMode,
    arguments: Arguments<'a>,
) -> Result<Cow<'a, str>, Mismatch> {
    let words = |text: &str| -> Vec<Value> {
        let schema: Value = serde_json::from_str(schema).unwrap_or_default();
        let kind = |at: usize| {
            names.get(at).map_or(&Value::Null, |name| &schema["properties"][name]["type"])
        };
        let words = tokenize(text, mode).into_iter().enumerate();
        words.map(|(at, word)| word_value(kind(at), word)).collect()
    };
    let values = match given(&arguments) {
        GivenArguments::None => Vec::new(),
        GivenArguments::Text(text) => words(text),
        GivenArguments::Json(json) => match serde_json::from_str(json) {
            Ok(Value::Object(_)) => return Ok(json.into()),
            Ok(Value::Null) => Vec::new(),
            Ok(Value::String(text)) => words(&text),
            Ok(Value::Array(items)) => items,
            Ok(scalar) => alloc::vec![scalar],
            Err(error) => return Err(Mismatch::whole(error.to_string())),
        },
    };
    if values.len() > names.len() {
        return Err(Mismatch::whole(too_many(names)));
    }
    let object: Map<String, Value> =
        names.iter().map(|name| (*name).to_owned()).zip(values).collect();
    Ok(Value::Object(object).to_string().into())
}

/// Converts a word to a number or a boolean if its schema has that type, and not the type string.
fn word_value(kind: &Value, word: String) -> Value {
    let is = |name: &str| {
        kind == name || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == name))
    };
    match serde_json::from_str(&word) {
        Ok(Value::Number(number)) if !is("string") && (is("integer") || is("number")) => {
            number.into()
        }
        Ok(Value::Bool(flag)) if !is("string") && is("boolean") => flag.into(),
        _ => word.into(),
    }
}

fn too_many(names: &[&str]) -> String {
    match names {
        [] => "expected one JSON object: the skill declares no `arguments` for words".to_owned(),
        names => {
            format!(
                "more values than the arguments `{}`: quote a value of several words",
                names.join("`, `")
            )
        }
    }
}
