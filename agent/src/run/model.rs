//! The interface to a language model.

use super::{Answer, Message, ToolDefinition};
use crate::{BoxFuture, forward::forward};

/// A language model. The host implements this trait over the API of a vendor.
///
/// ```
/// use helix_skills::{provider::BoxFuture, run::{Answer, Message, Model, ToolDefinition}};
///
/// struct Client; // of some vendor
///
/// # impl Client {
/// #     async fn post(
/// #         &self,
/// #         messages: &[Message],
/// #         tools: &[ToolDefinition],
/// #     ) -> Result<String, std::io::Error> {
/// #         Ok(format!("{} messages, {} tools", messages.len(), tools.len()))
/// #     }
/// # }
/// impl Model for Client {
///     fn answer<'m>(
///         &'m self,
///         messages: &'m [Message],
///         tools: &'m [ToolDefinition],
///     ) -> BoxFuture<'m, Answer> {
///         Box::pin(async move { Ok(Answer::from(self.post(messages, tools).await?)) })
///     }
/// }
/// ```
pub trait Model {
    /// Returns the next answer of the model in a conversation, which may call these tools.
    ///
    /// An error ends the run. An implementation should retry where that makes sense.
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer>;
}

forward!(Model {
    fn answer<'m>(&'m self, messages: &'m [Message], tools: &'m [ToolDefinition]) -> BoxFuture<'m, Answer>;
});
