//! A client of two APIs: Anthropic's [Messages] and OpenAI's [Chat Completions], which many other
//! servers speak. It implements [`Model`], so conversations and runs of skills both use it.
//!
//! [Messages]: https://docs.claude.com/en/api/messages
//! [Chat Completions]: https://platform.openai.com/docs/api-reference/chat

use helix_skills::ToolFormat;
use helix_skills::provider::BoxFuture;
use helix_skills::run::{Answer, Message, Model, ToolCall, ToolDefinition};
use reqwest::{Client, RequestBuilder, StatusCode, Url, header::RETRY_AFTER};
use serde_json::{Value, json};
use std::{env, error::Error, time::Duration};
use tokio::time::sleep;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Number of requests for one answer, if the server is overloaded or asks to wait.
const ATTEMPTS: u32 = 4;
/// The longest time that a server may ask to wait.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Time for one answer. Nothing arrives before the answer is whole, because streaming is off.
const TIMEOUT: Duration = Duration::from_secs(300);
/// The longest answer, in tokens of the model. Anthropic's API requires a number.
const MAX_TOKENS: u32 = 8192;

/// The API of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Api {
    Anthropic,
    OpenAi,
}

impl Api {
    pub(crate) fn from_name(name: &str) -> Result<Self> {
        match name {
            "anthropic" => Ok(Self::Anthropic),
            "openai" => Ok(Self::OpenAi),
            _ => Err(format!("unknown API `{name}`: use `anthropic` or `openai`").into()),
        }
    }
}

/// A model of a server.
pub(crate) struct Provider {
    http: Client,
    api: Api,
    url: Url,
    key: Option<String>,
    model: String,
}

impl Provider {
    /// Reads the address of the server and the key from the variables that the vendors' own clients
    /// read.
    pub(crate) fn from_env(api: Api, model: String) -> Result<Self> {
        let (name, base, path) = match api {
            Api::Anthropic => ("ANTHROPIC", "https://api.anthropic.com", "/v1/messages"),
            Api::OpenAi => ("OPENAI", "https://api.openai.com/v1", "/chat/completions"),
        };
        let variable =
            |end: &str| env::var(format!("{name}_{end}")).ok().filter(|text| !text.is_empty());
        let base = variable("BASE_URL").unwrap_or_else(|| base.into());
        // Not needed with the default features of reqwest, which bring a provider.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http =
            Client::builder().connect_timeout(Duration::from_secs(10)).timeout(TIMEOUT).build()?;
        let url = format!("{}{path}", base.trim_end_matches('/')).parse();
        let url = url.map_err(|error| format!("invalid {name}_BASE_URL `{base}`: {error}"))?;
        Ok(Self { http, api, url, key: variable("API_KEY"), model })
    }

    fn request(&self, body: &Value) -> RequestBuilder {
        let request = self.http.post(self.url.clone()).json(body);
        match (self.api, &self.key) {
            (Api::Anthropic, key) => {
                let request = request.header("anthropic-version", "2023-06-01");
                key.iter().fold(request, |request, key| request.header("x-api-key", key))
            }
            (Api::OpenAi, Some(key)) => request.bearer_auth(key),
            (Api::OpenAi, None) => request,
        }
    }

    /// Sends a request, and repeats it if the server is overloaded.
    async fn post(&self, body: &Value) -> Result<Value> {
        for attempt in 1.. {
            let response = self.request(body).send().await?;
            let status = response.status();
            if status.is_success() {
                return Ok(response.json().await?);
            }
            let may_repeat = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
            if attempt == ATTEMPTS || !may_repeat {
                let text = response.text().await.unwrap_or_default();
                return Err(format!("{} answered {status}: {}", self.url, explain(&text)).into());
            }
            let seconds = response.headers().get(RETRY_AFTER);
            let seconds = seconds.and_then(|value| value.to_str().ok()?.parse().ok());
            let wait = seconds.map_or(Duration::from_secs(1 << attempt), Duration::from_secs);
            sleep(wait.min(MAX_WAIT)).await;
        }
        unreachable!("the last attempt returns")
    }
}

/// Returns the message of an error, which both APIs have at the same place, or the whole text.
fn explain(text: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(text).ok();
    let message = parsed.as_ref().and_then(|value| value["error"]["message"].as_str());
    message.unwrap_or(text).chars().take(1000).collect()
}

impl Model for Provider {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        Box::pin(async move {
            match self.api {
                Api::Anthropic => {
                    let body = anthropic::request(&self.model, messages, tools)?;
                    anthropic::answer(&self.post(&body).await?)
                }
                Api::OpenAi => {
                    let body = openai::request(&self.model, messages, tools);
                    openai::answer(&self.post(&body).await?)
                }
            }
        })
    }
}

/// Returns the text at `key`.
fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().into()
}

/// Refuses an answer that is not whole.
fn check_end(reason: &Value, whole: &[&str]) -> Result<()> {
    match reason.as_str() {
        Some(reason) if !whole.contains(&reason) => {
            Err(format!("the model stopped before the end of its answer: `{reason}`").into())
        }
        _ => Ok(()),
    }
}

