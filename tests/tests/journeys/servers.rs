//! Servers with fewer capabilities, and servers that fail.

use crate::requests::monorepo;
use helix_skills_tests::{Behavior, Fault, GitServer, Login, Redirect, Sandbox, Upstream, Wants};
use serde_json::json;
use std::collections::BTreeMap;

struct ServedRepository {
    sandbox: Sandbox,
    upstream: Upstream,
    server: GitServer,
}

fn served() -> ServedRepository {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let server = sandbox.serve();
    sandbox.sources(&json!({"mono": {
        "type": "git", "url": server.url("mono"), "version": "1.0.0", "include": ["alpha", "beta"],
    }}));
    ServedRepository { sandbox, upstream, server }
}

/// Syncs from nothing, then with only the lockfile, and checks that the bytes equal those from a
/// fully capable server.
fn gives_the_same_bytes(behavior: Behavior) {
    let ServedRepository { sandbox, server, .. } = served();
    sandbox.skills(["sync"]).succeeds();
    let (lock, store) = (sandbox.lock(), sandbox.snapshot("project/helix.skills"));

    server.behave(behavior);
    sandbox.forget();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock, "cold");
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents(), "cold");

    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock, "locked");
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents(), "locked");
}

#[test]
fn server_without_filters() {
    gives_the_same_bytes(Behavior { filters: false, ..Behavior::default() });
}

#[test]
fn server_without_version_2() {
    gives_the_same_bytes(Behavior { protocol_v2: false, ..Behavior::default() });
}

#[test]
fn server_without_version_2_filters_and_object_wants() {
    gives_the_same_bytes(Behavior {
        protocol_v2: false,
        filters: false,
        wants: Wants::Advertised,
        ..Behavior::default()
    });
}

#[test]
fn server_without_version_2_and_object_wants() {
    gives_the_same_bytes(Behavior {
        protocol_v2: false,
        wants: Wants::Advertised,
        ..Behavior::default()
    });
}

#[test]
fn server_that_refuses_tree_wants() {
    gives_the_same_bytes(Behavior { wants: Wants::NoTrees, ..Behavior::default() });
}

#[test]
fn server_that_gives_only_commits() {
    gives_the_same_bytes(Behavior { wants: Wants::NoTreesOrBlobs, ..Behavior::default() });
}

#[test]
fn server_that_gives_only_advertised_objects() {
    gives_the_same_bytes(Behavior { wants: Wants::Advertised, ..Behavior::default() });
}

#[test]
fn server_with_only_advertised_objects_and_no_filters() {
    gives_the_same_bytes(Behavior {
        wants: Wants::Advertised,
        filters: false,
        ..Behavior::default()
    });
}

/// Combinations that no test above has.
#[test]
fn servers_with_several_limitations() {
    for (protocol_v2, filters, wants) in [
        (true, false, Wants::NoTrees),
        (true, false, Wants::NoTreesOrBlobs),
        (false, true, Wants::NoTrees),
        (false, true, Wants::NoTreesOrBlobs),
        (false, false, Wants::Any),
        (false, false, Wants::NoTrees),
        (false, false, Wants::NoTreesOrBlobs),
    ] {
        gives_the_same_bytes(Behavior { protocol_v2, filters, wants, ..Behavior::default() });
    }
}

#[test]
fn server_that_offers_but_refuses_filters() {
    for (protocol_v2, wants) in [(true, Wants::Any), (true, Wants::Advertised), (false, Wants::Any)]
    {
        gives_the_same_bytes(Behavior {
            refuses_filters: true,
            protocol_v2,
            wants,
            ..Behavior::default()
        });
    }
}

