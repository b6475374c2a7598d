//! Who answers in a run.

use super::{Answer, Message, ToolDefinition};
use crate::Pending;
use alloc::{boxed::Box, sync::Arc};

/// A model, as far as a run needs one: the host implements it over the interface that it has.
///
/// ```
/// use helix_skills::{provider::Pending, run::{Answer, Message, Model, ToolDefinition}};
///
/// struct Client; // of some vendor
///
/// # impl Client {
/// #     async fn post(&self, messages: &[Message], tools: &[ToolDefinition]) -> Result<String, std::io::Error> {
/// #         Ok(format!("{} messages, {} tools", messages.len(), tools.len()))
/// #     }
/// # }
/// impl Model for Client {
///     fn answer<'m>(&'m self, messages: &'m [Message], tools: &'m [ToolDefinition]) -> Pending<'m, Answer> {
///         Box::pin(async move { Ok(Answer::from(self.post(messages, tools).await?)) })
///     }
/// }
/// ```
pub trait Model {
    /// What the model says next in a conversation, with these tools to call. What it fails with ends the run: whatever is
    /// worth another attempt is tried again in here.
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> Pending<'m, Answer>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<M: Model + ?Sized> Model for $pointer {
            fn answer<'m>(&'m self, messages: &'m [Message], tools: &'m [ToolDefinition]) -> Pending<'m, Answer> {
                (**self).answer(messages, tools)
            }
        }
    )*};
}

forward!(&M, Box<M>, Arc<M>);
