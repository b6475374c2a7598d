//! A complete agent: system prompt, tools, and the loop that answers the model's calls.
//!
//! The model is a script (`model.rs`), so the program needs no network and always prints
//! `transcript.txt`.
//!
//! The skills are in `skills/`, `helix.skills.json` names them, and `skills sync` wrote the
//! lockfile and the listings. `include_skills!` verified them at compile time, so the program opens
//! no files and no connections.
//!
//! To write your own agent, copy the part between the two rulers.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod conversation;
mod model;
mod own_tools;

use conversation::{Call, Message, show};
use model::Model;
use std::error;

// ── from here ────────────────────────
use helix_skills::{Error, Event, ToolFormat, Toolbox, include_skills, search::SearchMode};
use serde_json::{Value, json};

include_skills!(mod skills);

const _: () = assert!(skills::CATALOG_TOKENS <= 500, "the catalog is over its budget");

/// Returns a toolbox with all skills, one of them preloaded, and a search tool.
fn toolbox() -> Result<Toolbox<'static>, Error> {
    Toolbox::builder(skills::SKILLS)
        .preload(&[skills::COMMIT_MESSAGES])
        .search(SearchMode::ToolAndList)
        .build()
}

fn system_prompt(toolbox: &Toolbox<'_>) -> String {
    format!("You are an agent that helps with a repository.\n\n{}", toolbox.catalog())
}

/// Returns the definitions of the tools in the form that the model's API expects.
fn definitions(toolbox: &Toolbox<'_>) -> Result<Vec<Value>, Error> {
    let ours = toolbox.tools(own_tools::NAMES)?.map(|tool| json!(tool.json(ToolFormat::Anthropic)));
    Ok(ours.chain(own_tools::definitions()).collect())
}

/// Answers a call. A wrong call gets an answer, too: its text names the valid options.
fn answer(toolbox: &Toolbox<'_>, call: &Call) -> Vec<Message> {
    let Some(reply) = toolbox.call(&call.tool, &call.arguments) else {
        return vec![own_tools::answer(call)];
    };
    if let Some(event @ Event::SkillLoaded { name }) = reply.event() {
        // For the user interface; the model does not see it.
        println!("  * event: {}\n", json!({ "type": event.kind(), "name": name }));
    }
    let (call, text, is_error) = (call.id.clone(), reply.to_string(), reply.is_error());
    let mut messages = vec![Message::Result { call, text, is_error }];
    messages.extend(reply.message().map(|message| Message::User(message.to_string())));
    messages
}
// ── to here ──────────────────────────

fn main() -> Result<(), Box<dyn error::Error>> {
    let toolbox = toolbox()?;
    let tools = definitions(&toolbox)?;
    for tool in &tools {
        println!("  tool {}: {}\n", tool["name"], tool["description"]);
    }

    let mut conversation =
        vec![Message::System(system_prompt(&toolbox)), Message::User(model::TASK.into())];
    conversation.iter().for_each(show);
    let mut model = Model::default();
    loop {
        let turn = model.complete(&conversation, &tools)?;
        let calls = turn.calls.clone();
        say(&mut conversation, Message::Assistant(turn));
        if calls.is_empty() {
            return Ok(());
        }
        for call in &calls {
            answer(&toolbox, call).into_iter().for_each(|message| say(&mut conversation, message));
        }
    }
}

fn say(conversation: &mut Vec<Message>, message: Message) {
    show(&message);
    conversation.push(message);
}
