//! `skills add` and `skills remove`: the manifest is edited, then synced.

use super::{manifest, upstream};
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::{Value, json};

#[test]
fn add_without_a_pin_writes_the_newest_release_and_syncs() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    let run = sandbox.skills(["add", &server.url("tools")]).succeeds();
    let source = &manifest(&sandbox)["skills"]["tools"];
    assert_eq!(source["type"], "git");
    assert_eq!(source["url"], server.url("tools"));
    assert_eq!(
        source["version"], "1.2.0",
        "expected the newest release, not the pre-release or a branch"
    );
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta"]);
    assert_eq!(sandbox.locked_commit("tools"), upstream.id("v1.2.0^{commit}"));
    run.says([
        "next: commit helix.skills.json, helix.skills.lock and helix.skills/, then in Rust:",
        "include_skills!",
    ]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // If there was a lockfile already, the Rust line is not printed; if it does not change, there
    // is nothing to commit.
    sandbox.sources(
        &json!({"tools": {"type": "git", "url": server.url("tools"), "version": "0.9.0"}}),
    );
    let run = sandbox.skills(["sync"]).succeeds().never_prints("in Rust");
    run.says(["next: commit helix.skills.json, helix.skills.lock and helix.skills/\n"]);
    sandbox.remove_store();
    sandbox.skills(["sync", "--locked"]).succeeds().says(["synced"]).never_prints("next:");
}

#[test]
fn latest_is_answered_with_the_pins_that_mean_it() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let run = sandbox.skills(["add", &server.url("tools"), "--version", "latest"]).exits(2);
    run.says(["help: the newest release is 1.2.0: use `--version 1.2.0`, or `*` for each newest"]);
}

#[test]
fn new_manifest_is_that_of_the_package() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.write("project/Cargo.toml", "[workspace]\nmembers = [\"agent\"]\n");
    sandbox.write("project/agent/Cargo.toml", "[package]\nname = \"agent\"\n");
    sandbox.write("project/agent/src/lib.rs", "");
    let listed = sandbox.command(["add", &url, "--list"]).current_dir("project/agent/src").run();
    drop(listed.succeeds().never_prints("manifest"));
    let run = sandbox.command(["add", &url]).current_dir("project/agent/src").run().succeeds();
    run.says(["the manifest is that of the package in `", "/project/agent`\n"])
        .says(["for one manifest of the whole workspace, run `skills init` in `", "/project`\n"])
        .says(["created ../helix.skills.json\n"])
        .says(["commit ../helix.skills.json, ../helix.skills.lock and ../helix.skills/"]);
    assert!(sandbox.exists("project/agent/helix.skills.lock"));
    // It is found the next time.
    let run = sandbox.command(["sync", "--check"]).current_dir("project/agent/src").run();
    drop(run.succeeds());
    let run = sandbox.command(["add", &url]).current_dir("project/agent/src").run().succeeds();
    drop(run.says(["note: the manifest is `../helix.skills.json`\n"]).never_prints("package"));
    drop(sandbox.skills(["-C", "agent", "add", &url]).succeeds().never_prints("the manifest is"));
}

#[test]
fn add_creates_a_missing_manifest() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    // A failure writes nothing.
    let run = sandbox.skills(["add", &url, "--include", "nothing"]).exits(2);
    run.says(["note: no manifest was written\n"]);
    assert_eq!(sandbox.files("project"), [""; 0]);
    let hidden = Change::new().skill("odd").text("skills/odd/a.md", "a\u{2060}b");
    sandbox.upstream("hidden").commit(hidden);
    let run = sandbox.skills(["add", &server.url("hidden")]).exits(6);
    run.says(["note: no manifest was written; `--no-sync` writes it", "to the manifest\n"]);
    let planned = sandbox.skills(["add", &url, "--dry-run"]).succeeds();
    planned.prints(["created helix.skills.json\n", "added the source tools"]);
    assert_eq!(sandbox.files("project"), [""; 0]);
    let run = sandbox.skills(["add", &url]).succeeds();
    run.says(["created helix.skills.json\n", "added the source tools, version 1.2.0"]);
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["version"], "1.2.0");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // The manifest above is found.
    let below = sandbox.command(["add", &url, "--exclude", "beta"]);
    sandbox.write("project/src/lib.rs", "");
    below.current_dir("project/src").run().succeeds().never_prints("created");
    assert!(!sandbox.exists("project/src/helix.skills.json"));
    let other = Sandbox::new();
    other
        .skills(["add", &url, "--no-sync"])
        .succeeds()
        .says(["created", "next: run `skills sync`"]);
    assert_eq!(other.files("project"), ["helix.skills.json"]);
    assert_eq!(other.skills(["add", &url, "--json"]).succeeds().json()["created"], json!(false));
}

