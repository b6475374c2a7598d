//! A git smart-HTTP server on loopback: the real `git http-backend` behind a small HTTP/1.1 server
//! that counts requests and, on request, has fewer capabilities or fails.
//!
//! Every connection has its own thread and a read timeout. Dropping the server closes its
//! connections, kills its child processes and joins its threads.

mod backend;
mod behavior;
mod exchange;
mod http;
mod pkt_line;
mod script;

pub use behavior::{Behavior, Fault, Login, Redirect, Wants};
pub use exchange::Exchange;
pub use script::{Script, ScriptedAnswer};

use crate::loopback::{Loopback, lock};
use http::Request;
use std::{
    collections::BTreeMap,
    io::{self, BufReader},
    net::{Shutdown, TcpStream},
    path::{Path, PathBuf},
    process::Child,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

/// Read timeout of a connection. It ends what a test forgot; no test asserts on it.
const IDLE: Duration = Duration::from_secs(60);

/// What went through the server. Bytes are those of bodies, without heads and chunk frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests, including refused ones.
    pub requests: u64,
    /// Bytes of request bodies as sent: compressed bodies count compressed.
    pub received: u64,
    /// Bytes of response bodies.
    pub sent: u64,
    /// Connections.
    pub connections: u64,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    behavior: Mutex<Behavior>,
    requests: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
    exchanges: Mutex<Vec<Exchange>>,
    children: Mutex<BTreeMap<u64, Child>>,
    next_child: AtomicU64,
}

/// A running server. It serves every bare repository below its root.
#[derive(Debug)]
pub struct GitServer {
    listener: Loopback,
    shared: Arc<Shared>,
}

impl GitServer {
    /// Serves the repositories below `root` on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If no port is free.
    #[must_use]
    pub fn start(root: &Path, behavior: Behavior) -> Self {
        let shared = Arc::new(Shared {
            root: root.to_owned(),
            behavior: Mutex::new(behavior),
            requests: AtomicU64::new(0),
            received: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            exchanges: Mutex::default(),
            children: Mutex::default(),
            next_child: AtomicU64::new(0),
        });
        let of_connections = Arc::clone(&shared);
        let listener = Loopback::start(move |stream| serve(stream, &of_connections));
        Self { listener, shared }
    }

    /// Returns the URL of the repository `NAME.git` below the root.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        format!("{}/{name}.git", self.base())
    }

    /// Returns the URL of the root, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.listener.address())
    }

    /// Host and port.
    #[must_use]
    pub fn authority(&self) -> String {
        self.listener.address().to_string()
    }

    /// Returns the port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.listener.address().port()
    }

    /// Sets the behavior for later requests.
    pub fn behave(&self, behavior: Behavior) {
        *lock(&self.shared.behavior) = behavior;
    }

    /// Returns the traffic since the start or the last
    /// [`take_traffic`](super::GitServer::take_traffic).
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let shared = &self.shared;
        Traffic {
            requests: shared.requests.load(SeqCst),
            received: shared.received.load(SeqCst),
            sent: shared.sent.load(SeqCst),
            connections: self.listener.connections().load(SeqCst),
        }
    }

    /// Returns the traffic and resets the counters and [`GitServer::exchanges`].
    pub fn take_traffic(&self) -> Traffic {
        let shared = &self.shared;
        lock(&shared.exchanges).clear();
        Traffic {
            requests: shared.requests.swap(0, SeqCst),
            received: shared.received.swap(0, SeqCst),
            sent: shared.sent.swap(0, SeqCst),
            connections: self.listener.connections().swap(0, SeqCst),
        }
    }

    /// Every request since the start or the last [`take_traffic`](super::GitServer::take_traffic),
    /// in order of arrival.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.shared.exchanges).clone()
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.listener.close();
        for child in lock(&self.shared.children).values_mut() {
            drop(child.kill());
        }
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    // Without it, every small chunk waits for a delayed acknowledgement.
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = Request::read(&mut reader, &mut stream)? {
        let number = shared.requests.fetch_add(1, SeqCst) + 1;
        shared.received.fetch_add(request.body.len() as u64, SeqCst);
        let behavior = lock(&shared.behavior).clone();
        std::thread::sleep(behavior.latency);
        let lines = pkt_line::lines(&request.inflated_body()?);
        let exchange = Exchange::new(&request, lines.clone());
        lock(&shared.exchanges).push(exchange.clone());
        if let Some(made) = behavior.script.as_ref().and_then(|script| script.answer(&exchange)) {
            if made.send(&request.target, shared, &mut stream)? {
                continue;
            }
            return stream.shutdown(Shutdown::Both);
        }
        if !answer(&request, &lines, &behavior, number, shared, &mut stream)? {
            return stream.shutdown(Shutdown::Both);
        }
    }
    Ok(())
}

