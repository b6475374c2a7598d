//! A script instead of a model, behind the trait of rig's models. It prints its input, makes one
//! mistake, and follows a skill from the catalog to its body and to one of its files.

use futures::stream;
use rig::completion::{CompletionRequest, Usage};
use rig::driver::{Exchange, Model, Opened, Opening, Transport};
use rig::message::{Message, ToolResultContent, UserContent};
use rig::operation::Finish;
use rig::test_utils::{MockFrame, MockScript, MockStreamEvent};
use serde_json::{Value, json};

pub const TASK: &str =
    "What should we ask first in the review of yesterday's outage?";

pub fn scripted() -> Model<MockScript, Scripted> {
    Model::new(MockScript::new("scripted"), Scripted)
}

#[derive(Clone)]
pub struct Scripted;

impl Transport<MockScript> for Scripted {
    #[expect(clippy::result_large_err, reason = "the error is rig's")]
    fn send(
        &self,
        request: CompletionRequest,
        _exchange: Exchange,
    ) -> Opening<MockFrame> {
        let turn = request
            .chat_history
            .iter()
            .filter(|message| matches!(***message, Message::Assistant(_)))
            .count();
        if turn == 0 {
            request.chat_history.iter().for_each(|message| show(message));
            let names: Vec<_> =
                request.tools.iter().map(|tool| tool.name.to_string()).collect();
            println!("── tools\n\n{}\n", names.join(", "));
        } else if let Some(last) = request.chat_history.last() {
            show(last);
        }
        let event = match turn {
            0 => {
                call(turn, "search_skills", json!({ "query": "review of an outage" }))
            }
            1 => call(turn, "load_skill", json!({ "name": "incident-reviews" })),
            2 => call(turn, "load_skill", json!({ "name": "incident-review" })),
            3 => {
                let lines = json!({ "skill": "incident-review", "path": "references/questions.md", "startLine": 3, "endLine": 3 });
                call(turn, "read_skill_file", lines)
            }
            _ => MockStreamEvent::text("When did the first person notice, and how?"),
        };
        let end = MockStreamEvent::FinalResponse(Finish {
            usage: Usage::default(),
            ..Finish::default()
        });
        Opening::ready(Opened::new(stream::iter(
            [event, end].map(|event| Ok(MockFrame::Event(event))),
        )))
    }
}

fn call(turn: usize, tool: &str, arguments: Value) -> MockStreamEvent {
    println!("── call of {tool}\n\n{arguments}\n");
    MockStreamEvent::ToolCall {
        id: format!("call-{turn}"),
        name: tool.into(),
        arguments,
        call_id: None,
    }
}

/// Prints a message as the model receives it.
fn show(message: &Message) {
    match message {
        Message::System { content } => println!("── system\n\n{content}\n"),
        Message::User { content } => {
            content.iter().for_each(|content| match content {
                UserContent::Text(text) => println!("── user\n\n{}\n", text.text),
                UserContent::ToolResult(result) => {
                    let title =
                        if result.is_error { "error of" } else { "result of" };
                    println!("── {title} {}\n", result.name);
                    result.content.iter().for_each(|content| match content {
                        ToolResultContent::Text(text) => println!("{}\n", text.text),
                        other => println!("{other:?}\n"),
                    });
                }
                other => println!("{other:?}\n"),
            })
        }
        Message::Assistant(_) => {}
    }
}
