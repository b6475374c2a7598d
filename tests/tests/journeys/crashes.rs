//! Ended at any change of the disk, and run beside itself.

use helix_skills_tests::{Change, GitServer, Sandbox, Snapshot, Upstream};
use serde_json::json;
use std::thread;

fn before_and_after() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
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
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "version": version}}));
}

/// Every file is the old one or the new one; none is torn.
fn is_whole(sandbox: &Sandbox, old: &Snapshot, new: &Snapshot, what: &str) {
    let (old, new) = (old.contents(), new.contents());
    let now = sandbox.snapshot("project");
    for (path, bytes) in now.contents() {
        let name = path.rsplit('/').next().unwrap();
        if path.contains("/.staging/") || name.starts_with('.') && name != ".gitattributes" {
            // What was being written beside its place.
            continue;
        }
        let whole = old.get(path) == Some(&bytes) || new.get(path) == Some(&bytes);
        assert!(whole, "{what}: {path} is torn: {}", String::from_utf8_lossy(bytes));
    }
}

/// A project locked at version 1.0.0 whose manifest asks for 2.0.0, to be set up again and again.
struct Halfway {
    sandbox: Sandbox,
    _upstream: Upstream,
    server: GitServer,
    old: Snapshot,
    new: Snapshot,
    kept: Vec<(String, Vec<u8>)>,
}

impl Halfway {
    fn new() -> Self {
        let (sandbox, upstream, server) = before_and_after();
        pin(&sandbox, &server, "1.0.0");
        sandbox.skills(["sync"]).succeeds();
        let kept = |place: &'static str| {
            let files = sandbox.snapshot(place);
            let files: Vec<_> =
                files.contents().into_iter().map(|(p, b)| (format!("{place}/{p}"), b.to_vec())).collect();
            files
        };
        let kept = [kept("project"), kept("cache")].concat();
        pin(&sandbox, &server, "2.0.0");
        let old = sandbox.snapshot("project");
        sandbox.skills(["sync"]).succeeds();
        let new = sandbox.snapshot("project");
        Self { sandbox, _upstream: upstream, server, old, new, kept }
    }

    fn set_up(&self) {
        for place in ["project", "cache", "tmp"] {
            self.sandbox.remove(place);
            std::fs::create_dir(self.sandbox.path(place)).unwrap();
        }
        for (path, bytes) in &self.kept {
            self.sandbox.write(path, bytes);
        }
        pin(&self.sandbox, &self.server, "2.0.0");
    }

    /// After a run that came to a sudden end: no torn file, an orderly check, and a sync that repairs.
    fn recovers(&self, what: &str) {
        let Self { sandbox, old, new, .. } = self;
        is_whole(sandbox, old, new, what);
        let check = sandbox.skills(["sync", "--check"]);
        assert!(check.code.is_some_and(|code| code <= 7), "{what}: {check}");
        let repaired = sandbox.skills(["sync"]);
        assert_eq!(repaired.code, Some(0), "{what}: {repaired}");
        assert_eq!(sandbox.snapshot("project").contents(), new.contents(), "{what}");
    }
}

#[test]
fn ended_before_any_change_of_the_disk_the_next_sync_repairs() {
    let halfway = Halfway::new();
    let mut points = 0;
    for point in 1.. {
        halfway.set_up();
        let run = halfway.sandbox.command(["sync"]).crash_at(point).run();
        if run.code == Some(0) {
            break;
        }
        run.is_killed();
        points = point;
        halfway.recovers(&format!("crash point {point}"));
    }
    assert!(points > 20, "only {points} crash points");
}

