//! Runs the program against a server of events on loopback.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

/// A server that gives these bodies in turn, each in pieces of `piece` bytes. It sends the second
/// half of a body when `go_on` receives something.
struct Server {
    address: String,
    go_on: Sender<()>,
    thread: JoinHandle<Vec<Value>>,
}

impl Server {
    fn start(bodies: Vec<String>, piece: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (go_on, halves) = channel();
        let thread = thread::spawn(move || {
            bodies
                .iter()
                .map(|body| serve(&listener, body.as_bytes(), piece, &halves))
                .collect()
        });
        Self { address, go_on, thread }
    }
}

/// Answers one request, and returns its body.
fn serve(
    listener: &TcpListener,
    body: &[u8],
    piece: usize,
    halves: &Receiver<()>,
) -> Value {
    let (mut stream, _) = listener.accept().unwrap();
    let asked = read_request(&stream);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let (first, second) = body.split_at(body.len() / 2);
    for half in [first, second] {
        for piece in half.chunks(piece) {
            stream.write_all(piece).unwrap();
            stream.flush().unwrap();
        }
        if half == first {
            halves.recv().unwrap();
        }
    }
    asked
}

fn read_request(stream: &TcpStream) -> Value {
    let (mut reader, mut length) = (BufReader::new(stream), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

fn program(api: &str, server: &Server) -> Child {
    Command::new(env!("CARGO_BIN_EXE_helix-skills-example-streaming-agent"))
        .args([api, "some-model", "Write the message."])
        .env("ANTHROPIC_BASE_URL", &server.address)
        .env("ANTHROPIC_API_KEY", "secret")
        .env("OPENAI_BASE_URL", format!("{}/v1", server.address))
        .env("OPENAI_API_KEY", "secret")
        .env("NO_PROXY", "127.0.0.1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program. Returns what it printed, and the requests.
fn run(api: &str, bodies: Vec<String>, piece: usize) -> (String, String, Vec<Value>) {
    let server = Server::start(bodies.clone(), piece);
    for _ in bodies {
        server.go_on.send(()).unwrap();
    }
    let output = program(api, &server).wait_with_output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.success(), stderr.is_empty(), "{stderr}");
    (stdout, stderr, server.thread.join().unwrap())
}

fn anthropic(events: &[Value]) -> String {
    let start = json!({"type": "message_start", "message": {"role": "assistant", "content": [],
        "stop_reason": null}});
    let event = |event: &Value| {
        format!("event: {}\r\ndata: {event}\r\n\r\n", event["type"].as_str().unwrap())
    };
    [start, json!({"type": "ping"})].iter().chain(events).map(event).collect()
}

/// The events of a block of Anthropic's API, whose deltas are `(type, key, piece)`.
fn block(
    index: u64,
    start: &Value,
    kind: &str,
    key: &str,
    pieces: &[&str],
) -> Vec<Value> {
    let mut events = vec![
        json!({"type": "content_block_start", "index": index, "content_block": start}),
    ];
    events.extend(pieces.iter().map(|piece| {
        json!({"type": "content_block_delta", "index": index, "delta": {"type": kind, key: piece}})
    }));
    events.push(json!({"type": "content_block_stop", "index": index}));
    events
}

fn text_block(index: u64, pieces: &[&str]) -> Vec<Value> {
    block(index, &json!({"type": "text", "text": ""}), "text_delta", "text", pieces)
}

fn stop(reason: &str) -> Vec<Value> {
    let delta = json!({"type": "message_delta", "delta": {"stop_reason": reason}});
    vec![delta, json!({"type": "message_stop"})]
}

fn openai(events: &[Value]) -> String {
    let lines: String =
        events.iter().map(|event| format!("data: {event}\n\n")).collect();
    format!(": a comment\n\n{lines}data: [DONE]\n\n")
}

fn choice(delta: Value, reason: Option<&str>) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]})
}

/// The rest of the answer is sent after its beginning was printed.
#[test]
fn text_is_shown_before_the_answer_is_complete() {
    let words: Vec<String> = (0..200).map(|at| format!("größe{at} ")).collect();
    let pieces: Vec<&str> = words.iter().map(String::as_str).collect();
    let chat: Vec<Value> = pieces
        .iter()
        .map(|piece| choice(json!({"content": piece}), None))
        .chain([choice(json!({}), Some("stop")), json!({"choices": [], "usage": {}})])
        .collect();
    let messages = anthropic(&[text_block(0, &pieces), stop("end_turn")].concat());
    for (api, body) in [("anthropic", messages), ("openai", openai(&chat))] {
        let server = Server::start(vec![body], 3);
        let mut child = program(api, &server);
        let mut stdout = child.stdout.take().unwrap();
        let (mut shown, expected) = (Vec::new(), words[..50].concat());
        while shown.len() < expected.len() {
            let mut byte = [0];
            stdout.read_exact(&mut byte).unwrap();
            shown.push(byte[0]);
        }
        server.go_on.send(()).unwrap();
        stdout.read_to_end(&mut shown).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(String::from_utf8(shown).unwrap(), words.concat() + "\n", "{api}");
        assert_eq!(server.thread.join().unwrap()[0]["stream"], true);
    }
}

