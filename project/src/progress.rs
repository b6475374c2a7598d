//! Progress of long operations.

#[cfg(feature = "git")]
use helix_skills_git::__internal::FetchEvent;

/// A receiver of progress events.
///
/// It is called from several threads, in no particular order. It should return quickly, because the
/// work waits for it.
///
/// ```
/// # #[cfg(feature = "git")] {
/// use helix_skills_project::{FetchEvent, Progress, ProgressEvent};
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// #[derive(Default)]
/// struct Bytes(AtomicU64);
///
/// impl Progress for Bytes {
///     fn on(&self, _: ProgressEvent) {}
///
///     fn on_fetch(&self, event: &FetchEvent<'_>) {
///         if let FetchEvent::Received { bytes, .. } = event {
///             self.0.fetch_add(*bytes, Ordering::Relaxed);
///         }
///     }
/// }
/// # }
/// ```
pub trait Progress: Send + Sync {
    /// Receives an event.
    fn on(&self, event: ProgressEvent);

    /// Receives an event of the requests to repositories.
    #[cfg(feature = "git")]
    fn on_fetch(&self, _event: &FetchEvent<'_>) {}
}

/// What a project does, apart from requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProgressEvent {
    /// Another process works on the project; this one waits for it.
    Waiting,
    /// Files are being written to the store and the cache.
    Writing,
}

/// Ignores all events.
impl Progress for () {
    fn on(&self, _: ProgressEvent) {}
}