/// The net under the net: no change of the disk that has no crash point, found by the kernel.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs strace, and minutes"]
fn ended_at_any_system_call_that_changes_the_disk_the_next_sync_repairs() {
    const CALLS: [&str; 14] = [
        "openat",
        "write",
        "?rename",
        "renameat",
        "renameat2",
        "?unlink",
        "unlinkat",
        "?mkdir",
        "mkdirat",
        "?rmdir",
        "fsync",
        "ftruncate",
        "?chmod",
        "fchmod",
    ];
    let halfway = Halfway::new();
    let mut points = 0;
    for call in CALLS {
        for number in 1.. {
            halfway.set_up();
            let inject = format!("inject={call}:signal=KILL:when={number}");
            let traced = ["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
            let run = halfway.sandbox.command(["sync"]).under("strace", traced).run();
            if run.code == Some(0) {
                break;
            }
            assert!(run.code.is_none_or(|code| code > 128), "{inject}: {run}");
            points += 1;
            halfway.recovers(&inject);
        }
    }
    assert!(points > 20, "only {points} points");
}

#[test]
fn ended_in_the_first_sync_of_all_the_next_one_repairs() {
    let (sandbox, _upstream, server) = before_and_after();
    pin(&sandbox, &server, "2.0.0");
    sandbox.skills(["sync"]).succeeds();
    let new = sandbox.snapshot("project");
    for point in (1..).step_by(3) {
        sandbox.forget();
        let run = sandbox.command(["sync"]).crash_at(point).run();
        if run.code == Some(0) {
            break;
        }
        run.is_killed();
        let repaired = sandbox.skills(["sync"]);
        assert_eq!(repaired.code, Some(0), "crash point {point}: {repaired}");
        assert_eq!(sandbox.snapshot("project").contents(), new.contents(), "crash point {point}");
        sandbox.remove("tmp");
        std::fs::create_dir(sandbox.path("tmp")).unwrap();
    }
}

fn at_once(count: usize) {
    let (sandbox, _upstream, server) = before_and_after();
    pin(&sandbox, &server, "1.0.0");
    sandbox.skills(["sync"]).succeeds();
    pin(&sandbox, &server, "2.0.0");
    let sandbox = &sandbox;
    let runs: Vec<_> = thread::scope(|scope| {
        let started: Vec<_> =
            (0..count).map(|_| scope.spawn(|| sandbox.command(["sync"]).beside_others().run())).collect();
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
fn two_at_once() {
    at_once(2);
}

#[test]
fn eight_at_once() {
    at_once(8);
}

/// The manifest is read and written while the project is held: no source is lost.
#[test]
fn sources_that_are_added_at_once_are_all_there() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
    for number in 0..4 {
        let skill = format!("s{number}");
        sandbox.write(format!("project/own{number}/{skill}/SKILL.md"), helix_skills_tests::skill_md(&skill));
    }
    let sandbox = &sandbox;
    thread::scope(|scope| {
        for number in 0..4 {
            let path = format!("./own{number}");
            let command = sandbox.command(["add", path.as_str()]).beside_others();
            scope.spawn(move || command.run().succeeds());
        }
    });
    assert_eq!(sandbox.locked_skills(), ["s0", "s1", "s2", "s3"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn two_projects_at_once_share_one_cache() {
    let (sandbox, _upstream, server) = before_and_after();
    pin(&sandbox, &server, "2.0.0");
    let manifest = sandbox.read("project/helix.skills.json");
    for number in 0..4 {
        sandbox.write(format!("project/p{number}/helix.skills.json"), &manifest);
    }
    let sandbox = &sandbox;
    thread::scope(|scope| {
        for number in 0..4 {
            let command = sandbox.command(["sync"]).current_dir(format!("project/p{number}")).beside_others();
            scope.spawn(move || command.run().succeeds());
        }
    });
    let first = sandbox.snapshot("project/p0");
    for number in 1..4 {
        assert_eq!(sandbox.snapshot(format!("project/p{number}")).contents(), first.contents());
    }
}

/// Ended on the way to one commit, then asked for something else: what the first sync had put there goes.
#[test]
fn what_an_ended_sync_left_is_removed_when_the_next_wants_something_else() {
    let Halfway { sandbox, server, .. } = Halfway::new();
    for point in 1..200 {
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
    panic!("there is no end");
}
