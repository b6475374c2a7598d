//! The conversation of one run: its messages, permissions and limits. Nothing in here is async.

use super::{
    Answer, Message, ToolCall, ToolDefinition, error,
    prompt::{self, SUBMIT, reminder},
};
use crate::Error;
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use helix_skills_runtime::ToolPolicy;

#[derive(Default)]
pub(super) struct Session {
    pub(super) skill: String,
    pub(super) messages: Vec<Message>,
    /// The tools that are offered to the model.
    pub(super) offered: Vec<ToolDefinition>,
    /// The names of the tools of the host, offered or not.
    pub(super) tools: Vec<String>,
    pub(super) submits: bool,
    pub(super) turns: u32,
    turn: u32,
    /// Whether the last answer was neither a result nor a call.
    has_no_call: bool,
    /// Number of calls of other tools than `submit`.
    calls: usize,
    /// Number of these calls that were refused.
    refused: usize,
    last_error: Option<String>,
}

impl Session {
    pub(super) fn new(skill: &str, turns: u32, submits: bool) -> Self {
        Self { skill: skill.to_owned(), turns, submits, ..Self::default() }
    }

    /// Starts the next turn, and returns its number.
    ///
    /// # Errors
    /// If the last turn is over.
    pub(super) fn next_turn(&mut self) -> Result<u32, Error> {
        if self.turn == self.turns {
            let calls = (self.calls, self.refused);
            return Err(match self.submits {
                true => {
                    let why = self.last_error.as_deref();
                    error::not_submitted(&self.skill, self.turns, calls, why)
                }
                false => error::no_text(&self.skill, self.turns),
            });
        }
        self.turn += 1;
        if self.turn > 1 {
            let message = reminder(self.has_no_call, self.submits, self.turn == self.turns);
            self.messages.extend(message.map(Message::User));
        }
        Ok(self.turn)
    }

    /// Adds an answer of the model.
    pub(super) fn push_answer(&mut self, answer: Answer) {
        self.has_no_call = answer.calls.is_empty();
        self.calls += answer.calls.iter().filter(|call| call.tool != SUBMIT).count();
        self.messages.push(Message::Assistant(answer));
    }

    /// Returns the answer to a call that was refused.
    pub(super) fn refuse(&mut self, why: String) -> String {
        self.refused += 1;
        why
    }

    /// Returns the answer to a result that was not accepted. The last reason is kept for the error
    /// of the run.
    pub(super) fn reject(&mut self, why: String) -> String {
        let text = prompt::not_accepted(&why);
        self.last_error = Some(why);
        text
    }

    /// Returns whether a call submits the result.
    pub(super) fn is_submit(&self, call: &ToolCall) -> bool {
        self.submits && call.tool == SUBMIT
    }

    /// Checks that one of the `calls` of an answer submits the result.
    ///
    /// # Errors
    /// The reason for the model, if several do.
    pub(super) fn check_single(&self, calls: &[ToolCall]) -> Result<(), String> {
        match calls.iter().filter(|call| self.is_submit(call)).count() {
            0 | 1 => Ok(()),
            times => Err(format!("`submit` was called {times} times in one message, call it once")),
        }
    }

    /// Checks that `call`, one of the `calls` of an answer, may be passed to its tool. Without a
    /// `policy`, every call of the tool is allowed. `meets` returns whether the call meets a
    /// condition; `None` refuses the call.
    ///
    /// # Errors
    /// The answer to the call, if it is refused.
    pub(super) fn check_allowed(
        &self,
        call: &ToolCall,
        calls: &[ToolCall],
        policy: Option<&ToolPolicy<'_>>,
        meets: impl Fn(&str) -> Option<bool>,
    ) -> Result<(), String> {
        let offered = || self.offered.iter().map(|tool| &*tool.name).collect::<Vec<_>>();
        let tool = &*call.tool;
        if !self.tools.contains(&call.tool) {
            return Err(prompt::unknown_tool(tool, &offered()));
        }
        if policy.is_some_and(|policy| !policy.allows(tool)) {
            return Err(prompt::not_allowed(tool, &offered()));
        }
        let mut exceptions = policy.into_iter().flat_map(|policy| policy.exceptions(tool));
        if let Some(condition) = exceptions.find(|condition| meets(condition) != Some(false)) {
            return Err(prompt::not_allowed_for(tool, condition));
        }
        if self.turn == self.turns && !calls.iter().any(|call| self.is_submit(call)) {
            return Err(prompt::too_late(tool));
        }
        let conditions = policy.into_iter().flat_map(|policy| policy.conditions(tool));
        let conditions: Vec<&str> = conditions.collect();
        if conditions.is_empty() || conditions.iter().any(|one| meets(one) == Some(true)) {
            return Ok(());
        }
        Err(prompt::allowed_only(tool, conditions))
    }
}
