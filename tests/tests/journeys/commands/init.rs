//! `skills init`: the first manifest.

use super::manifest;
use helix_skills_tests::Sandbox;
use serde_json::json;

#[test]
fn init_writes_an_empty_manifest_and_next_steps() {
    let sandbox = Sandbox::new();
    let run = sandbox.skills(["init"]).succeeds();
    assert!(run.stdout.contains("skills add") || run.stderr.contains("skills add"), "{run}");
    assert_eq!(manifest(&sandbox)["skills"], json!({}));
    // The Rust of the README, which another test compiles.
    let readme = include_str!("../../../../README.md");
    for rust in
        ["include_skills!(mod skills);", "skills::TOOLBOX.catalog()", "skills::TOOLBOX.call("]
    {
        assert!(run.stderr.contains(rust) && readme.contains(rust), "{rust}: {run}");
    }
    for arguments in
        [&["list"][..], &["show", "x"], &["diff"], &["outdated"], &["catalog"], &["search", "x"]]
    {
        let run = sandbox.skills(arguments).exits(1);
        run.says([
            "error: the manifest has no sources",
            "run `skills add OWNER/REPO` or `skills add ./PATH`",
        ]);
    }
    sandbox.skills(["remove", "x"]).exits(2).says(["add one with `skills add`"]);
    let next = "next: run `skills add OWNER/REPO`, or `skills add ./PATH`";
    sandbox.skills(["sync"]).succeeds().says([next]);
    sandbox.skills(["update"]).succeeds().says([next]);
    sandbox
        .skills(["list"])
        .succeeds()
        .says(["the lockfile has no skills; add some with `skills add`"]);
    for command in [&["catalog"][..], &["search", "pdf"]] {
        sandbox.skills(command).succeeds().says(["note: the lockfile has no skills; add some"]);
    }
    sandbox
        .skills(["show", "x"])
        .exits(2)
        .says(["add some with `skills add`"])
        .never_prints("it has \n");
    sandbox.skills(["sync", "--check"]).succeeds();
    let empty = sandbox.skills(["sync", "--check", "--store"]).exits(1);
    empty.says(["error: the lockfile has no skills\n", "or check without `--store`"]);
}

#[test]
fn init_overwrites_nothing() {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}} // mine\n");
    sandbox.skills(["init"]).exits(2).says(["helix.skills.json"]);
    sandbox
        .skills(["init", "--ignore-store"])
        .exits(2)
        .says(["help: to ignore the store, add `/helix.skills/` to .gitignore\n"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    assert_eq!(sandbox.read("project/helix.skills.json"), "{\"skills\": {}} // mine\n");
}

#[test]
fn init_below_a_project_mentions_its_manifest() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds().never_prints("takes precedence");
    sandbox.write("project/a/b/x", "");
    let run = sandbox.skills(["-C", "a/b", "init"]).succeeds();
    run.says(["note: the new manifest takes precedence over `../../helix.skills.json`"]);
}

#[test]
fn init_rejects_a_directory_as_manifest() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.project("helix.skills.json")).unwrap();
    for arguments in [&["init"][..], &["sync"], &["list"], &["add", "./x"]] {
        sandbox
            .skills(arguments)
            .exits(2)
            .says(["`helix.skills.json` is a directory, expected a file"]);
    }
}

#[test]
fn init_can_ignore_the_store_in_git() {
    let sandbox = Sandbox::new();
    sandbox.write("project/.gitignore", "/target\n");
    sandbox.skills(["init", "--ignore-store"]).succeeds();
    let ignored = sandbox.read("project/.gitignore");
    assert!(ignored.starts_with("/target\n") && ignored.contains("helix.skills/"), "{ignored}");
    // Manifest and lockfile are not ignored.
    let mut git = helix_skills_tests::upstream::git_command();
    git.args(["init", "--quiet", "--template="]).current_dir(sandbox.path("project"));
    assert!(git.status().unwrap().success());
    for (path, is_ignored) in [
        ("helix.skills/a/SKILL.md", true),
        ("helix.skills.lock", false),
        ("helix.skills.json", false),
    ] {
        let mut git = helix_skills_tests::upstream::git_command();
        git.args(["check-ignore", "--quiet", path]).current_dir(sandbox.path("project"));
        assert_eq!(git.status().unwrap().success(), is_ignored, "{path}: {ignored}");
    }
}
