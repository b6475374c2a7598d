//! Lockfiles with the conflict markers of a merge of two branches.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream, upstream::git_command};
use serde_json::{Value, json};

/// Runs git in the project, and returns whether it succeeded.
fn git(sandbox: &Sandbox, arguments: &[&str]) -> bool {
    let mut git = git_command();
    git.args(arguments).current_dir(sandbox.project("")).output().unwrap().status.success()
}

/// A project whose branches `ours` and `theirs` change these sources of their common ancestor, and
/// which has merged them, or is in the middle of that.
fn merging(base: &Value, ours: &Value, theirs: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    let git = |arguments: &[&str]| git(&sandbox, arguments);
    let commit = |sources: &Value| {
        sandbox.sources(sources);
        sandbox.skills(["sync"]).succeeds();
        assert!(git(&["add", "."]) && git(&["commit", "--quiet", "-m", "x"]));
    };
    assert!(git(&["init", "--quiet", "--initial-branch", "ours"]));
    commit(base);
    assert!(git(&["branch", "theirs"]));
    commit(ours);
    assert!(git(&["checkout", "--quiet", "theirs"]));
    commit(theirs);
    assert!(git(&["checkout", "--quiet", "ours"]));
    // Fails if there is a conflict.
    let _ = git(&["merge", "--quiet", "--no-edit", "theirs"]);
    sandbox
}

/// A server with a repository for each name, which has one skill of that name.
fn serve<const N: usize>(names: [&str; N]) -> (Sandbox, [Upstream; N], GitServer) {
    let host = Sandbox::new();
    let upstreams = names.map(|name| {
        let upstream = host.upstream(name);
        upstream.commit(Change::new().skill(name));
        upstream
    });
    let server = host.serve();
    (host, upstreams, server)
}

fn entry(server: &GitServer, name: &str) -> Value {
    json!({"type": "git", "url": server.url(name)})
}

#[test]
fn sync_keeps_the_sources_that_both_branches_added() {
    let (_host, upstreams, server) = serve(["a", "b", "c"]);
    let [a, b, c] = ["a", "b", "c"].map(|name| entry(&server, name));
    let sandbox = merging(&json!({"a": a}), &json!({"a": a, "b": b}), &json!({"a": a, "c": c}));
    let newer = upstreams.each_ref().map(|upstream| upstream.commit(Change::new().text("x", "y")));
    sandbox.sources(&json!({"a": a, "b": b, "c": c}));

    let unmerged = sandbox.lock();
    sandbox.skills(["sync", "--check"]).exits(1).says(["conflict markers", "merges both sides"]);
    sandbox.skills(["sync", "--locked"]).exits(1).says(["conflict markers"]);
    assert_eq!(sandbox.lock(), unmerged);

    // The network is not needed, so the newer commits are not locked.
    sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["a", "b", "c"]);
    for (name, commit) in ["a", "b", "c"].into_iter().zip(&newer) {
        assert_ne!(sandbox.locked_commit(name), *commit, "{name}");
    }
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn source_that_both_branches_changed_follows_the_manifest() {
    let (_host, [upstream], server) = serve(["a"]);
    let pinned = |commit: &str| {
        let mut entry = entry(&server, "a");
        entry["sha"] = commit.into();
        json!({"a": entry})
    };
    let commits = ["1", "2", "3"].map(|text| upstream.commit(Change::new().text("x", text)));
    let [first, second, third] = commits.each_ref().map(|commit| pinned(commit));
    let sandbox = merging(&first, &second, &third);
    sandbox.sources(&third);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_commit("a"), commits[2]);

    // A manifest that is neither side's: the source is resolved again, with a note.
    let sandbox = merging(&first, &second, &third);
    sandbox.sources(&first);
    sandbox
        .skills(["sync"])
        .succeeds()
        .says(["both sides of the merge changed `a`: resolved again"]);
    assert_eq!(sandbox.locked_commit("a"), commits[0]);
}

