//! A script instead of a model, which prints its input and its output.

use helix_skills::{
    provider::BoxFuture,
    run::{Answer, Message, Model, ToolCall, ToolDefinition},
};
use std::sync::Mutex;

/// A text, or a call: the name of a tool, and a JSON object as models write it.
pub(crate) type Line = (&'static str, &'static str);

/// A scripted model.
pub(crate) struct Script {
    lines: &'static [Line],
    seen: Mutex<usize>,
}

impl Script {
    pub(crate) fn new(lines: &'static [Line]) -> Self {
        Self { lines, seen: Mutex::default() }
    }

    fn next(&self, messages: &[Message], tools: &[ToolDefinition]) -> Option<Answer> {
        let mut seen = self.seen.lock().ok()?;
        if *seen == 0 {
            tools.iter().for_each(|tool| println!("  tool {}: {}\n", tool.name, tool.description));
        }
        messages.iter().skip(*seen).for_each(show);
        *seen = messages.len();
        let turn =
            messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count();
        let (tool, arguments) = *self.lines.get(turn)?;
        Some(match tool {
            "" => Answer::from(arguments),
            tool => ToolCall::new(format!("call {turn}"), tool, arguments).into(),
        })
    }
}

impl Model for Script {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        Box::pin(async { self.next(messages, tools).ok_or_else(|| "the script has ended".into()) })
    }
}

/// Prints a message for a human reader. An API of a model gets the same in its own format.
fn show(message: &Message) {
    match message {
        Message::System(text) => println!("[system]\n{text}\n"),
        Message::User(text) => println!("[user]\n{text}\n"),
        Message::Assistant(answer) => {
            let calls =
                answer.calls.iter().map(|call| format!("> {} {}", call.tool, call.arguments));
            println!("[model]\n{}{}\n", answer.text, calls.collect::<String>());
        }
        Message::Result { tool, text, .. } => println!("[{tool}]\n{}\n", text.trim_end()),
        other => println!("{other:?}\n"),
    }
}
