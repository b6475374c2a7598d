//! Symbolic links are followed inside the commit, never on the disk.

use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::json;
use std::path::Path;

fn serve(change: Change) -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("linked");
    upstream.commit(change);
    let server = sandbox.serve();
    sandbox
        .sources(&json!({"linked": {"type": "git", "url": server.url("linked"), "ref": "main"}}));
    (sandbox, upstream, server)
}

fn stored(sandbox: &Sandbox) -> Vec<String> {
    let files = sandbox.files("project/helix.skills");
    for file in &files {
        let data = sandbox.path(format!("project/helix.skills/{file}")).symlink_metadata().unwrap();
        assert!(data.is_file(), "{file} is not a regular file");
    }
    files
}

/// Checks that these links of `skills/a` fail the sync with their path, and that nothing is
/// written.
fn is_refused(links: &[(&str, &str)]) {
    let mut change = Change::new().skill("a").skill("good").text("shared/x.md", "x\n");
    for (path, target) in links {
        change = change.link(&format!("skills/a/{path}"), target);
    }
    let (sandbox, _upstream, server) = serve(change);
    sandbox.write("outside/secret.txt", "not for you\n");
    sandbox.skills(["sync"]).exits(1).says([links[0].0, "skills/a"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{links:?}");
    // An unrequested skill does no harm.
    sandbox.sources(
        &json!({"linked": {"type": "git", "url": server.url("linked"), "include": ["good"]}}),
    );
    sandbox.skills(["sync"]).succeeds();
}

#[test]
fn link_inside_the_skill_becomes_a_file() {
    let (sandbox, _upstream, _server) = serve(
        Change::new()
            .skill("a")
            .text("skills/a/docs/real.md", "real\n")
            .link("skills/a/alias.md", "docs/real.md")
            .link("skills/a/docs/back.md", "../docs/./real.md")
            .link("skills/a/again.md", "alias.md")
            .link("skills/a/folder", "docs"),
    );
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        stored(&sandbox),
        [
            ".gitattributes",
            "a.sha256",
            "a/SKILL.md",
            "a/again.md",
            "a/alias.md",
            "a/docs/back.md",
            "a/docs/real.md",
            "a/folder/back.md",
            "a/folder/real.md",
        ]
    );
    assert_eq!(sandbox.read("project/helix.skills/a/again.md"), "real\n");
    assert_eq!(sandbox.lock_json()["skills"]["a"]["links"], serde_json::Value::Null);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn link_within_the_repository_is_followed_and_locked() {
    let (sandbox, upstream, server) = serve(
        Change::new()
            .skill("a")
            .skill("b")
            .text("shared/ref.md", "shared\n")
            .text("shared/more/deep.md", "deep\n")
            .link("skills/a/ref.md", "../../shared/ref.md")
            .link("skills/a/more", "../../shared/more")
            .link("skills/b/sibling.md", "../a/SKILL.md"),
    );
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills/a/ref.md"), "shared\n");
    assert_eq!(sandbox.read("project/helix.skills/a/more/deep.md"), "deep\n");
    assert!(sandbox.read("project/helix.skills/b/sibling.md").contains("name: a"));
    let lock = sandbox.lock_json();
    let links = &lock["skills"]["a"]["links"];
    assert_eq!(links["ref.md"], upstream.id("main:shared/ref.md"));
    assert_eq!(lock["skills"]["b"]["links"]["sibling.md"], upstream.id("main:skills/a/SKILL.md"));

    // The texts of the links take one more request.
    let (lock, store) = (sandbox.lock(), sandbox.snapshot("project/helix.skills"));
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(server.traffic().requests, 3, "{:#?}", server.exchanges());
    assert_eq!(sandbox.lock(), lock);
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
    stored(&sandbox);
}

#[test]
fn linked_skill_directory_is_a_skill() {
    let (sandbox, _upstream, server) = serve(
        Change::new()
            .skill("plain")
            .skill_at("packages/linked", "linked")
            .text("packages/linked/references/x.md", "x\n")
            .link("skills/linked", "../packages/linked"),
    );
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["linked", "plain"]);
    assert_eq!(sandbox.read("project/helix.skills/linked/references/x.md"), "x\n");
    let (lock, store) = (sandbox.lock(), sandbox.snapshot("project/helix.skills"));
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    sandbox.skills(["sync"]).succeeds();
    // The text of the link takes one more.
    assert_eq!(server.traffic().requests, 3);
    assert_eq!(sandbox.lock(), lock);
    assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents());
}

#[test]
fn skills_directory_may_be_a_link() {
    let (sandbox, _upstream, _server) =
        serve(Change::new().skill_at("packages/x", "x").link("skills", "packages"));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["x"]);
}

#[test]
fn t04_link_loops_are_refused() {
    is_refused(&[("me.md", "me.md")]);
    is_refused(&[("x.md", "y.md"), ("y.md", "x.md")]);
    is_refused(&[("self", ".")]);
    is_refused(&[("up", "../a")]);
    is_refused(&[("everything", "../..")]);
}

