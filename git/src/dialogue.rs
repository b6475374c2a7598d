//! Conversations with one git server: references, and fetches without negotiation.

use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::protocol::handshake::Ref;
use gix::protocol::ls_refs::RefPrefixes;
use gix::protocol::transport::Protocol;
use gix::protocol::{Command, Handshake, LsRefsCommand, fetch};
use gix::utils::progress::Discard;
use helix_skills_format::__internal::one_line_chain;

use super::connector::Connector;
use super::error::{GitError, LimitKind, Retry};
use super::fetch_response::{Failure, read_pack};
use super::handshake;
use super::meter::too_long;
use super::pack::PackError;
use super::reference::Reference;
use super::retry;
use super::shared::Shared;
use super::transport::Transport;
use crate::FetchEvent;

/// A conversation with a server. Begins when first needed, and begins again after a failure.
pub(super) struct Dialogue {
    name: String,
    connector: Connector,
    shared: Arc<Shared>,
    connection: Option<Connection>,
}

struct Connection {
    transport: Transport,
    handshake: Handshake,
}

/// Which objects a fetch omits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Everything reachable from the wanted objects.
    Whole,
    /// A commit without its history.
    Shallow,
    /// A commit without its history and, if the server supports it, without blobs.
    Trees,
}

impl Dialogue {
    /// Creates a dialogue without doing any IO. `name` is the repository's name in messages.
    pub(super) fn new(name: String, connector: Connector, shared: Arc<Shared>) -> Self {
        Self { name, connector, shared, connection: None }
    }

    /// Creates a dialogue over an existing transport.
    #[cfg(feature = "fuzzing")]
    pub(super) fn over(
        transport: Transport,
        name: String,
        connector: Connector,
        shared: Arc<Shared>,
    ) -> Result<Self, GitError> {
        let mut dialogue = Self::new(name, connector, shared);
        dialogue.connection = Some(dialogue.greet(transport)?);
        Ok(dialogue)
    }

    pub(super) fn take_redirects(&self) -> Vec<String> {
        self.connector.take_redirects()
    }

