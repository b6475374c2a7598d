//! Conversations with one git server: references, and fetches without negotiation.

use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::{BStr, BString, ByteSlice};
use gix::protocol::handshake::Ref;
use gix::protocol::ls_refs::RefPrefixes;
use gix::protocol::transport::{Protocol, Service};
use gix::protocol::{Command, Handshake, LsRefsCommand, fetch};
use gix::utils::progress::Discard;

use super::Options;
use super::answer::{Failure, read_pack};
use super::client::SharedClient;
use super::error::GitError;
use super::foreign::escape;
use super::http::{Http, Transport};
use super::objects::{Commit, Objects};
use super::pack::{self, PackError, PackLimits};
use super::session::Reference;
use super::wire::Wire;

/// All objects of a pack together, inflated, may be this many times as long as the longest pack.
const INFLATED: u64 = 4;

/// A repository on a server, and what was received from it.
pub(super) struct Remote {
    name: String,
    url: String,
    wire: Arc<Wire>,
    options: Arc<Options>,
    connection: Option<Connection>,
    /// What was wanted to get the commits received so far.
    wanted_commits: Vec<ObjectId>,
    objects: Objects,
}

struct Connection {
    transport: Transport,
    handshake: Handshake,
}

/// Which objects a fetch leaves out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Everything that the wanted objects lead to.
    Whole,
    /// A commit without its history.
    Shallow,
    /// A commit without its history and, where the server can, without blobs.
    Trees,
}

impl Remote {
    /// No IO. `name` is how messages call the repository.
    pub(super) fn new(name: String, url: String, client: &SharedClient, options: Arc<Options>) -> Self {
        let wire = Arc::new(Wire::new(client.clone(), name.clone(), url.clone(), options.clone()));
        let objects = Objects::new(name.clone(), options.bytes_per_object);
        Self { name, url, wire, options, connection: None, wanted_commits: Vec::new(), objects }
    }

