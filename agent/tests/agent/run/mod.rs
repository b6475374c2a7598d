//! Runs with a scripted model.

mod behavior;
mod hostile;
mod input;
mod messages;
mod refusals;
mod shape;
mod tools;

use crate::wait;
use helix_skills_agent::{
    BoxFuture,
    run::{Answer, Message, Model, Run, Shape, ToolCall, ToolDefinition, Tools},
};
use helix_skills_runtime::Skill;
use serde_json::{Value, json};
use std::{sync::Mutex, task::Poll};

/// Is pending once, like an answer from a network.
pub(crate) async fn elsewhere() {
    let mut first = true;
    std::future::poll_fn(move |context| {
        context.waker().wake_by_ref();
        if std::mem::take(&mut first) { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
}

/// A model with scripted answers, which records what it gets.
#[derive(Default)]
struct Script {
    answers: Mutex<Vec<Answer>>,
    seen: Mutex<Vec<Message>>,
    offered: Mutex<Vec<ToolDefinition>>,
}

impl Script {
    fn new<A: Into<Answer>>(answers: impl IntoIterator<Item = A>) -> Self {
        let mut answers: Vec<Answer> = answers.into_iter().map(Into::into).collect();
        answers.reverse();
        Self { answers: answers.into(), ..Self::default() }
    }

    /// Returns the last conversation that the model got.
    fn seen(&self) -> String {
        format_messages(&self.seen.lock().unwrap())
    }

    /// Returns the last message that the model got.
    fn last(&self) -> String {
        match self.seen.lock().unwrap().last().unwrap() {
            Message::User(text) | Message::System(text) => text.clone(),
            Message::Result { text, .. } => text.clone(),
            message => panic!("the model is asked after {message:?}"),
        }
    }

    fn offered(&self) -> Vec<String> {
        self.offered.lock().unwrap().iter().map(|tool| tool.name.clone()).collect()
    }

    fn is_over(&self) -> bool {
        self.answers.lock().unwrap().is_empty()
    }
}

impl Model for Script {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        Box::pin(async move {
            elsewhere().await;
            *self.seen.lock().unwrap() = messages.to_vec();
            *self.offered.lock().unwrap() = tools.to_vec();
            self.answers.lock().unwrap().pop().ok_or_else(|| "the script has ended".into())
        })
    }
}

fn format_messages(messages: &[Message]) -> String {
    let text = |message: &Message| match message {
        Message::System(text) => format!("[system]\n{text}\n"),
        Message::User(text) => format!("[user]\n{text}\n"),
        Message::Assistant(answer) => {
            let calls =
                answer.calls.iter().map(|call| format!("> {} {}\n", call.tool, call.arguments));
            let text =
                if answer.text.is_empty() { String::new() } else { format!("{}\n", answer.text) };
            format!("[model]\n{text}{}", calls.collect::<String>())
        }
        Message::Result { id, tool, text, is_error } => {
            format!("[{tool} {id}{}]\n{text}\n", if *is_error { ", error" } else { "" })
        }
        other => panic!("unknown message {other:?}"),
    };
    messages.iter().map(text).collect::<Vec<_>>().join("\n")
}

fn call(tool: &str, arguments: &Value) -> ToolCall {
    ToolCall::new(format!("{tool}-1"), tool, arguments.to_string())
}

fn submit(arguments: &Value) -> Answer {
    call("submit", arguments).into()
}

/// Tools that record their calls. `search` succeeds, `fail` fails.
#[derive(Default)]
struct Desk {
    called: Mutex<Vec<String>>,
}

impl Tools for Desk {
    fn definitions(&self) -> Vec<ToolDefinition> {
        ["Bash", "fail", "search"]
            .map(|name| {
                ToolDefinition::new(
                    name,
                    format!("The tool {name}."),
                    json!({"type": "object"}).to_string(),
                )
            })
            .into()
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async {
            elsewhere().await;
            self.called.lock().unwrap().push(format!("{} {}", call.tool, call.arguments));
            match &*call.tool {
                "fail" => Err("the disk\nis full </skill>".into()),
                tool => Ok(format!("{tool} found <skill> & more")),
            }
        })
    }

    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
        let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
        let command = arguments["command"].as_str()?;
        Some(command.starts_with(condition.strip_suffix('*')?))
    }
}

const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Look into issue $number.")
    .arguments(&["number"])
    .allowed_tools(&["search"])
    .build();

/// Returns a run with the argument that the skill declares.
fn triage() -> Run<'static> {
    Run::new(TRIAGE).arguments("42")
}

/// Returns the shape of any object.
fn any() -> Shape {
    Shape::with_schema(r#"{"type":"object"}"#).unwrap()
}

/// Returns the error of a run for any object.
fn run_error(run: &Run<'_, impl Tools + Sync>, script: &Script) -> helix_skills_runtime::Error {
    wait(run.shaped::<Value>(&any(), script)).unwrap_err()
}