/// Runs a sync that must fail, then one that must succeed. The request and the next one fail,
/// because some failures lead to a handshake.
fn fails_then_recovers(fault: Fault, request: u64, code: i32) {
    let ServedRepository { sandbox, server, .. } = served();
    let faults = BTreeMap::from([(request, fault), (request + 1, fault)]);
    server.behave(Behavior { faults, ..Behavior::default() });
    sandbox.skills(["sync"]).exits(code).says([server.authority()]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{fault:?} in request {request}");
    server.behave(Behavior::default());
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
}

#[test]
fn server_error_exits_3_and_writes_nothing() {
    for request in [1, 2, 3] {
        fails_then_recovers(Fault::Status(500), request, 3);
    }
}

#[test]
fn invalid_answer_exits_3_and_writes_nothing() {
    for request in [1, 2, 3] {
        fails_then_recovers(Fault::Garbage, request, 3);
    }
}

#[test]
fn truncated_answer_exits_3_and_writes_nothing() {
    for request in [1, 2, 3] {
        fails_then_recovers(Fault::Truncated, request, 3);
    }
}

#[test]
fn corrupted_pack_is_refused() {
    for (request, before_end) in [(2, 10), (2, 60), (3, 10), (3, 40), (3, 90)] {
        let ServedRepository { sandbox, server, .. } = served();
        let faults = BTreeMap::from([(request, Fault::Corrupted(before_end))]);
        server.behave(Behavior { faults, ..Behavior::default() });
        sandbox.skills(["sync"]).fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{request} {before_end}");
    }
}

/// An object whose bytes do not match its id, from a server that does not verify it.
#[test]
fn t17_object_with_a_false_id_is_refused() {
    let ServedRepository { sandbox, upstream, .. } = served();
    let file =
        |id: &str| sandbox.path(format!("upstream/mono.git/objects/{}/{}", &id[..2], &id[2..]));
    let (honest, foreign) =
        (upstream.id("main:skills/alpha/SKILL.md"), upstream.write_blob(b"---\nname: alpha\n"));
    // fast-import writes a pack; loose objects are used first once there is no pack.
    if !file(&honest).exists() {
        let pack = std::fs::read_dir(sandbox.path("upstream/mono.git/objects/pack")).unwrap();
        let pack = pack
            .map(|e| e.unwrap().path())
            .find(|p| p.extension().is_some_and(|e| e == "pack"))
            .unwrap();
        let bytes = std::fs::read(&pack).unwrap();
        for part in ["pack", "idx", "rev"] {
            drop(std::fs::remove_file(pack.with_extension(part)));
        }
        sandbox.write("outside/all.pack", bytes);
        let input = std::fs::File::open(sandbox.path("outside/all.pack")).unwrap();
        let mut unpack = helix_skills_tests::upstream::git_command();
        unpack.arg("--git-dir").arg(upstream.path()).args(["unpack-objects", "-q"]).stdin(input);
        assert!(unpack.status().unwrap().success());
    }
    std::fs::remove_file(file(&honest)).unwrap();
    std::fs::copy(file(&foreign), file(&honest)).unwrap();
    sandbox.skills(["sync"]).fails();
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn unreachable_host_exits_3_with_its_name() {
    let ServedRepository { sandbox, server, .. } = served();
    let authority = server.authority();
    drop(server);
    sandbox.skills(["sync"]).exits(3).says([authority]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn missing_repository_is_an_error_with_its_url() {
    let sandbox = Sandbox::new();
    let server = sandbox.serve();
    sandbox.sources(&json!({"gone": {"type": "git", "url": server.url("gone")}}));
    sandbox.skills(["sync"]).fails().says([server.url("gone")]);
}

#[test]
fn empty_repository_and_one_without_skills_are_errors() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("empty");
    let server = sandbox.serve();
    sandbox.sources(&json!({"empty": {"type": "git", "url": server.url("empty")}}));
    sandbox.skills(["sync"]).fails().says(["empty"]);
    upstream.commit(helix_skills_tests::Change::new().text("README.md", "nothing here\n"));
    sandbox.skills(["sync"]).exits(2).says(["empty", "SKILL.md"]);
}

#[test]
fn redirect_is_followed_and_the_lockfile_keeps_the_url() {
    let ServedRepository { sandbox, server, .. } = served();
    for status in [301, 302, 307, 308] {
        let redirect = Redirect { from: "/old.git".to_owned(), to: "/mono.git".to_owned(), status };
        server.behave(Behavior { redirects: vec![redirect], ..Behavior::default() });
        sandbox.sources(
            &json!({"mono": {"type": "git", "url": server.url("old"), "include": ["alpha"]}}),
        );
        sandbox.forget();
        sandbox.skills(["sync"]).succeeds();
        assert!(sandbox.lock().contains(&server.url("old")), "{}", sandbox.lock());
        assert!(!sandbox.lock().contains("mono.git"), "{}", sandbox.lock());
    }
}

#[test]
fn t08_redirects_to_other_schemes_and_loops_are_refused() {
    let ServedRepository { sandbox, server, .. } = served();
    for to in ["file:///etc/", "ext::sh -c id", "ftp://127.0.0.1/", "/mono.git/../mono.git"] {
        let redirect = Redirect { from: "/mono.git".to_owned(), to: to.to_owned(), status: 302 };
        server.behave(Behavior { redirects: vec![redirect], ..Behavior::default() });
        sandbox.skills(["sync"]).exits(3);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{to}");
    }
}

#[test]
fn server_text_is_escaped() {
    for request in [1, 2, 3] {
        let ServedRepository { sandbox, server, .. } = served();
        let words = Fault::Refusal("go \u{1b}[31maway\u{7}\r\n\u{202e}now");
        // Every further request as well, because a refusal leads to another attempt.
        let faults = (request..request + 20).map(|number| (number, words)).collect();
        server.behave(Behavior { faults, ..Behavior::default() });
        let run = sandbox.skills(["sync", "-vv"]).exits(3);
        assert!(!run.stderr.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{run:?}");
    }
}

#[test]
fn refused_requests_without_a_challenge_exit_3() {
    for (status, text) in [
        (403, "HTTP status 403"),
        (404, "is not found, or not visible to you (HTTP status 404, without credentials)"),
        (410, "is not found, or not visible to you (HTTP status 410"),
        (429, "HTTP status 429"),
        (500, "HTTP status 500"),
        (503, "HTTP status 503"),
    ] {
        let ServedRepository { sandbox, server, .. } = served();
        server.behave(Behavior {
            faults: (1..20).map(|number| (number, Fault::Status(status))).collect(),
            ..Behavior::default()
        });
        sandbox.skills(["sync"]).exits(3).says([text]);
        let code = if matches!(status, 404 | 410) { "not-found" } else { "network" };
        let document = sandbox.skills(["sync", "--json"]).exits(3).json();
        assert_eq!(document["errors"][0]["code"], code, "{status}");
    }
}

/// Some servers ask for credentials whether or not the repository exists, and hide it from others.
#[test]
fn only_a_request_for_credentials_exits_4() {
    let ServedRepository { sandbox, server, .. } = served();
    let login = Login { user: None, password: "x".to_owned() };
    let behavior = Behavior { login: Some(login), ..Behavior::default() };
    server.behave(behavior.clone());
    sandbox.skills(["sync"]).exits(4).says([
        "asks for credentials for",
        "help: check the URL, because some servers also ask if the repository does not exist",
    ]);
    let with_token = |password: &str| {
        let host = server.authority();
        let command = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", password);
        command.env("HELIX_SKILLS_TOKEN_HOST", host).run()
    };
    with_token("y").exits(4).says(["denies access", "with credentials of the user"]);
    let faults = (5..20).map(|number| (number, Fault::Status(404))).collect();
    server.behave(Behavior { faults, ..behavior });
    with_token("x").exits(3).says([
        "is not found, or not visible to you (HTTP status 404, with credentials of the user",
        "help: check the URL, and that the credentials of the user",
    ]);
    let run = sandbox.skills(["sync"]).exits(3);
    let text = "a private repository looks like a missing one without a token";
    assert_eq!(run.stderr.matches(text).count(), 1, "{run}");
    assert_eq!(run.stderr.matches("private repository").count(), 1, "{run}");
    run.never_prints("was not sent");
    let command = sandbox.command(["sync"]).env("HELIX_SKILLS_TOKEN", "x");
    command.env("HELIX_SKILLS_TOKEN_HOST", "NAME@other.example:81").run().exits(3).says([
        &format!("set HELIX_SKILLS_TOKEN and HELIX_SKILLS_TOKEN_HOST={}", server.authority()),
        "; `HELIX_SKILLS_TOKEN` was not sent, because it is for the host `other.example:81`\n",
    ]);
    let why = "`HELIX_SKILLS_TOKEN` was not sent, because the server did not ask for credentials";
    with_token("x").exits(3).says([why]);
}

#[test]
fn object_lost_by_the_server_is_an_error() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(helix_skills_tests::Change::new().skill("a").text("skills/a/x.md", "lost\n"));
    upstream.delete_object(&upstream.id("main:skills/a/x.md"));
    let server = sandbox.serve();
    for url in [server.url("repo"), "../upstream/repo.git".to_owned()] {
        sandbox.sources(&json!({"repo": {"type": "git", "url": url}}));
        sandbox.skills(["sync"]).fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{url}");
    }
}

/// No ref points to the locked commit any more, and the server gives only advertised objects.
#[test]
fn unavailable_locked_commit_is_an_error_or_same_bytes() {
    for protocol_v2 in [true, false] {
        let ServedRepository { sandbox, upstream, server } = served();
        sandbox.skills(["sync"]).succeeds();
        let store = sandbox.snapshot("project/helix.skills");
        upstream.commit(
            helix_skills_tests::Change::new().text("skills/alpha/references/guide.md", "newer\n"),
        );
        upstream.tag("v1.0.0");
        server.behave(Behavior { protocol_v2, wants: Wants::Advertised, ..Behavior::default() });
        sandbox.remove_store();
        sandbox.remove_cache();
        let run = sandbox.skills(["sync"]);
        if run.code == Some(0) {
            assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
        } else {
            run.fails();
            assert!(!sandbox.exists("project/helix.skills/alpha"));
        }
    }
}

#[test]
fn worst_of_several_errors_sets_the_exit_code() {
    let ServedRepository { sandbox, server, .. } = served();
    sandbox.upstream("private").commit(helix_skills_tests::Change::new().skill("p"));
    let private = sandbox.serve_with(Behavior {
        login: Some(Login { user: None, password: "x".to_owned() }),
        ..Behavior::default()
    });
    let gone = "http://127.0.0.1:1/gone.git";
    let git = |url: &str| json!({"type": "git", "url": url});
    let asserted = json!({"type": "git", "url": server.url("mono"), "version": "1.0.0", "sha": "0".repeat(40)});
    sandbox.sources(&json!({"a": git(gone), "b": git(&private.url("private"))}));
    sandbox.skills(["sync"]).exits(4).says([gone, &private.url("private")]);
    sandbox.sources(&json!({"a": git(gone), "b": git(&private.url("private")), "c": asserted}));
    sandbox.skills(["sync"]).exits(5).says([gone, &private.url("private"), &"0".repeat(40)]);
    // A pin that cannot be resolved (exit code 2) does not hide the other errors.
    let absent = json!({"type": "git", "url": server.url("mono"), "version": "99.0.0"});
    sandbox.sources(&json!({"a": git(&private.url("private")), "b": absent}));
    sandbox.skills(["sync"]).exits(4).says(["99.0.0", &private.url("private")]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn t17_silent_server_times_out() {
    for request in [1, 3] {
        let ServedRepository { sandbox, server, .. } = served();
        server.behave(Behavior {
            faults: BTreeMap::from([(request, Fault::Stalled)]),
            ..Behavior::default()
        });
        let command = sandbox.command(["sync"]).env("HELIX_SKILLS_STALL_TIMEOUT", "0.5");
        command.run().exits(3).says([server.authority()]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"a\": {\"type\": \"git\", \"url\": \"http://127.0.0.1:1/a\"}}}",
    );
    for value in ["soon", "0", "-1", ""] {
        let run = sandbox.command(["sync"]).env("HELIX_SKILLS_STALL_TIMEOUT", value).run().exits(2);
        run.says(["HELIX_SKILLS_STALL_TIMEOUT"]);
    }
}

/// Without certificates, the program names the problem, and everything that needs no TLS works.
#[cfg(target_os = "linux")] // other systems use their own store and ignore the variable
#[test]
fn missing_certificates_are_an_error() {
    let ServedRepository { sandbox, upstream: _upstream, server: _server } = served();
    let none = sandbox.path("outside/none.pem");
    sandbox.command(["sync"]).env("SSL_CERT_FILE", &none).run().succeeds();
    sandbox.sources(&json!({"a": {"type": "git", "url": "https://127.0.0.1:1/a"}}));
    let run = sandbox.command(["sync"]).env("SSL_CERT_FILE", &none).run();
    run.exits(3).says(["SSL_CERT_FILE"]);
    let local = Sandbox::new();
    local.write("project/own/a/SKILL.md", helix_skills_tests::skill_md("a"));
    local.sources(&json!({"own": {"type": "path", "path": "own"}}));
    let none = local.path("outside/none.pem");
    local.command(["sync"]).env("SSL_CERT_FILE", &none).run().succeeds();
    local.command(["sync", "--check"]).env("SSL_CERT_FILE", &none).run().succeeds();
}
