//! Tests with real repositories: on disk, and behind `git http-backend` on loopback.

#![allow(clippy::unwrap_used)]

mod challenges;
mod fixture;
mod hostile;
mod http;
mod kept;
mod local;
mod meter;
mod packs;
mod server;
mod waiting;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::user_config::UserConfig;
use super::{FetchEvent, Git, GitOptions};

/// Collects the lines for detailed logs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap()
    }
}

fn options(log: &Log) -> GitOptions {
    let log = log.clone();
    GitOptions {
        objects_per_fetch: 10_000,
        bytes_per_fetch: 16 << 20,
        bytes_per_object: 1 << 20,
        connect_timeout: Duration::from_secs(5),
        stall_timeout: Duration::from_secs(20),
        retries: 0,
        retry_delay: Duration::from_millis(1),
        progress: Arc::new(move |event: &FetchEvent<'_>| {
            if let FetchEvent::Trace { line } = event {
                log.lines().push((*line).to_owned());
            }
        }),
        ..GitOptions::default()
    }
}

/// Creates a `Git` that ignores the configuration of the current user.
fn git(options: GitOptions) -> Git {
    let git = Git::new(options);
    assert!(git.shared.config.set(UserConfig::default()).is_ok());
    git
}

fn git_with(change: impl FnOnce(&mut GitOptions)) -> Git {
    let mut options = options(&Log::default());
    change(&mut options);
    git(options)
}

/// Returns a token for the server on loopback.
fn add_token(options: &mut GitOptions, secret: &str) {
    options.add_token("127.0.0.1", secret, "THE_TOKEN");
}

fn nowhere() -> &'static Path {
    Path::new("/nowhere")
}

#[test]
fn shared_types_are_send_and_sync() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Git>();
    sent::<super::Session<'_>>();
}
