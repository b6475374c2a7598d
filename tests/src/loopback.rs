//! What every server of the tests is: a socket on loopback with a thread for each connection, all of which end with it.

use std::{
    fmt, io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread::{self, JoinHandle},
};

/// A listener on a free port of 127.0.0.1. Dropping it closes its connections and joins its threads.
pub(crate) struct Loopback {
    address: SocketAddr,
    state: Arc<State>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    stopping: AtomicBool,
    connections: AtomicU64,
    open: Mutex<Vec<TcpStream>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Loopback {
    /// Listens; each connection is handed to `serve` on a thread of its own. A client that goes away in the middle is its own
    /// business: errors end that connection.
    ///
    /// # Panics
    /// When no port can be had.
    pub(crate) fn start(
        serve: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = Arc::new(State::default());
        let acceptor = thread::spawn({
            let (state, serve) = (Arc::clone(&state), Arc::new(serve));
            move || {
                for stream in listener.incoming() {
                    if state.stopping.load(SeqCst) {
                        return;
                    }
                    let Ok(stream) = stream else { continue };
                    state.connections.fetch_add(1, SeqCst);
                    if let Ok(copy) = stream.try_clone() {
                        lock(&state.open).push(copy);
                    }
                    let serve = Arc::clone(&serve);
                    lock(&state.threads).push(thread::spawn(move || drop(serve(stream))));
                }
            }
        });
        Self { address, state, acceptor: Some(acceptor) }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many connections were made.
    pub(crate) fn connections(&self) -> &AtomicU64 {
        &self.state.connections
    }

    /// Takes no more connections and closes those that are open. Their threads may go on for a moment.
    pub(crate) fn close(&mut self) {
        self.state.stopping.store(true, SeqCst);
        if let Some(acceptor) = self.acceptor.take() {
            // Wakes it where it waits for a connection.
            drop(TcpStream::connect(self.address));
            drop(acceptor.join());
        }
        for stream in lock(&self.state.open).drain(..) {
            drop(stream.shutdown(Shutdown::Both));
        }
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.close();
        let threads: Vec<_> = lock(&self.state.threads).drain(..).collect();
        for thread in threads {
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Loopback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loopback({})", self.address)
    }
}

/// A panic of one connection is no reason to lose what the others know.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
