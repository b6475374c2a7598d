//! Connections and sessions that later requests use again.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use helix_skills_format::GitUrl;

use super::fixture::Upstream;
use super::hostile::line;
use super::server::{Answer, Server, Setup};
use super::{git_with, nowhere};
use crate::{KeptSessions, Reference};

fn url(server: &Server) -> GitUrl {
    GitUrl::parse(&format!("{}/up.git", server.url)).unwrap()
}

fn names(references: &[Reference]) -> Vec<&str> {
    references.iter().map(|reference| reference.name.as_str()).collect()
}

/// Each response is read to its end, and then its connection is free for the next request.
#[test]
fn all_requests_use_one_connection() {
    let server = Server::start(None, |_, _| {
        let lines = line(&format!("{} refs/heads/main\n", "1".repeat(40)));
        let body = [lines, b"0000".to_vec()].concat();
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-result\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n",
            body.len()
        );
        Answer::Written([head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat())
    });
    let git = git_with(|_| ());
    let mut session = git.session(&url(&server), nowhere()).unwrap();
    for number in 0..1000 {
        assert_eq!(session.refs(&[format!("refs/tags/{number:04}")]).unwrap(), []);
    }
    assert_eq!((server.requests().len(), server.connections.load(SeqCst)), (1000, 1));
}

#[test]
fn kept_sessions_are_continued() {
    let upstream = Upstream::new();
    let server = Server::git(Setup::new(upstream.root().to_owned()));
    let kept = Arc::<KeptSessions>::default();
    let commit = upstream.id("v1^{commit}");
    let git = || git_with(|options| options.kept_sessions = Some(kept.clone()));

    let first = git();
    let mut session = first.session(&url(&server), nowhere()).unwrap();
    let tags = session.refs(&["refs/tags/".into()]).unwrap();
    session.commit(&commit, None).unwrap();
    session.keep();
    assert_eq!(server.requests(), ["POST ls-refs", "POST fetch blob:none"]);

    server.forget();
    let second = git();
    let mut session = second.session(&url(&server), nowhere()).unwrap();
    let found = session.refs(&["refs/tags/v1".into(), "refs/tags/nothing".into()]).unwrap();
    let expected = tags.iter().filter(|tag| tag.name.starts_with("refs/tags/v1")).cloned();
    assert_eq!(found, expected.collect::<Vec<_>>());
    session.commit(&commit, None).unwrap();
    assert_eq!(server.requests(), [""; 0]);
    // Only what was not listed yet is requested.
    let head = session.refs(&["HEAD".into(), "refs/tags/".into()]).unwrap();
    assert_eq!(names(&head)[0], "HEAD");
    assert_eq!(head[1..], tags);
    assert_eq!(server.requests(), ["POST ls-refs"]);

    // A session that was not kept, or of a URL that the user has not named, is not continued.
    drop(session);
    server.forget();
    second.session(&url(&server), nowhere()).unwrap().refs(&["HEAD".into()]).unwrap();
    assert_eq!(server.requests(), ["POST ls-refs"]);
    let mut named = second.session(&url(&server), nowhere()).unwrap();
    named.refs(&["HEAD".into()]).unwrap();
    named.keep();
    server.forget();
    second.unnamed_session(&url(&server), nowhere()).unwrap().refs(&["HEAD".into()]).unwrap();
    assert_eq!(server.requests(), ["POST ls-refs"]);
}
