//! In the place of a model: a script, which prints what it is told and what it says.

use helix_skills::{
    provider::Pending,
    run::{Answer, Message, Model, ToolCall, ToolDefinition},
};
use std::sync::Mutex;

/// A text, or a call: the name of a tool, and an object of JSON as models write it.
pub(crate) type Line = (&'static str, &'static str);

/// A model without a model.
pub(crate) struct Script {
    lines: &'static [Line],
    heard: Mutex<usize>,
}

impl Script {
    pub(crate) fn of(lines: &'static [Line]) -> Self {
        Self { lines, heard: Mutex::default() }
    }

    fn next(&self, messages: &[Message], tools: &[ToolDefinition]) -> Option<Answer> {
        let mut heard = self.heard.lock().ok()?;
        if *heard == 0 {
            tools.iter().for_each(|tool| println!("  tool {}: {}\n", tool.name, tool.description));
        }
        messages.iter().skip(*heard).for_each(show);
        *heard = messages.len();
        let said =
            messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count();
        let (tool, arguments) = *self.lines.get(said)?;
        Some(match tool {
            "" => Answer::from(arguments),
            tool => ToolCall::new(format!("call {said}"), tool, arguments).into(),
        })
    }
}

impl Model for Script {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> Pending<'m, Answer> {
        Box::pin(async { self.next(messages, tools).ok_or_else(|| "the script has ended".into()) })
    }
}

/// A message as a person reads it. An interface of a model gets the same, in its own form.
fn show(message: &Message) {
    match message {
        Message::System(text) => println!("[system]\n{text}\n"),
        Message::User(text) => println!("[user]\n{text}\n"),
        Message::Assistant(answer) => {
            let calls =
                answer.calls.iter().map(|call| format!("> {} {}", call.tool, call.arguments));
            println!("[model]\n{}{}\n", answer.text, calls.collect::<String>());
        }
        Message::Result(result) => println!("[{}]\n{}\n", result.tool, result.text.trim_end()),
        other => println!("{other:?}\n"),
    }
}
