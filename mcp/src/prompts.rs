//! Skills that a user can invoke, as prompts.

use helix_skills_runtime::{Arguments, Error, Skill, Toolbox};
use rmcp::model::{JsonObject, Prompt, PromptArgument};
use serde_json::Value as Json;

/// The argument of a skill that declares no names.
const ALL: &str = "arguments";

/// Returns a prompt for each skill that a user can invoke.
pub(crate) fn list(toolbox: Toolbox<'_>) -> Vec<Prompt> {
    let prompt = |skill: &Skill| {
        Prompt::new(skill.name(), Some(skill.description()), Some(arguments(skill)))
    };
    toolbox.slash_skills().map(prompt).collect()
}

/// Returns the declared arguments, or one for the text of all. None is required, as in a slash
/// command.
fn arguments(skill: &Skill) -> Vec<PromptArgument> {
    let hint = skill.argument_hint();
    let argument = |name: &str| PromptArgument::new(name).with_required(false);
    if skill.arguments().is_empty() {
        let about = hint.unwrap_or("Text for the skill");
        return vec![argument(ALL).with_description(about)];
    }
    let describe = |argument: PromptArgument| match hint {
        Some(hint) => argument.with_description(hint),
        None => argument,
    };
    skill.arguments().iter().map(|name| describe(argument(name))).collect()
}

/// The arguments of a request.
pub(crate) enum Given {
    Text(String),
    /// The text of a JSON object.
    Object(String),
}

impl Given {
    /// Reads the arguments of a request for `prompt`.
    ///
    /// # Errors
    /// If the prompt has no argument of that name, or a value is not a text.
    pub(crate) fn new(prompt: &Prompt, mut arguments: JsonObject) -> Result<Self, String> {
        let known = prompt.arguments.iter().flatten().map(|argument| &*argument.name);
        for (name, value) in &arguments {
            if !known.clone().any(|known| known == name) {
                let names: Vec<_> = known.map(|name| format!("`{name}`")).collect();
                return Err(format!(
                    "the prompt `{}` has no argument `{name}`: its arguments are {}",
                    prompt.name,
                    names.join(", ")
                ));
            }
            if !value.is_string() {
                return Err(format!("the argument `{name}` must be a string"));
            }
        }
        let is_all = prompt.arguments.iter().flatten().all(|argument| argument.name == ALL);
        Ok(match arguments.remove(ALL) {
            Some(Json::String(text)) if is_all => Self::Text(text),
            _ if is_all => Self::Text(String::new()),
            value => {
                arguments.extend(value.map(|value| (ALL.to_owned(), value)));
                Self::Object(Json::Object(arguments).to_string())
            }
        })
    }

    pub(crate) fn as_arguments(&self) -> Result<Arguments<'_>, Error> {
        match self {
            Self::Text(text) => Ok(Arguments::text(text)),
            Self::Object(json) => Arguments::json(json),
        }
    }
}
