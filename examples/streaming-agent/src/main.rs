//! An agent that shows answers while they arrive, in the API of Anthropic or of OpenAI.
//!
//! ```text
//! ANTHROPIC_API_KEY=… cargo run -p helix-skills-example-streaming-agent -- anthropic MODEL TASK
//! OPENAI_API_KEY=… cargo run -p helix-skills-example-streaming-agent -- openai MODEL TASK
//! ```
//!
//! `ANTHROPIC_BASE_URL` and `OPENAI_BASE_URL` name another server, such as
//! `http://localhost:11434/v1` of Ollama, which needs no key.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is what an example is for"
)]

mod anthropic;
mod events;
mod openai;

use helix_skills::{ToolFormat, include_skills};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use std::{
    env,
    error::Error,
    io::{Write as _, stdout},
    process::ExitCode,
    time::Duration,
};

include_skills!(mod skills, "../agent");

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SYSTEM: &str = "You help with a repository.";
const MAX_TURNS: usize = 20;
/// The longest time without a byte. An answer can take longer as long as something arrives.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Sends a request, and shows the text of the answer while it arrives. `add` adds an event to the
/// answer and returns its text.
async fn stream(
    request: reqwest::RequestBuilder,
    add: fn(&mut Value, &Value) -> Result<String>,
) -> Result<Value> {
    let response: Response = request.send().await?;
    if !response.status().is_success() {
        let status = response.status();
        return Err(format!(
            "the server answered {status}: {}",
            response.text().await?
        )
        .into());
    }
    let mut answer = Value::Null;
    events::read(response, |event| {
        print!("{}", add(&mut answer, &event)?);
        Ok(stdout().flush()?)
    })
    .await?;
    println!();
    Ok(answer)
}

/// Answers a call of the model: the text, and whether the call failed.
fn call(tool: &str, arguments: &str) -> (String, bool) {
    println!("── {tool} {arguments}");
    match skills::TOOLBOX.call(tool, arguments) {
        Some(reply) => (reply.to_string(), reply.is_error()),
        None => (format!("there is no tool `{tool}`"), true),
    }
}

/// Returns the definitions of the tools.
fn tools(format: ToolFormat) -> Result<Vec<Value>> {
    Ok(skills::TOOLBOX.tools([])?.map(|tool| json!(tool.json(format))).collect())
}

/// The text at `key`.
fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

async fn converse_anthropic(client: &Client, model: &str, task: &str) -> Result<()> {
    let base =
        variable("ANTHROPIC_BASE_URL").unwrap_or("https://api.anthropic.com".into());
    let (system, tools) = (
        format!("{SYSTEM}\n\n{}", skills::TOOLBOX.catalog()),
        tools(ToolFormat::Anthropic)?,
    );
    let mut messages = vec![json!({"role": "user", "content": task})];
    for _ in 0..MAX_TURNS {
        let body = json!({"model": model, "max_tokens": 8192, "stream": true, "system": system,
            "tools": tools, "messages": messages});
        let request = client.post(format!("{base}/v1/messages")).json(&body);
        let request = request.header("anthropic-version", "2023-06-01");
        let key = variable("ANTHROPIC_API_KEY");
        let request =
            key.iter().fold(request, |request, key| request.header("x-api-key", key));
        let response = stream(request, anthropic::add).await?;
        check_end(
            &response["stop_reason"],
            &["end_turn", "tool_use", "stop_sequence"],
        )?;
        messages.push(json!({"role": "assistant", "content": response["content"]}));
        let blocks = response["content"].as_array().into_iter().flatten();
        let results: Vec<_> = blocks
            .filter(|block| block["type"] == "tool_use")
            .map(|block| {
                let (text, is_error) = call(text(block, "name"), &block["input"].to_string());
                json!({"type": "tool_result", "tool_use_id": block["id"], "content": text,
                    "is_error": is_error})
            })
            .collect();
        if results.is_empty() {
            return Ok(());
        }
        messages.push(json!({"role": "user", "content": results}));
    }
    Err(format!("no answer after {MAX_TURNS} turns").into())
}

async fn converse_openai(client: &Client, model: &str, task: &str) -> Result<()> {
    let base =
        variable("OPENAI_BASE_URL").unwrap_or("https://api.openai.com/v1".into());
    let system = format!("{SYSTEM}\n\n{}", skills::TOOLBOX.catalog());
    let tools = tools(ToolFormat::OpenAiChat)?;
    let mut messages = vec![
        json!({"role": "system", "content": system}),
        json!({"role": "user", "content": task}),
    ];
    for _ in 0..MAX_TURNS {
        let body = json!({"model": model, "stream": true, "tools": tools, "messages": messages});
        let request = client.post(format!("{base}/chat/completions")).json(&body);
        let key = variable("OPENAI_API_KEY");
        let request =
            key.iter().fold(request, |request, key| request.bearer_auth(key));
        let choice = stream(request, openai::add).await?;
        check_end(&choice["finish_reason"], &["stop", "tool_calls"])?;
        let message = &choice["message"];
        messages.push(message.clone());
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let results: Vec<_> = calls
            .map(|asked| {
                let function = &asked["function"];
                let (text, _) =
                    call(text(function, "name"), text(function, "arguments"));
                json!({"role": "tool", "tool_call_id": asked["id"], "content": text})
            })
            .collect();
        if results.is_empty() {
            return Ok(());
        }
        messages.extend(results);
    }
    Err(format!("no answer after {MAX_TURNS} turns").into())
}

/// Refuses an answer that is not whole, so that no half of a call is carried out.
fn check_end(reason: &Value, whole: &[&str]) -> Result<()> {
    match reason.as_str() {
        Some(reason) if whole.contains(&reason) => Ok(()),
        Some(reason) => Err(format!("the model stopped early: `{reason}`").into()),
        None => Err("the connection ended before the answer".into()),
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

fn run() -> Result<()> {
    let [api, model, task] = env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: anthropic|openai MODEL TASK")?;
    // Not needed with the default features of reqwest, which bring a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = Client::builder()
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(STALL_TIMEOUT)
        .build()?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match &*api {
        "anthropic" => runtime.block_on(converse_anthropic(&client, &model, &task)),
        "openai" => runtime.block_on(converse_openai(&client, &model, &task)),
        _ => Err(format!("unknown API `{api}`: use `anthropic` or `openai`").into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
