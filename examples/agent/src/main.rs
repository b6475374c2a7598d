//! A complete agent: system prompt, tools, and the loop that answers the model's calls. Only the model is made up: what it
//! says is written down in `model.rs`, so that the program needs no network and says the same every time.
//!
//! The skills lie in `skills/`, `helix.skills.json` names them, `skills sync` wrote the lock and the listings, and
//! `include_skills!` proved all of it when this program was compiled. It opens no file and no connection.
//!
//! What an agent of your own has to copy stands between the two rulers; `transcript.txt` is what this one prints.
#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

mod conversation;
mod model;
mod own_tools;

use conversation::{Call, Message, show};
use model::Model;
use std::error::Error;

// ── from here ───────────────────────────────────────────────────────────────────────────────────────────────────
use helix_skills::{Event, Toolbox, ToolboxError, include_skills, search::SearchMode};
use serde_json::{Value, json};

include_skills!(mod skills);

const _: () =
    assert!(skills::CATALOG_TOKENS <= 500, "the catalog costs more than this agent has to spare");

/// The skills of this agent: all of them, one with its body in the prompt already, and a tool to search.
fn toolbox() -> Result<Toolbox<'static>, ToolboxError> {
    Toolbox::builder(skills::SKILLS)
        .preload(&[skills::COMMIT_MESSAGES])
        .search(SearchMode::ToolAndList)
        .build()
}

fn system_prompt(toolbox: &Toolbox<'_>) -> String {
    format!("You are an agent that helps with a repository.\n\n{}", toolbox.catalog())
}

/// What the model is told of the tools, in the form that its interface wants.
fn definitions(toolbox: &Toolbox<'_>) -> Result<Vec<Value>, ToolboxError> {
    let ours = toolbox.tools(own_tools::NAMES)?.map(|tool| {
        let schema: Value = serde_json::from_str(&tool.parameters().to_string()).expect("a JSON schema");
        json!({ "name": tool.name(), "description": tool.description().to_string(), "input_schema": schema })
    });
    Ok(ours.chain(own_tools::definitions()).collect())
}

/// The answer to a call. One that went wrong is answered, too: the text tells the model what there is instead.
fn answer(toolbox: &Toolbox<'_>, call: &Call) -> Vec<Message> {
    let Some(reply) = toolbox.call(&call.tool, &call.arguments) else {
        return vec![own_tools::answer(call)];
    };
    if let Some(Event::SkillLoaded { name }) = reply.event() {
        println!("  * skill loaded: {name}\n"); // for whoever watches; the model does not see it
    }
    let mut messages = vec![Message::Result {
        call: call.id.clone(),
        text: reply.to_string(),
        is_error: reply.is_error(),
    }];
    messages.extend(reply.message().map(|message| Message::User(message.to_string()))); // `Profile::SkillUse` has one
    messages
}
// ── to here ─────────────────────────────────────────────────────────────────────────────────────────────────────

fn main() -> Result<(), Box<dyn Error>> {
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
