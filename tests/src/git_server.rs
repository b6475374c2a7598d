//! A git smart-HTTP server on loopback: the real `git http-backend` behind a small HTTP/1.1 server that counts and, on
//! request, behaves like the less able servers of the world.
//!
//! Every connection has a thread of its own and a read timeout. Dropping the server closes its connections, kills its
//! children and joins its threads.

mod backend;
mod base64;
mod behaviour;
mod exchange;
mod http;
mod pkt_line;

pub use behaviour::{Behaviour, Fault, Login, Redirect, Wants};
pub use exchange::Exchange;

use http::Request;
use std::{
    collections::BTreeMap,
    io::{self, BufReader},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Child,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// How long a connection may be silent. It ends what a test forgot; nothing is asserted about it.
const IDLE: Duration = Duration::from_secs(60);

/// What went through the server. Bytes are those of bodies, without heads and chunk frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Requests, also those that were refused.
    pub requests: u64,
    /// Bytes of request bodies as sent, so compressed ones count compressed.
    pub received: u64,
    /// Bytes of answers' bodies.
    pub sent: u64,
    /// Connections.
    pub connections: u64,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    behaviour: Mutex<Behaviour>,
    requests: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
    connections: AtomicU64,
    exchanges: Mutex<Vec<Exchange>>,
    stopping: AtomicBool,
    open: Mutex<Vec<TcpStream>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    children: Mutex<BTreeMap<u64, Child>>,
    next_child: AtomicU64,
}

/// A running server. It serves every bare repository below its root.
#[derive(Debug)]
pub struct GitServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl GitServer {
    /// Serves the repositories below `root` on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// When no port can be had.
    #[must_use]
    pub fn start(root: &Path, behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let shared = Arc::new(Shared {
            root: root.to_owned(),
            behaviour: Mutex::new(behaviour),
            requests: AtomicU64::new(0),
            received: AtomicU64::new(0),
            sent: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            exchanges: Mutex::default(),
            stopping: AtomicBool::new(false),
            open: Mutex::default(),
            threads: Mutex::default(),
            children: Mutex::default(),
            next_child: AtomicU64::new(0),
        });
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self { address, shared, acceptor: Some(acceptor) }
    }

    /// The URL of the repository `NAME.git` below the root.
    #[must_use]
    pub fn url(&self, name: &str) -> String {
        format!("{}/{name}.git", self.base())
    }

    /// The URL of the root, without a slash at its end.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Host and port.
    #[must_use]
    pub fn authority(&self) -> String {
        self.address.to_string()
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Changes the behaviour for the requests to come.
    pub fn behave(&self, behaviour: Behaviour) {
        *lock(&self.shared.behaviour) = behaviour;
    }

    /// What went through since the start or the last [`take_traffic`](super::GitServer::take_traffic).
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        let shared = &self.shared;
        Traffic {
            requests: shared.requests.load(SeqCst),
            received: shared.received.load(SeqCst),
            sent: shared.sent.load(SeqCst),
            connections: shared.connections.load(SeqCst),
        }
    }

    /// What went through, and starts to count from nothing, [`GitServer::exchanges`] too.
    pub fn take_traffic(&self) -> Traffic {
        let shared = &self.shared;
        lock(&shared.exchanges).clear();
        Traffic {
            requests: shared.requests.swap(0, SeqCst),
            received: shared.received.swap(0, SeqCst),
            sent: shared.sent.swap(0, SeqCst),
            connections: shared.connections.swap(0, SeqCst),
        }
    }

    /// Every request since the start or the last [`take_traffic`](super::GitServer::take_traffic), in order of arrival.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.shared.exchanges).clone()
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        self.shared.stopping.store(true, SeqCst);
        // Wakes the acceptor, which waits in `accept`.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            drop(acceptor.join());
        }
        for stream in lock(&self.shared.open).drain(..) {
            drop(stream.shutdown(Shutdown::Both));
        }
        for child in lock(&self.shared.children).values_mut() {
            drop(child.kill());
        }
        let threads: Vec<_> = lock(&self.shared.threads).drain(..).collect();
        for thread in threads {
            drop(thread.join());
        }
    }
}

/// A panic of one connection is no reason to lose the counters of the others.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.stopping.load(SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        shared.connections.fetch_add(1, SeqCst);
        if let Ok(copy) = stream.try_clone() {
            lock(&shared.open).push(copy);
        }
        let of_thread = Arc::clone(shared);
        // A client that goes away in the middle is its own business: errors of a connection end that connection.
        let thread = thread::spawn(move || drop(serve(stream, &of_thread)));
        lock(&shared.threads).push(thread);
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    // Without it every small chunk waits for a delayed acknowledgement.
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    while let Some(request) = Request::read(&mut reader, &mut stream)? {
        let number = shared.requests.fetch_add(1, SeqCst) + 1;
        shared.received.fetch_add(request.body.len() as u64, SeqCst);
        let behaviour = lock(&shared.behaviour).clone();
        let lines = pkt_line::lines(&request.inflated_body()?);
        lock(&shared.exchanges).push(Exchange::new(&request, lines.clone()));
        if !answer(&request, &lines, &behaviour, number, shared, &mut stream)? {
            return stream.shutdown(Shutdown::Both);
        }
    }
    Ok(())
}

/// Answers one request; `false` closes the connection.
fn answer(
    request: &Request,
    lines: &[String],
    behaviour: &Behaviour,
    number: u64,
    shared: &Shared,
    stream: &mut TcpStream,
) -> io::Result<bool> {
    let fault = behaviour.faults.get(&number).copied();
    match fault {
        Some(Fault::Status(status)) => return http::empty(stream, status, &[]).map(|()| true),
        Some(Fault::Busy(status, wait)) => return http::empty(stream, status, &[("Retry-After", wait)]).map(|()| true),
        Some(Fault::Echo(status)) => return http::echo(stream, status, request).map(|()| true),
        Some(Fault::Hangup) => return Ok(false),
        _ => {}
    }
    if let Some(login) = &behaviour.login
        && !login.admits(request.header("authorization"))
    {
        return http::empty(stream, 401, &[("WWW-Authenticate", "Basic realm=\"git\"")]).map(|()| true);
    }
    if let Some(redirect) = behaviour.redirects.iter().find(|r| request.target.starts_with(&r.from)) {
        let location = format!("{}{}", redirect.to, &request.target[redirect.from.len()..]);
        return http::empty(stream, redirect.status, &[("Location", &location)]).map(|()| true);
    }
    let repository = backend::repository_of(&shared.root, &request.target);
    let refused = match (&repository, fault) {
        (_, Some(Fault::Refusal(words))) => Some(words.to_owned()),
        (Some(repository), _) => {
            let id = behaviour.wants.refused(repository, lines)?;
            id.map(|id| format!("upload-pack: not our ref {id}"))
        }
        (None, _) => None,
    };
    let mut answer = match refused {
        Some(words) => http::Answer::git_error(&words, &request.target),
        None if matches!(fault, Some(Fault::Garbage)) => http::Answer::garbage(&request.target),
        None if fault.is_none() => return backend::stream(request, behaviour, shared, stream).map(|()| true),
        None => backend::collect(request, behaviour, shared)?,
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
            // Until the client hangs up, the server stops or the idle time is over.
            drop(io::Read::read(stream, &mut [0; 1]));
            Ok(false)
        }
        _ => answer.send(stream, whole).map(|()| true),
    }
}
