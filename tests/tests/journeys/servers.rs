//! Servers that lack things, and servers that misbehave.

use crate::requests::monorepo;
use helix_skills_tests::{Behavior, Fault, GitServer, Redirect, Sandbox, Upstream, Wants};
use serde_json::json;
use std::collections::BTreeMap;

struct Served {
    sandbox: Sandbox,
    upstream: Upstream,
    server: GitServer,
}

fn served() -> Served {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let server = sandbox.serve();
    sandbox.sources(&json!({"mono": {
        "type": "git", "url": server.url("mono"), "version": "1.0.0", "include": ["alpha", "beta"],
    }}));
    Served { sandbox, upstream, server }
}

/// Syncs from nothing, then from the lock alone, and demands the same bytes as from the most able server.
fn gives_the_same_bytes(behavior: Behavior) {
    let Served { sandbox, server, .. } = served();
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
fn a_server_without_filters() {
    gives_the_same_bytes(Behavior { filters: false, ..Behavior::default() });
}

#[test]
fn a_server_without_protocol_version_2() {
    gives_the_same_bytes(Behavior { protocol_v2: false, ..Behavior::default() });
}

#[test]
fn a_server_without_version_2_filters_and_wants_of_objects() {
    gives_the_same_bytes(Behavior {
        protocol_v2: false,
        filters: false,
        wants: Wants::Advertised,
        ..Behavior::default()
    });
}

#[test]
fn a_server_without_version_2_and_wants_of_objects() {
    gives_the_same_bytes(Behavior {
        protocol_v2: false,
        wants: Wants::Advertised,
        ..Behavior::default()
    });
}

#[test]
fn a_server_that_refuses_trees_as_wants() {
    gives_the_same_bytes(Behavior { wants: Wants::NoTrees, ..Behavior::default() });
}

#[test]
fn a_server_that_gives_commits_only() {
    gives_the_same_bytes(Behavior { wants: Wants::NoTreesOrBlobs, ..Behavior::default() });
}

#[test]
fn a_server_that_gives_only_what_it_advertises() {
    gives_the_same_bytes(Behavior { wants: Wants::Advertised, ..Behavior::default() });
}

#[test]
fn a_server_that_gives_only_what_it_advertises_and_has_no_filters() {
    gives_the_same_bytes(Behavior {
        wants: Wants::Advertised,
        filters: false,
        ..Behavior::default()
    });
}

/// The mixtures that no test above has.
#[test]
fn servers_that_lack_several_things() {
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
fn a_server_that_offers_filters_and_refuses_them() {
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

/// Runs a sync that must fail, and one that must mend it.
fn breaks(fault: Fault, request: u64, code: i32) {
    let Served { sandbox, server, .. } = served();
    server.behave(Behavior { faults: BTreeMap::from([(request, fault)]), ..Behavior::default() });
    sandbox.skills(["sync"]).exits(code).says([server.authority()]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{fault:?} in request {request}");
    server.behave(Behavior::default());
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
}

#[test]
fn an_error_of_the_server_exits_with_3_and_writes_nothing() {
    for request in [1, 2, 3, 4] {
        breaks(Fault::Status(500), request, 3);
    }
}

#[test]
fn an_answer_that_is_no_git_exits_with_3_and_writes_nothing() {
    for request in [1, 2, 3, 4] {
        breaks(Fault::Garbage, request, 3);
    }
}

#[test]
fn an_answer_that_breaks_off_exits_with_3_and_writes_nothing() {
    for request in [1, 2, 3, 4] {
        breaks(Fault::Truncated, request, 3);
    }
}

#[test]
fn a_pack_with_a_wrong_bit_is_never_taken() {
    for (request, before_end) in [(3, 10), (3, 60), (4, 10), (4, 40), (4, 90)] {
        let Served { sandbox, server, .. } = served();
        let faults = BTreeMap::from([(request, Fault::Corrupted(before_end))]);
        server.behave(Behavior { faults, ..Behavior::default() });
        sandbox.skills(["sync"]).fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{request} {before_end}");
    }
}

/// An object whose bytes are not what its id says, from a server that does not check.
#[test]
fn t17_an_object_under_a_foreign_id_is_never_taken() {
    let Served { sandbox, upstream, .. } = served();
    let file =
        |id: &str| sandbox.path(format!("upstream/mono.git/objects/{}/{}", &id[..2], &id[2..]));
    let (honest, foreign) =
        (upstream.id("main:skills/alpha/SKILL.md"), upstream.write_blob(b"---\nname: alpha\n"));
    // The objects of the import lie in a pack; loose ones are found first once there is no pack.
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
fn nobody_there_exits_with_3_and_names_the_host() {
    let Served { sandbox, server, .. } = served();
    let authority = server.authority();
    drop(server);
    sandbox.skills(["sync"]).exits(3).says([authority]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn a_repository_that_is_not_there_names_its_url() {
    let sandbox = Sandbox::new();
    let server = sandbox.serve();
    sandbox.sources(&json!({"gone": {"type": "git", "url": server.url("gone")}}));
    sandbox.skills(["sync"]).fails().says([server.url("gone")]);
}

#[test]
fn an_empty_repository_and_one_without_skills_say_so() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("empty");
    let server = sandbox.serve();
    sandbox.sources(&json!({"empty": {"type": "git", "url": server.url("empty")}}));
    sandbox.skills(["sync"]).fails().says(["empty"]);
    upstream.commit(helix_skills_tests::Change::new().text("README.md", "nothing here\n"));
    sandbox.skills(["sync"]).exits(2).says(["empty", "SKILL.md"]);
}

#[test]
fn a_redirect_of_the_repository_is_followed_and_the_lock_keeps_the_url_as_written() {
    let Served { sandbox, server, .. } = served();
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
fn t08_a_redirect_to_another_scheme_or_in_a_circle_is_refused() {
    let Served { sandbox, server, .. } = served();
    for to in ["file:///etc/", "ext::sh -c id", "ftp://127.0.0.1/", "/mono.git/../mono.git"] {
        let redirect = Redirect { from: "/mono.git".to_owned(), to: to.to_owned(), status: 302 };
        server.behave(Behavior { redirects: vec![redirect], ..Behavior::default() });
        sandbox.skills(["sync"]).exits(3);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{to}");
    }
}

#[test]
fn the_words_of_a_server_are_printed_without_control_characters() {
    for request in [1, 2, 3] {
        let Served { sandbox, server, .. } = served();
        let words = Fault::Refusal("go \u{1b}[31maway\u{7}\r\n\u{202e}now");
        // Every further request, too: a refusal is a reason to try another way.
        let faults = (request..request + 20).map(|number| (number, words)).collect();
        server.behave(Behavior { faults, ..Behavior::default() });
        let run = sandbox.skills(["sync", "-vv"]).exits(3);
        assert!(!run.stderr.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{run:?}");
    }
}

#[test]
fn a_server_that_forbids_exits_with_4_and_one_that_is_busy_with_3() {
    for (status, code) in [(403, 4), (404, 3), (429, 3), (500, 3), (503, 3)] {
        let Served { sandbox, server, .. } = served();
        server.behave(Behavior {
            faults: BTreeMap::from([(1, Fault::Status(status))]),
            ..Behavior::default()
        });
        let run = sandbox.skills(["sync"]);
        // A forge that hides private repositories says 404: both readings are right.
        assert!(run.code == Some(code) || status == 404 && run.code == Some(4), "{status}: {run}");
        run.says([status.to_string()]);
    }
}

#[test]
fn an_object_that_the_server_has_lost_is_an_orderly_error() {
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

/// The locked commit is no longer what a ref names, and the server gives nothing else.
#[test]
fn a_locked_commit_that_is_no_longer_given_out_is_an_orderly_error_or_the_same_bytes() {
    for protocol_v2 in [true, false] {
        let Served { sandbox, upstream, server } = served();
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
fn of_several_failures_the_gravest_decides_and_all_are_named() {
    let Served { sandbox, server, .. } = served();
    sandbox.upstream("private").commit(helix_skills_tests::Change::new().skill("p"));
    let private = sandbox.serve_with(Behavior {
        login: Some(helix_skills_tests::Login { user: None, password: "x".to_owned() }),
        ..Behavior::default()
    });
    let gone = "http://127.0.0.1:1/gone.git";
    let git = |url: &str| json!({"type": "git", "url": url});
    let asserted = json!({"type": "git", "url": server.url("mono"), "version": "1.0.0", "sha": "0".repeat(40)});
    sandbox.sources(&json!({"a": git(gone), "b": git(&private.url("private"))}));
    sandbox.skills(["sync"]).exits(4).says([gone, &private.url("private")]);
    sandbox.sources(&json!({"a": git(gone), "b": git(&private.url("private")), "c": asserted}));
    sandbox.skills(["sync"]).exits(5).says([gone, &private.url("private"), &"0".repeat(40)]);
    // A pin without an answer, exit 2 by itself, hides none of them.
    let absent = json!({"type": "git", "url": server.url("mono"), "version": "99.0.0"});
    sandbox.sources(&json!({"a": git(&private.url("private")), "b": absent}));
    sandbox.skills(["sync"]).exits(4).says(["99.0.0", &private.url("private")]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn t17_a_server_that_falls_silent_is_given_up() {
    for request in [1, 3] {
        let Served { sandbox, server, .. } = served();
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

/// A machine without certificates says what it lacks, and does all that needs no network.
#[cfg(target_os = "linux")] // elsewhere the platform's own store is asked, whatever the variable says
#[test]
fn a_machine_without_certificates() {
    let Served { sandbox, upstream: _upstream, server: _server } = served();
    let run =
        sandbox.command(["sync"]).env("SSL_CERT_FILE", sandbox.path("outside/none.pem")).run();
    run.exits(3).says(["SSL_CERT_FILE"]);
    let local = Sandbox::new();
    local.write("project/own/a/SKILL.md", helix_skills_tests::skill_md("a"));
    local.sources(&json!({"own": {"type": "path", "path": "own"}}));
    let none = local.path("outside/none.pem");
    local.command(["sync"]).env("SSL_CERT_FILE", &none).run().succeeds();
    local.command(["sync", "--check"]).env("SSL_CERT_FILE", &none).run().succeeds();
}
