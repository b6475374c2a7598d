//! A script instead of a model. It uses the prompt as a model does: it makes one mistake, and
//! follows a skill from the catalog to its body and to one of its files.

use crate::conversation::{Call, Message, Turn};
use serde_json::Value;

pub(crate) const TASK: &str = "Yesterday's deploy took the site down for ten minutes. Open the review of it, and write the subject \
                        of the commit that keeps it from happening again.";

/// A scripted model.
#[derive(Default)]
pub(crate) struct Model {
    turns: usize,
    calls: usize,
}

impl Model {
    /// Returns the next turn of the script. Like a model's API, it refuses conversations that are
    /// not valid.
    pub(crate) fn complete(
        &mut self,
        conversation: &[Message],
        tools: &[Value],
    ) -> Result<Turn, String> {
        let answered =
            conversation.iter().filter(|message| matches!(message, Message::Result { .. })).count();
        if answered != self.calls {
            return Err(format!("{} calls have {answered} results", self.calls));
        }
        let (text, calls) = self.script();
        self.turns += 1;
        let calls: Vec<Call> = calls
            .iter()
            .map(|(tool, arguments)| {
                self.calls += 1;
                Call {
                    id: format!("call {}", self.calls),
                    tool: (*tool).into(),
                    arguments: arguments.to_string(),
                }
            })
            .collect();
        match calls.iter().find(|call| !tools.iter().any(|tool| tool["name"] == call.tool.as_str()))
        {
            Some(call) => Err(format!("the model was given no tool `{}`", call.tool)),
            None => Ok(Turn { text, calls }),
        }
    }

    /// Returns a text and calls: names of tools and JSON objects, as models write them.
    fn script(&self) -> (&'static str, &'static [(&'static str, &'static str)]) {
        match self.turns {
            0 => (
                "Is there a skill for this?",
                &[("search_skills", r#"{"query": "a review after an outage"}"#)],
            ),
            1 => ("There is.", &[("load_skill", r#"{"name": "incident-reviews"}"#)]),
            2 => (
                "The name has no `s` at its end.",
                &[("load_skill", r#"{"name": "incident-review"}"#)],
            ),
            3 => (
                "The skill sends me to its questions; the first two will do. A subject has at most 60 characters, as the \
                 skill says whose instructions I have from the start.",
                &[
                    (
                        "read_skill_file",
                        r#"{"skill": "incident-review", "path": "references/questions.md", "startLine": 3, "endLine": 4}"#,
                    ),
                    (
                        "count_characters",
                        r#"{"text": "fix: Refuse a deploy that fails its health check"}"#,
                    ),
                ],
            ),
            _ => (
                "When did the first person notice, and how? What did you expect to see at that moment, and what did you see?\n\n\
                 The subject: `fix: Refuse a deploy that fails its health check`",
                &[],
            ),
        }
    }
}
