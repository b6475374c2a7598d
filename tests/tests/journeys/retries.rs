//! Temporary failures of requests, and their retries.

use crate::requests::monorepo;
use helix_skills_tests::{Behavior, Fault, GitServer, Run, Sandbox};
use serde_json::json;
use std::collections::BTreeMap;

fn served() -> (Sandbox, GitServer) {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"mono": {
        "type": "git", "url": server.url("mono"), "version": "1.0.0", "include": ["alpha", "beta"],
    }}));
    (sandbox, server)
}

/// Syncs with the default number of retries and short delays.
fn sync(sandbox: &Sandbox, more: &[&str]) -> Run {
    let arguments: Vec<_> = ["sync"].iter().chain(more).collect();
    let command = sandbox.command(arguments).without_env("HELIX_SKILLS_RETRIES");
    command.env("HELIX_SKILLS_RETRY_DELAY", "0.01").env("HELIX_SKILLS_STALL_TIMEOUT", "1").run()
}

fn with_faults(faults: impl IntoIterator<Item = (u64, Fault)>) -> Behavior {
    Behavior { faults: faults.into_iter().collect(), ..Behavior::default() }
}

fn requests(server: &GitServer) -> Vec<String> {
    let exchanges = server.exchanges();
    exchanges.iter().map(|e| e.command().unwrap_or(e.method.as_str()).to_owned()).collect()
}

#[test]
fn temporary_failure_is_retried() {
    for fault in [
        Fault::Status(500),
        Fault::Status(502),
        Fault::Status(503),
        Fault::Status(504),
        Fault::Status(429),
        Fault::Busy(503, "0"),
        Fault::Busy(429, "Sun, 06 Nov 1994 08:49:37 GMT"),
        Fault::Hangup,
        Fault::Truncated,
        Fault::Stalled,
    ] {
        for request in [1, 2, 3] {
            let (sandbox, server) = served();
            server.behave(with_faults([(request, fault)]));
            sync(&sandbox, &[]).succeeds();
            assert_eq!(sandbox.locked_skills(), ["alpha", "beta"], "{fault:?} {request}");
        }
    }
}

#[test]
fn only_the_failed_request_is_retried() {
    for (request, expected) in [
        (1, ["ls-refs", "ls-refs", "fetch", "fetch"]),
        (2, ["ls-refs", "fetch", "fetch", "fetch"]),
        (3, ["ls-refs", "fetch", "fetch", "fetch"]),
    ] {
        let (sandbox, server) = served();
        server.behave(with_faults([(request, Fault::Status(503))]));
        let run = sync(&sandbox, &["-vv"]).succeeds();
        run.says(["HTTP status 503: attempt 2 in"]);
        assert_eq!(requests(&server), expected);
    }
}

#[test]
fn three_attempts_are_made() {
    let (sandbox, server) = served();
    server.behave(with_faults((1..10).map(|number| (number, Fault::Status(503)))));
    sync(&sandbox, &[]).exits(3).says(["HTTP status 503", &server.authority()]);
    assert_eq!(requests(&server), ["ls-refs"; 3]);
    server.take_traffic();
    let command = sandbox
        .command(["sync"])
        .env("HELIX_SKILLS_RETRIES", "4")
        .env("HELIX_SKILLS_RETRY_DELAY", "0.001");
    command.run().exits(3);
    assert_eq!(requests(&server).len(), 5);
    // Each request has its own attempts.
    server.take_traffic();
    server.behave(with_faults([1, 2, 4, 5, 7, 8].map(|number| (number, Fault::Status(503)))));
    sync(&sandbox, &[]).succeeds();
}

#[test]
fn permanent_failure_is_not_retried() {
    // Without a challenge, and after a handshake.
    for (fault, count) in [
        (Fault::Status(401), 1),
        (Fault::Status(403), 1),
        (Fault::Status(404), 2),
        (Fault::Status(410), 2),
        (Fault::Status(501), 2),
        (Fault::Refusal("go away"), 2),
        (Fault::Garbage, 2),
    ] {
        let (sandbox, server) = served();
        server.behave(with_faults((1..20).map(|number| (number, fault))));
        sync(&sandbox, &[]).fails();
        assert_eq!(requests(&server).len(), count, "{fault:?}");
    }
    let (sandbox, server) = served();
    server.behave(with_faults([(3, Fault::Corrupted(30))]));
    sync(&sandbox, &[]).fails();
    assert_eq!(requests(&server).len(), 3);
}

#[test]
fn long_retry_after_is_an_error() {
    for (status, wait, message) in
        [(503, "3600", "3600 s"), (429, "Sun, 06 Nov 2294 08:49:37 GMT", "wait at least")]
    {
        let (sandbox, server) = served();
        server.behave(with_faults((1..10).map(|number| (number, Fault::Busy(status, wait)))));
        sync(&sandbox, &[]).exits(3).says([message, &status.to_string()]);
        assert_eq!(requests(&server).len(), 1);
    }
}

#[test]
fn unreachable_server_is_retried_and_named() {
    let (sandbox, server) = served();
    let authority = server.authority();
    drop(server);
    let run = sync(&sandbox, &["-vv"]).exits(3);
    run.says([
        &authority,
        "attempt 2 in",
        "attempt 3 in",
        "s: no connection: tcp connect error: Connection refused",
    ]);
}

#[test]
fn version_0_requests_are_retried() {
    let (sandbox, server) = served();
    for request in 1..=4 {
        for fault in [Fault::Status(503), Fault::Truncated] {
            sandbox.forget();
            server.take_traffic();
            let faults = BTreeMap::from([(request, fault)]);
            server.behave(Behavior { protocol_v2: false, faults, ..Behavior::default() });
            sync(&sandbox, &[]).succeeds();
            assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
        }
    }
}

#[test]
fn invalid_numbers_are_errors() {
    let (sandbox, _server) = served();
    for (variable, values) in [
        ("HELIX_SKILLS_RETRIES", &["many", "-1", "1.5", ""][..]),
        ("HELIX_SKILLS_RETRY_DELAY", &["soon", "-1", "0", ""]),
        ("HELIX_SKILLS_CONNECT_TIMEOUT", &["soon", "-1", "0", ""]),
    ] {
        for value in values {
            sandbox.command(["sync"]).env(variable, value).run().exits(2).says([variable]);
        }
    }
}