/// Answers one request and returns whether the connection stays open.
fn answer(
    request: &Request,
    lines: &[String],
    behavior: &Behavior,
    number: u64,
    shared: &Shared,
    stream: &mut TcpStream,
) -> io::Result<bool> {
    let fault = behavior.faults.get(&number).copied();
    match fault {
        Some(Fault::Status(status)) => return http::empty(stream, status, &[]).map(|()| true),
        Some(Fault::Busy(status, wait)) => {
            return http::empty(stream, status, &[("Retry-After", wait)]).map(|()| true);
        }
        Some(Fault::Echo(status)) => return http::echo(stream, status, request).map(|()| true),
        Some(Fault::Hangup) => return Ok(false),
        _ => {}
    }
    if let Some(login) = &behavior.login
        && !login.admits(request.header("authorization"))
    {
        return http::empty(stream, 401, &[("WWW-Authenticate", "Basic realm=\"git\"")])
            .map(|()| true);
    }
    if let Some(redirect) = behavior.redirects.iter().find(|r| request.target.starts_with(&r.from))
    {
        let location = format!("{}{}", redirect.to, &request.target[redirect.from.len()..]);
        return http::empty(stream, redirect.status, &[("Location", &location)]).map(|()| true);
    }
    if behavior.is_dumb {
        return http::file(stream, request, &shared.root).map(|()| true);
    }
    let repository = backend::repository_of(&shared.root, &request.target);
    let refused = match (&repository, fault) {
        (_, Some(Fault::Refusal(words))) => Some(words.to_owned()),
        (Some(repository), _) => {
            let id = behavior.wants.refused(repository, lines)?;
            id.map(|id| format!("upload-pack: not our ref {id}"))
        }
        (None, _) => None,
    };
    let mut answer = match refused {
        Some(words) => http::Answer::git_error(&words, &request.target),
        None if matches!(fault, Some(Fault::Garbage)) => http::Answer::garbage(&request.target),
        None if fault.is_none() => {
            return backend::stream(request, behavior, shared, stream).map(|()| true);
        }
        None => backend::collect(request, behavior, shared)?,
    };
    let whole = answer.body.len();
    match fault {
        Some(Fault::Corrupted(before_end)) => {
            let at = whole.saturating_sub(before_end.max(1));
            if let Some(byte) = answer.body.get_mut(at) {
                *byte ^= 1;
            }
        }
        Some(Fault::Truncated) => answer.body.truncate(whole / 2),
        Some(Fault::Stalled) => answer.body.clear(),
        _ => {}
    }
    shared.sent.fetch_add(answer.body.len() as u64, SeqCst);
    match fault {
        Some(Fault::Truncated) => answer.send(stream, whole).map(|()| false),
        Some(Fault::Stalled) => {
            answer.send(stream, whole)?;
            // Until the client hangs up, the server stops or the read times out.
            drop(io::Read::read(stream, &mut [0; 1]));
            Ok(false)
        }
        _ => answer.send(stream, whole).map(|()| true),
    }
}
