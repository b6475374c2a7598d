//! An agent of the framework rig with the tools and the catalog of a toolbox.
//!
//! The model is a script (`model.rs`); the loop and the calls of tools are rig's. The program
//! prints `transcript.txt`.
//!
//! To write your own agent, copy the part between the two rulers.

mod model;

// ── from here ────────────────────────
use helix_skills::{Event, Toolbox, include_skills, search::SearchMode};
use helix_skills_rig::{AgentBuilderExt, Skills};
use rig::agent::{Agent, AgentBuilder};
use rig::{DynModel, operation::Completion};

include_skills!(mod skills, "../agent");

fn agent(
    model: impl Into<DynModel<Completion>>,
) -> Result<Agent, helix_skills::Error> {
    let toolbox = Toolbox::builder(skills::SKILLS).search(SearchMode::ToolAndList);
    let skills = Skills::from(toolbox.build()?).on_event(|event, _| {
        // The user interface, which here is the terminal.
        if let Event::SkillLoaded { name } = event {
            println!("── event\n\n{}: {name}\n", event.kind());
        }
    });
    let agent = AgentBuilder::new(model).preamble("You help with a repository.");
    Ok(agent.skills(skills).default_max_turns(10).build())
}
// ── to here ──────────────────────────

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let agent = agent(model::scripted())?;
    let response = runtime.block_on(async { agent.prompt(model::TASK).await })?;
    println!("── answer\n\n{}", response.output());
    Ok(())
}