/// Git merges a skill that only one side changed, while the commits of its source are in conflict.
#[test]
fn skills_are_those_of_the_kept_commit() {
    let (_host, [upstream], server) = serve(["a"]);
    let commit = |path, text| upstream.commit(Change::new().text(path, text));
    let base = commit("skills/a/x.md", "one\n");
    let patch = commit("README.md", "x");
    let next = commit("skills/a/x.md", "longer\n");
    let [base, ours, theirs] = [&base, &next, &patch].map(|commit| {
        let mut entry = entry(&server, "a");
        entry["sha"] = commit.as_str().into();
        json!({"a": entry})
    });
    let sandbox = merging(&base, &ours, &theirs);
    sandbox.sources(&theirs);
    sandbox.skills(["sync"]).succeeds().never_prints("resolved again");
    assert_eq!(sandbox.locked_commit("a"), patch);
    assert_eq!(sandbox.read("project/helix.skills/a/x.md"), "one\n");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// Git leaves markers in files that both sides changed in the same lines, and merges others.
#[test]
fn restore_replaces_what_git_merged_in_the_store() {
    let (_host, [upstream], server) = serve(["a"]);
    let commit = |line: &str, first: &str, last: &str| {
        let text = format!("{first}\n{}{last}\n", "x\n".repeat(20));
        let change = Change::new().text("skills/a/line.md", &format!("{line}\n"));
        let mut entry = entry(&server, "a");
        entry["sha"] = upstream.commit(change.text("skills/a/lines.md", &text)).into();
        json!({"a": entry})
    };
    let (base, ours) = (commit("1", "1", "1"), commit("2", "2", "1"));
    let theirs = commit("3", "1", "3");
    for resolved in [&["helix.skills.json"][..], &["helix.skills.json", "helix.skills.lock"]] {
        let sandbox = merging(&base, &ours, &theirs);
        assert!(git(&sandbox, &[&["checkout", "--ours", "--"], resolved].concat()));
        let merged = sandbox.snapshot("project/helix.skills");
        let line = sandbox.read("project/helix.skills/a/line.md");
        let lines = sandbox.read("project/helix.skills/a/lines.md");
        assert!(line.contains("<<<<<<<") && lines.starts_with('2') && lines.ends_with("3\n"));

        sandbox.skills(["sync", "--check"]).fails().says(["run `skills sync`"]);
        let run = sandbox.skills(["sync"]).exits(5);
        run.says(["a/line.md", "a/lines.md", "or after a merge, run `skills sync --restore`"]);
        let now = sandbox.snapshot("project/helix.skills");
        assert_eq!(now.changes_since(&merged), Vec::<String>::new());

        sandbox.skills(["sync", "--restore"]).succeeds();
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
        // The project is that of our side again.
        assert!(git(&sandbox, &["add", "."]) && git(&sandbox, &["diff", "--quiet", "HEAD"]));
    }
}

/// Offline, nothing says that a skill is not that of the locked commit.
#[test]
fn skill_of_another_commit_after_a_merge_is_reported() {
    let (_host, [upstream], server) = serve(["a"]);
    let source = |commit: &str, include: &[&str]| {
        let mut entry = entry(&server, "a");
        entry["sha"] = commit.into();
        entry["include"] = json!(include);
        json!({"a": entry})
    };
    let commit = |text: &str| upstream.commit(Change::new().skill("b").text("skills/b/x.md", text));
    let (old, new) = (commit("old"), commit("new"));
    let base = source(&old, &["a"]);
    let sandbox = merging(&base, &source(&new, &["a"]), &source(&old, &["a", "b"]));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();

    sandbox.skills(["outdated"]).exits(5).says(["the skill `b`", "run `skills remove b`"]);
    sandbox.skills(["remove", "b"]).succeeds();
    sandbox.skills(["add", &server.url("a"), "--include", "b"]).succeeds();
    sandbox.skills(["outdated"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills/b/x.md"), "new");
}

#[test]
fn side_that_is_no_lockfile_is_an_error() {
    let (_host, _, server) = serve(["a", "b", "c"]);
    let [a, b, c] = ["a", "b", "c"].map(|name| entry(&server, name));
    let sandbox = merging(&json!({"a": a}), &json!({"a": a, "b": b}), &json!({"a": a, "c": c}));
    sandbox.sources(&json!({"a": a, "b": b, "c": c}));
    let broken = sandbox.lock().replacen("\"version\": 1", "\"version\": 2", 1);
    sandbox.write("project/helix.skills.lock", &broken);
    let hint = "one side is not a lockfile: take the other with `git checkout --ours";
    sandbox.skills(["sync"]).exits(1).says(["conflict markers", hint]);
    assert_eq!(sandbox.lock(), broken);
}
