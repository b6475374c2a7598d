//! Requests to servers that lack what is assumed of them, or are somewhere else: one handshake per
//! repository and run.

use crate::requests::{commands, served};
use helix_skills_tests::{Behavior, Fault, GitServer, Login, Redirect, Run, Sandbox, upstream};
use serde_json::json;

/// A project with a lockfile, without store and cache, and a server that counts anew.
fn locked(behavior: Behavior) -> (Sandbox, GitServer) {
    let (sandbox, server) = cold(Behavior::default());
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    server.behave(behavior);
    (sandbox, server)
}

/// A project with only a manifest.
fn cold(behavior: Behavior) -> (Sandbox, GitServer) {
    let (sandbox, _upstream, server) = served();
    let source = json!({
        "type": "git", "url": server.url("mono"), "version": "1.0.0", "include": ["alpha", "beta"],
    });
    sandbox.sources(&json!({ "mono": source }));
    server.behave(behavior);
    (sandbox, server)
}

/// Syncs without a lockfile, then with one, and compares the requests.
#[track_caller]
fn takes(behavior: &Behavior, without_lockfile: &[&str], with_lockfile: &[&str]) {
    for ((sandbox, server), expected) in
        [(cold(behavior.clone()), without_lockfile), (locked(behavior.clone()), with_lockfile)]
    {
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(commands(&server.exchanges()), expected);
        assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    }
}

#[test]
fn server_without_version_2_takes_a_handshake() {
    let old = Behavior { protocol_v2: false, ..Behavior::default() };
    // Requests of version 0 name no command.
    takes(&old, &["ls-refs", "GET", "POST", "POST"], &["fetch", "GET", "POST", "POST"]);
}

#[test]
fn server_without_filters_takes_a_handshake() {
    let plain = Behavior { filters: false, ..Behavior::default() };
    takes(&plain, &["ls-refs", "fetch", "GET", "fetch"], &["fetch", "GET", "fetch"]);
    let strict = Behavior { refuses_filters: true, ..Behavior::default() };
    // The commit and its tag with a filter, then without one.
    let requests = ["ls-refs", "fetch", "GET", "fetch", "fetch", "fetch"];
    takes(&strict, &requests, &["fetch", "GET", "fetch", "ls-refs", "fetch", "fetch"]);
}

#[test]
fn handshake_is_remembered_for_the_run() {
    let (sandbox, server) = cold(Behavior { protocol_v2: false, ..Behavior::default() });
    sandbox.sources(&json!({}));
    sandbox.skills(["add", &server.url("mono"), "--include", "alpha"]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "GET", "POST", "POST"]);
}

#[test]
fn moved_repository_takes_a_handshake() {
    for status in [301, 302, 307, 308] {
        let redirect = Redirect { from: "/old.git".to_owned(), to: "/mono.git".to_owned(), status };
        let (sandbox, server) = cold(Behavior { redirects: vec![redirect], ..Behavior::default() });
        let source = json!({"type": "git", "url": server.url("old"), "include": ["alpha"]});
        sandbox.sources(&json!({ "mono": source }));
        sandbox.skills(["sync"]).succeeds();
        let exchanges = server.exchanges();
        assert_eq!(
            commands(&exchanges),
            ["ls-refs", "GET", "GET", "ls-refs", "fetch", "fetch"],
            "{status}"
        );
        assert!(exchanges[2..].iter().all(|e| e.target.starts_with("/mono.git/")));
        assert_eq!(server.traffic().connections, 1, "{status}");
    }
}

#[test]
fn private_repository_takes_one_more_request() {
    let login = Some(Login { user: None, password: "canary".to_owned() });
    let (sandbox, server) = cold(Behavior { login, ..Behavior::default() });
    let sync = || {
        let command = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", "canary");
        command.env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1").run().succeeds()
    };
    sync();
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "ls-refs", "fetch", "fetch"]);
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    sync();
    assert_eq!(commands(&server.exchanges()), ["fetch", "fetch", "fetch"]);
}

/// Syncs, which must fail, and returns the run and the requests.
#[track_caller]
fn fails(sandbox: &Sandbox, server: &GitServer, code: i32) -> (Run, Vec<String>) {
    let run = sandbox.skills(["sync"]).exits(code);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    (run, commands(&server.exchanges()).into_iter().map(str::to_owned).collect())
}

#[test]
fn dumb_server_is_not_a_git_server() {
    let (sandbox, server) = cold(Behavior { is_dumb: true, ..Behavior::default() });
    let mut git = upstream::git_command();
    git.arg("--git-dir").arg(sandbox.path("upstream/mono.git")).arg("update-server-info");
    assert!(git.status().unwrap().success());
    let (run, requests) = fails(&sandbox, &server, 3);
    run.says(["the response is not from git (content type `text/plain`)"]);
    assert_eq!(requests, ["ls-refs", "GET"]);
}

#[test]
fn repository_with_sha256_ids_is_named() {
    let (sandbox, server) = cold(Behavior::default());
    let mut git = upstream::git_command();
    git.args(["init", "--quiet", "--bare", "--object-format=sha256"]);
    assert!(git.arg(sandbox.path("upstream/new.git")).status().unwrap().success());
    sandbox.sources(&json!({"new": {"type": "git", "url": server.url("new")}}));
    let (run, requests) = fails(&sandbox, &server, 2);
    run.says(["it uses SHA-256 object ids"]);
    assert_eq!(requests, ["ls-refs", "GET"]);
}

/// A server may fail in this way if it does not know version 2. Any other status of a server's own
/// failure is only retried.
#[test]
fn status_500_leads_to_a_handshake() {
    let failing = |status| {
        cold(Behavior { faults: [(1, Fault::Status(status))].into(), ..Behavior::default() })
    };
    let (sandbox, server) = failing(500);
    sandbox.skills(["sync", "-vv"]).succeeds().says(["asking for the server's capabilities"]);
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "GET", "ls-refs", "fetch", "fetch"]);
    for status in [403, 429, 502, 503] {
        let (sandbox, server) = failing(status);
        assert_eq!(fails(&sandbox, &server, 3).1, ["ls-refs"], "{status}");
    }
}

#[test]
fn handshake_follows_only_before_a_pack() {
    let cut =
        |number, fault| cold(Behavior { faults: [(number, fault)].into(), ..Behavior::default() });
    // Not a pack.
    let (sandbox, server) = cut(2, Fault::Garbage);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "fetch", "GET", "fetch", "fetch"]);
    // A damaged pack.
    let (sandbox, server) = cut(3, Fault::Corrupted(30));
    sandbox.skills(["sync"]).fails();
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "fetch", "fetch"]);
}
