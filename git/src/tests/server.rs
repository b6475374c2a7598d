//! A git server on loopback: `git http-backend` behind a minimal HTTP/1.1 server, or any response
//! that a test sets.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;

/// How the server serves repositories.
#[derive(Clone)]
pub(super) struct Setup {
    pub(super) root: PathBuf,
    pub(super) filter: bool,
    pub(super) any_want: bool,
    pub(super) v2: bool,
}

impl Setup {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, filter: true, any_want: true, v2: true }
    }
}

pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: HashMap<String, String>,
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Returns the ids that a fetch requests.
    pub(super) fn wants(&self) -> Vec<String> {
        let body = String::from_utf8_lossy(&self.body);
        let after = body.split("want ").skip(1).filter_map(|rest| rest.get(..40));
        // Names of capabilities may end in `want` too.
        after.filter(|id| id.bytes().all(|b| b.is_ascii_hexdigit())).map(str::to_owned).collect()
    }
}

/// What to do with a request.
pub(super) enum Answer {
    /// Respond with `git http-backend`.
    Git,
    /// Send these bytes and close the connection.
    Raw(Vec<u8>),
    /// Send these bytes and keep the connection open.
    Written(Vec<u8>),
    /// Send this head at once, then these bytes slowly, a few at a time, without reaching a
    /// timeout.
    Drip(String, Vec<u8>),
    /// Never respond.
    Silence,
}

pub(super) struct Server {
    pub(super) url: String,
    pub(super) connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) fn git(setup: Setup) -> Self {
        Self::start(Some(setup), |_, _| Answer::Git)
    }

    /// Starts the server. `decide` gets each request and its number.
    pub(super) fn start(
        setup: Option<Setup>,
        decide: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new((setup, decide, requests.clone()));
        let counter = connections.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counter.fetch_add(1, SeqCst);
                let shared = shared.clone();
                thread::spawn(move || serve(stream, &shared.0, &shared.1, &shared.2));
            }
        });
        Self { url, connections, requests }
    }

    /// Returns the requests so far: the method, and the distinguishing part of the URL or body.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(super) fn forget(&self) {
        self.requests.lock().unwrap().clear();
    }
}

fn serve(
    mut stream: TcpStream,
    setup: &Option<Setup>,
    decide: &(impl Fn(&Request, usize) -> Answer + Send + Sync),
    requests: &Mutex<Vec<String>>,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = read_request(&mut reader)? {
        let number = {
            let mut requests = requests.lock().unwrap();
            requests.push(summary(&request));
            requests.len()
        };
        match (decide(&request, number), setup) {
            (Answer::Git, Some(setup)) => backend(&request, setup, &mut stream)?,
            (Answer::Raw(bytes), _) => return stream.write_all(&bytes),
            (Answer::Written(bytes), _) => stream.write_all(&bytes)?,
            (Answer::Drip(head, bytes), _) => {
                stream.write_all(head.as_bytes())?;
                for piece in bytes.chunks(8) {
                    stream.write_all(piece)?;
                    thread::sleep(std::time::Duration::from_millis(50));
                }
            }
            _ => thread::sleep(std::time::Duration::from_secs(60)),
        }
    }
    Ok(())
}

fn summary(request: &Request) -> String {
    let body = String::from_utf8_lossy(&request.body);
    let what = if body.contains("command=ls-refs") {
        "ls-refs"
    } else if body.contains("filter blob:none") {
        "fetch blob:none"
    } else if body.contains("want ") {
        "fetch"
    } else {
        "info/refs"
    };
    format!("{} {what}", request.method)
}

fn read_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 { Ok(None) } else { Ok(Some(line.trim_end().to_owned())) }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> io::Result<Option<Request>> {
    let Some(first) = read_line(reader)? else { return Ok(None) };
    let mut parts = first.split(' ').map(str::to_owned);
    let (Some(method), Some(target)) = (parts.next(), parts.next()) else { return Ok(None) };
    let mut headers = HashMap::new();
    while let Some(line) = read_line(reader)?.filter(|line| !line.is_empty()) {
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    reader.by_ref().take(length).read_to_end(&mut body)?;
    Ok(Some(Request { method, target, headers, body }))
}

fn backend(request: &Request, setup: &Setup, out: &mut TcpStream) -> io::Result<()> {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let header = |name: &str| request.headers.get(name).map_or("", String::as_str);
    let mut command = Command::new("git");
    command.args(["-c", "safe.directory=*"]);
    command.args(["-c", &format!("uploadpack.allowFilter={}", setup.filter)]);
    command.args(["-c", &format!("uploadpack.allowAnySHA1InWant={}", setup.any_want)]);
    command
        .arg("http-backend")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command
        .env("GIT_PROJECT_ROOT", &setup.root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("REMOTE_ADDR", "127.0.0.1");
    command
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", &request.method);
    command
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string());
    if setup.v2 {
        command.env("GIT_PROTOCOL", header("git-protocol"));
    }
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    // The bodies of these tests fit into the pipe's buffer.
    let _ = child.stdin.take().unwrap().write_all(&request.body);
    let mut answer = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answer)?;
    child.wait()?;
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status =
        head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let body = &answer[end + 4..];
    write!(out, "HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {}\r\n\r\n", body.len())?;
    out.write_all(body)
}
