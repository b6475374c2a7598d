//! Repositories that contain configuration, replacements or other repositories.

use crate::project::project;
use helix_skills_tests::{Behavior, Change, Login, Sandbox};
use serde_json::json;

/// Everything in a repository's git directory that git would run for a user who works in it.
#[test]
fn t10_nothing_in_a_repository_is_executed() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("evil");
    let touch = "touch $HOME/ran ran ../ran";
    upstream.commit(
        Change::new()
            .text(
                ".gitmodules",
                "[submodule \"x\\r\"]\n\tpath = x\n\turl = -u./touch\n\tupdate = !touch ran\n",
            )
            .text(".gitattributes", "* filter=evil diff=evil merge=evil\n")
            .text(
                ".lfsconfig",
                "[lfs]\n\turl = http://127.0.0.1:1/\n[lfs \"customtransfer.x\"]\n\tpath = touch\n",
            )
            .submodule("x", "0123456789012345678901234567890123456789")
            .skill("a")
            .text("skills/a/.gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = ../..\n")
            .executable("skills/a/hooks/post-checkout", &format!("#!/bin/sh\n{touch}\n")),
    );
    for hook in [
        "post-checkout",
        "post-index-change",
        "reference-transaction",
        "pre-auto-gc",
        "fsmonitor-watchman",
    ] {
        let path = format!("upstream/evil.git/hooks/{hook}");
        sandbox.write(&path, format!("#!/bin/sh\n{touch}\n"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(sandbox.path(&path), std::fs::Permissions::from_mode(0o755))
                .unwrap();
        }
    }
    let config = sandbox.read("upstream/evil.git/config");
    sandbox.write("upstream/evil.git/included", format!("[core]\n\tfsmonitor = {touch}\n"));
    sandbox.write(
        "upstream/evil.git/config",
        format!(
            "{config}[core]\n\tfsmonitor = {touch}\n\tsshCommand = {touch}\n\tgitProxy = touch\n\thooksPath = hooks\n\
             [filter \"evil\"]\n\tsmudge = {touch}\n\tprocess = {touch}\n\trequired = true\n\
             [uploadpack]\n\tpackObjectsHook = {touch}\n[credential]\n\thelper = !{touch}\n\
             [url \"ext::{touch} \"]\n\tinsteadOf = ../upstream/\n[include]\n\tpath = included\n"
        ),
    );
    for url in [
        "../upstream/evil.git".to_owned(),
        format!("file://{}", sandbox.path("upstream/evil.git").display()),
    ] {
        sandbox.sources(&json!({"evil": {"type": "git", "url": url}}));
        sandbox.forget();
        // The sandbox checks that no files were created, except in the project.
        sandbox.skills(["sync"]).succeeds();
        sandbox.skills(["outdated"]).succeeds();
        let written = [".gitattributes", "a.sha256", "a/SKILL.md", "a/hooks/post-checkout"]
            .map(|file| format!("helix.skills/{file}"));
        let files = sandbox.files("project");
        assert_eq!(
            files,
            [&["helix.skills.json".to_owned(), "helix.skills.lock".to_owned()][..], &written]
                .concat()
        );
    }
}

/// A project with `config`, `HEAD`, `objects` and `refs` is a bare repository to git; its
/// configuration is not read.
#[test]
fn t12_git_configuration_of_a_project_is_not_read() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a"));
    let login = Some(Login { user: None, password: "secret".to_owned() });
    let server = sandbox.serve_with(Behavior { login, ..Behavior::default() });
    for place in ["project", "project/.git"] {
        sandbox.write(format!("{place}/HEAD"), "ref: refs/heads/main\n");
        sandbox.write(format!("{place}/objects/x"), "");
        sandbox.write(format!("{place}/refs/x"), "");
        let helper = "!touch ran; echo username=x; echo password=secret";
        let config = format!(
            "[core]\n\tfsmonitor = touch ran\n\tsshCommand = touch ran\n[credential]\n\thelper = \"{helper}\"\n\
             [url \"file:///nonexistent/\"]\n\tinsteadOf = {}/\n",
            server.base()
        );
        sandbox.write(format!("{place}/config"), config);
    }
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).exits(4).says([server.authority()]);
    assert!(
        sandbox.files("project").iter().all(|file| !file.ends_with("ran")),
        "{:?}",
        sandbox.files("project")
    );
}

