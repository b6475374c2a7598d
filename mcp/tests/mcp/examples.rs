//! The programs in `examples/`.

use crate::{connect_http, verify};
use helix_skills_mcp::rmcp;
use rmcp::{
    RoleClient, ServiceExt, model::CallToolRequestParams, service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::json;
use std::{
    path::PathBuf,
    process::{Command as StdCommand, Stdio},
    time::Duration,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    process::{Child, Command},
};

/// Returns the path of an example, which cargo builds for the tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let directory = test.parent().and_then(|deps| deps.parent()).unwrap();
    directory.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

pub(crate) async fn start(command: Command) -> RunningService<RoleClient, ()> {
    ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap()
}

#[tokio::test]
async fn one_line_serves_embedded_skills() {
    let client = start(Command::new(example("stdio"))).await;
    assert!(verify(&client).await.len() > 3);
    assert!(client.list_skills(None).await.unwrap().skills.len() > 2);
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn server_keeps_its_own_tools_and_instructions() {
    let client = start(Command::new(example("own-server"))).await;
    let info = client.peer_info().unwrap();
    let instructions = info.instructions.as_ref().unwrap();
    assert!(instructions.starts_with("Ask for the weather of one city at a time.\n\n"));
    assert!(instructions.contains("\n- incident-review: "));
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["get_weather", "load_skill", "read_skill_file"]);
    let call = CallToolRequestParams::new("get_weather")
        .with_arguments(json!({"city": "Rome"}).as_object().unwrap().clone());
    let result = client.call_tool(call).await.unwrap();
    assert_eq!(result.content[0].as_text().unwrap().text, "It rains in Rome.");
    assert!(verify(&client).await.len() > 3);
    client.cancel().await.unwrap();
}

#[test]
fn own_server_differs_by_few_lines_from_one_without_skills() {
    let source = std::fs::read_to_string("examples/own-server.rs").unwrap();
    let about_skills = source.lines().filter(|line| {
        !line.starts_with("//!") && (line.contains("skills") || line.contains("SkillServer"))
    });
    // The import, the skills, and the server.
    assert_eq!(about_skills.count(), 3);
}

/// Starts the HTTP example, and returns the process and its address.
async fn http() -> (Child, String) {
    let mut command = Command::new(example("http"));
    let mut server = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).await.unwrap();
    (server, address.trim().to_owned())
}

/// Sends an HTTP request, and returns the whole answer.
pub(crate) async fn send(address: &str, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let length = body.len();
    let request = format!(
        "{head}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    tokio::time::timeout(Duration::from_secs(60), read).await.expect("an answer").unwrap();
    answer
}

#[tokio::test]
async fn http_serves_skills_next_to_other_routes() {
    let (_server, url) = http().await;
    let address = url.strip_prefix("http://").unwrap();
    let hello = send(address, "GET / HTTP/1.1\r\nHost: localhost", "").await;
    assert!(hello.starts_with("HTTP/1.1 200 ") && hello.ends_with("hello"), "{hello}");

    let client = connect_http(format!("{url}/mcp")).await;
    assert!(verify(&client).await.len() > 3);
    client.cancel().await.unwrap();
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn requests_open_no_file() {
    let traced = StdCommand::new("strace").args(["-o", "/dev/null", "true"]).output();
    if !traced.is_ok_and(|output| output.status.success()) {
        return eprintln!("skipped: `strace` is missing or not permitted");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut opened = Vec::new();
    for with_requests in [false, true] {
        let log = folder.path().join("log");
        let mut command = Command::new("strace");
        command.args(["-f", "-e", "trace=open,openat,openat2,creat", "-o"]).arg(&log);
        let client = start({
            command.arg(example("stdio"));
            command
        })
        .await;
        if with_requests {
            assert!(verify(&client).await.len() > 3);
            client.list_tools(None).await.unwrap();
            client.list_prompts(None).await.unwrap();
        }
        client.cancel().await.unwrap();
        let log = std::fs::read_to_string(log).unwrap();
        opened.push(log.lines().filter(|line| line.contains("open")).count());
    }
    assert_eq!(opened[0], opened[1], "{opened:?}");
}
