//! Local git repositories as sources, and URLs that the user's git configuration rewrites.

use helix_skills_tests::{Change, Sandbox, Upstream};
use serde_json::json;

fn repository() -> (Sandbox, Upstream) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(
        Change::new()
            .skill("a")
            .executable("skills/a/run.sh", "#!/bin/sh\n")
            .link("skills/a/l.md", "SKILL.md"),
    );
    upstream.annotated_tag("v1.0.0", "main");
    (sandbox, upstream)
}

#[test]
fn local_repository_is_read_by_path_or_file_url() {
    let (sandbox, upstream) = repository();
    let absolute = upstream.path().display().to_string();
    let mut stores = Vec::new();
    for url in ["../upstream/repo.git".to_owned(), absolute.clone(), format!("file://{absolute}")] {
        for pin in [
            json!({"version": "1.0.0"}),
            json!({"ref": "main"}),
            json!({}),
            json!({"sha": upstream.id("main")}),
        ] {
            let mut source = json!({"type": "git", "url": url});
            source.as_object_mut().unwrap().extend(pin.as_object().unwrap().clone());
            sandbox.sources(&json!({ "repo": source }));
            sandbox.forget();
            let nothing = sandbox.path("outside");
            sandbox.command(["sync"]).env("PATH", &nothing).run().succeeds();
            assert_eq!(sandbox.locked_commit("repo"), upstream.id("main"), "{source}");
            assert!(sandbox.lock().contains(&url), "expected the URL as written in the lockfile");
            stores.push(sandbox.snapshot("project/helix.skills"));

            sandbox.remove_store();
            sandbox.remove_cache();
            sandbox.skills(["sync", "--locked"]).succeeds();
            assert_eq!(sandbox.snapshot("project/helix.skills").contents(), stores[0].contents());
        }
    }
    assert!(stores.iter().all(|store| store.contents() == stores[0].contents()));
}

#[test]
fn work_tree_is_read_by_its_commits() {
    let (sandbox, upstream) = repository();
    let clone = sandbox.path("upstream/clone").display().to_string();
    upstream.git(["clone", "--quiet", upstream.path().to_str().unwrap(), &clone]);
    sandbox.write("upstream/clone/skills/a/SKILL.md", "edited and not committed\n");
    sandbox.sources(&json!({"repo": {"type": "git", "url": "../upstream/clone"}}));
    sandbox.skills(["sync"]).succeeds();
    assert!(sandbox.read("project/helix.skills/a/SKILL.md").contains("name: a"));
}

#[test]
fn t23_replacements_of_a_local_repository_are_ignored() {
    let (sandbox, upstream) = repository();
    let honest = upstream.id("main:skills/a/SKILL.md");
    let evil = upstream.write_blob(b"---\nname: a\ndescription: Evil.\n---\nevil\n");
    upstream.git(["replace", &honest, &evil]);
    let replacement = upstream.git(["cat-file", "-p", &honest]);
    assert!(replacement.contains("Evil"), "expected git itself to use the replacement");
    sandbox.sources(&json!({"repo": {"type": "git", "url": "../upstream/repo.git"}}));
    let run = sandbox.skills(["sync"]);
    if run.code == Some(0) {
        assert!(sandbox.read("project/helix.skills/a/SKILL.md").contains("Does a things"));
    } else {
        run.fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
}

#[test]
fn path_without_a_repository_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("outside/plain/x.txt", "x\n");
    for url in ["../outside/plain", "../outside/nowhere", "file:///nonexistent/x"] {
        sandbox.sources(&json!({"repo": {"type": "git", "url": url}}));
        sandbox
            .skills(["sync"])
            .fails()
            .says([url.trim_start_matches("file://").trim_start_matches("../")]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
}

#[test]
fn paths_are_relative_to_the_manifest() {
    let (sandbox, _upstream) = repository();
    sandbox.write("project/src/lib.rs", "");
    sandbox.sources(&json!({"repo": {"type": "git", "url": "../upstream/repo.git"}}));
    sandbox.command(["sync"]).current_dir("project/src").run().succeeds();
    assert_eq!(sandbox.locked_skills(), ["a"]);
}

#[test]
fn instead_of_rewrites_requests_but_not_the_lockfile() {
    let (sandbox, upstream) = repository();
    let server = sandbox.serve();
    let url = "https://github.com/example/repo.git";
    sandbox.sources(&json!({"repo": {"type": "git", "url": url, "version": "1.0.0"}}));
    for base in
        [format!("{}/", server.base()), format!("file://{}/", sandbox.path("upstream").display())]
    {
        sandbox.write(
            "home/.gitconfig",
            format!("[url \"{base}\"]\n\tinsteadOf = https://github.com/example/\n"),
        );
        sandbox.forget();
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(sandbox.locked_commit("repo"), upstream.id("main"));
        let lock = sandbox.lock();
        assert!(lock.contains(url) && !lock.contains(&base), "{lock}");
    }
    assert_eq!(server.traffic().requests, 3);
}

/// T11: only the rewritten URL is taken from the user's configuration, and it is checked like any
/// other.
#[test]
fn t11_instead_of_cannot_run_a_command() {
    let (sandbox, _upstream) = repository();
    sandbox
        .sources(&json!({"repo": {"type": "git", "url": "https://github.com/example/repo.git"}}));
    for base in ["ext::sh -c 'touch ran' ", "--upload-pack=touch ran/"] {
        sandbox.write(
            "home/.gitconfig",
            format!("[protocol \"ext\"]\n\tallow = always\n[url \"{base}\"]\n\tinsteadOf = https://github.com/\n"),
        );
        sandbox.skills(["sync", "--offline"]).fails();
        sandbox.skills(["sync"]).fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
}

#[test]
fn local_repository_with_several_sources() {
    let (sandbox, upstream) = repository();
    upstream.commit(Change::new().skill("b").remove("skills/a/l.md"));
    upstream.tag("v2.0.0");
    sandbox.sources(&json!({
        "old": {"type": "git", "url": "../upstream/repo.git", "version": "1.0.0"},
        "new": {"type": "git", "url": "../upstream/repo.git", "version": "^2", "include": ["b"]},
    }));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["a", "b"]);
    assert_ne!(sandbox.locked_commit("old"), sandbox.locked_commit("new"));
}
