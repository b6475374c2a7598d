//! Number and purpose of network requests.

use helix_skills_tests::{Change, Exchange, GitServer, Sandbox, Traffic, Upstream};
use serde_json::json;

/// Returns incompressible, deterministic bytes.
pub(crate) fn incompressible_bytes(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// Commits two wanted skills among thirty others and 300 KB of unrelated data.
pub(crate) fn monorepo(upstream: &Upstream) {
    let mut change = Change::new().bytes("video.bin", &incompressible_bytes(300_000));
    for number in 0..30 {
        change = change
            .skill(&format!("other-{number}"))
            .bytes(&format!("skills/other-{number}/data.bin"), &incompressible_bytes(3_000));
    }
    change =
        change.skill("alpha").text("skills/alpha/references/guide.md", "# Guide\n").skill("beta");
    upstream.commit(change);
    upstream.annotated_tag("v1.0.0", "main");
}

fn wanted(server: &GitServer, pin: serde_json::Value) -> serde_json::Value {
    let mut source =
        json!({"type": "git", "url": server.url("mono"), "include": ["alpha", "beta"]});
    source.as_object_mut().unwrap().extend(pin.as_object().unwrap().clone());
    json!({ "mono": source })
}

/// Returns a sandbox, its repository `mono` and a server of it.
pub(crate) fn served() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    let server = sandbox.serve();
    (sandbox, upstream, server)
}

/// Returns the commands of requests in order.
pub(crate) fn commands(exchanges: &[Exchange]) -> Vec<&str> {
    exchanges.iter().map(|e| e.command().unwrap_or(e.method.as_str())).collect()
}

/// More bytes than the wanted skills take, and far fewer than the rest of the repository has.
const MAX_BYTES: u64 = 12_000;

#[test]
fn cold_sync_of_a_tag_takes_three_requests() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();

    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["ls-refs", "fetch", "fetch"]);
    assert!(exchanges[0].ref_prefixes().contains(&"refs/tags/v1.0.0"), "{exchanges:#?}");
    assert_eq!(exchanges[1].wants(), [upstream.id("v1.0.0^{commit}")]);
    assert_eq!((exchanges[1].filter(), exchanges[1].depth()), (Some("blob:none"), Some("1")));
    let mut blobs = vec![
        upstream.id("main:skills/alpha/SKILL.md"),
        upstream.id("main:skills/alpha/references/guide.md"),
        upstream.id("main:skills/beta/SKILL.md"),
    ];
    blobs.sort();
    let mut wants = exchanges[2].wants();
    wants.sort_unstable();
    assert_eq!(wants, blobs, "expected each needed blob once and no other");
    let traffic = server.traffic();
    assert!(traffic.sent < MAX_BYTES, "{traffic:?}");
    assert_eq!(traffic.connections, 1);
}

#[test]
fn cold_sync_of_a_commit_takes_two_requests() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"sha": upstream.id("main")})));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["fetch", "fetch"]);
}

#[test]
fn cold_sync_of_ranges_and_branches_takes_three_requests() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    let server = sandbox.serve();
    for pin in
        [json!({"version": "^1"}), json!({"ref": "main"}), json!({}), json!({"ref": "v1.0.0"})]
    {
        sandbox.sources(&wanted(&server, pin.clone()));
        sandbox.forget();
        server.take_traffic();
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(commands(&server.exchanges()), ["ls-refs", "fetch", "fetch"], "{pin}");
    }
}

#[test]
fn cold_locked_sync_takes_two_requests() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    let cold = server.take_traffic();
    let (lock, store) = (sandbox.lock(), sandbox.snapshot("project/helix.skills"));

    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["fetch", "fetch"]);
    // The ids of trees in the lockfile are compared, and never asked for.
    assert_eq!(exchanges[0].wants(), [upstream.id("v1.0.0^{commit}")]);
    assert_eq!((exchanges[0].filter(), exchanges[0].depth()), (Some("blob:none"), Some("1")));
    assert_eq!(exchanges[1].wants().len(), 3);
    let locked = server.traffic();
    assert!(locked.sent < cold.sent && locked.received < cold.received, "{locked:?} {cold:?}");
    assert_eq!(sandbox.lock(), lock);
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
}

