//! Answers that a test makes byte by byte.

use super::{
    Exchange, Shared,
    http::{self, Answer},
    pkt_line::packet,
};
use std::{
    fmt,
    io::{self, Write as _},
    net::TcpStream,
    sync::{Arc, atomic::Ordering::SeqCst},
    thread,
    time::Duration,
};

/// Bytes of a pack in one packet: the maximum of `side-band-64k`.
const PACK_CHUNK: usize = 65_515;

/// An answer made by a test.
#[derive(Clone, Debug)]
pub enum ScriptedAnswer {
    /// This body.
    Body(Vec<u8>),
    /// The first body, then the second repeatedly, with a pause before each, until the client
    /// disconnects.
    Endless(Vec<u8>, Vec<u8>, Duration),
}

type Answerer = dyn Fn(&Exchange) -> Option<ScriptedAnswer> + Send + Sync;

/// A function that answers requests instead of git. If it returns `None`, git answers.
#[derive(Clone)]
pub struct Script(Arc<Answerer>);

impl Script {
    /// Answers requests with the results of a function.
    #[must_use]
    pub fn new(
        answer: impl Fn(&Exchange) -> Option<ScriptedAnswer> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(answer))
    }

    /// Answers like a repository whose default branch `main` points to the commit `tip`; fetches
    /// are answered by the function.
    #[must_use]
    pub fn repository(
        tip: &str,
        fetch: impl Fn(&Exchange) -> ScriptedAnswer + Send + Sync + 'static,
    ) -> Self {
        let tip = tip.to_owned();
        Self::new(move |exchange| {
            Some(match exchange.command() {
                Some("fetch") => fetch(exchange),
                Some(_) => ScriptedAnswer::Body(Self::refs(&tip)),
                None => ScriptedAnswer::Body(Self::advertisement()),
            })
        })
    }

    /// Returns the capabilities of a version 2 server.
    #[must_use]
    pub fn advertisement() -> Vec<u8> {
        let lines =
            ["version 2\n", "ls-refs=unborn\n", "fetch=shallow filter\n", "object-format=sha1\n"];
        let lines = lines.map(packet).concat();
        [&packet("# service=git-upload-pack\n")[..], b"0000", &lines, b"0000"].concat()
    }

    /// Returns an answer to `ls-refs` of a repository whose default branch `main` points to this
    /// commit.
    #[must_use]
    pub fn refs(tip: &str) -> Vec<u8> {
        let head = packet(&format!("{tip} HEAD symref-target:refs/heads/main\n"));
        [&head[..], &packet(&format!("{tip} refs/heads/main\n")), b"0000"].concat()
    }

    /// Returns an answer to `fetch` with these bytes as its pack.
    #[must_use]
    pub fn pack(pack: &[u8]) -> Vec<u8> {
        let mut body = packet("packfile\n");
        for piece in pack.chunks(PACK_CHUNK) {
            body.extend(format!("{:04x}\u{1}", piece.len() + 5).bytes());
            body.extend(piece);
        }
        body.extend(b"0000");
        body
    }

    /// Returns a packet of progress text, as sent in the middle of a pack.
    #[must_use]
    pub fn progress(words: &str) -> Vec<u8> {
        packet(&format!("\u{2}{words}"))
    }

    /// Returns an answer to `fetch` that fails with this text on side band 3.
    #[must_use]
    pub fn failure(words: &str) -> Vec<u8> {
        [&packet("packfile\n")[..], &packet(&format!("\u{3}{words}")), b"0000"].concat()
    }

    /// Returns an answer to `fetch` with these lines as its `shallow-info` section and these bytes
    /// as its pack.
    #[must_use]
    pub fn shallow_pack(lines: &[String], pack: &[u8]) -> Vec<u8> {
        let lines: Vec<u8> = lines.iter().flat_map(|line| packet(&format!("{line}\n"))).collect();
        [&packet("shallow-info\n")[..], &lines, b"0001", &Self::pack(pack)].concat()
    }

    pub(super) fn answer(&self, exchange: &Exchange) -> Option<ScriptedAnswer> {
        (self.0)(exchange)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

impl ScriptedAnswer {
    /// Sends the answer and returns whether the connection stays open.
    pub(super) fn send(
        self,
        target: &str,
        shared: &Shared,
        stream: &mut TcpStream,
    ) -> io::Result<bool> {
        let count = |bytes: usize| shared.sent.fetch_add(bytes as u64, SeqCst);
        match self {
            Self::Body(body) => {
                count(body.len());
                let length = body.len();
                Answer::with_body(target, body).send(stream, length).map(|()| true)
            }
            Self::Endless(first, again, pause) => {
                http::chunked(stream, target)?;
                let mut chunk = first;
                loop {
                    count(chunk.len());
                    let frame =
                        [format!("{:x}\r\n", chunk.len()).as_bytes(), &chunk, b"\r\n"].concat();
                    // Fails if the client has disconnected or the server stops.
                    stream.write_all(&frame)?;
                    chunk.clone_from(&again);
                    thread::sleep(pause);
                }
            }
        }
    }
}
