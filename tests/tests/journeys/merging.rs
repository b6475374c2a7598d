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

#[test]
fn skill_of_another_commit_after_a_merge_is_read_again() {
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
    let run = sandbox.skills(["sync", "--check", "--store"]).exits(5);
    run.says(["another `x.md` for the skill `b` than `skills/b` of the commit", &new]);

    sandbox.skills(["outdated"]).exits(5).says(["the skill `b`", "run `skills sync`"]);
    sandbox.skills(["sync", "--offline"]).succeeds().says(["nothing to do"]);
    sandbox.skills(["sync"]).succeeds().says(["updated b (2 files, ", "), was sha256:"]);
    assert_eq!(sandbox.read("project/helix.skills/b/x.md"), "new");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.skills(["outdated"]).succeeds();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds().says(["nothing to do"]);
    assert!(server.exchanges().is_empty());
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

/// A server of the repository `tools`, whose release v1.0.0 has these skills.
fn tools() -> (Sandbox, Upstream, GitServer) {
    let host = Sandbox::new();
    let upstream = host.upstream("tools");
    upstream
        .commit(["alpha", "beta", "gamma", "delta"].into_iter().fold(Change::new(), Change::skill));
    upstream.tag("v1.0.0");
    let server = host.serve();
    (host, upstream, server)
}

/// Releases a version with other texts of all skills.
fn release(upstream: &Upstream, tag: &str) {
    let text = |change: Change, name| change.text(&format!("skills/{name}/x.md"), tag);
    upstream.commit(["alpha", "beta", "gamma", "delta"].into_iter().fold(Change::new(), text));
    upstream.tag(tag);
}

/// The source `tools` with this pin and these skills.
fn including(server: &GitServer, version: &str, include: &[&str]) -> Value {
    let mut entry = entry(server, "tools");
    (entry["version"], entry["include"]) = (version.into(), json!(include));
    json!({"tools": entry})
}

fn has_text(sandbox: &Sandbox, name: &str, text: Option<&str>) {
    let path = format!("project/helix.skills/{name}/x.md");
    let found = sandbox.exists(&path).then(|| sandbox.read(&path));
    assert_eq!(found.as_deref(), text, "{name}");
}

#[test]
fn merged_includes_keep_the_common_commit() {
    let (_host, upstream, server) = tools();
    let first = upstream.id("v1.0.0");
    let of = |include: &[&str]| including(&server, "^1", include);
    let bases = [json!({}), of(&["alpha"])];
    let merge = |base: &Value| merging(base, &of(&["alpha", "beta"]), &of(&["alpha", "gamma"]));
    let sandboxes = bases.each_ref().map(merge);
    release(&upstream, "v1.1.0");
    for sandbox in sandboxes {
        assert!(sandbox.lock().contains("<<<<<<<"), "{}", sandbox.lock());
        // A skill that no side has is read from the common commit, too.
        sandbox.sources(&of(&["alpha", "beta", "gamma", "delta"]));
        let run = sandbox.skills(["sync", "--restore"]).succeeds().says(["added delta ("]);
        run.never_prints("updated").never_prints("added alpha").never_prints("added beta");
        assert_eq!(sandbox.locked_commit("tools"), first);
        assert_eq!(sandbox.locked_skills(), ["alpha", "beta", "delta", "gamma"]);
        for name in ["alpha", "beta", "gamma", "delta"] {
            has_text(&sandbox, name, None);
        }
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn merged_includes_need_no_network() {
    let (_host, upstream, server) = tools();
    let first = upstream.id("v1.0.0");
    let of = |include: &[&str]| including(&server, "^1", include);
    let merge = || merging(&json!({}), &of(&["alpha", "beta"]), &of(&["alpha", "gamma"]));
    for include in [&["alpha", "beta", "gamma"][..], &["beta", "gamma"]] {
        for forget in [false, true] {
            let sandbox = merge();
            server.take_traffic();
            sandbox.sources(&of(include));
            if forget {
                // The cache has the files.
                sandbox.remove_store();
            }
            let run = sandbox.skills(["sync", "--offline", "--restore"]).succeeds();
            drop(run.says(["not compared with the locked commit: run `skills outdated tools`"]));
            assert_eq!(server.traffic().requests, 0);
            assert_eq!(sandbox.locked_skills(), include);
            assert_eq!(sandbox.locked_commit("tools"), first);
            sandbox.skills(["sync", "--check", "--store"]).succeeds();
            sandbox.skills(["outdated"]).succeeds();
            assert!(include.contains(&"alpha") || !sandbox.exists("project/helix.skills/alpha"));
        }
    }
    let sandbox = merge();
    sandbox.sources(&of(&["alpha", "delta"]));
    sandbox.skills(["sync", "--offline"]).exits(3).says(["`tools`"]);
}

/// Git merges the lockfile without markers if other lines are between the changed ones.
#[test]
fn clean_merge_keeps_the_common_commit() {
    let host = Sandbox::new();
    let upstream = host.upstream("tools");
    upstream.commit(["a", "b", "c", "d", "e"].into_iter().fold(Change::new(), Change::skill));
    let server = host.serve();
    let of = |include: &[&str]| {
        let mut entry = entry(&server, "tools");
        entry["include"] = json!(include);
        json!({"tools": entry})
    };
    let sandbox =
        merging(&of(&["b", "c", "d"]), &of(&["a", "b", "c", "d"]), &of(&["b", "c", "d", "e"]));
    let lock = sandbox.lock();
    assert!(!lock.contains("<<<<<<<"), "{lock}");
    upstream.commit(Change::new().text("skills/b/x.md", "new"));
    sandbox.sources(&of(&["a", "b", "c", "d", "e"]));
    sandbox.skills(["sync", "--offline"]).succeeds().says(["nothing to do"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    assert_eq!(sandbox.lock(), lock);
}

#[test]
fn merged_pin_keeps_the_commit_that_it_allows() {
    let (_host, upstream, server) = tools();
    let (ours, theirs) = (
        including(&server, "^1", &["alpha", "beta"]),
        including(&server, "1.0.0", &["alpha", "gamma"]),
    );
    let merge = || merging(&including(&server, ">=1", &["alpha"]), &ours, &theirs);
    let sandboxes = [merge(), merge(), merge()];
    release(&upstream, "v1.1.0");
    release(&upstream, "v2.0.0");
    let pins = [("1.0.0", "v1.0.0"), (">=1.0, <2", "v1.0.0"), ("^2", "v2.0.0")];
    for (sandbox, (version, tag)) in sandboxes.into_iter().zip(pins) {
        sandbox.sources(&including(&server, version, &["alpha", "beta", "gamma"]));
        let run = sandbox.skills(["sync", "--restore"]).succeeds().never_prints("added alpha");
        assert_eq!(sandbox.locked_commit("tools"), upstream.id(tag), "{version}: {run}");
        has_text(&sandbox, "alpha", (tag == "v2.0.0").then_some(tag));
        let updated =
            run.stderr.contains("updated alpha (2 files, ") && run.stderr.contains(", was sha256:");
        assert_eq!(updated, tag == "v2.0.0", "{run}");
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn differing_commits_of_a_merge_are_resolved_again() {
    let (_host, upstream, server) = tools();
    let of = |include: &[&str]| including(&server, "^1", include);
    let sandbox = Sandbox::new();
    let git = |arguments: &[&str]| assert!(git(&sandbox, arguments), "{arguments:?}");
    let commit = |sources: &Value| {
        sandbox.sources(sources);
        sandbox.skills(["update"]).succeeds();
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", "x"]);
    };
    git(&["init", "--quiet", "--initial-branch", "ours"]);
    git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
    git(&["branch", "theirs"]);
    commit(&of(&["alpha", "beta"]));
    release(&upstream, "v1.1.0");
    git(&["checkout", "--quiet", "theirs"]);
    commit(&of(&["alpha", "gamma"]));
    release(&upstream, "v1.2.0");
    git(&["checkout", "--quiet", "ours"]);
    let _ = git_command()
        .args(["merge", "--quiet", "--no-edit", "theirs"])
        .current_dir(sandbox.project(""))
        .output();
    sandbox.sources(&of(&["alpha", "beta", "gamma"]));
    sandbox.skills(["sync", "--offline", "--restore"]).exits(3).says(["`tools`"]);
    let run = sandbox.skills(["sync", "--restore"]).succeeds().never_prints("added");
    let was = upstream.id("v1.0.0");
    let run = run.says([
        "both sides of the merge changed `tools`: resolved again".to_owned(),
        format!(", was {}", &was[..12]),
        "updated alpha (2 files, ".to_owned(),
        "updated beta (2 files, ".to_owned(),
        "updated gamma (2 files, ".to_owned(),
        "review: run `git show HEAD:./helix.skills.lock | skills diff -`".to_owned(),
    ]);
    assert_eq!(run.stderr.matches(", was sha256:").count(), 3, "{run}");
    assert_eq!(sandbox.locked_commit("tools"), upstream.id("v1.2.0"));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// Git takes the commit of one side and the skills of both, although a part is in conflict.
#[test]
fn merged_skills_are_read_from_the_locked_commit() {
    let (_host, upstream, server) = tools();
    let first = upstream.id("v1.0.0");
    release(&upstream, "v1.1.0");
    let second = upstream.id("v1.1.0");
    let source = |commit: &str, include: &[&str]| {
        let mut entry = entry(&server, "tools");
        (entry["sha"], entry["include"]) = (commit.into(), json!(include));
        json!({"tools": entry})
    };
    let merge = || {
        let sandbox = merging(
            &source(&first, &["alpha"]),
            &source(&first, &["alpha", "beta"]),
            &source(&second, &["alpha", "gamma"]),
        );
        let lock = sandbox.lock();
        assert!(
            lock.contains("<<<<<<<") && !lock.contains(&format!("\"commit\": \"{first}\"")),
            "{lock}"
        );
        sandbox.sources(&source(&second, &["alpha", "beta", "gamma"]));
        sandbox
    };
    let sandbox = merge();
    let run = sandbox.skills(["sync", "--restore"]).succeeds();
    run.says(["updated beta (2 files, "]).never_prints("added beta");
    for name in ["alpha", "beta", "gamma"] {
        has_text(&sandbox, name, Some("v1.1.0"));
    }
    sandbox.skills(["outdated"]).succeeds();

    // Offline, the sides are not united, because they have different texts of `alpha`.
    let sandbox = merge();
    sandbox.skills(["sync", "--restore", "--offline"]).exits(3).says(["`tools`"]);
}

/// A lockfile of a version that searched only the first level has fewer skills than its commit.
#[test]
fn merge_takes_no_skill_that_neither_side_locked() {
    let (_host, [upstream], server) = serve(["a"]);
    upstream.commit(Change::new().skill("c").skill_at("skills/group/b", "b"));
    let with = |keys: Value| {
        let mut entry = entry(&server, "a");
        entry.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        json!({ "kit": entry })
    };
    let sandbox = Sandbox::with_manifest(&json!({"skills": {}}).to_string());
    let git = |arguments: &[&str]| git(&sandbox, arguments);
    let commit = || assert!(git(&["add", "."]) && git(&["commit", "--quiet", "-m", "x"]));
    assert!(git(&["init", "--quiet", "--initial-branch", "ours"]));
    sandbox.sources(&with(json!({"include": ["a", "c"]})));
    sandbox.skills(["sync"]).succeeds();
    let mut lock = sandbox.lock_json();
    let source = lock["sources"]["kit"].as_object_mut().unwrap();
    source.remove("directories");
    source["request"].as_object_mut().unwrap().remove("include");
    sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
    sandbox.sources(&with(json!({})));
    commit();
    assert!(git(&["branch", "theirs"]));
    for (branch, keys) in [("ours", json!({"prefix": "x-"})), ("theirs", json!({"exclude": ["c"]}))]
    {
        assert!(git(&["checkout", "--quiet", branch]));
        sandbox.sources(&with(keys));
        sandbox.skills(["sync"]).succeeds();
        commit();
    }
    assert!(git(&["checkout", "--quiet", "ours"]));
    assert!(!git(&["merge", "--quiet", "--no-edit", "theirs"]), "there is no conflict");
    sandbox.sources(&with(json!({"prefix": "x-", "exclude": ["c"]})));
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["x-a"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // Unless the manifest names it.
    sandbox.sources(&with(json!({"prefix": "x-", "include": ["a", "b"]})));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["x-a", "x-b"]);
}
