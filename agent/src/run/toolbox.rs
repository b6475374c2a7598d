//! Toolboxes as tools of a run: skills that load others, and read their files.

use super::{ToolCall, ToolDefinition, Tools};
use crate::{Pending, Provider, ProviderError, ReplyBuf, ResolvedToolbox};
use alloc::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec::Vec,
};
use helix_skills_runtime::{Tool, Toolbox};

impl From<Tool<'_>> for ToolDefinition {
    fn from(tool: Tool<'_>) -> Self {
        Self {
            name: tool.name().into(),
            description: tool.description().to_string(),
            parameters: tool.parameters().to_string(),
        }
    }
}

impl ReplyBuf {
    /// The answer as [`Tools::call`] has it: a run has no other place for a [message](Self::message), which follows the text.
    ///
    /// # Errors
    /// The text, if the call could not be answered.
    pub fn into_result(self) -> Result<String, ProviderError> {
        match self.message() {
            _ if self.is_error() => Err(self.into_string().into()),
            Some(message) => Ok(format!("{self}\n\n{message}")),
            None => Ok(self.into_string()),
        }
    }
}

/// What answers the call of a tool that is none of ours.
const NO_TOOL: &str = "there is no such tool";

impl Tools for Toolbox<'_> {
    fn definitions(&self) -> Vec<ToolDefinition> {
        self.tools().map(ToolDefinition::from).collect()
    }

    fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
        Box::pin(async {
            let reply = Toolbox::call(self, &call.tool, &call.arguments).ok_or(NO_TOOL)?;
            ReplyBuf::from(reply).into_result()
        })
    }
}

macro_rules! resolved {
    ($($bound:tt)*) => {
        impl<P: $($bound)*> Tools for ResolvedToolbox<P> {
            fn definitions(&self) -> Vec<ToolDefinition> {
                self.view(|toolbox| toolbox.definitions())
            }

            fn call<'t>(&'t self, call: &'t ToolCall) -> Pending<'t, String> {
                Box::pin(async {
                    let reply = Self::call(self, &call.tool, &call.arguments).await.ok_or(NO_TOOL)?;
                    reply.into_result()
                })
            }
        }
    };
}

#[cfg(not(target_arch = "wasm32"))]
resolved!(Provider + Sync);
#[cfg(target_arch = "wasm32")]
resolved!(Provider);