#[test]
fn t04_link_out_of_the_repository_is_refused() {
    is_refused(&[("secret.txt", "../../../outside/secret.txt")]);
    is_refused(&[("secret.txt", "../../../../../../../../etc/passwd")]);
    is_refused(&[("secret.txt", "/etc/passwd")]);
    is_refused(&[("secret.txt", "C:\\Windows\\win.ini")]);
}

#[test]
fn t04_broken_link_is_refused() {
    is_refused(&[("gone.md", "../../shared/gone.md")]);
    is_refused(&[("gone.md", "SKILL.md/inside")]);
    is_refused(&[("empty.md", "")]);
    is_refused(&[("long.md", &"a".repeat(3_722))]);
    is_refused(&[("nul.md", "SKILL.md\0x")]);
}

#[test]
fn linked_skill_md_is_followed() {
    let (sandbox, _upstream, _server) = serve(
        Change::new()
            .text("docs/skill.md", "---\nname: a\ndescription: Linked.\n---\nbody\n")
            .link("skills/a/SKILL.md", "../../docs/skill.md"),
    );
    sandbox.skills(["sync"]).succeeds();
    assert!(sandbox.read("project/helix.skills/a/SKILL.md").contains("Linked."));
}

/// A skill without its SKILL.md is none, so the skill is excluded, and not the file.
#[test]
fn dangling_skill_md_is_excluded_as_the_hint_says() {
    for (link, key) in [("skills/b/SKILL.md", "b"), ("SKILL.md", "./")] {
        let change = Change::new().skill_at("skills/x/a", "a").link(link, "gone.md");
        let (sandbox, _upstream, server) = serve(change);
        let source = |keys| {
            let mut source = json!({"type": "git", "url": server.url("linked"), "skillsDir": "."});
            source.as_object_mut().unwrap().extend(keys);
            sandbox.sources(&json!({ "linked": source }));
        };
        source(serde_json::Map::new());
        let run = sandbox.skills(["sync"]).exits(1).says(["SKILL.md: the link leads to nothing"]);
        let hint = run.stderr.split('`').find(|text| text.starts_with("\"exclude\"")).unwrap();
        assert_eq!(hint, format!("\"exclude\": [\"{key}\"]"), "{run}");
        let keys: serde_json::Value = serde_json::from_str(&format!("{{{hint}}}")).unwrap();
        source(keys.as_object().unwrap().clone());
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(sandbox.locked_skills(), ["a"]);
    }
}

/// A link in the store that another user created is not written through.
#[test]
fn t04_link_in_the_store_is_not_written_through() {
    let (sandbox, _upstream, _server) =
        serve(Change::new().skill("a").text("skills/a/x.md", "x\n"));
    sandbox.write("outside/target.txt", "mine\n");
    std::fs::create_dir_all(sandbox.path("project/helix.skills")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(sandbox.path("outside"), sandbox.path("project/helix.skills/a"))
        .unwrap();
    // The sandbox checks that `outside` is unchanged.
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a"]);
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.files("outside"), ["target.txt"]);
}

