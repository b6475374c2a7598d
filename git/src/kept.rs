//! Sessions that later sessions of the same repositories continue.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::repository::Repository;
use super::wait::lock;

/// Sessions that have ended, for later sessions of the same repositories to continue: without
/// another handshake, and with the references and objects received so far.
///
/// Every [`Git`](crate::Git) with the same value in
/// [`GitOptions::kept_sessions`](crate::GitOptions::kept_sessions) shares them. Because references
/// are not listed again, a value should not outlive a single command.
#[derive(Default)]
pub struct KeptSessions(Mutex<HashMap<Name, Box<dyn Repository>>>);

/// The URL of a repository in messages, and whether the user has named it.
type Name = (String, bool);

/// The place for a session that has ended.
pub(super) struct Slot {
    pub(super) sessions: Arc<KeptSessions>,
    pub(super) name: Name,
}

impl Slot {
    /// Returns the session to continue, if any.
    pub(super) fn take(&self) -> Option<Box<dyn Repository>> {
        lock(&self.sessions.0).remove(&self.name)
    }

    pub(super) fn put(self, repository: Box<dyn Repository>) {
        lock(&self.sessions.0).insert(self.name, repository);
    }
}
