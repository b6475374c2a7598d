//! Conversations with one git server: references, and fetches without negotiation.

use std::sync::Arc;

use helix_skills_format::__internal::one_line_chain;
use helix_skills_format::ObjectId;

use super::connector::{Connection, Connector};
use super::error::{GitError, Retry};
use super::fetch_response::read_pack;
use super::greeting::Greeting;
use super::pack::PackError;
use super::packets::{Failure, Packets, next_line};
use super::reference::{Reference, is_below};
use super::request::{self, Scope};
use super::retry;
use super::shared::Origin;
use crate::FetchEvent;

/// A conversation with a server. Begins when first needed, and begins again after a failure.
pub(super) struct Dialogue {
    origin: Arc<Origin>,
    connector: Connector,
    pub(super) connection: Option<Connection>,
}

impl Dialogue {
    /// Creates a dialogue without doing any IO.
    pub(super) fn new(origin: Arc<Origin>, connector: Connector) -> Self {
        Self { origin, connector, connection: None }
    }

    /// Returns the references whose names start with one of `prefixes`: one request, or none if
    /// they came with the handshake.
    pub(super) fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        self.persist(|dialogue| dialogue.list(prefixes))
    }

    /// Fetches a pack with `wants` and everything they lead to, except what `scope` omits: one
    /// request.
    pub(super) fn pack(&mut self, wants: &[ObjectId], scope: Scope) -> Result<Vec<u8>, GitError> {
        self.persist(|dialogue| dialogue.receive(wants, scope))
    }

    /// Makes a request, and repeats it while a retry may help.
    fn persist<T>(
        &mut self,
        mut request: impl FnMut(&mut Self) -> Result<T, GitError>,
    ) -> Result<T, GitError> {
        let mut attempt = 1;
        loop {
            let before = self.origin.expected.pack_bytes();
            let error = match request(self) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            // A server that has begun a pack lacks no capability.
            let has_pack = self.origin.expected.pack_bytes() > before;
            if error.retry() == Retry::Handshake && !has_pack && self.connector.require_handshake()
            {
                self.origin.log(format_args!(
                    "asking for the server's capabilities, because a request failed: {}",
                    one_line_chain(&error)
                ));
                self.connection = None;
                continue;
            }
            self.connection = self.connection.take().and_then(Connection::after_failure);
            let options = &self.origin.shared.options;
            let Some(wait) =
                retry::wait(options.retries, options.retry_delay, error.retry(), attempt)
            else {
                return Err(error);
            };
            attempt += 1;
            // The message names the URL, which is printed already.
            let why =
                std::error::Error::source(&error).map_or_else(|| error.to_string(), one_line_chain);
            let seconds = wait.as_secs_f32();
            self.origin.log(format_args!("{why}: attempt {attempt} in {seconds:.1} s"));
            self.origin.shared.emit(&FetchEvent::Retrying {
                url: &self.origin.name,
                attempt,
                wait,
                why: &why,
            });
            self.origin.shared.pause(wait)?;
        }
    }

    fn list(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        let connection = self.connect()?;
        let all = connection.greeting.refs.clone();
        self.connection = Some(connection);
        let origin = self.origin.clone();
        let mut refs = match all {
            Some(all) => all,
            None => self.exchange(
                |greeting| {
                    origin.expected.announce(false);
                    request::list(greeting, prefixes)
                },
                |packets, _| {
                    let mut refs = Vec::new();
                    while let Some(line) = next_line(packets)? {
                        refs.extend(Reference::parse(line)?);
                    }
                    Ok(refs)
                },
            )?,
        };
        refs.retain(|found| is_below(&found.name, prefixes));
        Ok(refs)
    }

    fn receive(&mut self, wants: &[ObjectId], scope: Scope) -> Result<Vec<u8>, GitError> {
        let origin = self.origin.clone();
        let pack = self.exchange(
            |greeting| {
                origin.expected.announce(true);
                request::fetch(greeting, wants, scope)
            },
            |packets, is_old| read_pack(packets, is_old, &origin),
        )?;
        // An old server sends one pack and closes an ssh connection.
        self.connection = self.connection.take().filter(|connection| !connection.ends_with_pack());
        Ok(pack)
    }

    /// Sends the request that `ask` builds, and reads the response with `read`, whose second
    /// argument says whether the server lacks version 2 of the protocol.
    fn exchange<T>(
        &mut self,
        ask: impl FnOnce(&Greeting) -> Result<Vec<u8>, Failure>,
        read: impl FnOnce(&mut Packets, bool) -> Result<T, Failure>,
    ) -> Result<T, GitError> {
        let mut connection = self.connect()?;
        let is_old = connection.greeting.refs.is_some();
        let answer = ask(&connection.greeting)
            .and_then(|request| read(self.connector.send(&mut connection, request)?, is_old));
        self.connection = Some(connection);
        answer.map_err(|failure| self.explain(failure))
    }

    /// Takes the connection, or begins one.
    fn connect(&mut self) -> Result<Connection, GitError> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            // The handshake has its own retries. If they were not enough, the request that needs it
            // is not retried.
            None => self
                .persist(|dialogue| dialogue.handshake())
                .map_err(|error| error.with_retry(Retry::Never)),
        }
    }

    fn handshake(&self) -> Result<Connection, GitError> {
        if self.origin.shared.options.offline {
            return Err(GitError::Offline { url: self.origin.name.clone() });
        }
        self.origin.shared.check()?;
        self.origin.expected.announce(false);
        let connection =
            self.connector.open(&self.origin).map_err(|failure| self.explain(failure))?;
        match connection.greeting.object_format() {
            Some(format) if format != b"sha1" => {
                Err(GitError::Sha256 { url: self.origin.name.clone() })
            }
            _ => Ok(connection),
        }
    }

    /// Returns the error for a response that could not be read.
    pub(super) fn explain(&self, failure: Failure) -> GitError {
        match failure {
            Failure::Git(error) => error,
            Failure::Refused(words) => GitError::refusal(
                &self.origin.name,
                &self.origin.scrub(&String::from_utf8_lossy(&words)),
            ),
            Failure::Pack(error) => self.refuse_pack(error),
            Failure::Protocol(cause) => {
                GitError::network(&self.origin.name, "the response violates the git protocol")
                    .with_retry(Retry::Handshake)
                    .with_cause(cause.map(&|text| self.origin.scrub(text)))
            }
        }
    }

    /// Returns the error for a rejected pack.
    pub(super) fn refuse_pack(&self, error: PackError) -> GitError {
        match error {
            PackError::TooManyObjects => self.origin.too_many(),
            PackError::TooManyBytes => self.origin.too_long(),
            PackError::Corrupt(problem) => {
                GitError::Corrupt { url: self.origin.name.clone(), problem }
            }
        }
    }
}
