//! An HTTP proxy on loopback that tunnels and records connections, and optionally requires
//! credentials. Host names are mapped to addresses by the test, without DNS.

use crate::loopback::{Loopback, lock};
use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// Read timeout of a tunnel.
const IDLE: Duration = Duration::from_secs(30);

/// A request to the proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProxyRequest {
    /// The request line without the version, such as `CONNECT git.example:443`.
    pub line: String,
    /// The `Proxy-Authorization` header.
    pub authorization: Option<String>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Addresses of servers by the `host:port` that clients use.
    routes: Mutex<BTreeMap<String, SocketAddr>>,
    /// The required `Proxy-Authorization`; requests without it get status 407.
    required: Mutex<Option<String>>,
    requests: Mutex<Vec<ProxyRequest>>,
}

/// A running proxy.
#[derive(Debug)]
pub struct Proxy {
    listener: Loopback,
    shared: Arc<Shared>,
}

impl Proxy {
    /// Listens on a free port of 127.0.0.1.
    ///
    /// # Panics
    /// If no port is free.
    #[must_use]
    pub fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let of_connections = Arc::clone(&shared);
        let listener = Loopback::start(move |stream| serve(stream, &of_connections));
        Self { listener, shared }
    }

    /// Returns the URL of the proxy.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.listener.address())
    }

    /// Host and port.
    #[must_use]
    pub fn authority(&self) -> String {
        self.listener.address().to_string()
    }

    /// Maps `name` (`host:port`) to an address for later tunnels. Tunnels to unmapped names are
    /// refused.
    pub fn route(&self, name: &str, address: SocketAddr) {
        lock(&self.shared.routes).insert(name.to_owned(), address);
    }

    /// Requires this `Proxy-Authorization` from later requests.
    pub fn require_authorization(&self, authorization: &str) {
        *lock(&self.shared.required) = Some(authorization.to_owned());
    }

    /// Returns the requests since the start or the last call, in order of arrival.
    #[must_use]
    pub fn take_requests(&self) -> Vec<ProxyRequest> {
        std::mem::take(&mut *lock(&self.shared.requests))
    }
}

fn serve(mut client: TcpStream, shared: &Shared) -> io::Result<()> {
    client.set_read_timeout(Some(IDLE))?;
    let mut reader = BufReader::new(client.try_clone()?);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.by_ref().take(64 << 10).read_line(&mut line)? == 0 {
            return Ok(());
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let header = |name: &str| {
        let found = lines.iter().skip(1).filter_map(|line| line.split_once(':'));
        found
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
            .next()
    };
    let line = lines
        .first()
        .and_then(|line| line.strip_suffix(" HTTP/1.1"))
        .unwrap_or_default()
        .to_owned();
    let authorization = header("proxy-authorization");
    lock(&shared.requests)
        .push(ProxyRequest { line: line.clone(), authorization: authorization.clone() });
    let required = lock(&shared.required).clone();
    if required.is_some() && required != authorization {
        return refuse(
            &mut client,
            "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"",
        );
    }
    let place =
        line.strip_prefix("CONNECT ").and_then(|name| lock(&shared.routes).get(name).copied());
    let Some(server) = place.and_then(|place| TcpStream::connect(place).ok()) else {
        return refuse(&mut client, "502 Bad Gateway");
    };
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    let (mut from_server, mut to_client) = (server.try_clone()?, client.try_clone()?);
    let mut to_server = server;
    thread::scope(|scope| {
        scope.spawn(move || {
            drop(io::copy(&mut from_server, &mut to_client));
            to_client.shutdown(Shutdown::Both)
        });
        drop(io::copy(&mut reader, &mut to_server));
        to_server.shutdown(Shutdown::Both)
    })
}

fn refuse(client: &mut TcpStream, status: &str) -> io::Result<()> {
    client.write_all(
        format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes(),
    )
}
