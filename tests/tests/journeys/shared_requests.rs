//! Requests that are not repeated: those of `add` for its sync, and those for what is locked.

use super::requests::{commands, monorepo, served};
use crate::market::Market;
use helix_skills_tests::{Behavior, Change, Login, Sandbox};
use serde_json::json;

#[test]
fn add_of_the_newest_release_takes_three_requests() {
    let (sandbox, upstream, server) = served();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("mono"), "--include", "alpha"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges[0].ref_prefixes(), ["HEAD", "refs/tags/"]);
    assert_eq!(exchanges[1].wants(), [upstream.id("v1.0.0^{commit}")]);
    assert_eq!(server.traffic().connections, 1);
    assert_eq!(sandbox.locked_skills(), ["alpha"]);
}

#[test]
fn add_without_releases_takes_three_requests() {
    let sandbox = Sandbox::new();
    sandbox.upstream("tools").commit(Change::new().skill("alpha"));
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["ls-refs", "fetch", "fetch"]);
}

#[test]
fn each_add_lists_references_again() {
    let (sandbox, upstream, server) = served();
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
    assert_eq!(commands(&exchanges), ["ls-refs", "ls-refs", "fetch", "fetch"]);
    assert_eq!(exchanges.iter().filter(|e| e.authorization.is_none()).count(), 1);
}

#[test]
fn update_with_unmoved_references_only_lists_them() {
    for pin in [json!({"version": "^1"}), json!({"version": "1.0.0"}), json!({"ref": "main"})] {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("mono");
        monorepo(&upstream);
        let server = sandbox.serve();
        let mut source = json!({"type": "git", "url": server.url("mono"), "include": ["alpha"]});
        source.as_object_mut().unwrap().extend(pin.as_object().unwrap().clone());
        source["rename"] = json!({"alpha": "other"});
        sandbox.sources(&json!({"one": source}));
        sandbox.skills(["sync"]).succeeds();
        let lock = sandbox.lock();
        for arguments in [&["update"][..], &["update", "one"], &["update", "--dry-run"]] {
            server.take_traffic();
            sandbox.skills(arguments).succeeds().says(["nothing "]);
            assert_eq!(commands(&server.exchanges()), ["ls-refs"], "{pin} {arguments:?}");
        }
        // If files are missing, an update takes them from what it resolves.
        sandbox.remove_store();
        sandbox.remove_cache();
        server.take_traffic();
        sandbox.skills(["update"]).succeeds();
        assert_eq!(commands(&server.exchanges()), ["ls-refs", "fetch", "fetch"], "{pin}");
        assert_eq!(sandbox.lock(), lock);
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
        // A changed selection is resolved again.
        source["include"] = json!(["alpha", "beta"]);
        sandbox.sources(&json!({"one": source}));
        sandbox.skills(["update"]).succeeds().says(["added beta"]);
    }
}

#[test]
fn update_of_a_commit_makes_no_requests() {
    let (sandbox, upstream, server) = served();
    let source = json!({"type": "git", "url": server.url("mono"), "sha": upstream.id("main")});
    sandbox.sources(&json!({"one": source}));
    sandbox.skills(["sync"]).succeeds();
    server.take_traffic();
    sandbox.skills(["update"]).succeeds().says(["nothing to do"]);
    assert_eq!(server.traffic().requests, 0);
}

#[test]
fn update_of_an_unmoved_marketplace_only_lists_references() {
    let plugins = json!([{"name": "p", "source": "./plugins/p"}]);
    let market = Market::with(&plugins, Change::new().skill_at("plugins/p/skills/a", "a"));
    market.sync().succeeds();
    market.server.take_traffic();
    market.sandbox.skills(["update"]).succeeds().says(["nothing to do"]);
    assert_eq!(market.requests_to("market"), ["ls-refs"]);
    market.upstream.commit(Change::new().text("plugins/p/skills/a/new.md", "new\n"));
    market.sandbox.skills(["update"]).succeeds().says(["updated a"]);
}