#[test]
fn add_with_pins_selection_and_name() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    let commit = upstream.id("v0.9.0");
    for (arguments, key, entry) in [
        (&["--version", "0.9.0"][..], "tools", json!({"version": "0.9.0"})),
        (&["--version", "^1"], "tools", json!({"version": "^1"})),
        (&["--ref", "main", "--name", "kit"], "kit", json!({"ref": "main"})),
        (&["--sha", &commit], "tools", json!({"sha": commit})),
        (
            &["--include", "beta", "--version", "1.2.0"],
            "tools",
            json!({"version": "1.2.0", "include": ["beta"]}),
        ),
        (
            &["--include", "beta,alpha", "--ref", "main"],
            "tools",
            json!({"ref": "main", "include": ["alpha", "beta"]}),
        ),
    ] {
        sandbox.remove("project/helix.skills.json");
        sandbox.forget();
        sandbox.skills(["init"]).succeeds();
        sandbox.skills(["add", &url].iter().copied().chain(arguments.iter().copied())).succeeds();
        let mut expected = json!({"type": "git", "url": url});
        expected.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
        assert_eq!(manifest(&sandbox)["skills"], json!({ key: expected }), "{arguments:?}");
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn add_accepts_github_owner_and_repository() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.write(
        "home/.gitconfig",
        format!("[url \"{}/\"]\n\tinsteadOf = https://github.com/someone/\n", server.base()),
    );
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "someone/tools"]).succeeds();
    assert_eq!(
        manifest(&sandbox)["skills"]["tools"]["url"],
        "https://github.com/someone/tools.git"
    );
    assert!(!sandbox.lock().contains("127.0.0.1"), "{}", sandbox.lock());
}

#[test]
fn add_accepts_a_path() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "./own"]).succeeds();
    let source = &manifest(&sandbox)["skills"]["own"];
    assert_eq!(source["type"], "path");
    assert!(source["path"] == "own" || source["path"] == "./own", "{source}");
    assert_eq!(sandbox.locked_skills(), ["one"]);
    assert!(!sandbox.exists("project/helix.skills/one"));
}

#[test]
fn add_without_releases_pins_the_default_branch() {
    let sandbox = Sandbox::new();
    sandbox.upstream("fresh").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("fresh")]).succeeds().says(["no release"]);
    assert_eq!(sandbox.locked_skills(), ["a"]);
    let run = sandbox
        .skills(["--json", "add", &server.url("fresh"), "--name", "again", "--prefix", "x-"])
        .succeeds();
    assert!(run.json()["warnings"][0].as_str().unwrap().contains("no release tags"), "{run}");
    let source = &manifest(&sandbox)["skills"]["fresh"];
    assert_eq!(source["version"], Value::Null, "{source}");
}

#[test]
fn failed_add_changes_nothing() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let manifest = "{\n  // ours\n  \"skills\": {},\n}\n";
    sandbox.manifest(manifest);
    let url = server.url("tools");
    let gone = server.url("gone");
    for arguments in [
        &["add", &gone][..],
        &["add", &url, "--version", "9.9.9"],
        &["add", &url, "--include", "no-such-skill"],
        &["add", &url, "--version", ">=1 <2"],
        &["add", &url, "--sha", "123"],
        &["add", &url, "--ref", "--upload-pack=x"],
        &["add", &url, "--include", "a/b"],
        &["add", &url, "--name", "../evil"],
        &["add", &url, "--version", "1.2.0", "--ref", "main"],
        &["add", "./nowhere"],
        &["add", "-x"],
        &["add", "ext::sh -c id"],
        &["add", ""],
    ] {
        let run = sandbox.skills(arguments).fails();
        assert_eq!(sandbox.read("project/helix.skills.json"), manifest, "{run}");
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{run}");
    }
}