#[test]
fn t12_bare_repository_in_a_skill_is_an_error() {
    let repository = |change: Change, at: &str, names: [&str; 3]| {
        let [head, objects, refs] = names;
        change
            .text(&format!("skills/a/{at}{head}"), "ref: refs/heads/main\n")
            .text(
                &format!("skills/a/{at}config"),
                "[core]\n\tfsmonitor = touch ran\n\tworktree = /\n",
            )
            .text(&format!("skills/a/{at}{objects}"), "x\n")
            .text(&format!("skills/a/{at}{refs}"), "x\n")
    };
    let git = ["HEAD", "objects/pack/x", "refs/heads/main"];
    for (at, named, names) in [
        ("docs/example/", "docs/example", git),
        ("x/", "x", git),
        ("x/", "x", ["head", "Objects/x", "REFS/x"]),
        ("x/", "x", ["HEAD", "commondir", "y"]),
        ("", "HEAD", git),
    ] {
        let project = project(repository(Change::new().skill("a"), at, names));
        let place = format!("error: repo: skills/a/{named}: ");
        let hint = format!("\"files\": {{\"exclude\": [\"{named}\"]}}");
        let run = project.sandbox.skills(["sync"]).exits(1).says([
            place.as_str(),
            "bare git repository",
            &hint,
        ]);
        assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
        assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
        project.select(json!({"files": {"exclude": [named]}}));
        project.sandbox.skills(["sync"]).succeeds();
    }
    // The same for skills of a path source, and for files that only resemble a repository.
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/a/SKILL.md", helix_skills_tests::skill_md("a"));
    for file in ["HEAD", "objects/x", "refs/x"] {
        sandbox.write(format!("project/skills/a/r/{file}"), "x\n");
    }
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills"}}));
    sandbox.skills(["sync"]).exits(1).says(["a/r", "bare git repository"]);
    sandbox.remove("project/skills/a/r/refs");
    sandbox.write("project/skills/a/refs/x", "x\n");
    sandbox.write("project/skills/a/AHEAD", "x\n");
    sandbox.write("project/skills/a/commondir", "x\n");
    sandbox.skills(["sync"]).succeeds();
}

#[test]
fn t23_replacements_of_objects_are_ignored() {
    for what in ["main:skills/a/SKILL.md", "main:skills/a", "main^{tree}", "main^{commit}"] {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("repo");
        upstream.commit(Change::new().skill("a"));
        upstream.commit_to(
            "evil",
            Change::new().text("skills/a/SKILL.md", "---\nname: a\ndescription: Evil.\n---\n"),
        );
        let evil = upstream.id(&what.replace("main", "evil"));
        upstream.git(["replace", &upstream.id(what), &evil]);
        let deceived = upstream.git(["cat-file", "-p", "main:skills/a/SKILL.md"]);
        assert!(deceived.contains("Evil"), "{what}: expected git itself to use the replacement");
        sandbox.sources(&json!({"repo": {"type": "git", "url": "../upstream/repo.git"}}));
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(
            sandbox.read("project/helix.skills/a/SKILL.md"),
            helix_skills_tests::skill_md("a"),
            "{what}"
        );
        sandbox.skills(["outdated"]).succeeds();
        // With only the lockfile, the tree is requested by its id.
        sandbox.remove_store();
        sandbox.remove_cache();
        sandbox.skills(["sync", "--locked"]).succeeds();
        assert_eq!(
            sandbox.read("project/helix.skills/a/SKILL.md"),
            helix_skills_tests::skill_md("a"),
            "{what}"
        );
    }
}
