//! A TCP listener on loopback with one thread per connection, the base of the test servers.

use std::{
    fmt, io,
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
    },
    thread::{self, JoinHandle},
};

/// A listener on a free port of 127.0.0.1. Dropping it closes its connections and joins its
/// threads.
pub(crate) struct Loopback {
    address: SocketAddr,
    state: Arc<ListenerState>,
    acceptor: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct ListenerState {
    stopping: AtomicBool,
    connections: AtomicU64,
    open: Mutex<Vec<Connection>>,
}

/// A connection that may still be open, and the thread that serves it.
struct Connection {
    stream: TcpStream,
    thread: JoinHandle<()>,
}

impl Loopback {
    /// Starts to listen; each connection is passed to `serve` on its own thread. An error, such as
    /// a client that disconnects, ends that connection only.
    ///
    /// # Panics
    /// If no port is free.
    pub(crate) fn start(
        serve: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let state = Arc::new(ListenerState::default());
        let acceptor = thread::spawn({
            let (state, serve) = (Arc::clone(&state), Arc::new(serve));
            move || {
                for stream in listener.incoming() {
                    if state.stopping.load(SeqCst) {
                        return;
                    }
                    let Ok(stream) = stream else { continue };
                    state.connections.fetch_add(1, SeqCst);
                    let Ok(copy) = stream.try_clone() else { continue };
                    let serve = Arc::clone(&serve);
                    let thread = thread::spawn(move || drop(serve(stream)));
                    let mut open = lock(&state.open);
                    open.retain(|connection| !connection.thread.is_finished());
                    open.push(Connection { stream: copy, thread });
                }
            }
        });
        Self { address, state, acceptor: Some(acceptor) }
    }

    /// Returns the address of the listener.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of connections accepted so far.
    pub(crate) fn connections(&self) -> &AtomicU64 {
        &self.state.connections
    }

    /// Stops accepting connections and closes the open ones. Their threads may run on for a moment.
    pub(crate) fn close(&mut self) {
        self.state.stopping.store(true, SeqCst);
        if let Some(acceptor) = self.acceptor.take() {
            // Wakes the thread that waits for a connection.
            drop(TcpStream::connect(self.address));
            drop(acceptor.join());
        }
        for connection in &*lock(&self.state.open) {
            drop(connection.stream.shutdown(Shutdown::Both));
        }
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.close();
        let open: Vec<_> = lock(&self.state.open).drain(..).collect();
        for connection in open {
            drop(connection.thread.join());
        }
    }
}

impl fmt::Debug for Loopback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loopback({})", self.address)
    }
}

/// Locks a mutex even if it is poisoned: a panic in one connection must not hide what others
/// recorded.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