/// T4: a chain of fifty links is followed or rejected.
#[test]
fn t04_long_chain_of_links_ends() {
    let mut change =
        Change::new().skill("a").text("skills/a/end.md", "end\n").link("skills/a/l00.md", "end.md");
    for number in 1..50 {
        change =
            change.link(&format!("skills/a/l{number:02}.md"), &format!("l{:02}.md", number - 1));
    }
    let (sandbox, _upstream, _server) = serve(change);
    let run = sandbox.skills(["sync"]);
    if run.code == Some(0) {
        assert_eq!(sandbox.read("project/helix.skills/a/l49.md"), "end\n");
    } else {
        run.exits(1).says(["skills/a"]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
}

/// Twenty directories, each with two links to the next, expand to a million files unless they are
/// counted early.
#[test]
fn t17_expanding_links_are_limited() {
    let mut change = Change::new().skill("a").text("skills/a/d00/x.md", "x\n");
    for number in 1..20 {
        for link in ["one", "two"] {
            change = change
                .link(&format!("skills/a/d{number:02}/{link}"), &format!("../d{:02}", number - 1));
        }
    }
    let (sandbox, _upstream, _server) = serve(change);
    sandbox.skills(["sync"]).exits(6);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[cfg(unix)]
#[test]
fn linked_store_directory_is_not_followed() {
    let (sandbox, _upstream, server) =
        serve(Change::new().skill("a").text("skills/a/docs/x.md", "x\n").skill("b"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("outside/x.md", "x\n");
    sandbox.write("outside/precious.md", "mine\n");
    sandbox.remove("project/helix.skills/a/docs");
    std::os::unix::fs::symlink(sandbox.path("outside"), sandbox.project("helix.skills/a/docs"))
        .unwrap();
    sandbox.skills(["sync", "--check"]).fails().says(["helix.skills/a/docs"]);
    sandbox.skills(["sync"]).fails().says(["helix.skills/a/docs"]);
    // Removing it from the lockfile must not write through it either.
    sandbox.sources(&json!({"linked": {"type": "git", "url": server.url("linked"), "ref": "main", "include": ["b"]}}));
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/docs"]);
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.files("outside"), ["precious.md", "x.md"]);
    sandbox
        .sources(&json!({"linked": {"type": "git", "url": server.url("linked"), "ref": "main"}}));
    sandbox.skills(["sync", "--restore"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    assert_eq!(sandbox.files("outside"), ["precious.md", "x.md"]);
}

/// Links planted in the store or next to it are neither read nor written through.
#[cfg(unix)]
#[test]
fn t04_linked_store_files_are_not_written_through() {
    use std::os::unix::fs::symlink;
    let (sandbox, upstream, server) = serve(Change::new().skill("a").text("skills/a/x.md", "x\n"));
    sandbox.write("outside/file", "mine\n");
    sandbox.write("outside/directory/SKILL.md", "mine\n");
    for (path, target) in [
        ("helix.skills", "outside/directory"),
        ("helix.skills/.staging", "outside/directory"),
        ("helix.skills/.staging", "outside/file"),
        ("helix.skills/a.sha256", "outside/file"),
        ("helix.skills/.gitattributes", "outside/file"),
        ("helix.skills/a", "outside/directory"),
        ("helix.skills/a/SKILL.md", "outside/file"),
        ("helix.skills/a/SKILL.md", "outside/directory"),
        ("helix.skills.lock", "outside/file"),
        (".helix.skills.lock.new", "outside/file"),
        ("helix.skills/.a.sha256.new", "outside/file"),
    ] {
        for synced_before in [false, true] {
            sandbox.forget();
            sandbox.remove("project/.helix.skills.lock.new");
            sandbox
                .sources(&json!({"linked": {"type": "git", "url": server.url("linked"), "sha": upstream.id("main")}}));
            if synced_before {
                sandbox.skills(["sync"]).succeeds();
            }
            let planted = sandbox.project(path);
            sandbox.remove(Path::new("project").join(path));
            std::fs::create_dir_all(planted.parent().unwrap()).unwrap();
            symlink(sandbox.path(target), &planted).unwrap();
            // Each may succeed or fail; the sandbox checks that nothing outside changed.
            for arguments in [
                &["sync", "--check"][..],
                &["sync"],
                &["sync", "--restore"],
                &["list"],
                &["show", "a"],
            ] {
                let run = sandbox.skills(arguments);
                assert!(run.code.is_some_and(|code| code <= 7), "{path} -> {target}: {run}");
            }
            sandbox.sources(&json!({}));
            let run = sandbox.skills(["sync", "--restore"]);
            assert!(run.code.is_some_and(|code| code <= 7), "{path} -> {target}: {run}");
        }
    }
}

/// The lockfile records the target of such a link, and a locked sync finds the same one.
#[test]
fn link_out_and_back_is_restored_from_the_lockfile() {
    let (sandbox, _upstream, server) = serve(
        Change::new()
            .skill("a")
            .executable("skills/a/y.sh", "#!/bin/sh\n")
            .text("skills/a/docs/z.md", "z\n")
            .link("alias", "skills/a")
            .link("skills/a/docs/back.sh", "../../a/y.sh")
            .link("skills/a/round.md", "../../alias/docs/z.md")
            .link("skills/a/folder", "../a/docs"),
    );
    // The directory leads into itself only through `folder/back.sh`.
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.snapshot("project");
    sandbox.remove_store();
    sandbox.remove_cache();
    server.take_traffic();
    sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(server.traffic().requests, 3);
    assert_eq!(sandbox.snapshot("project").contents(), before.contents());
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// The hint of a linked skill excludes the skill, and works.
#[cfg(unix)]
#[test]
fn linked_skill_outside_is_excluded_as_the_hint_says() {
    let sandbox = Sandbox::new();
    let skill = "---\nname: own\ndescription: Does it when asked.\n---\nBody.\n";
    sandbox.write("project/skills/own/SKILL.md", skill);
    sandbox.write("outside/far/SKILL.md", skill.replace("own", "far"));
    std::os::unix::fs::symlink(sandbox.path("outside/far"), sandbox.project("skills/far")).unwrap();
    let source = |exclude| json!({"s": {"type": "path", "path": "skills", "exclude": exclude}});
    sandbox.sources(&source(json!([])));
    let run = sandbox.skills(["sync"]).exits(1);
    run.says([
        "skills/far: the link leads out of the project",
        "exclude it with `\"exclude\": [\"far\"]`",
    ]);
    sandbox.sources(&source(json!(["far"])));
    sandbox.skills(["sync"]).succeeds();
}
