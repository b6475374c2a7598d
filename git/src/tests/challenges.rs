//! Servers that keep asking for credentials: every loop of challenges is bounded.

use std::time::Duration;

use helix_skills_format::GitUrl;

use super::server::{Answer, Request, Server};
use super::{add_token, git_with, nowhere};
use crate::{Error, ErrorKind};

fn status(status: &str, more: &str) -> Answer {
    Answer::Raw(
        format!("HTTP/1.1 {status}\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n")
            .into_bytes(),
    )
}

fn challenge() -> Answer {
    status("401 No", "WWW-Authenticate: Basic realm=\"x\"\r\n")
}

fn redirect(to: &str) -> Answer {
    status("302 Found", &format!("Location: {to}/info/refs?service=git-upload-pack\r\n"))
}

fn git_answer(kind: &str, body: &str) -> Answer {
    let (kind, length) =
        (format!("Content-Type: application/x-git-upload-pack-{kind}\r\n"), body.len());
    let head =
        format!("HTTP/1.1 200 OK\r\n{kind}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    Answer::Raw(format!("{head}{body}").into_bytes())
}

const ADVERTISEMENT: &str = "001e# service=git-upload-pack\n0000000eversion 2\n0013ls-refs=unborn\n0017object-format=sha1\n0000";

/// Returns the error of a request for references with a token and three retries, and the number of
/// requests.
fn refused(decide: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> (Error, usize) {
    let server = Server::start(None, decide);
    let git = git_with(|options| {
        (options.retries, options.retry_delay) = (3, Duration::from_millis(1));
        add_token(options, "canary");
    });
    let url = GitUrl::parse(&format!("{}/up.git", server.url)).unwrap();
    let error = git.session(&url, nowhere()).unwrap().refs(&["HEAD".to_owned()]).unwrap_err();
    assert!(!format!("{error:?} {error} {:?}", error.hint()).contains("canary"), "{error:?}");
    (error, server.requests().len())
}

#[test]
fn endless_challenges_take_two_requests() {
    let (error, requests) = refused(|_, _| challenge());
    assert_eq!((error.kind(), requests), (ErrorKind::Authentication, 2), "{error}");
}

#[test]
fn alternating_challenges_take_three_requests() {
    let (error, requests) = refused(|request, number| match request.method.as_str() {
        _ if number % 2 == 1 => challenge(),
        "GET" => git_answer("advertisement", ADVERTISEMENT),
        _ => status("404 No", ""),
    });
    assert_eq!((error.kind(), requests), (ErrorKind::Authentication, 3), "{error}");
}

#[test]
fn challenges_after_an_open_handshake_take_four_requests() {
    let (error, requests) = refused(|request, number| match request.method.as_str() {
        _ if number == 1 => status("404 No", ""),
        "GET" => git_answer("advertisement", ADVERTISEMENT),
        _ => challenge(),
    });
    assert_eq!((error.kind(), requests), (ErrorKind::Authentication, 4), "{error}");
}

#[test]
fn challenges_after_a_redirect_are_bounded() {
    let (error, requests) = refused(|request, _| match request.target.starts_with("/up.git") {
        true => redirect("/moved.git"),
        false => challenge(),
    });
    assert_eq!((error.kind(), requests), (ErrorKind::Authentication, 4), "{error}");
}

#[test]
fn challenges_and_redirects_in_turn_are_bounded() {
    let (error, requests) =
        refused(|request, number| match request.headers.contains_key("authorization") {
            false => challenge(),
            true => redirect(&format!("/moved-{number}.git")),
        });
    // One challenge, the first request, and a handshake with five redirects.
    assert_eq!((error.kind(), requests), (ErrorKind::Network, 8), "{error}");
}

#[test]
fn challenges_and_busy_answers_in_turn_are_bounded() {
    let (error, requests) = refused(|_, number| match number % 2 {
        0 => status("503 Busy", ""),
        _ => challenge(),
    });
    assert_eq!((error.kind(), requests), (ErrorKind::Authentication, 3), "{error}");
}
