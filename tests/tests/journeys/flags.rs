//! The flags of `sync`, and how a project is found.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::json;

fn project() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a").skill("b"));
    upstream.tag("v1.0.0");
    let server = sandbox.serve();
    select(&sandbox, &server, &["a"]);
    (sandbox, upstream, server)
}

fn select(sandbox: &Sandbox, server: &GitServer, include: &[&str]) {
    sandbox.sources(&json!({"repo": {
        "type": "git", "url": server.url("repo"), "version": "1.0.0", "include": include,
    }}));
}

#[test]
fn locked_keeps_the_lockfile_and_fills_the_store() {
    let (sandbox, _upstream, server) = project();
    sandbox.skills(["sync", "--locked"]).exits(1).says(["skills sync"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync", "--locked"]).succeeds();
    assert!(sandbox.exists("project/helix.skills/a/SKILL.md"));

    let before = sandbox.snapshot("project").without(&["helix.skills.json"]);
    select(&sandbox, &server, &["a", "b"]);
    server.take_traffic();
    sandbox.skills(["sync", "--locked"]).exits(1).says(["repo"]);
    assert_eq!(server.traffic().requests, 0, "expected drift to be found offline");
    let after = sandbox.snapshot("project").without(&["helix.skills.json"]);
    assert_eq!(after.changes_since(&before), Vec::<String>::new());
}

#[test]
fn offline_uses_only_the_cache() {
    let (sandbox, _upstream, server) = project();
    sandbox.skills(["sync", "--offline"]).exits(3).says(["--offline", "it is not locked yet"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    sandbox.skills(["sync"]).succeeds();
    let store = sandbox.snapshot("project/helix.skills");
    sandbox.remove_store();
    server.take_traffic();
    sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
    sandbox.remove_store();
    sandbox.remove_cache();
    let run = sandbox.skills(["sync", "--offline"]).exits(3);
    run.says(["`a`", "neither the store nor the cache has the locked files"]);
    select(&sandbox, &server, &["a", "b"]);
    sandbox
        .skills(["sync", "--offline"])
        .exits(3)
        .says(["was changed since it was locked", "`include`"]);
    assert_eq!(server.traffic().requests, 0);
}

#[test]
fn offline_removes_unrequested_skills() {
    let (sandbox, _upstream, server) = project();
    select(&sandbox, &server, &["a", "b"]);
    sandbox.skills(["sync"]).succeeds();
    sandbox.manifest("{\"skills\": {}}");
    sandbox.skills(["sync", "--offline"]).succeeds();
    assert!(sandbox.locked_skills().is_empty());
}

#[test]
fn frozen_is_locked_and_offline() {
    let (sandbox, _upstream, server) = project();
    sandbox.skills(["sync", "--frozen"]).exits(1);
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    server.take_traffic();
    sandbox.skills(["sync", "--frozen"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync", "--frozen"]).exits(3);
    select(&sandbox, &server, &["b"]);
    sandbox.skills(["sync", "--frozen"]).exits(1);
    assert_eq!(server.traffic().requests, 0);
}

#[test]
fn dry_run_prints_the_plan_and_writes_nothing() {
    let (sandbox, _upstream, server) = project();
    sandbox.skills(["sync", "--dry-run"]).succeeds().prints(["add", " a "]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    sandbox.skills(["sync"]).succeeds();
    select(&sandbox, &server, &["b"]);
    let before = sandbox.snapshot("project");
    drop(sandbox.skills(["sync", "--dry-run", "--json"]).succeeds().json());
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn file_names_are_options() {
    let (sandbox, _upstream, _server) = project();
    let manifest = sandbox.read("project/helix.skills.json");
    sandbox.remove("project/helix.skills.json");
    sandbox.write("project/etc/wanted.json", manifest);
    let named =
        ["--manifest", "etc/wanted.json", "--lock", "etc/exact.lock", "--out", "vendor/skills"];
    sandbox.skills(["sync"].iter().chain(&named)).succeeds();
    assert_eq!(
        sandbox.files("project"),
        [
            "etc/exact.lock",
            "etc/wanted.json",
            "vendor/skills/.gitattributes",
            "vendor/skills/a.sha256",
            "vendor/skills/a/SKILL.md",
        ]
    );
    sandbox.skills(["sync", "--check", "--store"].iter().chain(&named)).succeeds();
    sandbox
        .skills(["sync", "--check", "--manifest", "nowhere.json"])
        .exits(2)
        .says(["nowhere.json"]);
}

#[test]
fn project_is_found_in_parent_directories() {
    let (sandbox, _upstream, _server) = project();
    sandbox.write("project/src/deep/lib.rs", "");
    sandbox.command(["sync"]).current_dir("project/src/deep").run().succeeds();
    assert!(sandbox.exists("project/helix.skills/a/SKILL.md"));
    assert_eq!(sandbox.files("project/src"), ["deep/lib.rs"]);
    sandbox.command(["sync", "--check"]).current_dir("project/src").run().succeeds();
}

#[test]
fn missing_manifest_exits_2_and_suggests_init() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["sync"][..], &["sync", "--check"], &["list"], &["show", "a"], &["remove", "a"]]
    {
        sandbox.skills(arguments).exits(2).says(["helix.skills.json", "skills init"]);
    }
    let run = sandbox.skills(["sync", "--json"]).exits(2);
    assert!(run.json()["errors"].is_array(), "{run}");
}

#[test]
fn invalid_arguments_exit_2() {
    let sandbox = Sandbox::new();
    for arguments in [&["snyc"][..], &["sync", "--chekc"], &["sync", "--manifest"], &["show"], &[]]
    {
        let run = sandbox.skills(arguments).exits(2);
        assert!(run.stdout.is_empty(), "{run}");
    }
    sandbox.skills(["snyc"]).exits(2).says(["sync"]);
    sandbox.skills(["help", "snyc"]).exits(2).says(["a similar subcommand exists: `sync`"]);
}

#[test]
fn help_and_version_go_to_stdout() {
    let sandbox = Sandbox::new();
    for arguments in
        [&["--help"][..], &["-h"], &["sync", "--help"], &["add", "--help"], &["--version"]]
    {
        let run = sandbox.skills(arguments).succeeds();
        assert!(!run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    }
    let help = sandbox.skills(["--help"]).succeeds();
    let place =
        |name: &str| help.stdout.find(name).unwrap_or_else(|| panic!("no `{name}`: {help}"));
    let on_top = ["init", "add", "remove", "sync"].map(|name| place(&format!("\n  {name}")));
    assert!(on_top.is_sorted() && on_top[3] < place("\n  list"), "{help}");
}

#[test]
fn sync_messages_go_to_stderr_and_json_to_stdout() {
    let (sandbox, _upstream, _server) = project();
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(
        !run.stderr.contains('\u{1b}') && !run.stdout.contains('\u{1b}'),
        "expected no colors without a terminal: {run:?}"
    );
    sandbox.forget();
    drop(sandbox.skills(["sync", "--json"]).succeeds().json());
    drop(sandbox.skills(["sync", "--json"]).succeeds().json());
}

#[test]
fn color_follows_the_usual_variables() {
    let sandbox = Sandbox::new();
    let has_colors = |run: &helix_skills_tests::Run| run.stderr.contains('\u{1b}');
    let plain = sandbox.skills(["sync"]).exits(2);
    let forced = sandbox.command(["sync"]).env("CLICOLOR_FORCE", "1").run().exits(2);
    let forbidden = sandbox.command(["sync"]).env("NO_COLOR", "1").run().exits(2);
    let asked = sandbox.skills(["--color", "always", "sync"]).exits(2);
    let refused =
        sandbox.command(["--color", "never", "sync"]).env("CLICOLOR_FORCE", "1").run().exits(2);
    assert_eq!(
        [&plain, &forced, &forbidden, &asked, &refused].map(has_colors),
        [false, true, false, true, false],
        "{plain}{forced}{forbidden}{asked}{refused}"
    );
}

#[test]
fn out_that_names_a_file_is_a_usage_error() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds();
    sandbox.write("project/notes", "mine\n");
    let run = sandbox.skills(["sync", "--out", "notes"]).exits(2);
    run.says(["`--out notes` names a file; the store is a directory"]);
    assert_eq!(sandbox.read("project/notes"), "mine\n");
    sandbox.write("project/old.rs/README.md", "A directory.\n");
    for out in ["vendor", "old.rs"] {
        sandbox.skills(["sync", "--out", out]).succeeds();
    }
}
