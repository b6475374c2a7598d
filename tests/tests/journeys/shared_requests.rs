//! Requests that the lookups of `add` and its sync share.

use super::requests::{commands, monorepo};
use helix_skills_tests::{Behavior, Change, Login, Sandbox};

#[test]
fn add_of_the_newest_release_takes_four_requests() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("mono"), "--include", "alpha"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["GET", "ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges[1].ref_prefixes(), ["HEAD", "refs/tags/"]);
    assert_eq!(exchanges[2].wants(), [upstream.id("v1.0.0^{commit}")]);
    assert_eq!(server.traffic().connections, 1);
    assert_eq!(sandbox.locked_skills(), ["alpha"]);
}

#[test]
fn add_without_releases_takes_four_requests() {
    let sandbox = Sandbox::new();
    sandbox.upstream("tools").commit(Change::new().skill("alpha"));
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["GET", "ls-refs", "fetch", "fetch"]);
}

#[test]
fn each_add_lists_references_again() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("mono"), "--include", "alpha"]).succeeds();
    upstream.commit(Change::new().text("skills/beta/new.md", "new\n"));
    upstream.tag("v1.1.0");
    let arguments = ["add", &server.url("mono"), "--include", "beta", "--name", "other"];
    sandbox.skills(arguments).succeeds();
    assert_eq!(sandbox.locked_commit("other"), upstream.id("v1.1.0"));
}

/// What was looked up with credentials is continued with them.
#[test]
fn add_asks_for_credentials_once() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    let login = Login { user: None, password: "canary".to_owned() };
    let server = sandbox.serve_with(Behavior { login: Some(login), ..Behavior::default() });
    sandbox.skills(["init"]).succeeds();
    sandbox
        .command(["add", &server.url("mono"), "--include", "alpha"])
        .env("HELIX_SKILLS_TOKEN", "canary")
        .env("HELIX_SKILLS_TOKEN_HOST", "127.0.0.1")
        .run()
        .succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["GET", "GET", "ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges.iter().filter(|e| e.authorization.is_none()).count(), 1);
}
