//! Toolboxes as tools of a run: skills that load others, and read their files.

use super::{ToolCall, ToolDefinition, Tools};
use crate::{Pending, Provider, ReplyBuf, ResolvedToolbox, Tool, Toolbox};
use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};

fn definition(tool: Tool<'_>) -> ToolDefinition {
    ToolDefinition {
        name: tool.name().into(),
        description: tool.description().to_string(),
        parameters: tool.parameters().to_string(),
    }
}

/// The text for the model: where the instructions are a message of their own, both.
fn said(reply: Option<ReplyBuf>) -> Result<String, Box<dyn core::error::Error + Send + Sync>> {
    let reply = reply.ok_or("there is no such tool")?;
    match reply.message() {
        _ if reply.is_error() => Err(reply.into_string().into()),
        Some(message) => Ok(format!("{reply}\n\n{message}")),
        None => Ok(reply.into_string()),
    }
}

impl Tools for Toolbox<'_> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools().map(definition).collect()
    }

    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        Box::pin(async { said(Toolbox::call(self, &call.tool, &call.arguments).map(ReplyBuf::from)) })
    }
}

macro_rules! resolved {
    ($($bound:tt)*) => {
        impl<P: $($bound)*> Tools for ResolvedToolbox<P> {
            fn definitions(&self) -> Vec<ToolDefinition> {
                self.view(|toolbox| toolbox.definitions())
            }

            fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
                Box::pin(async { said(Self::call(self, &call.tool, &call.arguments).await) })
            }
        }
    };
}

#[cfg(not(target_arch = "wasm32"))]
resolved!(Provider + Sync);
#[cfg(target_arch = "wasm32")]
resolved!(Provider);
