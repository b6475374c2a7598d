//! Connects to a repository on a server, over HTTP or ssh.

use std::io::Read as _;
use std::sync::Arc;

use super::endpoint::HttpEndpoint;
use super::error::GitError;
use super::greeting::Greeting;
use super::packets::{Failure, Packets, packets};
use super::shared::Origin;
use super::ssh::{self, Input};

/// How to connect to a repository on a server.
pub(super) enum Connector {
    /// Each request is independent.
    Http(Arc<HttpEndpoint>),
    /// A URL. One process serves all requests of a conversation.
    Ssh(String),
}

/// A conversation whose greeting was read.
pub(super) struct Connection {
    pub(super) greeting: Greeting,
    /// `None` over HTTP. Dropped before `packets`, so that the process ends.
    input: Option<Input>,
    packets: Packets,
}

impl Connection {
    /// Reads the greeting.
    pub(super) fn new(mut packets: Packets, input: Option<Input>) -> Result<Self, Failure> {
        let greeting = Greeting::read(&mut packets)?;
        Ok(Self { greeting, input, packets })
    }

    /// Returns whether the connection is closed after a pack.
    pub(super) fn ends_with_pack(&self) -> bool {
        self.input.is_some() && self.greeting.refs.is_some()
    }

    /// Returns the connection for another request after one that failed. Over ssh there is none,
    /// because the position of the server in the conversation is unknown.
    pub(super) fn after_failure(self) -> Option<Self> {
        let packets = packets(std::io::empty());
        self.input.is_none().then_some(Self { packets, ..self })
    }
}

impl Connector {
    /// Begins a conversation. Over HTTP, this sends nothing as long as the capabilities are
    /// assumed.
    pub(super) fn open(&self, origin: &Arc<Origin>) -> Result<Connection, Failure> {
        match self {
            Self::Http(endpoint) if endpoint.skips_handshake() => Ok(Connection {
                greeting: Greeting::assumed()?,
                input: None,
                packets: packets(std::io::empty()),
            }),
            Self::Http(endpoint) => Connection::new(packets(endpoint.get()?), None),
            Self::Ssh(url) => {
                let (reader, input) = ssh::open(origin, url)?;
                Connection::new(packets(reader), Some(input))
            }
        }
    }

    /// Sends a request, and returns the packets of the response.
    pub(super) fn send<'c>(
        &self,
        connection: &'c mut Connection,
        request: Vec<u8>,
    ) -> Result<&'c mut Packets, GitError> {
        let is_old = connection.greeting.refs.is_some();
        if let Some(send) = &mut connection.input {
            send(request);
            connection.packets.reset();
        } else if let Self::Http(endpoint) = self {
            // At its end, a response returns its connection for the next request.
            let _ = connection.packets.inner_mut().read(&mut [0]);
            connection.packets = packets(endpoint.post(request, is_old)?);
        }
        Ok(&mut connection.packets)
    }

    /// Lets conversations begin with a handshake. Returns false if they do already.
    pub(super) fn require_handshake(&self) -> bool {
        match self {
            Self::Http(endpoint) => endpoint.require_handshake(),
            Self::Ssh(_) => false,
        }
    }
}