/// Syntax of other tools and ambiguous arguments are rejected with the right way to write them.
#[test]
fn add_rejects_ambiguous_arguments_with_alternatives() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds();
    sandbox.write("project/skills/good/SKILL.md", skill_md("good"));
    sandbox.write("project/a-file", "");
    let before = sandbox.snapshot("project");
    for (arguments, said) in [
        (
            &["skills/good"][..],
            &[
                "`skills/good` is a local directory, but does not start with `./`",
                "use `./skills/good` for the directory or `https://github.com/skills/good.git` for the repository",
            ][..],
        ),
        (&["superpowers"], &["`superpowers` is not a source", "help: pass OWNER/REPO["]),
        (&["./a-file"], &["`./a-file` is not a directory"]),
        (
            &["--version", "1", "./skills"],
            &[
                "`--version` is for a git repository, but `./skills` is a plain directory",
                "remove `--version`",
            ],
        ),
        (&["--plugin", "x", "./skills"], &["`--plugin` is for a git repository"]),
        (&["--skills-dir", "x", "./skills"], &["remove `--skills-dir`"]),
    ] {
        sandbox.skills(["add"].iter().chain(arguments)).exits(2).says(said);
    }
    for (url, said) in [
        ("git@github.com:o/r.git#dev", "with `--ref`, not in the URL"),
        ("ssh://git@github.com/o/r.git#dev", "with `--ref`, not in the URL"),
        ("https://gitlab.com/o/r.git#dev", "with `--ref`, not in the URL"),
        ("plugin@marketplace", "`plugin@marketplace` is not a source"),
    ] {
        sandbox.skills(["add", url]).exits(2).says([said]);
    }
    sandbox.skills(["add", "user:hidden@host/o/r@v1"]).exits(2).never_prints("hidden");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

/// The manifest has no entry yet that the user could edit.
#[test]
fn hints_of_add_are_about_its_options() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    let before = sandbox.snapshot("project");
    let gone = "deadbeef".repeat(5);
    for (arguments, what, hint) in [
        (
            &[&url, "--plugin", "x"][..],
            "the repository is not a marketplace",
            "help: use `\"type\": \"git\"` for a repository of skills\n",
        ),
        (
            &[&url, "--sha", &gone],
            "does not have the pinned commit",
            "help: set `sha` to a commit of the repository\n",
        ),
        (
            &[&url, "--sha", "deadbeef"],
            "`--sha <COMMIT>`: expected a full commit id, 40 or 64 hexadecimal digits",
            "; `git rev-parse deadbeef` in a clone prints the full id\n",
        ),
        (
            &["http://example.com/x.git"],
            "plain http goes to another machine",
            "help: use https; if the server has only http, write the source with \
             `\"allowInsecure\": true` to the manifest and run `skills sync`\n",
        ),
    ] {
        sandbox.skills(["add"].iter().chain(arguments)).exits(2).says([what, hint]);
    }
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn add_and_remove_keep_comments_and_formatting() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    let before = "{\n    // what we ship\n    \"skills\": {\n        /* ours */ \"house\": {\"type\": \"path\",   \"path\": \"own\"}, // first\n    },\n    \"limits\": { \"filesPerSkill\": 500 }, // enough\n}\n";
    sandbox.manifest(before);
    sandbox.skills(["add", &server.url("tools"), "--version", "1.2.0"]).succeeds();
    let added = sandbox.read("project/helix.skills.json");
    for kept in [
        "// what we ship",
        "/* ours */ \"house\": {\"type\": \"path\",   \"path\": \"own\"}",
        "// first",
        "// enough",
        "\"limits\": { \"filesPerSkill\": 500 }",
    ] {
        assert!(added.contains(kept), "`{kept}` is missing: {added}");
    }
    assert!(
        added.contains("\n        \"tools\": {"),
        "expected the indentation of its neighbors: {added}"
    );
    assert_eq!(sandbox.locked_skills(), ["alpha", "beta", "one"]);

    sandbox.skills(["remove", "tools"]).succeeds();
    let removed = sandbox.read("project/helix.skills.json");
    assert!(
        !removed.contains("tools") && removed.contains("// first") && removed.contains("// enough"),
        "{removed}"
    );
    assert_eq!(sandbox.locked_skills(), ["one"]);
    assert!(!sandbox.exists("project/helix.skills/alpha"));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn remove_of_unknown_source_lists_known_ones() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox.skills(["remove", "tolls"]).exits(2).says(["tolls", "tools"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn unreadable_lockfile_does_not_hide_an_unknown_name() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    sandbox.skills(["remove", "alpah"]).exits(2).says(["did you mean `alpha`?"]);
    sandbox.write("project/helix.skills.lock", "oops");
    let text =
        "error: the manifest has no source or skill `alpha`\nhelp: it has the source `tools`\n";
    sandbox.skills(["remove", "alpha"]).exits(2).says([text]);
}

#[test]
fn add_and_remove_can_skip_the_sync() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox
        .skills(["add", &server.url("tools"), "--version", "1.2.0", "--no-sync"])
        .succeeds()
        .says(["skills sync"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    assert_eq!(server.traffic().requests, 0);
}

/// The manifest is written to a temporary file first and renamed last.
#[test]
fn add_with_unwritable_manifest_changes_nothing() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    std::fs::create_dir(sandbox.path("project/.helix.skills.json.new")).unwrap();
    sandbox.skills(["add", "./own"]).exits(7);
    assert_eq!(sandbox.files("project"), ["helix.skills.json", "own/a/SKILL.md"]);
}
