//! The parts of this crate that parse data from servers, callable without a server.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use gix::ObjectId;
use gix::objs::Kind;

use super::GitOptions;
use super::connector::{Connection, Connector};
use super::delta;
use super::dialogue::Dialogue;
use super::ids::to_gix;
use super::objects::Objects;
use super::pack::{self, PackLimits};
use super::packets::packets;
use super::repository::Repository as _;
use super::request::Scope;
use super::saved::{self, Saved};
use super::shared::{Origin, Shared};
use super::tree::{EntryKind, TreeEntry, TreeIndex};
use super::user_config::UserConfig;

/// An object of a pack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    /// The computed id.
    pub id: ObjectId,
    /// The kind of object.
    pub kind: Kind,
    /// The data.
    pub data: Vec<u8>,
}

/// The contents of a pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ingested {
    /// The number of objects that the pack claims.
    pub count: u64,
    /// Whether an object was too large to keep.
    pub is_incomplete: bool,
    /// All kept objects, sorted.
    pub objects: Vec<Object>,
}

/// Reads a pack, without keeping blobs larger than `largest` bytes.
///
/// # Errors
/// Why the pack is rejected.
pub fn ingest(bytes: &[u8], most: u64, total_bytes: u64, largest: u64) -> Result<Ingested, String> {
    let mut objects = Objects::new("fuzz".to_owned(), largest);
    let limits = PackLimits { objects: most, total_bytes };
    let count = pack::ingest(bytes, &limits, &mut objects).map_err(|why| format!("{why:?}"))?;
    let mut kept: Vec<Object> = objects
        .by_id
        .iter()
        .filter_map(|(id, object)| {
            Some(Object { id: to_gix(id).ok()?, kind: object.kind, data: object.data.clone() })
        })
        .collect();
    kept.sort();
    Ok(Ingested { count, is_incomplete: objects.is_incomplete(), objects: kept })
}

/// Reads saved objects, and returns them as they are saved.
///
/// # Errors
/// Why the text is rejected.
pub fn saved(text: &str, most: u64, total_bytes: u64, largest: u64) -> Result<String, String> {
    let options = GitOptions {
        objects_per_fetch: most,
        bytes_per_fetch: total_bytes,
        bytes_per_object: largest,
        ..GitOptions::default()
    };
    let saved = Saved::new(&[("fuzz".to_owned(), text.to_owned())], &options);
    let saved = saved.map_err(|why| why.to_string())?;
    let ids = saved.objects().by_id.keys().copied();
    Ok(saved::text(saved.objects(), ids))
}

/// Returns an object as it is saved; `None` if its bytes are a SHA-1 collision attack.
#[must_use]
pub fn saved_line(kind: Kind, data: &[u8]) -> Option<String> {
    let mut objects = Objects::new("fuzz".to_owned(), u64::MAX);
    let id = objects.insert(kind, data.to_vec()).ok()?;
    Some(saved::text(&objects, [id].into_iter()))
}

/// Returns the sizes that a delta claims and its result, or `None` if the delta is broken or the
/// result would be larger than `largest` bytes.
#[must_use]
pub fn apply_delta(base: &[u8], bytes: &[u8], largest: u64) -> Option<((u64, u64), Vec<u8>)> {
    let sizes = delta::sizes(bytes).ok()?;
    if sizes.1 > largest {
        return None;
    }
    Some((sizes, delta::apply(base, bytes).ok()?))
}

/// An untrusted tree.
pub struct Tree {
    objects: Objects,
    id: helix_skills_format::ObjectId,
}

impl Tree {
    /// Creates a tree from bytes; `None` if they are a SHA-1 collision attack.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        let mut objects = Objects::new("fuzz".to_owned(), 0);
        let id = objects.insert(Kind::Tree, bytes.to_vec()).ok()?;
        Some(Self { objects, id })
    }

    /// Returns the name, kind and id of every entry.
    ///
    /// # Errors
    /// The message that a user would see.
    pub fn entries(
        &self,
    ) -> Result<Vec<(Vec<u8>, EntryKind, helix_skills_format::ObjectId)>, String> {
        let entries = self.objects.entries(&self.id).map_err(|why| why.to_string())?;
        let entry = |entry: TreeEntry<'_>| (entry.name.to_vec(), entry.kind, entry.id);
        entries.map(|found| found.map(entry).map_err(|why| why.to_string())).collect()
    }

    /// Looks up an entry by name in an index, as for large trees.
    ///
    /// # Errors
    /// As for [`Tree::entries`].
    pub fn entry(&self, name: &[u8]) -> Result<Option<helix_skills_format::ObjectId>, String> {
        let index =
            self.objects.entries(&self.id).and_then(|entries| TreeIndex::new(entries, |_| Ok(())));
        let index = index.map_err(|why| why.to_string())?;
        let tree = self.objects.data_of(&self.id, Kind::Tree).map_err(|why| why.to_string())?;
        Ok(index.find(tree, name).map(|entry| entry.id))
    }
}

/// The result of a conversation with a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// The names of its references.
    pub refs: Result<Vec<String>, String>,
    /// The pack it sent, unparsed.
    pub pack: Result<Vec<u8>, String>,
}

/// Starts a conversation with a server that always answers `bytes`, and requests its references and
/// an object. Inner errors are the messages that a user would see.
///
/// # Errors
/// The handshake fails.
pub fn conversation(bytes: &[u8], longest: u64, most: u64) -> Result<Conversation, String> {
    let shared = Arc::new(Shared::new(GitOptions {
        objects_per_fetch: most,
        bytes_per_fetch: longest,
        bytes_per_object: longest,
        connect_timeout: Duration::from_secs(1),
        stall_timeout: Duration::from_secs(1),
        retries: 0,
        offline: true,
        ..GitOptions::default()
    }));
    // Ignores the configuration of the current user.
    let _ = shared.config.set(UserConfig::default());
    let name = "https://fuzz.invalid/r".to_owned();
    let origin = Arc::new(Origin::new(name, shared));
    let connector = Connector::Ssh(origin.name.clone());
    let answers = packets(io::Cursor::new(bytes.to_vec()));
    let connection = Connection::new(answers, Some(Box::new(|_| ())));
    let mut dialogue = Dialogue::new(origin, connector);
    let connection = connection.map_err(|failure| dialogue.explain(failure).to_string())?;
    dialogue.connection = Some(connection);
    let prefixes = ["HEAD", "refs/heads/", "refs/tags/"].map(str::to_owned);
    let refs = dialogue.refs(&prefixes).map_err(|why| why.to_string());
    let refs = refs
        .map(|refs| refs.into_iter().flat_map(|r| [Some(r.name), r.target]).flatten().collect());
    let pack = dialogue
        .pack(&[helix_skills_format::ObjectId::from([0; 20])], Scope::Whole)
        .map_err(|why| why.to_string());
    Ok(Conversation { refs, pack })
}