    /// Returns the references whose names start with one of `prefixes`: one request, or none if
    /// they came with the handshake.
    pub(super) fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        self.persist(|dialogue| dialogue.list(prefixes))
    }

    /// Fetches a pack with `wants` and everything they lead to: one request, without offering any
    /// objects.
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
            let before = self.connector.expected().pack_bytes();
            let error = match request(self) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            // A server that has begun a pack lacks no capability.
            let has_pack = self.connector.expected().pack_bytes() > before;
            if error.retry() == Retry::Handshake && !has_pack && self.connector.require_handshake()
            {
                self.shared.verbose(&format!(
                    "{}: asking for the server's capabilities, because a request failed: {}",
                    self.name,
                    one_line_chain(&error)
                ));
                self.connection = None;
                continue;
            }
            let goes_on = match &error {
                GitError::Refused { .. } => self.connector.abandon(),
                _ => self.connector.can_repeat(),
            };
            if !goes_on {
                // The position of the server in the conversation is unknown.
                self.connection = None;
            }
            let options = &self.shared.options;
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
            self.shared
                .verbose(&format!("{}: {why}: attempt {attempt} in {seconds:.1} s", self.name));
            self.shared.emit(&FetchEvent::Retrying { url: &self.name, attempt, wait, why: &why });
            self.shared.pause(wait)?;
        }
    }

    fn list(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        let is_asked =
            |found: &Reference| prefixes.iter().any(|prefix| found.name.starts_with(prefix));
        self.connector.expected().expect_references();
        let Connection { transport, handshake } = self.connect()?;
        if let Some(refs) = &handshake.refs {
            return Ok(refs.iter().filter_map(reference).filter(is_asked).collect());
        }
        let mut asked = RefPrefixes::new();
        asked.extend(prefixes.iter().map(|prefix| BString::from(prefix.as_str())));
        let command = LsRefsCommand::new(Some(asked), &handshake.capabilities, agent());
        let found = command.invoke_blocking(transport, &mut Discard, false);
        let found = found.map_err(|error| self.blame(&error))?;
        Ok(found.iter().filter_map(reference).filter(is_asked).collect())
    }

    fn receive(&mut self, wants: &[ObjectId], scope: Scope) -> Result<Vec<u8>, GitError> {
        let (longest, most) =
            (self.shared.options.bytes_per_fetch, self.shared.options.objects_per_fetch);
        self.connect()?;
        let expected = self.connector.expected().clone();
        expected.expect_pack();
        let Connection { transport, handshake } = self.connect()?;
        let version = handshake.server_protocol_version;
        let mut features = Command::Fetch.default_features(version, &handshake.capabilities);
        if let Err(error) = fetch::Response::check_required_features(version, &features) {
            return Err(self.blame(&error));
        }
        // In a v0 conversation gix would send it with the first want, and `deepen 1` would mean one
        // commit more than none.
        features.retain(|(name, _)| *name != "deepen-relative");
        features.push(agent());
        let mut arguments = fetch::Arguments::new(version, features, false);
        if version == Protocol::V2 {
            arguments.add_feature("no-progress");
        }
        if scope != Scope::Whole && arguments.can_use_deepen() {
            arguments.deepen(1);
        }
        if scope == Scope::Trees && arguments.can_use_filter() {
            arguments.filter("blob:none");
        }
        for want in wants {
            arguments.want(want);
        }
        let received = arguments.send(transport, true).map_err(|error| Failure::from_error(&error));
        let pack = received.and_then(|answer| read_pack(answer, version, longest, most, &expected));
        let pack = pack.map_err(|failure| self.explain(failure))?;
        if version != Protocol::V2 && !self.connector.is_stateless() {
            // An old server sends one pack and closes the connection.
            self.connection = None;
        }
        Ok(pack)
    }

    fn connect(&mut self) -> Result<&mut Connection, GitError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            // The handshake has its own retries. If they were not enough, the request that needs it
            // is not retried.
            None => self
                .persist(|dialogue| dialogue.handshake())
                .map_err(|error| error.with_retry(Retry::Never))?,
        };
        Ok(self.connection.insert(connection))
    }

    fn handshake(&self) -> Result<Connection, GitError> {
        if self.shared.options.offline {
            return Err(GitError::Offline { url: self.name.clone() });
        }
        self.shared.check()?;
        self.connector.expected().expect_references();
        self.greet(self.connector.open()?)
    }

    fn greet(&self, mut transport: Transport) -> Result<Connection, GitError> {
        let handshake =
            handshake::greet(&mut transport).map_err(|failure| self.explain(failure))?;
        // Servers without a version count as v1; this one sent nothing.
        if handshake.server_protocol_version == Protocol::V0 {
            return Err(GitError::network(
                &self.name,
                "the response violates the git protocol: it is empty",
            ));
        }
        let format = handshake
            .capabilities
            .capability("object-format")
            .and_then(|c| c.value().map(BStr::to_owned));
        match format {
            Some(format) if format != "sha1" => Err(GitError::Sha256 { url: self.name.clone() }),
            _ => Ok(Connection { transport, handshake }),
        }
    }

    /// Returns the reason for an error of gix.
    fn blame(&self, error: &gix::Error) -> GitError {
        self.explain(Failure::from_gix(error))
    }

    /// Returns our own error if one of our requests failed, or else the server's message or the
    /// problem of its response.
    fn explain(&self, failure: Failure) -> GitError {
        self.connector.take_failure().unwrap_or_else(|| match failure {
            Failure::Refused(words) => GitError::refusal(
                &self.name,
                &self.connector.scrub(&String::from_utf8_lossy(&words)),
            ),
            Failure::Pack(error) => self.refuse_pack(error),
            Failure::Other(cause) => {
                GitError::network(&self.name, "the response violates the git protocol")
                    .with_retry(Retry::Handshake)
                    .with_cause(cause.map(&|text| self.connector.scrub(text)))
            }
        })
    }

    /// Returns the error for a rejected pack.
    pub(super) fn refuse_pack(&self, error: PackError) -> GitError {
        let url = self.name.clone();
        match error {
            PackError::TooManyObjects => GitError::Limit {
                url,
                what: "objects in one fetch",
                which: LimitKind::Objects,
                limit: self.shared.options.objects_per_fetch,
            },
            PackError::TooManyBytes => too_long(&self.name, &self.shared),
            PackError::Corrupt(problem) => GitError::Corrupt { url, problem },
        }
    }
}

fn agent() -> (&'static str, Option<String>) {
    ("agent", Some(concat!("helix-skills/", env!("CARGO_PKG_VERSION")).to_owned()))
}

/// Converts a reference; `None` for a branch without commits. Names that are not UTF-8 or not valid
/// in git match no pin.
fn reference(found: &Ref) -> Option<Reference> {
    let (name, id, peeled, target) = match found {
        Ref::Peeled { full_ref_name, tag, object } => (full_ref_name, tag, object, None),
        Ref::Direct { full_ref_name, object } => (full_ref_name, object, object, None),
        Ref::Symbolic { full_ref_name, target, tag, object } => {
            (full_ref_name, tag.as_ref().unwrap_or(object), object, Some(target))
        }
        Ref::Unborn { .. } => return None,
    };
    Reference::checked(name, id, peeled, target.map(|target| target.as_slice()))
}
