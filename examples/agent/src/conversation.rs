//! Messages between a program and a model, similar to those of most model APIs.

use helix_skills::text::estimated_tokens;

/// A call of a tool by the model.
#[derive(Clone)]
pub(crate) struct Call {
    /// The ID that the result refers to.
    pub(crate) id: String,
    pub(crate) tool: String,
    /// A JSON object, as the model wrote it.
    pub(crate) arguments: String,
}

/// A turn of the model: text, calls, or both. A turn without calls is the last one.
#[derive(Clone)]
pub(crate) struct Turn {
    pub(crate) text: &'static str,
    pub(crate) calls: Vec<Call>,
}

pub(crate) enum Message {
    System(String),
    User(String),
    Assistant(Turn),
    Result { call: String, text: String, is_error: bool },
}

/// Prints a message under a ruler with its title and its estimated tokens.
pub(crate) fn show(message: &Message) {
    match message {
        Message::System(text) => section("system prompt", text),
        Message::User(text) => section("user", text),
        Message::Assistant(turn) => {
            section("assistant", turn.text);
            for Call { id, tool, arguments } in &turn.calls {
                println!("  {id}: {tool} {arguments}\n");
            }
        }
        Message::Result { call, text, is_error: false } => {
            section(&format!("result of {call}"), text)
        }
        Message::Result { call, text, is_error: true } => {
            section(&format!("result of {call}, an error"), text)
        }
    }
}

fn section(title: &str, text: &str) {
    let title = format!("── {title} · about {} tokens ", estimated_tokens(text.len()));
    println!(
        "{title}{}\n\n{}\n",
        "─".repeat(100_usize.saturating_sub(title.chars().count())),
        text.trim_end()
    );
}
