//! The adapter that the guide shows, for an agent without this crate.

use crate::api::{Api, Turn, WIRES, call};
use helix_skills_host::Directories;
use serde_json::json;

// ── from here ────────────────────────
use helix_skills::{AsyncToolbox, Provider};
use rig::message::ToolName;
use rig::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;
use std::{error::Error, sync::Arc};

/// The tools of a toolbox. `own` has the names of the agent's other tools.
fn tools<P: Provider + 'static>(
    toolbox: &Arc<AsyncToolbox<P>>,
    own: &[&str],
) -> Result<Vec<DynamicTool>, Box<dyn Error>> {
    let mut tools = Vec::new();
    for tool in toolbox.tools(own.iter().copied())? {
        let (toolbox, called) = (Arc::clone(toolbox), tool.name.clone());
        let answer = move |arguments: Value| {
            let (toolbox, called) = (Arc::clone(&toolbox), called.clone());
            Box::pin(async move {
                let reply = toolbox.call(&called, &arguments.to_string()).await;
                let reply = reply.expect("a tool of the toolbox");
                let text = reply.to_string();
                // The model reads either text. A failed call does not end the loop.
                match reply.is_error() {
                    false => Ok(ToolOutput::text(text)),
                    true => Err(ToolExecutionError::new(ToolErrorKind::Other, text)),
                }
            }) as _
        };
        let name = ToolName::new(tool.name)?;
        let parameters = serde_json::from_str(&tool.parameters)?;
        tools.push(DynamicTool::new(name, tool.description, parameters, answer));
    }
    Ok(tools)
}
// ── to here ──────────────────────────

// ── from here ────────────────────────
use rig::agent::{Agent, AgentBuilder};
use rig::{DynModel, operation::Completion};

fn agent<P: Provider + 'static>(
    model: impl Into<DynModel<Completion>>,
    toolbox: AsyncToolbox<P>,
) -> Result<Agent, Box<dyn Error>> {
    let toolbox = Arc::new(toolbox);
    let agent = AgentBuilder::new(model)
        .preamble(format!("You help sailors.\n\n{}", toolbox.catalog()))
        .dynamic_tools(tools(&toolbox, &["get_weather"])?)
        .default_max_turns(10);
    Ok(agent.build())
}
// ── to here ──────────────────────────

#[tokio::test]
async fn adapter_of_the_guide_answers_calls() {
    let root = tempfile::tempdir().unwrap();
    let skill = root.path().join("tides");
    std::fs::create_dir(&skill).unwrap();
    let text = "---\nname: tides\ndescription: Tide tables.\n---\nAsk the harbor.\n";
    std::fs::write(skill.join("SKILL.md"), text).unwrap();
    for wire in WIRES {
        let turns = [
            call("a", "load_skill", json!({ "name": "tide" })),
            call("b", "load_skill", json!({ "name": "tides" })),
            Turn::Text("Done."),
        ];
        let api = Api::start(wire, turns);
        let directories = Directories::new().root(root.path());
        let toolbox = AsyncToolbox::builder(directories).build().await.unwrap();
        let agent = agent(api.model(), toolbox).unwrap();
        assert_eq!(agent.prompt("Go.").await.unwrap().output(), "Done.");
        let requests = api.requests();
        assert!(requests[0].system().contains("\n- tides: Tide tables."));
        let wrong = &requests[1].results()[0];
        assert_eq!(wrong.text, "there is no skill `tide`; did you mean `tides`?");
        assert_eq!(wrong.is_error, requests[1].marks_errors());
        let results = requests[2].results();
        let body = &results.last().unwrap().text;
        assert_eq!(body, "<skill name=\"tides\">\nAsk the harbor.\n</skill>");
    }
}
