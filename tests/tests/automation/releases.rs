//! A directory of releases, served on loopback.

use crate::{checkout, release::package};
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// Serves files at `http://127.0.0.1:PORT/`, one request per connection, until it is dropped.
pub(crate) struct Releases {
    files: TempDir,
    address: SocketAddr,
    requested: Arc<Mutex<Vec<String>>>,
    server: Option<thread::JoinHandle<()>>,
}

impl Releases {
    /// Starts a server without releases.
    pub(crate) fn serve() -> Self {
        let files = TempDir::new().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requested = Arc::new(Mutex::new(Vec::new()));
        let (directory, log) = (files.path().to_owned(), Arc::clone(&requested));
        let server = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // The request that stops the server has no path.
                match answer(stream, &directory) {
                    Some(path) => log.lock().unwrap().push(path),
                    None => return,
                }
            }
        });
        Self { files, address, requested, server: Some(server) }
    }

    /// The URL of the releases.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requested paths, in order.
    pub(crate) fn requested_paths(&self) -> Vec<String> {
        std::mem::take(&mut self.requested.lock().unwrap())
    }

    /// Adds or replaces a file.
    pub(crate) fn write(&self, path: &str, content: &[u8]) {
        fs::write(self.files.path().join(path), content).unwrap();
    }

    /// Releases the built program for a target, like the release workflow, and returns the
    /// archive's path.
    pub(crate) fn release(&self, target: &str) -> PathBuf {
        let directory = self.files.path().join(format!("v{}", checkout::version()));
        fs::create_dir(&directory).unwrap();
        package(target, &directory);
        directory.join(format!("skills-v{}-{target}.tar.gz", checkout::version()))
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
    stream.set_read_timeout(patience).unwrap();
    stream.set_write_timeout(patience).unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
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
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    ));
    drop(stream.write_all(&body));
    Some(path)
}
