//! TLS in front of a plain server: an untrusted certificate authority and a TLS terminating proxy.

use crate::loopback::Loopback;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
};
use std::{
    io::{self, ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::{Arc, atomic::Ordering::SeqCst},
    time::{Duration, Instant},
};

/// How long one side is read before the other side's turn.
const TURN: Duration = Duration::from_millis(2);
/// Idle timeout of a connection.
const IDLE: Duration = Duration::from_secs(30);

/// A certificate authority that no machine trusts by default.
#[derive(Debug)]
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// Creates an authority with a new key.
    ///
    /// # Panics
    /// If key generation fails.
    #[must_use]
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.distinguished_name.push(DnType::CommonName, "An authority of the tests");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Returns the authority's certificate in PEM format.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    fn server_config(&self, names: &[&str]) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key");
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let params = CertificateParams::new(names).expect("names");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let chain = vec![CertificateDer::from(certificate.der().to_vec())];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config =
            config.expect("versions of TLS").with_no_client_auth().with_single_cert(chain, key);
        Arc::new(config.expect("a certificate that fits its key"))
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// A TLS server that forwards the decrypted bytes.
#[derive(Debug)]
pub struct TlsFront {
    listener: Loopback,
}

impl TlsFront {
    /// Listens on a free port of 127.0.0.1 with a certificate for these names and addresses, and
    /// forwards to `target` (`host:port`).
    ///
    /// # Panics
    /// If no port is free.
    #[must_use]
    pub fn start(authority: &Authority, names: &[&str], target: &str) -> Self {
        let config = authority.server_config(names);
        let target = target.to_owned();
        Self { listener: Loopback::start(move |stream| pass(stream, Arc::clone(&config), &target)) }
    }

    /// Returns the port of the server.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.listener.address().port()
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Returns the number of connections since the start, including those whose client rejected the
    /// certificate.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.listener.connections().load(SeqCst)
    }
}

/// Forwards both ways in one thread, because both need the connection's keys.
fn pass(client: TcpStream, config: Arc<ServerConfig>, target: &str) -> io::Result<()> {
    let mut server = TcpStream::connect(target)?;
    for stream in [&client, &server] {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TURN))?;
        stream.set_write_timeout(Some(IDLE))?;
    }
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut client = StreamOwned::new(connection, client);
    let mut buffer = vec![0; 64 << 10];
    let mut last = Instant::now();
    while last.elapsed() < IDLE {
        if let Some(count) = turn(&mut client, &mut buffer)? {
            if count == 0 {
                return Ok(());
            }
            server.write_all(&buffer[..count])?;
            last = Instant::now();
        }
        while let Some(count) = turn(&mut server, &mut buffer)? {
            if count == 0 {
                client.conn.send_close_notify();
                return client.flush();
            }
            client.write_all(&buffer[..count])?;
            client.flush()?;
            last = Instant::now();
        }
    }
    Ok(())
}

/// Reads from one side; `None` if there is nothing to read yet.
fn turn(side: &mut impl Read, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    match side.read(buffer) {
        Ok(count) => Ok(Some(count)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
