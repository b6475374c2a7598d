//! A server on the loopback interface that answers as the APIs of OpenAI and Anthropic do.
//!
//! It sends the answers of a script, one for each request, and records the requests. It stops after
//! the last one, or if no request comes for ten seconds.

use rig::{
    DynModel,
    operation::Completion,
    providers::{anthropic::AnthropicConfig, openai::OpenAIConfig},
};
use serde_json::{Value, json};
use std::{
    thread::{self, JoinHandle},
    time::Duration,
};
use tiny_http::{Header, Response, Server};

/// An API, as rig's clients of the two vendors use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// OpenAI's Chat Completions, which many other providers have as well.
    Chat,
    /// OpenAI's Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
}

pub(crate) const WIRES: [Wire; 3] = [Wire::Chat, Wire::Responses, Wire::Messages];

/// One answer of the script.
#[derive(Clone)]
pub(crate) enum Turn {
    /// A text.
    Text(&'static str),
    /// Calls of tools: ID, name, arguments.
    Calls(Vec<(&'static str, &'static str, Value)>),
    /// One call, whose arguments are this text instead of JSON. Anthropic's are always JSON.
    Malformed(&'static str, &'static str, &'static str),
    /// A text that was cut off at the limit of output tokens.
    Cut(&'static str),
    /// A text that was stopped by a filter.
    Filtered(&'static str),
    /// An error of the API: status and message.
    Status(u16, &'static str),
}

pub(crate) fn call(id: &'static str, tool: &'static str, arguments: Value) -> Turn {
    Turn::Calls(vec![(id, tool, arguments)])
}

pub(crate) struct Api {
    wire: Wire,
    url: String,
    requests: JoinHandle<Vec<Request>>,
}

impl Api {
    pub(crate) fn start(wire: Wire, script: impl IntoIterator<Item = Turn>) -> Self {
        let server = Server::http("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.server_addr().to_ip().unwrap());
        let script: Vec<Turn> = script.into_iter().collect();
        let requests = thread::spawn(move || serve(&server, wire, &script));
        Self { wire, url, requests }
    }

    /// Returns rig's model for this API.
    pub(crate) fn model(&self) -> DynModel<Completion> {
        let openai = || OpenAIConfig::new("key").with_base_url(format!("{}/v1", self.url)).client();
        match self.wire {
            Wire::Chat => openai().chat("model").into(),
            Wire::Responses => openai().responses("model").into(),
            Wire::Messages => {
                let config = AnthropicConfig::new("key").with_base_url(&self.url);
                config.client().completion("claude-sonnet-4-5").into()
            }
        }
    }

    /// Waits for the end of the script, and returns the requests.
    pub(crate) fn requests(self) -> Vec<Request> {
        self.requests.join().unwrap()
    }
}

fn serve(server: &Server, wire: Wire, script: &[Turn]) -> Vec<Request> {
    let mut requests = Vec::new();
    for (at, turn) in script.iter().enumerate() {
        let Some(mut request) = server.recv_timeout(Duration::from_secs(10)).unwrap() else {
            break;
        };
        let body: Value = serde_json::from_reader(request.as_reader()).unwrap();
        let path = match wire {
            Wire::Chat => "/v1/chat/completions",
            Wire::Responses => "/v1/responses",
            Wire::Messages => "/v1/messages",
        };
        assert_eq!(request.url(), path);
        let streams = body["stream"] == true;
        requests.push(Request { wire, body });
        let header = |name, value| Header::from_bytes(name, value).unwrap();
        let response = match turn {
            Turn::Status(status, message) => Response::from_string(error(wire, *status, message))
                .with_status_code(*status)
                .with_header(header("retry-after", "7"))
                .with_header(header("content-type", "application/json")),
            _ if streams => Response::from_string(stream(wire, at, turn))
                .with_header(header("content-type", "text/event-stream")),
            _ => Response::from_string(unary(wire, at, turn).to_string())
                .with_header(header("content-type", "application/json")),
        };
        request.respond(response).unwrap();
    }
    requests
}

fn error(wire: Wire, status: u16, message: &str) -> String {
    let kind = if status == 429 { "rate_limit_error" } else { "api_error" };
    let error = json!({ "type": kind, "message": message, "code": null, "param": null });
    match wire {
        Wire::Messages => json!({ "type": "error", "error": error }).to_string(),
        _ => json!({ "error": error }).to_string(),
    }
}

/// How an answer ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Normal,
    Cut,
    Filtered,
}

fn end(turn: &Turn) -> End {
    match turn {
        Turn::Cut(_) => End::Cut,
        Turn::Filtered(_) => End::Filtered,
        _ => End::Normal,
    }
}

/// Returns the text of a turn, and its calls with their arguments as text.
fn parts(turn: &Turn) -> (Option<&'static str>, Vec<(&'static str, &'static str, String)>) {
    match turn {
        Turn::Text(text) | Turn::Cut(text) | Turn::Filtered(text) => (Some(text), Vec::new()),
        Turn::Calls(calls) => {
            (None, calls.iter().map(|(id, tool, json)| (*id, *tool, json.to_string())).collect())
        }
        Turn::Malformed(id, tool, text) => (None, vec![(id, tool, (*text).to_owned())]),
        Turn::Status(..) => unreachable!("an error has no parts"),
    }
}

fn unary(wire: Wire, at: usize, turn: &Turn) -> Value {
    let (end, (text, calls)) = (end(turn), parts(turn));
    match wire {
        Wire::Chat => {
            let calls: Vec<_> = calls.iter().map(chat_call).collect();
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                message["tool_calls"] = calls.into();
            }
            let reason = chat_finish(end, text);
            json!({
                "id": format!("chatcmpl-{at}"), "object": "chat.completion", "created": 1, "model": "model",
                "choices": [{ "index": 0, "message": message, "finish_reason": reason }],
                "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
            })
        }
        Wire::Responses => response(at, end, responses_output(at, text, &calls)),
        Wire::Messages => message(at, end, messages_content(at, text, &calls)),
    }
}

fn chat_call((id, tool, arguments): &(&str, &str, String)) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": tool, "arguments": arguments } })
}

fn chat_finish(end: End, text: Option<&str>) -> &'static str {
    match (end, text) {
        (End::Cut, _) => "length",
        (End::Filtered, _) => "content_filter",
        (End::Normal, Some(_)) => "stop",
        (End::Normal, None) => "tool_calls",
    }
}

fn response(at: usize, end: End, output: Vec<Value>) -> Value {
    let (status, details) = match end {
        End::Cut => ("incomplete", json!({ "reason": "max_output_tokens" })),
        End::Filtered => ("incomplete", json!({ "reason": "content_filter" })),
        End::Normal => ("completed", Value::Null),
    };
    json!({
        "id": format!("resp_{at}"), "object": "response", "created_at": 1, "model": "model",
        "status": status, "incomplete_details": details, "error": null, "output": output,
        "usage": {
            "input_tokens": 1, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 1,
            "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 2,
        },
    })
}

/// The reasoning of a turn is encrypted, and its ID and content have to be sent back.
fn responses_output(at: usize, text: Option<&str>, calls: &[(&str, &str, String)]) -> Vec<Value> {
    let mut output = vec![json!({
        "type": "reasoning", "id": format!("rs_{at}"), "summary": [],
        "encrypted_content": format!("encrypted {at}"),
    })];
    output.extend(text.map(|text| {
        json!({
            "type": "message", "id": format!("msg_{at}"), "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        })
    }));
    output.extend(calls.iter().map(|(id, tool, arguments)| {
        json!({
            "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": tool,
            "arguments": arguments, "status": "completed",
        })
    }));
    output
}

fn message(at: usize, end: End, content: Vec<Value>) -> Value {
    let calls = content.iter().any(|block| block["type"] == "tool_use");
    let reason = match end {
        End::Cut => "max_tokens",
        End::Filtered => "refusal",
        End::Normal if calls => "tool_use",
        End::Normal => "end_turn",
    };
    json!({
        "id": format!("msg_{at}"), "type": "message", "role": "assistant",
        "model": "claude-sonnet-4-5", "content": content, "stop_reason": reason,
        "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

/// The thinking of a turn is signed, and has to be sent back unchanged.
fn messages_content(at: usize, text: Option<&str>, calls: &[(&str, &str, String)]) -> Vec<Value> {
    let mut content = vec![json!({
        "type": "thinking", "thinking": "Let me see.", "signature": format!("signature {at}"),
    })];
    content.extend(text.map(|text| json!({ "type": "text", "text": text })));
    content.extend(calls.iter().map(|(id, tool, arguments)| {
        let input: Value = serde_json::from_str(arguments).unwrap();
        json!({ "type": "tool_use", "id": id, "name": tool, "input": input })
    }));
    content
}

/// Returns a turn as server-sent events. Texts and arguments come in two pieces.
fn stream(wire: Wire, at: usize, turn: &Turn) -> String {
    let (text, calls) = parts(turn);
    let events = match wire {
        Wire::Chat => chat_events(at, end(turn), text, &calls),
        Wire::Responses => responses_events(at, text, &calls),
        Wire::Messages => messages_events(at, text, &calls),
    };
    let event = |event: &Value| match event["type"].as_str() {
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    };
    let mut stream: String = events.iter().map(event).collect();
    if wire == Wire::Chat {
        stream += "data: [DONE]\n\n";
    }
    stream
}

fn halves(text: &str) -> [&str; 2] {
    text.split_at(text.floor_char_boundary(text.len() / 2)).into()
}

fn chat_events(
    at: usize,
    end: End,
    text: Option<&str>,
    calls: &[(&str, &str, String)],
) -> Vec<Value> {
    let chunk = |delta: Value, finish: Value| {
        json!({
            "id": format!("chatcmpl-{at}"), "object": "chat.completion.chunk", "created": 1,
            "model": "model",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
        })
    };
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), Value::Null)];
    for half in text.into_iter().flat_map(halves) {
        events.push(chunk(json!({ "content": half }), Value::Null));
    }
    for (index, call) in calls.iter().enumerate() {
        let [first, second] = halves(&call.2);
        let mut start = chat_call(&(call.0, call.1, first.to_owned()));
        start["index"] = index.into();
        events.push(chunk(json!({ "tool_calls": [start] }), Value::Null));
        let rest = json!({ "index": index, "function": { "arguments": second } });
        events.push(chunk(json!({ "tool_calls": [rest] }), Value::Null));
    }
    events.push(chunk(json!({}), chat_finish(end, text).into()));
    events
}

fn responses_events(at: usize, text: Option<&str>, calls: &[(&str, &str, String)]) -> Vec<Value> {
    let mut events = Vec::new();
    let mut push = |mut event: Value| {
        event["sequence_number"] = events.len().into();
        events.push(event);
    };
    let mut started = response(at, End::Normal, Vec::new());
    started["status"] = "in_progress".into();
    push(json!({ "type": "response.created", "response": started }));
    let output = responses_output(at, text, calls);
    for (index, item) in output.iter().enumerate() {
        let id = &item["id"];
        let mut empty = item.clone();
        match item["type"].as_str() {
            Some("message") => empty["content"] = json!([]),
            Some("function_call") => empty["arguments"] = "".into(),
            _ => {}
        }
        push(json!({ "type": "response.output_item.added", "output_index": index, "item": empty }));
        if let Some(arguments) = item["arguments"].as_str() {
            for half in halves(arguments) {
                push(json!({
                    "type": "response.function_call_arguments.delta", "item_id": id,
                    "output_index": index, "delta": half,
                }));
            }
            push(json!({
                "type": "response.function_call_arguments.done", "item_id": id,
                "output_index": index, "arguments": arguments,
            }));
        }
        if let Some(text) = item["content"][0]["text"].as_str() {
            let part =
                |text: &str| json!({ "type": "output_text", "text": text, "annotations": [] });
            push(json!({
                "type": "response.content_part.added", "item_id": id, "output_index": index,
                "content_index": 0, "part": part(""),
            }));
            for half in halves(text) {
                push(json!({
                    "type": "response.output_text.delta", "item_id": id, "output_index": index,
                    "content_index": 0, "delta": half,
                }));
            }
            push(json!({
                "type": "response.output_text.done", "item_id": id, "output_index": index,
                "content_index": 0, "text": text,
            }));
            push(json!({
                "type": "response.content_part.done", "item_id": id, "output_index": index,
                "content_index": 0, "part": part(text),
            }));
        }
        push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    push(json!({ "type": "response.completed", "response": response(at, End::Normal, output) }));
    events
}

fn messages_events(at: usize, text: Option<&str>, calls: &[(&str, &str, String)]) -> Vec<Value> {
    let content = messages_content(at, text, calls);
    let whole = message(at, End::Normal, content.clone());
    let mut start = whole.clone();
    (start["content"], start["stop_reason"]) = (json!([]), Value::Null);
    let mut events = vec![json!({ "type": "message_start", "message": start })];
    for (index, block) in content.iter().enumerate() {
        let mut empty = block.clone();
        let mut deltas = Vec::new();
        match block["type"].as_str().unwrap() {
            "thinking" => {
                (empty["thinking"], empty["signature"]) = ("".into(), "".into());
                for half in halves(block["thinking"].as_str().unwrap()) {
                    deltas.push(json!({ "type": "thinking_delta", "thinking": half }));
                }
                let signature = &block["signature"];
                deltas.push(json!({ "type": "signature_delta", "signature": signature }));
            }
            "text" => {
                empty["text"] = "".into();
                for half in halves(block["text"].as_str().unwrap()) {
                    deltas.push(json!({ "type": "text_delta", "text": half }));
                }
            }
            _ => {
                empty["input"] = json!({});
                for half in halves(&block["input"].to_string()) {
                    deltas.push(json!({ "type": "input_json_delta", "partial_json": half }));
                }
            }
        }
        let event = |kind: &str| json!({ "type": kind, "index": index });
        let mut start = event("content_block_start");
        start["content_block"] = empty;
        events.push(start);
        for delta in deltas {
            let mut event = event("content_block_delta");
            event["delta"] = delta;
            events.push(event);
        }
        events.push(event("content_block_stop"));
    }
    events.push(json!({
        "type": "message_delta", "usage": { "output_tokens": 1 },
        "delta": { "stop_reason": whole["stop_reason"], "stop_sequence": null },
    }));
    events.push(json!({ "type": "message_stop" }));
    events
}

/// A request, as the server received it.
pub(crate) struct Request {
    wire: Wire,
    pub(crate) body: Value,
}

/// The result of a call in a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) id: String,
    pub(crate) text: String,
    /// Whether it is marked as an error. OpenAI's APIs have no such mark.
    pub(crate) is_error: bool,
}

impl Request {
    fn messages(&self) -> &[Value] {
        let name = if self.wire == Wire::Responses { "input" } else { "messages" };
        self.body[name].as_array().unwrap()
    }

    /// Returns the system prompt.
    pub(crate) fn system(&self) -> String {
        let system = match self.wire {
            Wire::Messages => &self.body["system"],
            Wire::Responses if self.body["instructions"].is_string() => &self.body["instructions"],
            _ => {
                let is_system = |message: &&Value| {
                    ["system", "developer"].contains(&message["role"].as_str().unwrap_or(""))
                };
                match self.messages().iter().find(is_system) {
                    Some(message) => &message["content"],
                    None => &Value::Null,
                }
            }
        };
        texts(system)
    }

    /// Returns the names of the tools.
    pub(crate) fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array();
        tools
            .into_iter()
            .flatten()
            .map(|tool| if self.wire == Wire::Chat { &tool["function"] } else { tool })
            .map(|tool| tool["name"].as_str().unwrap())
            .collect()
    }

    /// Returns the text of the last message of the user.
    pub(crate) fn user(&self) -> String {
        let is_user = |message: &&Value| message["role"] == "user";
        texts(&self.messages().iter().rev().find(is_user).unwrap()["content"])
    }

    /// Returns the IDs of the calls in the conversation.
    pub(crate) fn calls(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        for message in self.messages() {
            match self.wire {
                Wire::Chat => {
                    let calls = message["tool_calls"].as_array().into_iter().flatten();
                    ids.extend(calls.map(|call| &call["id"]));
                }
                Wire::Responses if message["type"] == "function_call" => {
                    ids.push(&message["call_id"]);
                }
                Wire::Responses => {}
                Wire::Messages => {
                    let blocks = message["content"].as_array().into_iter().flatten();
                    let calls = blocks.filter(|block| block["type"] == "tool_use");
                    ids.extend(calls.map(|block| &block["id"]));
                }
            }
        }
        ids.into_iter().map(|id| id.as_str().unwrap()).collect()
    }

    /// Returns the results of calls in the conversation.
    pub(crate) fn results(&self) -> Vec<Sent> {
        let (mut results, mut called) = (Vec::new(), Vec::new());
        let mut push = |id: &Value, text: &Value, is_error: bool| {
            let id = id.as_str().unwrap().to_owned();
            results.push(Sent { id, text: texts(text), is_error });
        };
        for message in self.messages() {
            match self.wire {
                Wire::Chat if message["role"] == "tool" => {
                    push(&message["tool_call_id"], &message["content"], false);
                }
                Wire::Responses if message["type"] == "function_call_output" => {
                    push(&message["call_id"], &message["output"], false);
                }
                Wire::Messages => {
                    let blocks = || message["content"].as_array().into_iter().flatten();
                    let ids = |kind: &str, name: &str| -> Vec<Value> {
                        let blocks = blocks().filter(|block| block["type"] == kind);
                        blocks.map(|block| block[name].clone()).collect()
                    };
                    // The API refuses calls that the next message does not answer.
                    let answered = ids("tool_result", "tool_use_id");
                    assert_eq!(called, answered, "{:#}", self.body);
                    called = ids("tool_use", "id");
                    for block in blocks().filter(|block| block["type"] == "tool_result") {
                        push(&block["tool_use_id"], &block["content"], block["is_error"] == true);
                    }
                }
                _ => {}
            }
        }
        results
    }

    /// Returns what the provider's reasoning of earlier turns requires: the encrypted contents, or
    /// the signatures.
    pub(crate) fn reasoning(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for message in self.messages() {
            found.extend(message["encrypted_content"].as_str());
            let blocks = message["content"].as_array().into_iter().flatten();
            found.extend(blocks.filter_map(|block| block["signature"].as_str()));
        }
        found
    }

    /// Whether results of failed calls are marked.
    pub(crate) fn marks_errors(&self) -> bool {
        self.wire == Wire::Messages
    }
}

/// Returns the text of a content: a string, or a list of blocks.
fn texts(content: &Value) -> String {
    match content {
        Value::Array(blocks) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        text => text.as_str().unwrap_or_default().to_owned(),
    }
}
