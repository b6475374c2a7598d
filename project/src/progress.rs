//! What is going on, for whoever wants to show it.

use helix_skills_format::{ObjectId, SkillName, SourceKey};
use std::time::Duration;

/// Hears what is going on. Called from several threads, in no promised order; it must return soon, because the work waits.
///
/// ```
/// use helix_skills_project::{Event, Progress};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Bytes(AtomicU64);
///
/// impl Progress for Bytes {
///     fn on(&self, event: &Event<'_>) {
///         if let Event::Received { bytes, .. } = event {
///             self.0.fetch_add(*bytes, Ordering::Relaxed);
///         }
///     }
/// }
/// ```
pub trait Progress: Send + Sync {
    /// Hears one event.
    fn on(&self, event: &Event<'_>);
}

/// Something that happened. Urls are without credentials; texts of servers are escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Somebody else works on the project; this waits until they are done.
    Waiting,
    /// A line about a request, a redirect or a fallback, for people who look closely.
    Trace {
        /// The line.
        line: &'a str,
    },
    /// A request goes to a server.
    Request {
        /// The repository.
        url: &'a str,
    },
    /// More of an answer came.
    Received {
        /// The repository.
        url: &'a str,
        /// So many bytes more, as they were sent.
        bytes: u64,
    },
    /// A request failed and is made again.
    Retrying {
        /// The repository.
        url: &'a str,
        /// Which attempt comes next; the first retry is 2.
        attempt: u32,
        /// How long it waits before.
        wait: Duration,
        /// Why the last attempt failed, in one line that does not repeat the URL.
        why: &'a str,
    },
    /// A pin was resolved.
    Resolved {
        /// The source.
        key: &'a SourceKey,
        /// The commit it means; none for sources without commits.
        commit: Option<&'a ObjectId>,
    },
    /// The files of a skill are here.
    Fetched {
        /// The source.
        key: &'a SourceKey,
        /// The name of the skill.
        skill: &'a SkillName,
        /// How many files it has.
        files: u64,
        /// Bytes of all of them.
        bytes: u64,
    },
}

/// Nobody looks.
impl Progress for () {
    fn on(&self, _: &Event<'_>) {}
}
