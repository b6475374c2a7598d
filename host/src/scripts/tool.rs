//! The definition of the tool.

use super::ScriptRunner;
use helix_skills_runtime::Toolbox;
use serde_json::{Value, json};

/// `skill_run_script` as a model is told of it, for the skills of one toolbox.
///
/// ```
/// use helix_skills_host::ScriptRunner;
/// use helix_skills::{Skill, SkillSet, Toolbox, skill_set};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let scripts = ScriptRunner::new();
/// let tool = scripts.tool(Toolbox::new(SKILLS));
/// assert_eq!(tool.name(), "skill_run_script");
/// assert_eq!(tool.parameters()["required"], serde_json::json!(["skill_name", "script_name"]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ScriptTool<'a> {
    runner: &'a ScriptRunner,
    toolbox: Toolbox<'a>,
}

impl<'a> ScriptTool<'a> {
    /// The name, which no tool of the agent may have.
    pub const NAME: &'static str = "skill_run_script";

    pub(super) const fn new(runner: &'a ScriptRunner, toolbox: Toolbox<'a>) -> Self {
        Self { runner, toolbox }
    }

    /// The name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Whether there is anything to run: without skills there is no tool.
    #[must_use]
    pub fn is_needed(&self) -> bool {
        !self.toolbox.view().is_empty()
    }

    /// What the tool does, for the model.
    #[must_use]
    pub fn description(&self) -> String {
        let endings: Vec<_> = self.runner.interpreters.keys().map(|extension| format!(".{extension}")).collect();
        format!(
            "Run a script of a skill ({}), where the skill's instructions mention it, and get what it prints and how it ended. It runs in \
             the directory of the skill, for {} seconds at most; there is nobody to answer its questions.",
            endings.join(", "),
            self.runner.time_limit.as_secs().max(1),
        )
    }

    /// The parameters, as a JSON Schema of type `object`.
    #[must_use]
    pub fn parameters(&self) -> Value {
        let mut skill = json!({"type": "string", "description": "The name of the skill."});
        if self.toolbox.lists_skills() {
            skill["enum"] = self.toolbox.view().names().collect();
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
}