#[test]
fn locked_sync_with_a_cache_takes_one_request() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    let store = sandbox.snapshot("project/helix.skills");
    let commit = upstream.id("v1.0.0^{commit}");
    for arguments in [&["sync"][..], &["sync", "--locked"]] {
        sandbox.remove_store();
        server.take_traffic();
        sandbox.skills(arguments).succeeds().never_prints("warning");
        let exchanges = server.exchanges();
        assert_eq!(commands(&exchanges), ["fetch"], "{arguments:?}");
        assert_eq!(exchanges[0].wants(), [&*commit]);
        assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
    }
    // A file that the cache does not have is fetched, and no other.
    sandbox.remove("cache/skills-v1");
    sandbox.remove("project/helix.skills/alpha");
    sandbox.remove("project/helix.skills/alpha.sha256");
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["fetch", "fetch"]);
    assert_eq!(exchanges[1].wants(), [upstream.id("main:skills/beta/SKILL.md")]);

    // Offline, the cache proves the origin, too.
    for option in ["--offline", "--frozen"] {
        sandbox.remove_store();
        server.take_traffic();
        sandbox.skills(["sync", option]).succeeds().never_prints("warning");
        assert_eq!(server.traffic(), Traffic::default());
        assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
    }
    sandbox.remove_store();
    sandbox.remove_cache();
    let run = sandbox.skills(["sync", "--offline"]).exits(3);
    run.says(["cannot fetch `alpha`, `beta` of the source `mono` without the network"]);
}

#[test]
fn cache_is_shared_by_projects() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    let server = sandbox.serve();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    for file in ["helix.skills.json", "helix.skills.lock"] {
        sandbox.write(format!("project/second/{file}"), sandbox.read(format!("project/{file}")));
    }
    server.take_traffic();
    sandbox.command(["sync"]).current_dir("project/second").run().succeeds();
    assert_eq!(commands(&server.exchanges()), ["fetch"], "expected the files from the cache");
    assert!(sandbox.exists("project/second/helix.skills/alpha/references/guide.md"));
}

#[test]
fn warm_sync_makes_no_requests_and_writes_no_files() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    let server = sandbox.serve();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.snapshot("project");
    server.take_traffic();
    for arguments in
        [&["sync"][..], &["sync", "--locked"], &["sync", "--frozen"], &["sync", "--restore"]]
    {
        sandbox.skills(arguments).succeeds();
        assert_eq!(
            sandbox.snapshot("project").changes_since(&before),
            Vec::<String>::new(),
            "{arguments:?}"
        );
    }
    assert_eq!(server.traffic(), Traffic::default());
}

#[test]
fn changed_pin_fetches_only_missing_blobs() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    upstream.commit(Change::new().text("skills/alpha/references/guide.md", "# Another guide\n"));
    upstream.tag("v1.1.0");
    sandbox.sources(&wanted(&server, json!({"version": "1.1.0"})));
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(server.traffic().requests, 3);
    assert_eq!(sandbox.read("project/helix.skills/alpha/references/guide.md"), "# Another guide\n");
}

#[test]
fn sources_of_a_repository_share_requests() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    monorepo(&upstream);
    upstream.commit(Change::new().text("skills/beta/new.md", "new\n"));
    upstream.tag("v2.0.0");
    let server = sandbox.serve();
    let source = |include: &str, version: &str| json!({"type": "git", "url": server.url("mono"), "version": version, "include": [include]});
    for second in ["1.0.0", "2.0.0"] {
        sandbox.sources(&json!({"one": source("alpha", "1.0.0"), "two": source("beta", second)}));
        sandbox.forget();
        server.take_traffic();
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(server.traffic().requests, 3, "{second}: {:#?}", server.exchanges());
        assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    }
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(commands(&server.exchanges()), ["fetch", "fetch"], "expected one for both commits");
}