    pub(super) fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The references whose names start with one of `prefixes`: one request, or none when they came with the handshake.
    pub(super) fn refs(&mut self, prefixes: &[String]) -> Result<Vec<Reference>, GitError> {
        let Connection { transport, handshake } = self.connect()?;
        let found = match &handshake.refs {
            Some(refs) => Ok(refs.clone()),
            None => {
                let mut asked = RefPrefixes::new();
                asked.extend(prefixes.iter().map(|prefix| BString::from(prefix.as_str())));
                LsRefsCommand::new(Some(asked), &handshake.capabilities, agent()).invoke_blocking(
                    transport,
                    &mut Discard,
                    false,
                )
            }
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let error = self.blame(&error);
                self.connection = None;
                return Err(error);
            }
        };
        Ok(found.iter().filter_map(reference).filter(|r| prefixes.iter().any(|p| r.name.starts_with(p))).collect())
    }

    /// A commit with all of its trees.
    pub(super) fn commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<Commit, GitError> {
        if self.objects.has(id) {
            return self.objects.commit(id);
        }
        let want = self.fetch_commit(id, reference)?;
        let commit = self.objects.commit(id)?;
        self.wanted_commits.push(want);
        Ok(commit)
    }

    /// Several commits with all of their trees: one request, if the server gives out all of them.
    pub(super) fn prefetch_commits(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        let wants = self.missing(ids);
        if wants.len() < 2 {
            return Ok(());
        }
        match self.fetch(&wants, Scope::Trees) {
            Err(GitError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(()) => {
                self.wanted_commits.extend(wants);
                Ok(())
            }
        }
    }

    /// Returns what the server had to be asked for.
    fn fetch_commit(&mut self, id: &ObjectId, reference: Option<&str>) -> Result<ObjectId, GitError> {
        match self.fetch(&[*id], Scope::Trees) {
            Err(GitError::Refused { .. }) => {}
            other => return other.map(|()| *id),
        }
        // The server gives out only what a reference points at. An annotated tag leads to its commit.
        let prefixes = match reference {
            Some(name) => vec![name.to_owned()],
            None => ["HEAD", "refs/heads/", "refs/tags/"].map(str::to_owned).to_vec(),
        };
        let refs = self.refs(&prefixes)?;
        let way = refs.iter().find(|r| r.peeled == *id && r.id != *id).map(|r| r.id);
        let Some(way) = way else {
            return Err(self.objects.not_found(
                format!("commit `{id}`"),
                Some("the server has no such commit, or gives out only those that a branch or tag points at"),
            ));
        };
        self.fetch(&[way], Scope::Trees)?;
        Ok(way)
    }

    /// Trees with everything below them, and other objects. False when the server does not give out what no reference
    /// points at.
    pub(super) fn whole_trees(&mut self, trees: &[ObjectId], also: &[ObjectId]) -> Result<bool, GitError> {
        let wants: Vec<ObjectId> = self.missing(trees.iter().chain(also));
        match self.fetch_if_any(&wants) {
            Err(GitError::Refused { message, .. }) => {
                (self.options.verbose)(&format!("{} gives out no trees: {message}", self.name));
                Ok(false)
            }
            Err(error) => Err(error),
            Ok(()) => self.objects.expect(&wants).map(|()| true),
        }
    }

    /// Blobs that are not there yet.
    pub(super) fn blobs(&mut self, ids: &[ObjectId]) -> Result<(), GitError> {
        let wants = self.missing(ids);
        match self.fetch_if_any(&wants) {
            Err(GitError::Refused { .. }) if !self.wanted_commits.is_empty() => {
                (self.options.verbose)(&format!("{} gives out no single files: fetching the whole commit", self.name));
                let commits = self.wanted_commits.clone();
                self.fetch(&commits, Scope::Shallow)?;
            }
            other => other?,
        }
        self.objects.expect(&wants)
    }

    fn fetch_if_any(&mut self, wants: &[ObjectId]) -> Result<(), GitError> {
        if wants.is_empty() { Ok(()) } else { self.fetch(wants, Scope::Whole) }
    }

    /// Those that are not there, sorted, each once.
    fn missing<'a>(&self, ids: impl IntoIterator<Item = &'a ObjectId>) -> Vec<ObjectId> {
        let mut missing: Vec<ObjectId> = ids.into_iter().filter(|id| !self.objects.has(id)).copied().collect();
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// One request for `wants`, with nothing offered in return.
    fn fetch(&mut self, wants: &[ObjectId], scope: Scope) -> Result<(), GitError> {
        let pack = match self.receive(wants, scope) {
            Err(error @ GitError::Refused { .. }) => {
                self.wire.abandon();
                return Err(error);
            }
            Err(error) => {
                // Nobody knows where in the conversation the server is.
                self.connection = None;
                return Err(error);
            }
            Ok(pack) => pack,
        };
        let limits = PackLimits {
            objects: self.options.objects_per_fetch,
            total_bytes: self.options.bytes_per_fetch.saturating_mul(INFLATED),
        };
        let count = pack::ingest(&pack, &limits, &mut self.objects).map_err(|error| self.refuse_pack(error))?;
        (self.options.verbose)(&format!("{}: {count} objects, {} bytes", self.name, pack.len()));
        Ok(())
    }

    fn receive(&mut self, wants: &[ObjectId], scope: Scope) -> Result<Vec<u8>, GitError> {
        let (longest, most) = (self.options.bytes_per_fetch, self.options.objects_per_fetch);
        let Connection { transport, handshake } = self.connect()?;
        let version = handshake.server_protocol_version;
        let mut features = Command::Fetch.default_features(version, &handshake.capabilities);
        if let Err(error) = fetch::Response::check_required_features(version, &features) {
            return Err(self.blame(&error));
        }
        // gix would send it with the first want of a v0 conversation, and `deepen 1` would mean "one more than none".
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
        let received = arguments.send(transport, true).map_err(|error| Failure::of(&error));
        received.and_then(|answer| read_pack(answer, version, longest, most)).map_err(|failure| self.explain(failure))
    }

    fn connect(&mut self) -> Result<&mut Connection, GitError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.handshake()?,
        };
        Ok(self.connection.insert(connection))
    }

    fn handshake(&self) -> Result<Connection, GitError> {
        if self.options.offline {
            return Err(GitError::Offline { url: self.name.clone() });
        }
        let url = gix::url::parse(BStr::new(&self.url)).map_err(|error| self.blame(&error))?;
        let mut transport = Transport::new_http(Http::new(self.wire.clone()), url, Protocol::V2, false);
        // Credentials are the wire's business: it never tells gix that some are wanted.
        let no_credentials = |_| Ok(None);
        let handshake =
            gix::protocol::handshake(&mut transport, Service::UploadPack, no_credentials, Vec::new(), &mut Discard)
                .map_err(|error| self.blame(&error))?;
        // Servers without a version count as v1; this is one that said nothing at all.
        if handshake.server_protocol_version == Protocol::V0 {
            return Err(self.wire.problem("the answer breaks the git protocol: it is empty"));
        }
        let format = handshake.capabilities.capability("object-format").and_then(|c| c.value().map(BStr::to_owned));
        match format {
            Some(format) if format != "sha1" => Err(GitError::Unsupported {
                url: self.name.clone(),
                problem: "it uses SHA-256 object ids, which are not built in",
                hint: None,
            }),
            _ => Ok(Connection { transport, handshake }),
        }
    }

    /// The reason behind an error of gix.
    fn blame(&self, error: &gix::Error) -> GitError {
        self.explain(Failure::of_gix(error))
    }

    /// Our own error if one of our requests failed; else the server's words, or what is wrong with its answer.
    fn explain(&self, failure: Failure) -> GitError {
        let url = self.name.clone();
        self.wire.take_failure().unwrap_or_else(|| match failure {
            Failure::Refused(words) => GitError::Refused { url, message: escape(&words) },
            Failure::Pack(error) => self.refuse_pack(error),
            Failure::Other(cause) => GitError::Network {
                url,
                problem: "the answer breaks the git protocol".to_owned(),
                hint: None,
                source: Some(cause),
            },
        })
    }

    fn refuse_pack(&self, error: PackError) -> GitError {
        let limit = |what, field, limit| GitError::Limit { url: self.name.clone(), what, field, limit };
        match error {
            PackError::TooManyObjects => {
                limit("objects in one fetch", "limits.objectsPerFetch", self.options.objects_per_fetch)
            }
            PackError::TooManyBytes => self.wire.too_long(),
            PackError::Corrupt(problem) => self.objects.corrupt(problem),
        }
    }
}

fn agent() -> (&'static str, Option<String>) {
    ("agent", Some(concat!("helix-skills/", env!("CARGO_PKG_VERSION")).to_owned()))
}

/// A reference as callers see it; none for a branch without commits. Names that are not UTF-8 answer no pin.
fn reference(found: &Ref) -> Option<Reference> {
    let (name, id, peeled, target) = match found {
        Ref::Peeled { full_ref_name, tag, object } => (full_ref_name, tag, object, None),
        Ref::Direct { full_ref_name, object } => (full_ref_name, object, object, None),
        Ref::Symbolic { full_ref_name, target, tag, object } => {
            (full_ref_name, tag.as_ref().unwrap_or(object), object, Some(target))
        }
        Ref::Unborn { .. } => return None,
    };
    let target = target.and_then(|target| target.to_str().ok()).map(str::to_owned);
    Some(Reference { name: name.to_str().ok()?.to_owned(), id: *id, peeled: *peeled, target })
}
