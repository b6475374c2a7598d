//! An agent of the framework rig with the tools and the catalog of a toolbox.
//!
//! The model is a script (`model.rs`); the loop and the calls of tools are rig's. The program
//! prints `transcript.txt`.
//!
//! To write your own agent, copy the part between the two rulers.

mod model;

// ── from here ────────────────────────
use helix_skills::{Event, Tool, Toolbox, include_skills, search::SearchMode};
use rig::agent::{Agent, AgentBuilder};
use rig::core::{DynModel, operation::Completion};
use rig::message::ToolName;
use rig::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use std::error::Error;

include_skills!(mod skills, "../agent");

/// Converts the tools of a toolbox to rig's.
fn tools(toolbox: Toolbox<'static>) -> Result<Vec<DynamicTool>, Box<dyn Error>> {
    let tool = |tool: Tool<'static>| {
        let name = ToolName::new(tool.name())?;
        let description = tool.description();
        let parameters = serde_json::to_value(tool.parameters())?;
        Ok(DynamicTool::new(name, description, parameters, move |arguments| {
            Box::pin(async move {
                let arguments = arguments.to_string();
                let reply = tool.call(&arguments);
                forward(reply.event());
                let text = reply.to_string();
                match reply.is_error() {
                    true => {
                        Err(ToolExecutionError::new(ToolErrorKind::InvalidArgs, text))
                    }
                    false => Ok(ToolOutput::text(text)),
                }
            })
        }))
    };
    toolbox.tools([])?.map(tool).collect()
}

/// Sends an event to the user interface, which here is the terminal.
fn forward(event: Option<Event<'_>>) {
    if let Some(event @ Event::SkillLoaded { name }) = event {
        println!("── event\n\n{}: {name}\n", event.kind());
    }
}

fn agent(model: impl Into<DynModel<Completion>>) -> Result<Agent, Box<dyn Error>> {
    let toolbox = Toolbox::builder(skills::SKILLS).search(SearchMode::ToolAndList);
    let toolbox = toolbox.build()?;
    let preamble = format!("You help with a repository.\n\n{}", toolbox.catalog());
    let tools = tools(toolbox)?;
    let agent = AgentBuilder::new(model).preamble(preamble).dynamic_tools(tools);
    Ok(agent.default_max_turns(10).build())
}
// ── to here ──────────────────────────

fn main() -> Result<(), Box<dyn Error>> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let response = runtime.block_on(async {
        Ok::<_, Box<dyn Error>>(agent(model::scripted())?.prompt(model::TASK).await?)
    })?;
    println!("── answer\n\n{}", response.output());
    Ok(())
}
