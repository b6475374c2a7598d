//! What a run is for: a text, or a result that is handed in.

use super::ToolDefinition;
use alloc::string::String;

/// What a run ends with.
pub(super) trait Goal {
    /// What that is.
    type Result;

    /// The tool that hands it in; none where it is the last text.
    fn submit(&self) -> Option<ToolDefinition>;

    /// The result of a call of that tool.
    ///
    /// # Errors
    /// What is wrong with it, for the model.
    fn read(&self, arguments: &str) -> Result<Self::Result, String>;

    /// The result of a text that ends the conversation; none where a text does not.
    fn text(&self, text: &str) -> Option<Self::Result>;
}

/// The last text.
pub(super) struct Text;

impl Goal for Text {
    type Result = String;

    fn submit(&self) -> Option<ToolDefinition> {
        None
    }

    fn read(&self, _arguments: &str) -> Result<String, String> {
        Err(String::new()) // there is no tool that would bring one
    }

    fn text(&self, text: &str) -> Option<String> {
        (!text.trim().is_empty()).then(|| text.into())
    }
}
