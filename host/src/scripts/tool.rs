//! The tool of a toolbox that runs scripts.

use super::{ScriptCall, ScriptRunner};
use helix_skills_agent::{Pending, ProviderError, live::Scripts, run::ToolDefinition};
use helix_skills_runtime::{SkillBuf, Toolbox};
use serde_json::{Value, json};

/// The tool `skill_run_script {"skill_name", "script_name", "script_args"}`.
///
/// ```
/// use helix_skills_host::ScriptRunner;
/// use helix_skills::{Skill, SkillSet, Toolbox, live::Scripts, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let tool = ScriptRunner::new().tool(Toolbox::new(SKILLS));
/// assert_eq!(tool.name, "skill_run_script");
/// assert!(tool.parameters.contains(r#""required":["skill_name","script_name"]"#));
/// ```
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
        skill: &'s SkillBuf,
        directory: Pending<'s, Option<String>>,
        arguments: &'s str,
    ) -> Pending<'s, String> {
        Box::pin(async move {
            let call = ScriptCall::from_json(arguments)?;
            Ok(self.answer(skill, directory, &call).await?.to_string())
        })
    }
}

impl ScriptRunner {
    fn description(&self) -> String {
        let endings: Vec<_> =
            self.interpreters.keys().map(|extension| format!(".{extension}")).collect();
        format!(
            "Run a script of a skill ({}), where the skill's instructions mention it, and get what it prints and how it ended. It runs in \
             the directory of the skill, for {} seconds at most; there is nobody to answer its questions.",
            endings.join(", "),
            self.time_limit.as_secs().max(1),
        )
    }
}

/// The parameters, as a JSON Schema of type `object`.
fn parameters(toolbox: Toolbox<'_>) -> Value {
    let mut skill = json!({"type": "string", "description": "The name of the skill."});
    if toolbox.lists_skills() {
        skill["enum"] = toolbox.view().names().collect();
    }
    json!({
        "type": "object",
        "properties": {
            "skill_name": skill,
            "script_name": {"type": "string", "description": "The file in the skill's directory `scripts`, as count.sh."},
            "script_args": {
                "type": "string",
                "description": "Arguments, as they are typed after a command: in quotes where one holds blanks. No shell reads them.",
            },
        },
        "required": ["skill_name", "script_name"],
        "additionalProperties": false,
    })
}
