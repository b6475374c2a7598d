//! The conversation of one run: what is said, who may call what, and when it is over. It waits for nobody.

use super::{
    Answer, Message, RunError, ToolCall, ToolDefinition, ToolResult,
    prompt::{Refusal, SUBMIT, reminder},
};
use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
    vec::Vec,
};

/// What a skill may do with one tool of the host.
pub(super) struct Permit {
    pub(super) tool: String,
    pub(super) allowed: bool,
    /// One of them has to hold for a call, if there is any.
    pub(super) conditions: Vec<String>,
    /// None of them may.
    pub(super) exceptions: Vec<String>,
}

/// What becomes of a call.
pub(super) enum Decision<'c> {
    /// It hands in the result.
    Submit,
    /// It is the tool's to answer.
    Run,
    Refused(Refusal<'c>),
}

pub(super) struct Session {
    pub(super) skill: String,
    pub(super) messages: Vec<Message>,
    /// The tools that the model is told of.
    pub(super) offered: Vec<ToolDefinition>,
    /// For each tool of the host, offered or not.
    pub(super) permits: Vec<Permit>,
    pub(super) submits: bool,
    pub(super) ticks: u32,
    tick: u32,
    /// Whether the last answer was neither a result nor a call.
    needs_reminder: bool,
    last_error: Option<String>,
}

impl Session {
    pub(super) fn new(skill: &str, ticks: u32, submits: bool) -> Self {
        Self {
            skill: skill.to_owned(),
            messages: Vec::new(),
            offered: Vec::new(),
            permits: Vec::new(),
            submits,
            ticks,
            tick: 0,
            needs_reminder: false,
            last_error: None,
        }
    }

    /// Begins the next turn, and tells its number.
    ///
    /// # Errors
    /// When there was the last one.
    pub(super) fn next_tick(&mut self) -> Result<u32, RunError> {
        if self.tick == self.ticks {
            let (skill, ticks) = (self.skill.clone(), self.ticks);
            return Err(match self.submits {
                true => RunError::NotSubmitted { skill, ticks, last_error: self.last_error.take() },
                false => RunError::NoText { skill, ticks },
            });
        }
        self.tick += 1;
        if self.tick > 1 {
            let said = reminder(self.needs_reminder, self.submits, self.tick == self.ticks);
            self.messages.extend(said.map(Message::User));
        }
        Ok(self.tick)
    }

    /// Keeps what the model said.
    pub(super) fn push_answer(&mut self, answer: Answer) {
        self.needs_reminder = answer.calls.is_empty();
        self.messages.push(Message::Assistant(answer));
    }

    /// Keeps what became of a call.
    pub(super) fn push_result(&mut self, result: ToolResult) {
        self.messages.push(Message::Result(result));
    }

    /// What is said of a result that does not fit. The last one is kept for the end.
    pub(super) fn reject(&mut self, why: String) -> String {
        let said = Refusal::Mismatch { why: &why }.to_string();
        self.last_error = Some(why);
        said
    }

    /// What becomes of one call of those in an answer. `meets` says whether a condition holds for it.
    pub(super) fn decide<'c>(
        &'c self,
        call: &'c ToolCall,
        calls: &[ToolCall],
        meets: impl Fn(&str) -> Option<bool>,
    ) -> Decision<'c> {
        if self.submits && call.tool == SUBMIT {
            return match calls.iter().filter(|call| call.tool == SUBMIT).count() {
                1 if calls.len() == 1 => Decision::Submit,
                1 => Decision::Refused(Refusal::NotAlone),
                times => Decision::Refused(Refusal::Twice { times }),
            };
        }
        let offered = || self.offered.iter().map(|tool| &*tool.name).collect();
        let tool = &*call.tool;
        let Some(permit) = self.permits.iter().find(|permit| permit.tool == tool) else {
            return Decision::Refused(Refusal::Unknown { tool, tools: offered() });
        };
        if !permit.allowed {
            return Decision::Refused(Refusal::NotAllowed { tool, tools: offered() });
        }
        if let Some(condition) =
            permit.exceptions.iter().find(|condition| meets(condition) != Some(false))
        {
            return Decision::Refused(Refusal::Not { tool, condition });
        }
        if self.tick == self.ticks {
            return Decision::Refused(Refusal::TooLate { tool });
        }
        if permit.conditions.is_empty()
            || permit.conditions.iter().any(|condition| meets(condition) == Some(true))
        {
            return Decision::Run;
        }
        Decision::Refused(Refusal::Only { tool, conditions: &permit.conditions })
    }
}
