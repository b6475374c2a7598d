//! The tools of a run.

use super::{ToolCall, ToolDefinition};
use crate::{BoxFuture, forward::forward};
use alloc::{boxed::Box, format, string::String, vec::Vec};
use helix_skills_runtime::Event;

/// The tools of a host, for runs of its skills. A run offers those that the skill may use.
///
/// `()` has no tools, a pair has the tools of both. A [`Toolbox`](helix_skills_runtime::Toolbox)
/// and an [`AsyncToolbox`](crate::AsyncToolbox) implement this trait: a skill with files needs one
/// to read them.
///
/// An adapter for a framework can be written against this trait: it passes on
/// [`definitions`](Self::definitions), and answers calls with [`call_tool`](Self::call_tool).
///
/// ```
/// use helix_skills::{
///     provider::BoxFuture,
///     run::{ToolCall, ToolDefinition, Tools},
/// };
///
/// struct Clock;
///
/// impl Tools for Clock {
///     fn definitions(&self) -> Vec<ToolDefinition> {
///         vec![ToolDefinition::new(
///             "time",
///             "The time of day.",
///             r#"{"type":"object","properties":{}}"#,
///         )]
///     }
///
///     fn call_tool<'t>(&'t self, _call: &'t ToolCall) -> BoxFuture<'t, String> {
///         Box::pin(async { Ok("12:45".into()) })
///     }
/// }
/// assert_eq!((Clock, ()).definitions(), Clock.definitions());
/// ```
pub trait Tools {
    /// Returns the tools. Names must be unique. A run calls this once, at its start.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Calls a tool. The model reads the first 4,000 characters of an error, and the run continues.
    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String>;

    /// Returns whether a call meets a condition of a rule: `git add *` if the skill allows or
    /// disallows `Bash(git add *)`. `None` if the tools cannot decide; the call is then refused.
    ///
    /// By default, this is `None`.
    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
        let _ = (call, condition);
        None
    }

    /// Returns the event of a call that was answered without an error, for the
    /// [watcher](super::Run::watch) of the run.
    ///
    /// By default, this is `None`.
    fn event<'t>(&'t self, call: &'t ToolCall) -> Option<Event<'t>> {
        let _ = call;
        None
    }
}

impl Tools for () {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async { Err(format!("there is no tool `{}`", call.tool).into()) })
    }
}

impl<A: Tools, B: Tools> Tools for (A, B) {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let mut all = self.0.definitions();
        all.append(&mut self.1.definitions());
        all
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        owner(self, call).call_tool(call)
    }

    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
        owner(self, call).meets(call, condition)
    }

    fn event<'t>(&'t self, call: &'t ToolCall) -> Option<Event<'t>> {
        owner(self, call).event(call)
    }
}

/// Returns the first of two that has the tool.
fn owner<'t>((one, other): &'t (impl Tools, impl Tools), call: &ToolCall) -> &'t dyn Tools {
    if one.definitions().iter().any(|tool| tool.name == call.tool) { one } else { other }
}

forward!(Tools {
    fn definitions(&self) -> Vec<ToolDefinition>;
    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String>;
    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool>;
    fn event<'t>(&'t self, call: &'t ToolCall) -> Option<Event<'t>>;
});
