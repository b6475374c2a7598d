//! An agent that talks to a model over HTTP, in the API of Anthropic or of OpenAI.
//!
//! ```text
//! ANTHROPIC_API_KEY=… cargo run -p helix-skills-example-http-agent -- anthropic MODEL TASK
//! OPENAI_API_KEY=… cargo run -p helix-skills-example-http-agent -- openai MODEL TASK
//! ```
//!
//! `ANTHROPIC_BASE_URL` and `OPENAI_BASE_URL` name another server, such as
//! `http://localhost:11434/v1` of Ollama, which needs no key. A task that starts with `/NAME` runs
//! that skill as a task of its own.
//!
//! To write your own agent, copy `provider.rs` and the part between the two rulers.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is what an example is for"
)]

mod provider;

use provider::{Api, Provider, Result};
use std::{env, process::ExitCode};

// ── from here ────────────────────────
use helix_skills::run::{Message, Model, Run, ToolDefinition};
use helix_skills::{Profile, Toolbox, include_skills, toolbox::SlashCommand};

include_skills!(mod skills, "../agent");

const SYSTEM: &str = "You help with a repository.";
const MAX_TURNS: usize = 20;

/// Answers a message of the user.
async fn answer(model: &impl Model, message: &str) -> Result<String> {
    let command = SlashCommand::parse(message, Profile::Helix);
    let run = command.and_then(|command| {
        let skill = skills::SKILLS.get(command.name())?;
        Some(Run::new(skill.clone()).arguments(command.arguments()))
    });
    match run {
        Some(run) => Ok(run.system(SYSTEM).tools(skills::TOOLBOX).text(model).await?),
        None => converse(model, &skills::TOOLBOX, message).await,
    }
}

/// Asks the model and answers its calls, until it calls no tool any more.
async fn converse(model: &impl Model, toolbox: &Toolbox<'_>, message: &str) -> Result<String> {
    let tools: Vec<_> = toolbox.tools([])?.map(ToolDefinition::from).collect();
    let system = format!("{SYSTEM}\n\n{}", toolbox.catalog());
    let mut messages = vec![Message::System(system), Message::User(message.into())];
    for _ in 0..MAX_TURNS {
        let answer = model.answer(&messages, &tools).await?;
        messages.push(Message::Assistant(answer.clone()));
        if answer.calls.is_empty() {
            return Ok(answer.text);
        }
        for call in answer.calls {
            println!("── {} {}", call.tool, call.arguments);
            let (text, is_error) = match toolbox.call(&call.tool, &call.arguments) {
                Some(reply) => (reply.to_string(), reply.is_error()),
                None => (format!("there is no tool `{}`", call.tool), true),
            };
            messages.push(Message::Result { id: call.id, tool: call.tool, text, is_error });
        }
    }
    Err(format!("no answer after {MAX_TURNS} turns").into())
}
// ── to here ──────────────────────────

fn main() -> ExitCode {
    match run() {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            let mut source = error.source();
            while let Some(error) = source {
                eprintln!("  caused by: {error}");
                source = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String> {
    let [api, model, task] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: helix-skills-example-http-agent anthropic|openai MODEL TASK")?;
    let provider = Provider::from_env(Api::from_name(&api)?, model)?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(answer(&provider, &task))
}
