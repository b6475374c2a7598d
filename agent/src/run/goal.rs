//! What a run is for: a text, or a result that is handed in.

use super::ToolDefinition;
use alloc::string::String;

/// What a run ends with.
pub(super) trait Goal {
    /// What that is.
    type Result;

    /// The tool that hands it in; none where it is the last text.
    fn submit_tool(&self) -> Option<ToolDefinition>;

    /// The result of a call of that tool.
    ///
    /// # Errors
    /// What is wrong with it, for the model.
    fn parse_result(&self, arguments: &str) -> Result<Self::Result, String>;

    /// The result of a text that ends the conversation; none where a text does not.
    fn accept_text(&self, text: &str) -> Option<Self::Result>;
}

/// The last text.
pub(super) struct FinalText;

impl Goal for FinalText {
    type Result = String;

    fn submit_tool(&self) -> Option<ToolDefinition> {
        None
    }

    fn parse_result(&self, _arguments: &str) -> Result<String, String> {
        Err(String::new()) // there is no tool that would bring one
    }

    fn accept_text(&self, text: &str) -> Option<String> {
        (!text.trim().is_empty()).then(|| text.into())
    }
}
