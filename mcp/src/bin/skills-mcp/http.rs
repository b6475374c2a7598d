//! The server over HTTP, with limits on what its clients make it keep.

use crate::log;
use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::{Router, middleware, response::Response, serve::Listener};
use helix_skills_mcp::{SkillServer, Standalone, rmcp::transport};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::{server::conn::auto::Builder, service::TowerToHyperService};
use std::{error::Error, net::SocketAddr, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use transport::streamable_http_server::session::local::LocalSessionManager;
use transport::{StreamableHttpServerConfig, StreamableHttpService};

/// Maximum number of connections; further ones wait in the queue of the operating system.
const MAX_CONNECTIONS: usize = 256;

/// Maximum time to wait for a byte of a client, or for a client to read one.
const MAX_IDLE: Duration = Duration::from_secs(30);

/// Maximum size of a request in bytes.
const MAX_REQUEST: usize = 1 << 20;

/// Maximum number of bytes of answers that wait for all clients.
const MAX_WAITING: usize = 64 << 20;

/// Number of bytes that are reserved for each answer, before its size is known.
const RESERVED: usize = MAX_WAITING / 4;

/// Maximum number of bytes that are buffered for each connection and direction.
const MAX_BUFFERED: usize = 64 << 10;

/// Serves until the program is interrupted.
pub(crate) async fn serve(
    server: SkillServer<Standalone>,
    address: SocketAddr,
) -> Result<(), Box<dyn Error>> {
    let config = StreamableHttpServerConfig::default()
        // The skills never change, so a request needs no session and no stream.
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // Pages of this machine may connect, as the inspector's does; no page of another site may,
        // nor a name of another site that leads here. These are the names of `allowed_hosts`.
        .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"])
        .enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let router = limited(Router::new().nest_service("/mcp", service));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}"))?;
    log(&format!("listening on http://{}/mcp", listener.local_addr()?));
    tokio::select! {
        () = accept(listener, router, MAX_CONNECTIONS, MAX_IDLE) => {}
        // Without a handler, the signal ends the program.
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}

/// Serves at most `max_connections` at the same time, and closes those that are idle.
async fn accept(mut listener: TcpListener, router: Router, max_connections: usize, idle: Duration) {
    let mut http = Builder::new(TokioExecutor::new()).http1_only();
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(idle)
        .max_buf_size(MAX_BUFFERED)
        // Do not read while an answer is sent, because that would count as idle.
        .half_close(true);
    let free = Arc::new(Semaphore::new(max_connections));
    // The semaphore is never closed.
    while let Ok(permit) = free.clone().acquire_owned().await {
        // Unlike the method of tokio, it waits if the process has no descriptor left.
        let (stream, _) = Listener::accept(&mut listener).await;
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(idle));
        stream.set_write_timeout(Some(idle));
        let (http, service) = (http.clone(), TowerToHyperService::new(router.clone()));
        tokio::spawn(async move {
            // A client that breaks the protocol, or is too slow, is disconnected.
            let _ = http.serve_connection(TokioIo::new(Box::pin(stream)), service).await;
            drop(permit);
        });
    }
}

/// Limits the requests to a router, and the bytes of its answers that wait for clients.
fn limited(router: Router) -> Router {
    let free = Arc::new(Semaphore::new(MAX_WAITING));
    router.layer(middleware::from_fn_with_state(free, answer))
}