#[test]
fn repositories_have_separate_requests() {
    let sandbox = Sandbox::new();
    for name in ["one", "two", "three"] {
        sandbox.upstream(name).commit(Change::new().skill(&format!("from-{name}")));
    }
    let server = sandbox.serve();
    let source = |name: &str| json!({"type": "git", "url": server.url(name), "ref": "main"});
    sandbox.sources(&json!({"one": source("one"), "two": source("two"), "three": source("three")}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(server.traffic().requests, 9);
    assert_eq!(sandbox.locked_skills(), ["from-one", "from-three", "from-two"]);
}

#[test]
fn lockfile_is_independent_of_manifest_key_order() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    sandbox.upstream("other").commit(Change::new().skill("zeta"));
    let server = sandbox.serve();
    let (mono, other) = (server.url("mono"), server.url("other"));
    let mut locks = Vec::new();
    for manifest in [
        format!(
            r#"{{"skills": {{"b": {{"type": "git", "url": "{mono}", "version": "1.0.0", "include": ["alpha", "beta"], "rename": {{"alpha": "x", "beta": "y"}}}},
                "a": {{"type": "git", "url": "{other}"}}}}}}"#
        ),
        format!(
            r#"{{"skills": {{ // the other way round
                "a": {{"url": "{other}", "type": "git"}},
                "b": {{"rename": {{"beta": "y", "alpha": "x"}}, "include": ["alpha", "beta"], "skillsDir": "skills", "version": "1.0.0", "url": "{mono}", "type": "git",}},}}}}"#
        ),
    ] {
        sandbox.manifest(&manifest);
        sandbox.forget();
        sandbox.skills(["sync"]).succeeds();
        locks.push(sandbox.lock());
    }
    assert_eq!(locks[0], locks[1]);
    assert!(locks[0].ends_with("}\n") && !locks[0].contains('\r'));
    assert!(
        !locks[0].contains(sandbox.path("").to_str().unwrap()),
        "expected no absolute path: {}",
        locks[0]
    );
}

#[test]
fn new_source_causes_no_requests_for_locked_ones() {
    let sandbox = Sandbox::new();
    monorepo(&sandbox.upstream("mono"));
    sandbox.upstream("other").commit(Change::new().skill("zeta"));
    let server = sandbox.serve();
    let mut sources = wanted(&server, json!({"version": "1.0.0"}));
    sandbox.sources(&sources);
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_cache();
    sources["other"] = json!({"type": "git", "url": server.url("other")});
    sandbox.sources(&sources);
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    assert!(
        server.exchanges().iter().all(|e| e.target.starts_with("/other.git/")),
        "{:#?}",
        server.exchanges()
    );
    assert_eq!(server.traffic().requests, 3);
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta", "zeta"]);
}

#[test]
fn only_the_missing_skill_is_fetched() {
    let (sandbox, upstream, server) = served();
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_cache();
    sandbox.remove("project/helix.skills/beta");
    sandbox.remove("project/helix.skills/beta.sha256");
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    let exchanges = server.exchanges();
    assert_eq!(commands(&exchanges), ["fetch", "fetch"]);
    assert_eq!(exchanges[1].wants(), [upstream.id("main:skills/beta/SKILL.md")]);
}

/// A project with a lockfile, without a store, and the entry of `alpha` in a pull request that was
/// never merged: its text is in the cache, because another project has it.
fn with_pull_request() -> (Sandbox, Upstream, GitServer, serde_json::Value) {
    let (sandbox, upstream, server) = served();
    let evil = Change::new()
        .text("skills/alpha/SKILL.md", &format!("{}Evil.\n", helix_skills_tests::skill_md("alpha")))
        .text("skills/alpha/references/guide.md", "# Guide\n");
    upstream.commit_to("pull", evil);
    let mut source = wanted(&server, json!({"ref": "pull"}));
    source["mono"]["include"] = json!(["alpha"]);
    sandbox.sources(&source);
    sandbox.skills(["sync"]).succeeds();
    let foreign = sandbox.lock_json()["skills"]["alpha"].clone();
    sandbox.remove("project/helix.skills.lock");
    sandbox.sources(&wanted(&server, json!({"version": "1.0.0"})));
    sandbox.remove_store();
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    (sandbox, upstream, server, foreign)
}