#[test]
fn anthropic_blocks_are_sent_back_as_they_were() {
    let call = |id: &str, name: &str| json!({"type": "tool_use", "id": id, "name": name, "input": {}});
    let mut thinking = block(
        0,
        &json!({"type": "thinking", "thinking": "", "signature": ""}),
        "thinking_delta",
        "thinking",
        &["H", "m."],
    );
    let signature = json!({"type": "signature_delta", "signature": "c2ln"});
    let signature =
        json!({"type": "content_block_delta", "index": 0, "delta": signature});
    thinking.insert(3, signature);
    let pieces = ["", "{\"na", "me\": \"commit-", "messages\"}"];
    let load = block(
        1,
        &call("1", "load_skill"),
        "input_json_delta",
        "partial_json",
        &pieces,
    );
    let weather = block(
        2,
        &call("2", "get_weather"),
        "input_json_delta",
        "partial_json",
        &[""],
    );
    let first = anthropic(&[thinking, load, weather, stop("tool_use")].concat());
    let last =
        anthropic(&[text_block(0, &["fix: ", "say so"]), stop("end_turn")].concat());
    let (shown, _, requests) = run("anthropic", vec![first, last], 1);
    assert!(
        shown.contains("\n── load_skill {\"name\":\"commit-messages\"}\n"),
        "{shown}"
    );
    assert!(shown.ends_with("\nfix: say so\n"), "{shown}");
    let messages = requests[1]["messages"].as_array().unwrap();
    let mut load = call("1", "load_skill");
    load["input"] = json!({"name": "commit-messages"});
    assert_eq!(
        messages[1]["content"],
        json!([
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            load,
            call("2", "get_weather"),
        ])
    );
    let results = messages[2]["content"].as_array().unwrap();
    let body = results[0]["content"].as_str().unwrap();
    assert!(body.starts_with("<skill name=\"commit-messages\">"), "{body}");
    assert_eq!(results[1]["is_error"], true);
}

#[test]
fn openai_calls_are_put_together_from_pieces() {
    let piece = |index: Option<u64>, id: &str, name: &str, arguments: &str| {
        let function = json!({"name": name, "arguments": arguments});
        let call = json!({"index": index, "id": id, "type": "function", "function": function});
        choice(json!({"tool_calls": [call]}), None)
    };
    let load = "{\"name\": \"commit-messages\"}";
    let first = openai(&[
        choice(json!({"role": "assistant", "content": null}), None),
        piece(Some(0), "1", "load_skill", &load[..10]),
        piece(Some(1), "2", "get_weather", ""),
        // Some servers repeat the id and the name, others send no index.
        piece(Some(0), "1", "load_skill", &load[10..]),
        piece(None, "3", "get_time", "{}"),
        choice(json!({}), Some("tool_calls")),
    ]);
    let last = openai(&[choice(json!({"content": "fix: say so"}), Some("stop"))]);
    let (shown, _, requests) = run("openai", vec![first, last], 1);
    assert!(shown.ends_with("\nfix: say so\n"), "{shown}");
    let messages = requests[1]["messages"].as_array().unwrap();
    let calls = messages[2]["tool_calls"].as_array().unwrap();
    let called: Vec<_> = calls
        .iter()
        .map(|call| (&call["id"], &call["function"]["arguments"]))
        .collect();
    let expected = [("1", load), ("2", ""), ("3", "{}")]
        .map(|(id, text)| (json!(id), json!(text)));
    assert_eq!(called, expected.each_ref().map(|(id, text)| (id, text)));
    let ids: Vec<_> =
        messages[3..].iter().map(|result| &result["tool_call_id"]).collect();
    assert_eq!(ids, ["1", "2", "3"]);
    let body = messages[3]["content"].as_str().unwrap();
    assert!(body.starts_with("<skill name=\"commit-messages\">"), "{body}");
}

#[test]
fn answers_that_are_not_whole_are_errors() {
    let overloaded = json!({"type": "error", "error": {"type": "overloaded_error"}});
    for (api, body, expected) in [
        (
            "anthropic",
            anthropic(&text_block(0, &["a"])),
            "the connection ended before",
        ),
        ("anthropic", anthropic(&stop("max_tokens")), "stopped early: `max_tokens`"),
        ("anthropic", anthropic(&[overloaded]), "the server reports"),
        (
            "openai",
            openai(&[choice(json!({"content": "a"}), None)]),
            "the connection ended before",
        ),
        (
            "openai",
            openai(&[choice(json!({}), Some("length"))]),
            "stopped early: `length`",
        ),
        (
            "openai",
            openai(&[json!({"error": {"message": "busy"}})]),
            "the server reports",
        ),
    ] {
        let (_, stderr, requests) = run(api, vec![body], 100);
        assert!(stderr.contains(expected), "{api}: {expected}: {stderr}");
        assert_eq!(requests.len(), 1);
    }
}
