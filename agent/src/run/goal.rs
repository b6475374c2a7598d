//! The goal of a run: a text, or a submitted result.

use super::ToolDefinition;
use alloc::string::String;

/// The kind of result that ends a run.
pub(super) trait Goal {
    /// The type of the result.
    type Result;

    /// Returns the tool that submits the result; `None` if the result is the last text.
    fn submit_tool(&self) -> Option<ToolDefinition>;

    /// Returns the result from the arguments of a call of that tool.
    ///
    /// # Errors
    /// Returns the problem, as a text for the model.
    fn parse_result(&self, arguments: &str) -> Result<Self::Result, String>;

    /// Returns the result from a text without calls; `None` if a text does not end the run.
    fn accept_text(&self, text: &str) -> Option<Self::Result>;
}

/// The goal of a run whose result is the last text.
pub(super) struct FinalText;

impl Goal for FinalText {
    type Result = String;

    fn submit_tool(&self) -> Option<ToolDefinition> {
        None
    }

    fn parse_result(&self, _arguments: &str) -> Result<String, String> {
        Err(String::new()) // unreachable: there is no tool to submit a result
    }

    fn accept_text(&self, text: &str) -> Option<String> {
        (!text.trim().is_empty()).then(|| text.into())
    }
}
