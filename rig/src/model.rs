//! Models of rig for runs of skills.

use helix_skills_agent::{
    BoxFuture, ProviderError,
    run::{self, Answer},
};
use rig::{
    DynModel,
    completion::{AssistantContent, AssistantMessage, CompletionRequest, ToolDefinition},
    message::{
        CallId, Message, StopReason, Text, ToolFunction, ToolName, ToolResult, ToolResultContent,
        turn_failure,
    },
    operation::Completion,
    wasm_compat::{WasmCompatSend, WasmCompatSync},
};
use std::{collections::HashMap, fmt, sync::Arc};

/// The message of an answer that is not complete.
const CUT: &str = "the answer was cut off at the limit of output tokens; raise `max_tokens` of the \
                   requests with `RigModel::configure`";

/// A completion model of rig, as the model of a `helix_skills::run::Run`.
///
/// ```
/// use helix_skills::{Skill, run::Run};
/// use helix_skills_rig::RigModel;
/// use rig::{DynModel, operation::Completion};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Verdict {
///     bug: bool,
/// }
///
/// async fn is_bug(
///     skill: Skill,
///     model: impl Into<DynModel<Completion>>, // `OpenAI::from_env()?.completion("…")`
/// ) -> Result<bool, helix_skills::Error> {
///     let model = RigModel::new(model).configure(|request| request.max_tokens(2_000));
///     let verdict: Verdict = Run::new(skill).typed(&model).await?;
///     Ok(verdict.bug)
/// }
/// ```
///
/// The parts of an answer that the provider requires in later requests, such as signed or encrypted
/// reasoning, are kept in [`Answer::opaque`] and sent back as they were. A conversation that is
/// stored and continued with another model is sent without them.
///
/// # Errors
///
/// A run ends with an error if the provider fails. Its source is rig's
/// [`ProviderError`](rig::error::ProviderError) (on wasm its
/// [report](rig::error::ProviderError::report)), which has the status, the body, and whether
/// [a retry may help](rig::error::ProviderError::is_retryable). An answer that the provider
/// reports as refused or filtered is an error, and so is a text that was cut off at the limit of
/// output tokens.
///
/// Nothing is retried. Retry in the HTTP client (rig's feature `reqwest-middleware`), or in a model
/// around this one:
///
/// ```
/// use helix_skills::{
///     provider::BoxFuture,
///     run::{Answer, Message, Model, ToolDefinition},
/// };
/// use helix_skills_rig::RigModel;
/// use rig::error::ProviderError;
/// use std::time::Duration;
///
/// struct Patient(RigModel);
///
/// impl Model for Patient {
///     fn answer<'m>(
///         &'m self,
///         messages: &'m [Message],
///         tools: &'m [ToolDefinition],
///     ) -> BoxFuture<'m, Answer> {
///         Box::pin(async move {
///             for seconds in [1, 5, 20] {
///                 match self.0.answer(messages, tools).await {
///                     Err(error)
///                         if error.downcast_ref().is_some_and(ProviderError::is_retryable) =>
///                     {
///                         tokio::time::sleep(Duration::from_secs(seconds)).await;
///                     }
///                     answered => return answered,
///                 }
///             }
///             self.0.answer(messages, tools).await
///         })
///     }
/// }
/// ```
#[derive(Clone)]
pub struct RigModel {
    model: DynModel<Completion>,
    configure: Option<Arc<dyn Configure>>,
}

/// A function that changes a request, `Send` and `Sync` except on wasm.
trait Configure: Fn(CompletionRequest) -> CompletionRequest + WasmCompatSend + WasmCompatSync {}

impl<F> Configure for F where
    F: Fn(CompletionRequest) -> CompletionRequest + WasmCompatSend + WasmCompatSync
{
}

impl RigModel {
    /// Creates a model of runs.
    #[must_use]
    pub fn new(model: impl Into<DynModel<Completion>>) -> Self {
        Self { model: model.into(), configure: None }
    }

    /// Passes each request through `configure` before it is sent, to set a temperature, the limit
    /// of output tokens, or what the provider alone has.
    #[must_use = "the returned model has the function"]
    pub fn configure<F>(mut self, configure: F) -> Self
    where
        F: Fn(CompletionRequest) -> CompletionRequest + WasmCompatSend + WasmCompatSync + 'static,
    {
        self.configure = Some(Arc::new(configure));
        self
    }

