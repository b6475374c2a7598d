//! Toolboxes as tools of a run, so that a skill can load other skills and read their files.

use super::{ToolCall, ToolDefinition, Tools};
use crate::{AsyncToolbox, BoxFuture, EventBuf, Provider, ReplyBuf};
use alloc::{boxed::Box, string::String, vec::Vec};
use helix_skills_runtime::{Event, Toolbox};

/// The error for a tool that the toolbox does not have.
const NO_TOOL: &str = "there is no such tool";

impl Tools for Toolbox<'_> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools([]).into_iter().flatten().map(ToolDefinition::from).collect()
    }

    fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
        Box::pin(async {
            let reply = Toolbox::call(self, &call.tool, &call.arguments).ok_or(NO_TOOL)?;
            ReplyBuf::from(reply).into_result()
        })
    }

    fn event(&self, call: &ToolCall) -> Option<EventBuf> {
        let names = self.loaded_skills([(&*call.tool, &*call.arguments)]);
        names.first().and_then(|name| EventBuf::new(Event::SkillLoaded { name }))
    }
}

macro_rules! toolbox {
    ($($bound:tt)*) => {
        impl<P: $($bound)*> Tools for AsyncToolbox<P> {
            fn definitions(&self) -> Vec<ToolDefinition> {
                self.tools([]).unwrap_or_default()
            }

            fn call_tool<'t>(&'t self, call: &'t ToolCall) -> BoxFuture<'t, String> {
                Box::pin(async {
                    let reply = Self::call(self, &call.tool, &call.arguments).await.ok_or(NO_TOOL)?;
                    reply.into_result()
                })
            }

            fn event(&self, call: &ToolCall) -> Option<EventBuf> {
                self.listed().event(call)
            }
        }
    };
}

#[cfg(not(target_arch = "wasm32"))]
toolbox!(Provider + Sync);
#[cfg(target_arch = "wasm32")]
toolbox!(Provider);
