//! `git http-backend`, one process per request.

use super::{
    Behavior, Shared, Wants,
    http::{self, Answer, Request},
    lock,
};
use crate::upstream::git_command;
use std::{
    collections::BTreeSet,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::Ordering::SeqCst,
    thread,
};

/// Returns the repository below `root` that a target names.
pub(super) fn repository_of(root: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split('?').next().unwrap_or_default();
    let end =
        ["/info/refs", "/git-upload-pack"].iter().find_map(|suffix| path.strip_suffix(suffix))?;
    let repository = root.join(end.trim_start_matches('/'));
    repository.is_dir().then_some(repository)
}

/// Streams the answer in chunks as the backend writes them.
pub(super) fn stream(
    request: &Request,
    behavior: &Behavior,
    shared: &Shared,
    stream: &mut TcpStream,
) -> io::Result<()> {
    run(request, behavior, shared, |status, head, output| {
        stream.write_all(
            format!("HTTP/1.1 {status}\r\n{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes(),
        )?;
        loop {
            let chunk = output.fill_buf()?;
            if chunk.is_empty() {
                break;
            }
            let length = chunk.len();
            // Counted first, because a client that has read the whole answer may read the counters
            // at once.
            shared.sent.fetch_add(length as u64, SeqCst);
            let frame = [format!("{length:x}\r\n").as_bytes(), chunk, b"\r\n"].concat();
            stream.write_all(&frame)?;
            output.consume(length);
        }
        stream.write_all(b"0\r\n\r\n")
    })
}

/// Returns the whole answer, so that it can be changed before it is sent.
pub(super) fn collect(
    request: &Request,
    behavior: &Behavior,
    shared: &Shared,
) -> io::Result<Answer> {
    run(request, behavior, shared, |status, head, output| {
        let mut body = Vec::new();
        output.read_to_end(&mut body)?;
        Ok(Answer { status, head, body })
    })
}

fn run<T>(
    request: &Request,
    behavior: &Behavior,
    shared: &Shared,
    take: impl FnOnce(String, String, &mut BufReader<ChildStdout>) -> io::Result<T>,
) -> io::Result<T> {
    let mut child = command(request, behavior, &shared.root).spawn()?;
    let (mut stdin, stdout) = pipes(child.stdin.take(), child.stdout.take())?;
    let number = shared.next_child.fetch_add(1, SeqCst);
    lock(&shared.children).insert(number, child);
    let result = thread::scope(|scope| {
        // Written while the output is read, so that neither pipe fills up and blocks the other.
        scope.spawn(move || drop(stdin.write_all(&request.body)));
        let mut output = BufReader::with_capacity(64 << 10, stdout);
        let (mut status, mut head) = ("200 OK".to_owned(), String::new());
        while let Some(line) = http::line(&mut output)?
            && !line.is_empty()
        {
            match line.split_once(": ") {
                Some(("Status", value)) => value.clone_into(&mut status),
                _ => head.extend([line.as_str(), "\r\n"]),
            }
        }
        take(status, head, &mut output)
    });
    let child = lock(&shared.children).remove(&number);
    if let Some(mut child) = child {
        // After a complete answer the process has ended; after an error its output is not needed.
        drop(child.kill());
        child.wait()?;
    }
    result
}

fn pipes(
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
) -> io::Result<(ChildStdin, ChildStdout)> {
    stdin.zip(stdout).ok_or_else(|| http::invalid("pipe"))
}

fn command(request: &Request, behavior: &Behavior, root: &Path) -> Command {
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    let header = |name: &str| request.header(name).unwrap_or_default();
    let any_want = behavior.wants == Wants::Any;
    let config = [
        ("uploadpack.allowFilter", behavior.filters.to_string()),
        ("uploadpackfilter.allow", "false".to_owned()),
        ("uploadpackfilter.blob:none.allow", (!behavior.refuses_filters).to_string()),
        // A depth also allows the filter.
        ("uploadpackfilter.tree.maxDepth", "0".to_owned()),
        ("uploadpackfilter.tree.allow", (!behavior.refuses_filters).to_string()),
        ("uploadpack.allowAnySHA1InWant", any_want.to_string()),
        ("http.receivepack", "false".to_owned()),
    ];
    let mut command = git_command();
    command.arg("http-backend");
    command.env("GIT_PROJECT_ROOT", root).env("GIT_HTTP_EXPORT_ALL", "1");
    command
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", &request.method);
    command.env("REMOTE_ADDR", "127.0.0.1").env("CONTENT_TYPE", header("content-type"));
    command.env("CONTENT_LENGTH", request.body.len().to_string());
    command.env("GIT_CONFIG_COUNT", config.len().to_string());
    for (number, (key, value)) in config.iter().enumerate() {
        command
            .env(format!("GIT_CONFIG_KEY_{number}"), key)
            .env(format!("GIT_CONFIG_VALUE_{number}"), value);
    }
    if behavior.protocol_v2 && !header("git-protocol").is_empty() {
        command.env("GIT_PROTOCOL", header("git-protocol"));
    }
    if !header("content-encoding").is_empty() {
        command.env("HTTP_CONTENT_ENCODING", header("content-encoding"));
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Returns the type of each object: `commit`, `tree`, `blob`, `tag`, or `missing`.
pub(super) fn kinds(repository: &Path, ids: &[&str]) -> io::Result<Vec<String>> {
    let mut git = git_command();
    git.arg("--git-dir").arg(repository).args(["cat-file", "--batch-check=%(objecttype)"]);
    let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (mut stdin, stdout) = pipes(child.stdin.take(), child.stdout.take())?;
    let kinds = thread::scope(|scope| {
        let input = ids.join("\n") + "\n";
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        BufReader::new(stdout).lines().collect::<io::Result<Vec<_>>>()
    });
    child.wait()?;
    Ok(kinds?
        .into_iter()
        .map(|line| line.rsplit(' ').next().unwrap_or_default().to_owned())
        .collect())
}

/// Returns the objects that the refs and `HEAD` of a repository point to, including peeled tags.
pub(super) fn advertised(repository: &Path) -> io::Result<BTreeSet<String>> {
    let mut git = git_command();
    git.arg("--git-dir")
        .arg(repository)
        .args(["for-each-ref", "--format=%(objectname) %(*objectname)"]);
    let output = git.output()?;
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect())
}