async fn answer(
    State(free): State<Arc<Semaphore>>,
    request: Request,
    next: middleware::Next,
) -> Result<Response, StatusCode> {
    // `rmcp` compares only the parts, and `http` takes `localhost:3.evil.example` for `localhost`.
    let (head, body) = request.into_parts();
    let values = [header::HOST, header::ORIGIN].map(|name| head.headers.get_all(name));
    if !values.into_iter().flatten().all(is_well_formed) {
        return Err(StatusCode::FORBIDDEN);
    }
    let body = to_bytes(body, MAX_REQUEST).await.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    let failed = StatusCode::INTERNAL_SERVER_ERROR;
    let mut reserved = free.acquire_many_owned(RESERVED as u32).await.map_err(|_| failed)?;
    let response = next.run(Request::from_parts(head, body.into())).await;
    // A stream is read only as fast as the client reads.
    let Some(size) = response.body().size_hint().exact() else { return Ok(response) };
    let waiting = reserved.split(RESERVED.min(usize::try_from(size).unwrap_or(RESERVED)));
    drop(reserved);
    let (head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.map_err(|_| failed)?;
    Ok(Response::from_parts(head, Body::from(Bytes::from_owner(Waiting(bytes, waiting)))))
}

/// An answer that counts as waiting until its last byte is written, or given up.
struct Waiting(Bytes, #[expect(dead_code, reason = "it is held")] Option<OwnedSemaphorePermit>);

impl AsRef<[u8]> for Waiting {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Returns whether a `Host` or `Origin` consists of the parts that it is parsed to.
fn is_well_formed(value: &HeaderValue) -> bool {
    let Ok(text) = value.to_str() else { return false };
    let Ok(uri) = text.parse::<Uri>() else { return false };
    let scheme = uri.scheme_str().map(|scheme| format!("{scheme}://")).unwrap_or_default();
    let port = uri.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    let parts = format!("{scheme}{}{port}", uri.host().unwrap_or_default());
    parts.eq_ignore_ascii_case(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        net::TcpStream,
    };

    /// Size of an answer that no buffer of a socket holds. Four of them are as many as may wait.
    const LARGE: usize = RESERVED;

    /// Serves `/small` and `/large` in this process, and returns the address.
    async fn start(max_connections: usize, idle: Duration) -> SocketAddr {
        let router = Router::new()
            .route("/small", get(|| async { "small" }))
            .route("/large", get(|| async { vec![0; LARGE] }));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(accept(listener, limited(router), max_connections, idle));
        address
    }

    async fn connect(address: SocketAddr) -> TcpStream {
        TcpStream::connect(address).await.unwrap()
    }

    async fn request(stream: &mut TcpStream, path: &str) {
        let request = format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
    }

    /// Reads up to the end of an answer.
    async fn read(stream: &mut TcpStream, end: &[u8]) -> Vec<u8> {
        let mut answer = Vec::new();
        while !answer.ends_with(end) {
            assert_ne!(stream.read_buf(&mut answer).await.unwrap(), 0, "closed");
        }
        answer
    }

    #[tokio::test]
    async fn connections_above_the_limit_wait() {
        let address = start(1, MAX_IDLE).await;
        let (mut first, mut second) = (connect(address).await, connect(address).await);
        request(&mut first, "small").await;
        read(&mut first, b"small").await;
        request(&mut second, "small").await;
        request(&mut first, "small").await;
        read(&mut first, b"small").await;
        assert!(second.try_read(&mut [0]).is_err());
        drop(first);
        read(&mut second, b"small").await;
    }

    #[tokio::test]
    async fn idle_clients_are_disconnected() {
        let address = start(1, Duration::from_millis(50)).await;
        // Each takes the only connection: one sends nothing, one a part, one reads nothing.
        let clients = [connect(address).await, connect(address).await, connect(address).await];
        let [mut silent, mut slow, mut deaf] = clients;
        let part = b"POST /small HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
        slow.write_all(part).await.unwrap();
        request(&mut deaf, "large").await;
        assert_eq!(silent.read(&mut [0]).await.unwrap(), 0);
        // The request without its body is not answered.
        let mut answer = Vec::new();
        let _ = slow.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{answer:?}");
        let mut last = connect(address).await;
        request(&mut last, "small").await;
        read(&mut last, b"small").await;
    }

    #[tokio::test]
    async fn waiting_answers_have_a_common_limit() {
        let address = start(6, MAX_IDLE).await;
        let mut deaf = Vec::new();
        for _ in 0..MAX_WAITING / LARGE {
            let mut client = connect(address).await;
            request(&mut client, "large").await;
            client.readable().await.unwrap();
            deaf.push(client);
        }
        let (mut next, mut refused) = (connect(address).await, connect(address).await);
        request(&mut next, "small").await;
        // This one is answered without the limit.
        refused.write_all(b"GET /small HTTP/1.1\r\nHost: localhost:x\r\n\r\n").await.unwrap();
        assert!(read(&mut refused, b"\r\n\r\n").await.starts_with(b"HTTP/1.1 403"));
        assert!(next.try_read(&mut [0]).is_err());
        // When one answer is read, the next one follows.
        let mut answer = vec![0; LARGE];
        deaf[0].read_exact(&mut answer).await.unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 200"));
        read(&mut next, b"small").await;
    }

    #[tokio::test]
    async fn large_requests_are_refused() {
        let address = start(1, MAX_IDLE).await;
        let mut client = connect(address).await;
        let head = format!(
            "POST /small HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
            MAX_REQUEST + 1
        );
        client.write_all(head.as_bytes()).await.unwrap();
        let _ = client.write_all(&vec![b' '; MAX_REQUEST + 1]).await;
        assert!(read(&mut client, b"\r\n\r\n").await.starts_with(b"HTTP/1.1 413"));
    }

    #[test]
    fn origin_is_compared_as_a_whole() {
        let is_accepted = |value: &str| is_well_formed(&value.parse().unwrap());
        for origin in ["http://localhost", "http://LOCALHOST:80", "http://[::1]:3", "null"] {
            assert!(is_accepted(origin), "{origin}");
        }
        for origin in [
            "http://localhost:3.evil.example",
            "http://localhost:",
            "http://localhost:99999",
            "http://me@localhost",
            "http://localhost/path",
            "",
        ] {
            assert!(!is_accepted(origin), "{origin}");
        }
        assert!(is_accepted("127.0.0.1:8000") && is_accepted("[::1]"));
        assert!(!is_accepted("localhost:3.evil.example"));
    }
}
