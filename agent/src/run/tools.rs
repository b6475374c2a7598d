//! What a run can do, beside saying something.

use super::{ToolCall, ToolDefinition};
use crate::Pending;
use alloc::{boxed::Box, format, string::String, sync::Arc, vec::Vec};

/// The tools of a host, for the runs of its skills. A run offers those that the skill may use.
///
/// `()` has none, a pair has those of both. A [`Toolbox`](helix_skills_runtime::Toolbox) and an
/// [`AsyncToolbox`](crate::AsyncToolbox) are tools, too: a skill with files needs one to read them.
///
/// An adapter for a framework is written against this trait: it passes
/// [`definitions`](Self::definitions) on, and answers calls with [`call`](Self::call).
///
/// ```
/// use helix_skills::{provider::Pending, run::{ToolCall, ToolDefinition, Tools}};
///
/// struct Clock;
///
/// impl Tools for Clock {
///     fn definitions(&self) -> Vec<ToolDefinition> {
///         vec![ToolDefinition::new("time", "The time of day.", r#"{"type":"object","properties":{}}"#)]
///     }
///
///     fn call<'t>(&'t self, _call: &'t ToolCall) -> Pending<'t, String> {
///         Box::pin(async { Ok("12:45".into()) })
///     }
/// }
/// assert_eq!((Clock, ()).definitions(), Clock.definitions());
/// ```
pub trait Tools {
    /// The tools, each name once. They are asked for when a run begins.
    fn definitions(&self) -> Vec<ToolDefinition>;

    /// Calls one of them. What it fails with is told to the model as well, the first 4,000 characters of it, and the run goes on.
    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String>;

    /// Whether a call is what a skill means by `condition`: by `git add *`, where it allows or disallows `Bash(git add *)`. None
    /// where nobody can tell, as unless the tools say otherwise: such a call is refused.
    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
        let _ = (call, condition);
        None
    }
}

impl Tools for () {
    fn definitions(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        Box::pin(async { Err(format!("there is no tool `{}`", call.tool).into()) })
    }
}

impl<A: Tools, B: Tools> Tools for (A, B) {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let mut all = self.0.definitions();
        all.append(&mut self.1.definitions());
        all
    }

    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        if has(&self.0, call) { self.0.call(call) } else { self.1.call(call) }
    }

    fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
        if has(&self.0, call) {
            self.0.meets(call, condition)
        } else {
            self.1.meets(call, condition)
        }
    }
}

fn has(tools: &impl Tools, call: &ToolCall) -> bool {
    tools.definitions().iter().any(|tool| tool.name == call.tool)
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: Tools + ?Sized> Tools for $pointer {
            fn definitions(&self) -> Vec<ToolDefinition> {
                (**self).definitions()
            }

            fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
                (**self).call(call)
            }

            fn meets(&self, call: &ToolCall, condition: &str) -> Option<bool> {
                (**self).meets(call, condition)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);
