//! The loop of a run: it calls the model and answers its calls until there is a result.

#[cfg(feature = "schemars")]
use super::schema::schema_of;
use super::{Message, Model, Run, RunEvent, ToolDefinition, Tools, error};
#[cfg(feature = "serde")]
use super::{
    Shape,
    prompt::{SUBMIT, SUBMIT_DESCRIPTION},
};
use crate::{Error, error_text::error_text};
#[cfg(feature = "serde")]
use alloc::string::ToString;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::Event;

/// Maximum number of characters of a tool's error that the model reads.
const MAX_FAILURE: usize = 4_000;

impl<T: Tools> Run<'_, T> {
    /// Runs the skill, and returns the first text of the model that calls no tool.
    ///
    /// # Errors
    /// If the run cannot start, the model fails, or there is no such text within the limit of
    /// turns.
    pub async fn text(&self, model: &(impl Model + ?Sized)) -> Result<String, Error> {
        self.drive(model, None, |text| Ok(text.to_owned())).await
    }

    /// Runs the skill, and returns a value of a type, whose schema the model gets. The value is
    /// checked by its type, not by its schema, unless the run has a [validator](Self::validator).
    ///
    /// # Errors
    /// If the run cannot start, the schema cannot be compiled, the model fails, or there is no
    /// valid result within the limit of turns.
    #[cfg(feature = "schemars")]
    pub async fn typed<V>(&self, model: &(impl Model + ?Sized)) -> Result<V, Error>
    where
        V: serde::de::DeserializeOwned + schemars::JsonSchema,
    {
        self.shaped(&Shape::from_members(schema_of::<V>()), model).await
    }

    /// Runs the skill, and returns a value that has a [`Shape`] and is deserialized to a type.
    ///
    /// # Errors
    /// If the run cannot start, the schema cannot be compiled, the model fails, or there is no
    /// valid result within the limit of turns.
    #[cfg(feature = "serde")]
    pub async fn shaped<V>(&self, shape: &Shape, model: &(impl Model + ?Sized)) -> Result<V, Error>
    where
        V: serde::de::DeserializeOwned,
    {
        let validate = self.config.validator.map(|validator| shape.compile(validator)).transpose();
        let validate =
            validate.map_err(|source| error::schema(self.config.skill.name(), source))?;
        let submit = ToolDefinition::new(SUBMIT, SUBMIT_DESCRIPTION, shape.schema());
        let accept = |json: &str| {
            shape.read(json, validate.as_ref()).map_err(|mismatch| mismatch.to_string())
        };
        self.drive(model, Some(submit), accept).await
    }

    /// Runs the conversation until `accept` takes a result: the arguments of a call of the tool
    /// `submit`, or, without this tool, a text. An error of `accept` is the answer to the model.
    async fn drive<R>(
        &self,
        model: &(impl Model + ?Sized),
        submit: Option<ToolDefinition>,
        accept: impl Fn(&str) -> Result<R, String>,
    ) -> Result<R, Error> {
        let mut session = self.config.begin(&self.tools.definitions(), submit)?;
        let body = self.config.body(session.submits).await?;
        self.config.instruct(&mut session, &body);
        self.emit(RunEvent::Event(Event::SkillLoaded { name: self.config.skill.name() }));
        loop {
            let number = session.next_turn()?;
            self.emit(RunEvent::Turn { number, of: session.turns });
            let answer = model.answer(&session.messages, &session.offered).await;
            let answer = answer.map_err(|source| error::model(&session.skill, number, source))?;
            if !answer.text.is_empty() {
                self.emit(RunEvent::Text { text: &answer.text });
            }
            if !session.submits
                && answer.calls.is_empty()
                && !answer.text.trim().is_empty()
                && let Ok(result) = accept(&answer.text)
            {
                return Ok(result);
            }
            let calls = answer.calls.clone();
            session.push_answer(answer);
            // A result is taken after the other calls of the message have run.
            let mut results: Vec<Option<Message>> = calls.iter().map(|_| None).collect();
            let (last, first): (Vec<usize>, Vec<usize>) =
                (0..calls.len()).partition(|at| session.is_submit(&calls[*at]));
            for at in first.into_iter().chain(last) {
                let call = &calls[at];
                let called = RunEvent::Called { tool: &call.tool, arguments: &call.arguments };
                let policy = self.config.policy(&call.tool);
                let meets = |condition: &str| self.tools.meets(call, condition);
                let answered = if session.is_submit(call) {
                    match session.check_single(&calls).and_then(|()| accept(&call.arguments)) {
                        Ok(result) => {
                            self.emit(called);
                            return Ok(result);
                        }
                        Err(why) => Err(session.reject(why)),
                    }
                } else {
                    match session.check_allowed(call, &calls, policy.as_ref(), meets) {
                        Ok(()) => {
                            self.emit(called);
                            let answer = self.tools.call_tool(call).await;
                            answer.map_err(|why| error_text(&*why, MAX_FAILURE))
                        }
                        Err(why) => Err(session.refuse(why)),
                    }
                };
                let is_error = answered.is_err();
                let (Ok(text) | Err(text)) = answered;
                self.emit(RunEvent::Answered { tool: &call.tool, text: &text, is_error });
                if !is_error && let Some(event) = self.tools.event(call) {
                    self.emit(RunEvent::Event(event));
                }
                let (id, tool) = (call.id.clone(), call.tool.clone());
                results[at] = Some(Message::Result { id, tool, text, is_error });
            }
            session.messages.extend(results.into_iter().flatten());
        }
    }

    fn emit(&self, event: RunEvent<'_>) {
        if let Some(watcher) = self.config.watcher {
            watcher(event);
        }
    }
}