    fn request(
        &self,
        messages: &[run::Message],
        tools: &[run::ToolDefinition],
    ) -> Result<CompletionRequest, ProviderError> {
        let mut messages = to_messages(messages)?;
        let last = messages.pop().ok_or("there is no message for the model")?;
        let tools = tools.iter().map(to_tool).collect::<Result<Vec<_>, _>>()?;
        let request = CompletionRequest::new(last).messages(messages).tools(tools);
        Ok(match &self.configure {
            Some(configure) => configure(request),
            None => request,
        })
    }
}

impl run::Model for RigModel {
    fn answer<'m>(
        &'m self,
        messages: &'m [run::Message],
        tools: &'m [run::ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        Box::pin(async move {
            let request = self.request(messages, tools)?;
            let response = self.model.call(request).await.map_err(boxed)?;
            let (stop, finish) = (response.stop(), response.finish_reason());
            if let Some(why) = turn_failure(&response.choice, Some(&stop), finish.as_ref()) {
                return Err(why.into());
            }
            let calls: Vec<_> = response.tool_calls().map(from_call).collect();
            if calls.is_empty() && stop == StopReason::Length {
                return Err(CUT.into());
            }
            let mut answer = Answer::new(response.text(), calls);
            if let Some(Message::Assistant(message)) = response.message() {
                answer.opaque = Some(serde_json::to_string(&message)?);
            }
            Ok(answer)
        })
    }
}

/// Converts a conversation. rig joins the results of one answer if a provider wants them so.
fn to_messages(messages: &[run::Message]) -> Result<Vec<Message>, ProviderError> {
    // An ID that rig has made, because the provider has none, is marked as such in the call only.
    let mut ids: HashMap<String, CallId> = HashMap::new();
    let mut converted = Vec::with_capacity(messages.len());
    for message in messages {
        converted.push(match message {
            run::Message::System(text) => Message::system(text),
            run::Message::User(text) => Message::user(text),
            run::Message::Assistant(answer) => {
                let message = to_assistant(answer)?;
                ids.extend(message.tool_calls().map(|call| (call.id.to_string(), call.id.clone())));
                if message.content.is_empty() {
                    continue; // rig refuses a message without content
                }
                Message::Assistant(message)
            }
            run::Message::Result { id, tool, text, is_error } => Message::from(ToolResult {
                call: ids.get(id).cloned().unwrap_or_else(|| CallId::from_wire(id)),
                name: ToolName::new(tool)?,
                content: vec![ToolResultContent::text(text)],
                is_error: *is_error,
            }),
            _ => return Err("unknown kind of message; update `helix-skills-rig`".into()),
        });
    }
    Ok(converted)
}

/// Converts an answer: of a model of rig, which is in `opaque`, or of another one.
fn to_assistant(answer: &Answer) -> Result<AssistantMessage, ProviderError> {
    if let Some(message) =
        answer.opaque.as_deref().and_then(|opaque| serde_json::from_str(opaque).ok())
    {
        return Ok(message);
    }
    let text = Some(&answer.text).filter(|text| !text.is_empty());
    let mut content: Vec<_> =
        text.map(|text| AssistantContent::Text(Text::new(text))).into_iter().collect();
    for call in &answer.calls {
        let function = ToolFunction::parse(ToolName::new(&call.tool)?, &call.arguments);
        content.push(AssistantContent::ToolCall(rig::message::ToolCall::from_wire(
            &call.id, function,
        )));
    }
    Ok(AssistantMessage::new(content))
}

/// Boxes an error of rig. On wasm it is not `Send`, but its report is.
#[cfg(not(target_family = "wasm"))]
fn boxed(error: rig::error::ProviderError) -> ProviderError {
    error.into()
}

#[cfg(target_family = "wasm")]
fn boxed(error: rig::error::ProviderError) -> ProviderError {
    error.report().into()
}

fn from_call(call: &rig::message::ToolCall) -> run::ToolCall {
    let function = &call.function;
    let arguments = function.invalid_arguments.clone();
    let arguments = arguments.unwrap_or_else(|| function.arguments_value().to_string());
    run::ToolCall::new(call.id.to_string(), function.name.as_str(), arguments)
}

fn to_tool(tool: &run::ToolDefinition) -> Result<ToolDefinition, ProviderError> {
    let parameters = serde_json::from_str(&tool.parameters).map_err(|error| {
        format!("the parameters of the tool `{}` are not JSON: {error}", tool.name)
    })?;
    Ok(ToolDefinition::new(ToolName::new(&tool.name)?, &tool.description, parameters))
}

impl fmt::Debug for RigModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RigModel").field(&self.model).finish()
    }
}
