//! Runs the program against a server on loopback that answers as the two APIs do.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::{
    process::{Command, Output},
    sync::mpsc,
    thread,
    time::Duration,
};
use tiny_http::{Header, Response, Server};

/// What the server received.
struct Request {
    path: String,
    /// The value of the header with the key.
    key: String,
    body: Value,
}

/// Runs the program against a server that gives these answers, of a status and a body, in turn.
/// Returns the output and what the server received.
fn run(api: &str, task: &str, answers: Vec<(u16, Value)>) -> (Output, Vec<Request>) {
    let server = Server::http("127.0.0.1:0").unwrap();
    let address = server.server_addr().to_ip().unwrap();
    let (sender, receiver) = mpsc::channel();
    let thread = thread::spawn(move || {
        for (status, answer) in answers {
            let Ok(Some(mut request)) = server.recv_timeout(Duration::from_secs(60)) else {
                return;
            };
            let body = serde_json::from_reader(request.as_reader()).unwrap();
            let key = request.headers().iter().find(|header| {
                header.field.equiv("authorization") || header.field.equiv("x-api-key")
            });
            let key = key.map(|header| header.value.to_string()).unwrap_or_default();
            sender.send(Request { path: request.url().into(), key, body }).unwrap();
            let response = Response::from_string(answer.to_string())
                .with_status_code(status)
                .with_header(Header::from_bytes("content-type", "application/json").unwrap())
                .with_header(Header::from_bytes("retry-after", "0").unwrap());
            request.respond(response).unwrap();
        }
    });
    let output = Command::new(env!("CARGO_BIN_EXE_helix-skills-example-http-agent"))
        .args([api, "some-model", task])
        .env("ANTHROPIC_BASE_URL", format!("http://{address}"))
        .env("ANTHROPIC_API_KEY", "secret")
        .env("OPENAI_BASE_URL", format!("http://{address}/v1/"))
        .env("OPENAI_API_KEY", "secret")
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    thread.join().unwrap();
    (output, receiver.iter().collect())
}

fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", stderr(output));
    str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    str::from_utf8(&output.stderr).unwrap()
}

fn anthropic(stop_reason: &str, content: Value) -> (u16, Value) {
    (200, json!({"role": "assistant", "content": content, "stop_reason": stop_reason}))
}

fn openai(finish_reason: &str, message: Value) -> (u16, Value) {
    (200, json!({"choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]}))
}

#[test]
fn anthropic_conversation_loads_a_skill() {
    let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "c2ln"});
    let call = |id: &str, name: &str, input: Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let first = json!([
        thinking,
        call("1", "load_skill", json!({"name": "commit-messages"})),
        call("2", "get_weather", json!({})),
    ]);
    let last = json!([{"type": "text", "text": "fix: say so"}]);
    let (output, requests) = run(
        "anthropic",
        "Write the message.",
        vec![anthropic("tool_use", first.clone()), anthropic("end_turn", last)],
    );
    assert!(stdout(&output).ends_with("\nfix: say so\n"));

    let [before, after] = &requests[..] else { panic!("{} requests", requests.len()) };
    assert_eq!((&*before.path, &*before.key), ("/v1/messages", "secret"));
    assert_eq!(before.body["model"], "some-model");
    assert!(before.body["system"].as_str().unwrap().contains("\n- commit-messages: "));
    let tools = before.body["tools"].as_array().unwrap();
    assert_eq!(tools[0]["name"], "load_skill");
    assert_eq!(tools[0]["input_schema"]["type"], "object");
    let user = json!({"role": "user", "content": [{"type": "text", "text": "Write the message."}]});
    assert_eq!(before.body["messages"], json!([user]));

    let messages = after.body["messages"].as_array().unwrap();
    assert_eq!(messages[1], json!({"role": "assistant", "content": first}));
    let results = messages[2]["content"].as_array().unwrap();
    assert_eq!((messages.len(), results.len()), (3, 2));
    assert_eq!(results[0]["tool_use_id"], "1");
    assert!(
        results[0]["content"].as_str().unwrap().starts_with("<skill name=\"commit-messages\">")
    );
    assert_eq!(
        results[1],
        json!({
            "type": "tool_result",
            "tool_use_id": "2",
            "content": "there is no tool `get_weather`",
            "is_error": true,
        })
    );
}

#[test]
fn openai_conversation_loads_a_skill() {
    let function = json!({"name": "load_skill", "arguments": "{\"name\": \"commit-messages\"}"});
    let call = json!({"id": "1", "type": "function", "function": function});
    let first = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let last = json!({"role": "assistant", "content": "fix: say so"});
    let (output, requests) = run(
        "openai",
        "Write the message.",
        vec![openai("tool_calls", first), openai("stop", last)],
    );
    assert!(stdout(&output).ends_with("\nfix: say so\n"));

    let [before, after] = &requests[..] else { panic!("{} requests", requests.len()) };
    assert_eq!((&*before.path, &*before.key), ("/v1/chat/completions", "Bearer secret"));
    let tool = &before.body["tools"][0];
    assert_eq!(
        (&tool["type"], &tool["function"]["name"]),
        (&json!("function"), &json!("load_skill"))
    );
    assert_eq!(before.body["messages"][0]["role"], "system");

    let messages = after.body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["tool_calls"], json!([call]));
    assert_eq!((&messages[3]["role"], &messages[3]["tool_call_id"]), (&json!("tool"), &json!("1")));
    let body = messages[3]["content"].as_str().unwrap();
    assert!(body.starts_with("<skill name=\"commit-messages\">"), "{body}");
}

#[test]
fn skill_runs_as_a_task_of_its_own() {
    let last = json!({"role": "assistant", "content": "Notes of 1.4."});
    let (output, requests) = run("openai", "/release-notes 1.4", vec![openai("stop", last)]);
    assert_eq!(stdout(&output), "Notes of 1.4.\n");
    let messages = requests[0].body["messages"].as_array().unwrap();
    assert!(messages[0]["content"].as_str().unwrap().starts_with("You help with a repository."));
    assert!(messages[1]["content"].as_str().unwrap().contains("# Release notes"));
}

#[test]
fn overloaded_server_is_asked_again() {
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let text = json!([{"type": "text", "text": "Done."}]);
    let (output, requests) = run(
        "anthropic",
        "Go.",
        vec![(529, overloaded.clone()), (429, overloaded.clone()), anthropic("end_turn", text)],
    );
    assert_eq!((stdout(&output), requests.len()), ("Done.\n", 3));

    let (output, requests) = run("anthropic", "Go.", vec![(529, overloaded); 4]);
    assert!(stderr(&output).ends_with("answered 529 <unknown status code>: Overloaded\n"));
    assert_eq!((output.status.code(), requests.len()), (Some(1), 4));
}

#[test]
fn invalid_base_url_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_helix-skills-example-http-agent"))
        .args(["openai", "some-model", "Go."])
        .env("OPENAI_BASE_URL", "nonsense")
        .output()
        .unwrap();
    let expected = "error: invalid OPENAI_BASE_URL `nonsense`: relative URL without a base\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), expected));
}

#[test]
fn errors_and_cut_answers_are_reported() {
    let refused =
        json!({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}});
    let cut = openai("length", json!({"role": "assistant", "content": "Half of"}));
    for (answer, expected) in [
        ((401, refused), "answered 401 Unauthorized: Incorrect API key provided"),
        (cut, "the model stopped before the end of its answer: `length`"),
        ((200, json!({})), "the response has no `choices`"),
    ] {
        let (output, requests) = run("openai", "Go.", vec![answer]);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!((output.status.code(), requests.len()), (Some(1), 1));
    }
}
