//! The subset of HTTP/1.1 that git clients use.

use super::{exchange::basic_credentials, pkt_line};
use std::{
    collections::HashMap,
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// Limits of a head line and of a body, in bytes. A client that sends more has a defect.
const MAX_LINE: u64 = 64 << 10;
const MAX_BODY: u64 = 64 << 20;

/// A request whose body has been read.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) target: String,
    headers: HashMap<String, String>,
    /// As sent: compressed if `Content-Encoding` says so.
    pub(super) body: Vec<u8>,
}

impl Request {
    /// Reads the next request of a connection; `None` at its end.
    pub(super) fn read(
        reader: &mut BufReader<TcpStream>,
        stream: &mut TcpStream,
    ) -> io::Result<Option<Self>> {
        let Some(first) = line(reader)? else { return Ok(None) };
        let mut words = first.split(' ');
        let (Some(method), Some(target)) = (words.next(), words.next()) else {
            return Err(invalid("request line"));
        };
        let (method, target) = (method.to_owned(), target.to_owned());
        let mut headers = HashMap::new();
        while let Some(header) = line(reader)?
            && !header.is_empty()
        {
            let (name, value) = header.split_once(':').ok_or_else(|| invalid("header"))?;
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let mut request = Self { method, target, headers, body: Vec::new() };
        if request.header("expect").is_some_and(|v| v.eq_ignore_ascii_case("100-continue")) {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        request.read_body(reader)?;
        Ok(Some(request))
    }

    fn read_body(&mut self, reader: &mut BufReader<TcpStream>) -> io::Result<()> {
        if !self.header("transfer-encoding").is_some_and(|v| v.eq_ignore_ascii_case("chunked")) {
            let length = self
                .header("content-length")
                .map_or(Ok(0), str::parse)
                .map_err(io::Error::other)?;
            return exactly(reader, length, &mut self.body);
        }
        loop {
            let size = line(reader)?.ok_or_else(|| invalid("chunk"))?;
            let size = size.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(io::Error::other)?;
            exactly(reader, size, &mut self.body)?;
            // The line feed after a chunk; after the last chunk, the empty line that ends the
            // trailers.
            line(reader)?;
            if size == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Returns the decompressed body, for inspection. `git http-backend` decompresses by itself.
    pub(super) fn inflated_body(&self) -> io::Result<Vec<u8>> {
        if !self.header("content-encoding").is_some_and(|v| v.eq_ignore_ascii_case("gzip")) {
            return Ok(self.body.clone());
        }
        let mut gzip =
            Command::new("gzip").arg("-dc").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut stdin = gzip.stdin.take().ok_or_else(|| invalid("pipe"))?;
        let output = thread::scope(|scope| {
            scope.spawn(move || drop(stdin.write_all(&self.body)));
            gzip.wait_with_output()
        })?;
        if output.status.success() { Ok(output.stdout) } else { Err(invalid("gzip body")) }
    }
}

/// An answer that is not streamed.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: String,
    /// Header lines, each with its line ending.
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Returns a refusal as git reports it.
    pub(super) fn git_error(words: &str, target: &str) -> Self {
        Self::with_body(target, pkt_line::packet(&format!("ERR {words}")))
    }

    /// Returns a body that is not from git, with the content type that the client expects.
    pub(super) fn garbage(target: &str) -> Self {
        Self::with_body(target, b"<!doctype html><title>hello</title>\n".to_vec())
    }

    /// Returns a body with the content type that the client expects.
    pub(super) fn with_body(target: &str, body: Vec<u8>) -> Self {
        let kind = if target.contains("/info/refs") { "advertisement" } else { "result" };
        let head = format!("Content-Type: application/x-git-upload-pack-{kind}\r\n");
        Self { status: "200 OK".to_owned(), head, body }
    }

    /// Sends the answer with a `Content-Length` of `length` bytes, which may be more than the body
    /// has.
    pub(super) fn send(&self, stream: &mut TcpStream, length: usize) -> io::Result<()> {
        let head =
            format!("HTTP/1.1 {}\r\n{}Content-Length: {length}\r\n\r\n", self.status, self.head);
        stream.write_all(&[head.as_bytes(), &self.body].concat())
    }
}

/// Sends the head of a chunked answer with the content type that the client expects.
pub(super) fn chunked(stream: &mut TcpStream, target: &str) -> io::Result<()> {
    let Answer { status, head, .. } = Answer::with_body(target, Vec::new());
    stream.write_all(
        format!("HTTP/1.1 {status}\r\n{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes(),
    )
}

/// Sends an answer without a body.
pub(super) fn empty(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    let head: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let answer = format!("HTTP/1.1 {status} {status}\r\n{head}Content-Length: 0\r\n\r\n");
    stream.write_all(answer.as_bytes())
}

/// Sends the file below `root` that the target names.
pub(super) fn file(stream: &mut TcpStream, request: &Request, root: &Path) -> io::Result<()> {
    if request.method != "GET" {
        return empty(stream, 405, &[("Allow", "GET")]);
    }
    let path = request.target.split('?').next().unwrap_or_default();
    let Ok(body) = fs::read(root.join(path.trim_start_matches('/'))) else {
        return empty(stream, 404, &[]);
    };
    let head = "Content-Type: text/plain\r\n".to_owned();
    let length = body.len();
    Answer { status: "200 OK".to_owned(), head, body }.send(stream, length)
}

/// Sends an answer that repeats the client's credentials.
pub(super) fn echo(stream: &mut TcpStream, status: u16, request: &Request) -> io::Result<()> {
    let sent = request.header("authorization").unwrap_or("nothing");
    let decoded = basic_credentials(sent).unwrap_or_default();
    let body = format!("you sent {sent}, which is {decoded}\n");
    let head = format!(
        "X-Sent: {sent}\r\nX-Decoded: {decoded}\r\nContent-Type: text/{decoded}\r\nLocation: http://{decoded}@127.0.0.1:1/{decoded}\r\nRetry-After: {decoded}\r\n"
    );
    let answer = format!(
        "HTTP/1.1 {status} {decoded}\r\n{head}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes())
}

/// Reads one line without its line ending; `None` at the end of the input.
pub(super) fn line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    if reader.take(MAX_LINE).read_line(&mut line)? == 0 {
        return Ok(None);
    }
    if !line.ends_with('\n') {
        return Err(invalid("line"));
    }
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

fn exactly(reader: &mut impl Read, length: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if body.len() as u64 + length > MAX_BODY {
        return Err(invalid("size of the body"));
    }
    if reader.take(length).read_to_end(body)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

pub(super) fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("invalid {what}"))
}
