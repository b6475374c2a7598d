//! A skill as a function of the program. To write your own, copy the part between the two rulers.

// ── from here ────────────────────────
use helix_skills::run::{Model, Run, RunEvent, ToolCall, ToolDefinition, Tools, TypedSkill};
use helix_skills::{Error, include_skills, provider::BoxFuture};
use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};

include_skills!(mod skills, dir = "skills");

/// The input of the skill: `$number` and `$title` in its body.
#[derive(Serialize, Deserialize)]
pub(crate) struct Issue {
    pub(crate) number: u32,
    pub(crate) title: String,
}

/// The result, regardless of what else the model says.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Verdict {
    pub(crate) severity: Severity,
    /// The number of the issue that this one repeats.
    pub(crate) repeats: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    Low,
    High,
}

/// Runs the skill for an untrusted request: either an [`Issue`], or an error that names the invalid
/// field.
pub(crate) async fn triage(model: &impl Model, request: &str) -> Result<Verdict, Error> {
    let skill = TypedSkill::<Issue>::new(skills::TRIAGE);
    skill.run_json(request)?.tools(Tracker).watch(&forward).typed(model).await
}

/// Runs the same skill for a caller that has an issue and wants a sentence.
pub(crate) async fn reply(model: &impl Model, issue: &Issue) -> Result<String, Error> {
    let run = Run::new(skills::TRIAGE).input(issue)?.tools(Tracker).max_turns(2);
    run.watch(&forward).text(model).await
}

/// Sends an event to the user interface, which here is the terminal.
fn forward(event: RunEvent<'_>) {
    let RunEvent::Event(event) = event else { return };
    println!("event: {}\n", serde_json::to_string(&event).unwrap_or_default());
}
// ── to here ──────────────────────────

/// The tools of the agent; the skill may use one of them.
struct Tracker;

#[derive(Deserialize, JsonSchema)]
struct Search {
    words: String,
}

const OPEN: [(u32, &str); 2] = [(7, "The export stops at 4 GB"), (12, "Dark mode")];

impl Tools for Tracker {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let parameters = schema_for!(Search).as_value().to_string();
        let tool =
            |name: &str, description: &str| ToolDefinition::new(name, description, &*parameters);
        vec![
            tool("search_issues", "Finds open issues by words."),
            tool("close_issue", "Closes issues, by words."),
        ]
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async {
            let Search { words } = serde_json::from_str(&call.arguments)?;
            let words: Vec<_> = words.split_whitespace().map(str::to_lowercase).collect();
            let says =
                |title: &str| words.iter().any(|word| title.to_lowercase().contains(word.as_str()));
            let found = OPEN
                .iter()
                .filter(|(_, title)| says(title))
                .map(|(number, title)| format!("{number}: {title}\n"));
            Ok(found.collect())
        })
    }
}
