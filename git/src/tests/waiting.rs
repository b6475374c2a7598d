//! Cancellation of operations, and progress events.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use helix_skills_format::GitUrl;

use super::fixture::Upstream;
use super::server::{Answer, Server, Setup};
use super::{git_with, nowhere};
use crate::{Error, ErrorKind, FetchEvent};

fn url(server: &Server) -> GitUrl {
    GitUrl::parse(&format!("{}/up.git", server.url)).unwrap()
}

/// Returns the error of a request for references that is cancelled soon after it begins.
fn stopped(server: &Server, retries: u32) -> Error {
    let cancellation = Arc::<AtomicBool>::default();
    let git = git_with(|options| {
        options.cancellation = cancellation.clone();
        (options.retries, options.retry_delay) = (retries, Duration::from_secs(50));
        // Far longer than any test run.
        options.stall_timeout = Duration::from_secs(3600);
    });
    let handle = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancellation.store(true, Ordering::Relaxed);
    });
    let error =
        git.session(&url(server), nowhere()).unwrap().refs(&["HEAD".to_owned()]).unwrap_err();
    handle.join().unwrap();
    error
}

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\nContent-Length: 99999\r\n\r\n";

#[test]
fn every_wait_can_be_interrupted() {
    let error = stopped(&Server::start(None, |_, _| Answer::Silence), 0);
    assert!(error.kind() == ErrorKind::Interrupted, "before an answer: {error:?}");
    let begun = Server::start(None, |_, _| Answer::Written(format!("{HEAD}001e").into_bytes()));
    let error = stopped(&begun, 0);
    assert!(error.kind() == ErrorKind::Interrupted, "in an answer: {error:?}");
    let slow = Server::start(None, |_, _| Answer::Drip(HEAD.to_owned(), vec![b'x'; 90_000]));
    let error = stopped(&slow, 0);
    assert!(
        matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::Network),
        "in a slow answer: {error:?}"
    );
    let busy = Server::start(None, |_, _| {
        Answer::Raw(b"HTTP/1.1 503 Busy\r\nRetry-After: 50\r\nContent-Length: 0\r\n\r\n".to_vec())
    });
    let error = stopped(&busy, 9);
    assert!(error.kind() == ErrorKind::Interrupted, "between attempts: {error:?}");
    assert_eq!(busy.requests().len(), 1);
}

#[test]
fn cancelled_operations_do_not_begin() {
    let server = Server::start(None, |_, _| Answer::Silence);
    let cancellation = Arc::new(AtomicBool::new(true));
    let git = git_with(|options| options.cancellation = cancellation);
    for text in [url(&server).as_str(), "git@host.example:o/r.git"] {
        let error = git
            .session(&GitUrl::parse(text).unwrap(), nowhere())
            .unwrap()
            .refs(&["HEAD".into()])
            .unwrap_err();
        assert!(error.kind() == ErrorKind::Interrupted, "{error:?}");
    }
    assert!(server.requests().is_empty());
}

#[cfg(unix)]
#[test]
fn waits_for_programs_can_be_interrupted() {
    use crate::user_config::{SshCommand, UserConfig};
    let cancellation = Arc::<AtomicBool>::default();
    let mut options = super::options(&super::Log::default());
    options.cancellation = cancellation.clone();
    options.stall_timeout = Duration::from_secs(3600);
    let git = crate::Git::new(options);
    let ssh = Some(SshCommand::Line("exec sleep 3600 #".into()));
    let config = UserConfig { ssh, ssh_variant: Some("ssh".to_owned()), ..UserConfig::default() };
    assert!(git.shared.config.set(config).is_ok());
    let handle = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        cancellation.store(true, Ordering::Relaxed);
    });
    let url = GitUrl::parse("git@host.example:o/r.git").unwrap();
    let error = git.session(&url, nowhere()).unwrap().refs(&["HEAD".to_owned()]).unwrap_err();
    assert!(error.kind() == ErrorKind::Interrupted, "{error:?}");
    handle.join().unwrap();
}

#[derive(Default)]
struct Events(Mutex<(Vec<String>, u64)>);

impl Events {
    fn add(&self, event: &FetchEvent<'_>) {
        let mut events = self.0.lock().unwrap();
        match event {
            FetchEvent::Request { url } => events.0.push(format!("request {url}")),
            FetchEvent::Received { bytes, .. } => events.1 += bytes,
            FetchEvent::Retrying { attempt, why, .. } => {
                events.0.push(format!("attempt {attempt}: {why}"))
            }
            FetchEvent::Finished { url } => events.0.push(format!("finished {url}")),
            FetchEvent::Trace { .. } => {}
        }
    }
}

#[test]
fn requests_bytes_and_retries_are_reported() {
    let upstream = Upstream::new();
    let server =
        Server::start(Some(Setup::new(upstream.root().to_owned())), |_, number| match number {
            1 => Answer::Written(b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".to_vec()),
            _ => Answer::Git,
        });
    let events = Arc::new(Events::default());
    let git = git_with(|options| {
        let events = events.clone();
        options.progress = Arc::new(move |event: &FetchEvent<'_>| events.add(event));
        options.retries = 1;
    });
    let url = url(&server);
    git.session(&url, nowhere()).unwrap().refs(&["refs/tags/".to_owned()]).unwrap();
    let events = events.0.lock().unwrap();
    let (request, finished) = (format!("request {url}"), format!("finished {url}"));
    assert_eq!(events.0, [&request, "attempt 2: HTTP status 503", &request, &finished]);
    assert!(events.1 > 200, "{} bytes", events.1);
}
