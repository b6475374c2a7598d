//! A directory of releases, served on loopback.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Serves files at `http://127.0.0.1:PORT/`, one request per connection, until it is dropped.
#[derive(Debug)]
pub struct Releases {
    files: TempDir,
    address: SocketAddr,
    requested: Arc<Mutex<Vec<String>>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Releases {
    /// Starts a server without releases.
    ///
    /// # Panics
    /// If there is no temporary directory or no free port.
    #[must_use]
    pub fn serve() -> Self {
        let files = TempDir::new().expect("a temporary directory");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound socket has an address");
        let requested = Arc::new(Mutex::new(Vec::new()));
        let (directory, log) = (files.path().to_owned(), Arc::clone(&requested));
        let server = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // The request that stops the server has no path.
                match answer(stream, &directory) {
                    Some(path) => log.lock().unwrap_or_else(PoisonError::into_inner).push(path),
                    None => return,
                }
            }
        });
        Self { files, address, requested, server: Some(server) }
    }

    /// The URL of the releases.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requested paths since the last call, in order.
    #[must_use]
    pub fn requested_paths(&self) -> Vec<String> {
        std::mem::take(&mut self.requested.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds or replaces a file.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn write(&self, path: &str, content: &[u8]) {
        fs::write(self.files.path().join(path), content).expect("a file of the releases");
    }

    /// Creates the directory of a release, and returns its path.
    ///
    /// # Panics
    /// If the directory cannot be created.
    #[must_use]
    pub fn release(&self, version: &str) -> PathBuf {
        let directory = self.files.path().join(format!("v{version}"));
        fs::create_dir(&directory).expect("a new directory of a release");
        directory
    }
}

impl Drop for Releases {
    fn drop(&mut self) {
        if let (Ok(mut stream), Some(server)) =
            (TcpStream::connect(self.address), self.server.take())
        {
            drop(stream.write_all(b"STOP\r\n\r\n"));
            drop(server.join());
        }
    }
}

/// Answers one request and returns its path.
fn answer(mut stream: TcpStream, directory: &Path) -> Option<String> {
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).expect("a time limit that is not zero");
    stream.set_write_timeout(patience).expect("a time limit that is not zero");
    let copy = stream.try_clone().expect("a second handle of the connection");
    let mut lines = BufReader::new(copy).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.strip_prefix("GET /")?.split(' ').next()?.to_owned();
    let (status, body) = match fs::read(directory.join(&path)) {
        Ok(body) if !path.contains("..") => ("200 OK", body),
        _ => ("404 Not Found", Vec::new()),
    };
    // Errors are ignored: the client may have disconnected.
    drop(write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    ));
    drop(stream.write_all(&body));
    Some(path)
}

/// Returns the names in a directory, sorted; none if it does not exist.
///
/// # Panics
/// If the directory cannot be read.
#[must_use]
pub fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("a readable directory").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}
