//! Answers that a test has made byte by byte.

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

/// So much of a pack is in one packet: what a side band of 64k takes.
const PIECE: usize = 65_515;

/// An answer that a test has made.
#[derive(Clone, Debug)]
pub enum Made {
    /// This body.
    Body(Vec<u8>),
    /// The first body, and then the second again and again, with a pause before each, until the
    /// client goes away.
    Endless(Vec<u8>, Vec<u8>, Duration),
}

type Answerer = dyn Fn(&Exchange) -> Option<Made> + Send + Sync;

/// What a server answers in place of git; none leaves the request to git.
#[derive(Clone)]
pub struct Script(Arc<Answerer>);

impl Script {
    /// Answers each request with what the function makes of it.
    #[must_use]
    pub fn new(answer: impl Fn(&Exchange) -> Option<Made> + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }

    /// A repository that does not exist: its default branch `main` means the commit `tip`, and
    /// whatever is to be fetched is answered by the function.
    #[must_use]
    pub fn repository(
        tip: &str,
        fetch: impl Fn(&Exchange) -> Made + Send + Sync + 'static,
    ) -> Self {
        let tip = tip.to_owned();
        Self::new(move |exchange| {
            Some(match exchange.command() {
                Some("fetch") => fetch(exchange),
                Some(_) => Made::Body(Self::refs(&tip)),
                None => Made::Body(Self::advertisement()),
            })
        })
    }

    /// What a server of version 2 can do.
    #[must_use]
    pub fn advertisement() -> Vec<u8> {
        let lines =
            ["version 2\n", "ls-refs=unborn\n", "fetch=shallow filter\n", "object-format=sha1\n"];
        let lines = lines.map(packet).concat();
        [&packet("# service=git-upload-pack\n")[..], b"0000", &lines, b"0000"].concat()
    }

    /// The answer to `ls-refs` of a repository whose default branch `main` means this commit.
    #[must_use]
    pub fn refs(tip: &str) -> Vec<u8> {
        let head = packet(&format!("{tip} HEAD symref-target:refs/heads/main\n"));
        [&head[..], &packet(&format!("{tip} refs/heads/main\n")), b"0000"].concat()
    }

    /// The answer to `fetch` with these bytes as its pack.
    #[must_use]
    pub fn pack(pack: &[u8]) -> Vec<u8> {
        let mut body = packet("packfile\n");
        for piece in pack.chunks(PIECE) {
            body.extend(format!("{:04x}\u{1}", piece.len() + 5).bytes());
            body.extend(piece);
        }
        body.extend(b"0000");
        body
    }

    /// One packet of progress text, as it comes in the middle of a pack.
    #[must_use]
    pub fn progress(words: &str) -> Vec<u8> {
        packet(&format!("\u{2}{words}"))
    }

    /// The answer to `fetch` that fails with this text on side band 3.
    #[must_use]
    pub fn failure(words: &str) -> Vec<u8> {
        [&packet("packfile\n")[..], &packet(&format!("\u{3}{words}")), b"0000"].concat()
    }

    /// The answer to `fetch` with these lines as its section `shallow-info`, then these bytes as
    /// its pack.
    #[must_use]
    pub fn shallow_pack(lines: &[String], pack: &[u8]) -> Vec<u8> {
        let lines: Vec<u8> = lines.iter().flat_map(|line| packet(&format!("{line}\n"))).collect();
        [&packet("shallow-info\n")[..], &lines, b"0001", &Self::pack(pack)].concat()
    }

    pub(super) fn answer(&self, exchange: &Exchange) -> Option<Made> {
        (self.0)(exchange)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Script")
    }
}

impl Made {
    /// Sends the answer; `false` closes the connection.
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
                Answer::of(target, body).send(stream, length).map(|()| true)
            }
            Self::Endless(first, again, pause) => {
                http::chunked(stream, target)?;
                let mut chunk = first;
                loop {
                    count(chunk.len());
                    let frame =
                        [format!("{:x}\r\n", chunk.len()).as_bytes(), &chunk, b"\r\n"].concat();
                    // Fails when the client has hung up, or the server stops.
                    stream.write_all(&frame)?;
                    chunk.clone_from(&again);
                    thread::sleep(pause);
                }
            }
        }
    }
}
