//! Concurrent runs, and a sync after an interrupted one with another manifest. See `disk` for
//! failures at every change.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream, sandbox::kill_stride};
use serde_json::json;
use std::thread;

fn two_versions() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::in_memory();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a").text("skills/a/docs/x.md", "one\n").skill("leaves"));
    upstream.tag("v1.0.0");
    upstream.commit(
        Change::new()
            .text("skills/a/docs/x.md", "two\n")
            .executable("skills/a/new/run.sh", "#!/bin/sh\n")
            .remove("skills/leaves")
            .skill("comes"),
    );
    upstream.tag("v2.0.0");
    let server = sandbox.serve();
    (sandbox, upstream, server)
}

fn pin(sandbox: &Sandbox, server: &GitServer, version: &str) {
    sandbox
        .sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "version": version}}));
}

fn concurrent_syncs(count: usize) {
    let (sandbox, _upstream, server) = two_versions();
    pin(&sandbox, &server, "1.0.0");
    sandbox.skills(["sync"]).succeeds();
    pin(&sandbox, &server, "2.0.0");
    let sandbox = &sandbox;
    let runs: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> = (0..count)
            .map(|_| scope.spawn(|| sandbox.command(["sync"]).alongside_others().run()))
            .collect();
        started.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for run in runs {
        run.succeeds();
    }
    assert_eq!(sandbox.locked_skills(), ["a", "comes"]);
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "two\n");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    let files = sandbox.files("project");
    assert!(files.iter().all(|f| !f.ends_with(".new") && !f.contains(".tmp")), "{files:?}");
}

#[test]
fn two_concurrent_syncs() {
    concurrent_syncs(2);
}

#[test]
fn eight_concurrent_syncs() {
    concurrent_syncs(8);
}

/// The manifest is read and written under the project lock, so that no source is lost.
#[test]
fn concurrent_adds_keep_every_source() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
    for number in 0..4 {
        let skill = format!("s{number}");
        sandbox.write(
            format!("project/own{number}/{skill}/SKILL.md"),
            helix_skills_tests::skill_md(&skill),
        );
    }
    let sandbox = &sandbox;
    thread::scope(|scope| {
        for number in 0..4 {
            let path = format!("./own{number}");
            let command = sandbox.command(["add", path.as_str()]).alongside_others();
            scope.spawn(move || command.run().succeeds());
        }
    });
    assert_eq!(sandbox.locked_skills(), ["s0", "s1", "s2", "s3"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn concurrent_projects_share_one_cache() {
    let (sandbox, _upstream, server) = two_versions();
    pin(&sandbox, &server, "2.0.0");
    let manifest = sandbox.read("project/helix.skills.json");
    for number in 0..4 {
        sandbox.write(format!("project/p{number}/helix.skills.json"), &manifest);
    }
    let sandbox = &sandbox;
    thread::scope(|scope| {
        for number in 0..4 {
            let command = sandbox
                .command(["sync"])
                .current_dir(format!("project/p{number}"))
                .alongside_others();
            scope.spawn(move || command.run().succeeds());
        }
    });
    let first = sandbox.snapshot("project/p0");
    for number in 1..4 {
        assert_eq!(sandbox.snapshot(format!("project/p{number}")).contents(), first.contents());
    }
}

/// A sync to one commit is interrupted, then the manifest changes: files of the first sync are
/// removed.
#[test]
fn files_of_an_interrupted_sync_are_removed_by_the_next() {
    let (sandbox, _upstream, server) = two_versions();
    for point in (1..200).step_by(2 * kill_stride()) {
        sandbox.forget();
        pin(&sandbox, &server, "1.0.0");
        sandbox.skills(["sync"]).succeeds();
        pin(&sandbox, &server, "2.0.0");
        let run = sandbox.command(["sync"]).env("HELIX_SKILLS_CRASH_AT", point.to_string()).run();
        if run.code == Some(0) {
            assert!(point > 20, "{run}");
            return;
        }
        sandbox.sources(&json!({}));
        let run = sandbox.skills(["sync"]).succeeds();
        assert_eq!(
            sandbox.files("project"),
            ["helix.skills.json", "helix.skills.lock", "helix.skills/.gitattributes"],
            "{point}: {run}"
        );
    }
    panic!("no run succeeded");
}

/// The cache only saves downloads, so a sync and another `cache clean` may use it meanwhile.
#[test]
fn cache_is_cleaned_while_others_use_it() {
    let (sandbox, _upstream, server) = two_versions();
    pin(&sandbox, &server, "2.0.0");
    sandbox.skills(["sync"]).succeeds();
    let sandbox = &sandbox;
    let commands: [&[&str]; 4] = [&["cache", "clean"], &["sync"], &["cache", "clean"], &["sync"]];
    for _ in 0..5 {
        sandbox.remove_store();
        thread::scope(|scope| {
            let started = commands.map(|command| {
                scope.spawn(move || sandbox.command(command).alongside_others().run().succeeds())
            });
            started.into_iter().for_each(|run| drop(run.join().unwrap()));
        });
    }
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.skills(["cache", "clean"]).succeeds();
    let left = sandbox.files("cache");
    assert!(
        left.iter().all(|file| !file.contains("trees") && !file.contains("staging")),
        "{left:?}"
    );
}