mod anthropic {
    use super::*;

    pub(super) fn request(
        model: &str,
        messages: &[Message],
        tools: &[ToolDefinition],
    ) -> Result<Value> {
        let mut system = String::new();
        let mut turns: Vec<Value> = Vec::new();
        for message in messages {
            let (role, blocks) = match message {
                Message::System(text) => {
                    system.push_str(text);
                    continue;
                }
                Message::User(text) => ("user", json!([{"type": "text", "text": text}])),
                // The model needs its answer as it was, including signed blocks of its reasoning.
                Message::Assistant(Answer { opaque: Some(blocks), .. }) => {
                    ("assistant", serde_json::from_str(blocks)?)
                }
                Message::Assistant(answer) => ("assistant", blocks(answer)?),
                Message::Result { id, text, is_error, .. } => {
                    let result = json!({
                        "type": "tool_result",
                        "tool_use_id": id,
                        "content": text,
                        "is_error": is_error,
                    });
                    ("user", json!([result]))
                }
                other => return Err(format!("unknown kind of message: {other:?}").into()),
            };
            // All results of an answer, and what the user says next, are one message.
            match turns.last_mut().filter(|last| last["role"] == role) {
                Some(last) => {
                    let Some(content) = last["content"].as_array_mut() else { continue };
                    content.extend(blocks.as_array().cloned().unwrap_or_default());
                }
                None => turns.push(json!({"role": role, "content": blocks})),
            }
        }
        let tools: Vec<_> = tools.iter().map(|tool| tool.json(ToolFormat::Anthropic)).collect();
        let mut body = json!({"model": model, "max_tokens": MAX_TOKENS, "messages": turns});
        if !system.is_empty() {
            body["system"] = json!(system);
        }
        if !tools.is_empty() {
            body["tools"] = json!(tools);
        }
        Ok(body)
    }

    /// Returns the blocks of an answer that is not from this API.
    fn blocks(answer: &Answer) -> Result<Value> {
        let mut blocks = Vec::new();
        if !answer.text.is_empty() {
            blocks.push(json!({"type": "text", "text": answer.text}));
        }
        for ToolCall { id, tool, arguments, .. } in &answer.calls {
            let input: Value = serde_json::from_str(arguments)?;
            blocks.push(json!({"type": "tool_use", "id": id, "name": tool, "input": input}));
        }
        Ok(blocks.into())
    }

    pub(super) fn answer(response: &Value) -> Result<Answer> {
        check_end(&response["stop_reason"], &["end_turn", "tool_use", "stop_sequence"])?;
        let blocks = response["content"].as_array().ok_or("the response has no `content`")?;
        let mut answer = Answer::default();
        for block in blocks {
            match block["type"].as_str() {
                Some("text") => answer.text.push_str(&text(block, "text")),
                Some("tool_use") => {
                    let arguments = block["input"].to_string();
                    answer.calls.push(ToolCall::new(
                        text(block, "id"),
                        text(block, "name"),
                        arguments,
                    ));
                }
                _ => {}
            }
        }
        answer.opaque = Some(response["content"].to_string());
        Ok(answer)
    }
}

mod openai {
    use super::*;

    pub(super) fn request(model: &str, messages: &[Message], tools: &[ToolDefinition]) -> Value {
        let messages: Vec<_> = messages.iter().map(message).collect();
        let tools: Vec<_> = tools.iter().map(|tool| tool.json(ToolFormat::OpenAiChat)).collect();
        let mut body = json!({"model": model, "messages": messages});
        if !tools.is_empty() {
            body["tools"] = json!(tools);
        }
        body
    }

    fn message(message: &Message) -> Value {
        match message {
            Message::System(text) => json!({"role": "system", "content": text}),
            Message::User(text) => json!({"role": "user", "content": text}),
            Message::Assistant(answer) if answer.calls.is_empty() => {
                json!({"role": "assistant", "content": answer.text})
            }
            Message::Assistant(answer) => {
                let calls = answer.calls.iter().map(|call| {
                    let function = json!({"name": call.tool, "arguments": call.arguments});
                    json!({"id": call.id, "type": "function", "function": function})
                });
                let calls: Vec<_> = calls.collect();
                json!({"role": "assistant", "content": answer.text, "tool_calls": calls})
            }
            Message::Result { id, text, .. } => {
                json!({"role": "tool", "tool_call_id": id, "content": text})
            }
            _ => Value::Null,
        }
    }

    pub(super) fn answer(response: &Value) -> Result<Answer> {
        let choice = response["choices"].get(0).ok_or("the response has no `choices`")?;
        check_end(&choice["finish_reason"], &["stop", "tool_calls", "function_call"])?;
        let message = &choice["message"];
        if let Some(refusal) = message["refusal"].as_str() {
            return Err(format!("the model refused: {refusal}").into());
        }
        let calls = message["tool_calls"].as_array().into_iter().flatten().map(|call| {
            let function = &call["function"];
            ToolCall::new(text(call, "id"), text(function, "name"), text(function, "arguments"))
        });
        Ok(Answer::new(text(message, "content"), calls))
    }
}