/// Writes the lockfile with other values for some keys of a skill.
fn forge(sandbox: &Sandbox, keys: &[(&str, serde_json::Value)]) {
    let mut lock = sandbox.lock_json();
    for (key, value) in keys {
        lock["skills"]["alpha"][key] = value.clone();
    }
    sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
}

#[test]
fn t21_text_of_an_unmerged_commit_is_refused() {
    let (sandbox, upstream, server, foreign) = with_pull_request();
    let honest = sandbox.lock();
    let (tree, commit) = (upstream.id("main:skills/alpha"), upstream.id("v1.0.0^{commit}"));
    let other = upstream.id("pull:skills/alpha");
    let keys = |names: &[&'static str]| {
        names.iter().map(|it| (*it, foreign[*it].clone())).collect::<Vec<_>>()
    };
    for with_cache in [true, false] {
        if !with_cache {
            sandbox.remove_cache();
        }
        for (changed, says) in [
            (&["tree", "integrity", "bytes"][..], &*other),
            (&["tree"], &*other),
            // The tree is that of the commit, and the text is not.
            (&["integrity", "bytes"], "has the integrity"),
        ] {
            sandbox.write("project/helix.skills.lock", &honest);
            forge(&sandbox, &keys(changed));
            for arguments in [&["sync"][..], &["sync", "--locked"]] {
                server.take_traffic();
                let run = sandbox.skills(arguments).exits(5).says(["the skill `alpha`", says]);
                if changed.contains(&"tree") {
                    run.says([
                        &*tree,
                        &*commit,
                        "`skills/alpha` of the commit",
                        "from version control",
                    ]);
                }
                let exchanges = server.exchanges();
                assert_eq!(exchanges[0].wants(), [&*commit]);
                assert!(
                    exchanges.iter().all(|it| !it.wants().contains(&&*other)),
                    "{exchanges:#?}"
                );
                assert!(!sandbox.exists("project/helix.skills/alpha"), "{changed:?}");
            }
        }
    }
}

#[test]
fn t21_commit_that_does_not_exist_is_refused() {
    let (sandbox, upstream, _server, _) = with_pull_request();
    let lost = format!("{}1", "0".repeat(39));
    let lock = sandbox.lock().replace(&upstream.id("v1.0.0^{commit}"), &lost);
    sandbox.write("project/helix.skills.lock", lock);
    let run = sandbox.skills(["sync", "--locked"]).exits(5);
    run.says([&*format!("the locked commit {lost} no longer exists")]);
    assert!(!sandbox.exists("project/helix.skills/alpha"));
    let run = sandbox.skills(["sync", "--locked", "--offline"]).succeeds();
    run.says(["the source `mono`: origin not proved: it needs the network"]);
}

#[test]
fn t21_other_links_are_refused() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("mono");
    upstream.commit(
        Change::new()
            .skill("alpha")
            .text("skills/alpha/run.sh", "true\n")
            .text("shared/guide.md", "# Guide\n")
            .link("skills/alpha/guide.md", "../../shared/guide.md"),
    );
    let server = sandbox.serve();
    sandbox.sources(&json!({"mono": {"type": "git", "url": server.url("mono")}}));
    sandbox.skills(["sync"]).succeeds();
    let honest = sandbox.lock();
    sandbox.remove_store();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    // The cache has no links, whose texts are fetched.
    assert_eq!(commands(&server.exchanges()), ["fetch", "fetch"]);
    let other = json!({"guide.md": upstream.id("main:skills/alpha/run.sh")});
    for (key, value) in [("links", other), ("links", json!({}))] {
        sandbox.write("project/helix.skills.lock", &honest);
        forge(&sandbox, &[(key, value)]);
        sandbox.remove_store();
        let run = sandbox.skills(["sync", "--locked"]).exits(5);
        run.says([
            &*format!("the lockfile has other `{key}` for the skill `alpha` than `skills/alpha` of the commit"),
            "restore the store and the lockfile from version control",
        ]);
    }
}
