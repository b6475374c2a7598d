//! The files of a skill that are written, and their bytes.

use crate::project::{Project, project};
use helix_skills_tests::{Change, Sandbox, Upstream, skill_md};
use serde_json::json;

fn stored(project: &Project) -> Vec<String> {
    project.sandbox.files("project/helix.skills")
}

#[test]
fn sync_writes_lockfile_listing_attributes_and_files() {
    let project = project(Change::new().skill("a").text("skills/a/references/x.md", "x\n"));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        project.sandbox.files("project"),
        [
            "helix.skills.json",
            "helix.skills.lock",
            "helix.skills/.gitattributes",
            "helix.skills/a.sha256",
            "helix.skills/a/SKILL.md",
            "helix.skills/a/references/x.md",
        ]
    );
    assert_eq!(
        project.sandbox.read("project/helix.skills/.gitattributes"),
        "* -text !diff !eol !working-tree-encoding !filter !ident !merge -linguist-generated linguist-vendored=true\n*.origin merge=union -diff linguist-generated\n"
    );
    let lock = project.sandbox.lock_json();
    let skill = &lock["skills"]["a"];
    assert_eq!(lock["version"], 1);
    assert_eq!(skill["source"], "repo");
    assert_eq!(skill["path"], "skills/a");
    assert_eq!(skill["tree"], project.upstream.id("main:skills/a"));
    assert_eq!(
        (skill["files"].as_u64(), skill["bytes"].as_u64()),
        (Some(2), Some(skill_md("a").len() as u64 + 2))
    );
    assert_eq!(
        lock["sources"]["repo"]["request"]["skillsDir"], "skills",
        "expected defaults to be filled in"
    );
}

#[test]
fn bytes_of_the_commit_ignore_its_attributes() {
    let odd: [(&str, &[u8]); 7] = [
        ("crlf.md", b"one\r\ntwo\r\n"),
        ("mixed.txt", b"one\r\ntwo\nthree\r"),
        ("binary.bin", b"\0\x01\xff\xfe\r\n\0"),
        ("no-newline.md", b"no newline"),
        ("empty.md", b""),
        ("subst.md", b"$Format:%H$ $Id$\n"),
        ("names with blanks/\u{65e5}\u{672c}.md", b"x\n"),
    ];
    let mut change = Change::new()
        .text(
            ".gitattributes",
            "* text=auto eol=crlf\n*.md ident export-subst filter=evil working-tree-encoding=UTF-16\n",
        )
        .skill("a");
    for (path, bytes) in odd {
        change = change.bytes(&format!("skills/a/{path}"), bytes);
    }
    let project = project(change);
    project.sandbox.skills(["sync"]).succeeds();
    for (path, bytes) in odd {
        assert_eq!(
            project.sandbox.read_bytes(format!("project/helix.skills/a/{path}")),
            bytes,
            "{path}"
        );
    }
}

#[cfg(unix)]
#[test]
fn executable_bit_is_kept_but_not_hashed() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = project(
        Change::new()
            .skill("a")
            .executable("skills/a/scripts/run.sh", "#!/bin/sh\n")
            .text("skills/a/plain.sh", "x\n"),
    );
    project.sandbox.skills(["sync"]).succeeds();
    let mode = |path: &str| project.sandbox.path(path).metadata().unwrap().permissions().mode();
    assert_eq!(mode("project/helix.skills/a/scripts/run.sh") & 0o111, 0o111);
    assert_eq!(mode("project/helix.skills/a/plain.sh") & 0o111, 0);
    let integrity = project.sandbox.lock_json()["skills"]["a"]["integrity"].clone();

    // The executable bit is kept in the cache, too.
    project.sandbox.remove_store();
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(mode("project/helix.skills/a/scripts/run.sh") & 0o111, 0o111);

    project.upstream.commit(Change::new().executable("skills/a/plain.sh", "x\n"));
    project.sandbox.remove("project/helix.skills.lock");
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.lock_json()["skills"]["a"]["integrity"], integrity);
}

#[test]
fn t10_submodule_in_a_skill_is_an_error_with_a_fix() {
    let commit = "0123456789012345678901234567890123456789";
    let project = project(
        Change::new()
            .skill("a")
            .submodule("skills/a/vendor/lib", commit)
            .submodule("elsewhere", commit),
    );
    let run = project.sandbox.skills(["sync"]).exits(1);
    run.says(["skills/a", "vendor/lib", "submodule", "exclude"]);
    assert_eq!(project.sandbox.files("project"), ["helix.skills.json"]);
    project.select(json!({"files": {"exclude": ["vendor/lib"]}}));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(stored(&project), [".gitattributes", "a.sha256", "a/SKILL.md"]);
}

#[test]
fn t20_lfs_pointer_is_an_error_with_a_fix() {
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n",
        "ab".repeat(32)
    );
    let project = project(Change::new().skill("a").text("skills/a/assets/big.bin", &pointer).text(
        "skills/a/about.md",
        "version https://git-lfs.github.com/spec/v1\nis how a pointer starts.\n",
    ));
    let run =
        project.sandbox.skills(["sync"]).exits(1).says(["skills/a", "assets/big.bin", "exclude"]);
    assert!(run.stderr.to_lowercase().contains("lfs"), "{run}");
    assert!(!run.stderr.contains("about.md"), "{run}");
    project.select(json!({"files": {"exclude": ["assets/*.bin"]}}));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(stored(&project), [".gitattributes", "a.sha256", "a/SKILL.md", "a/about.md"]);
}

/// Only the four names that git reads are left out, in every spelling of a file system, and a sync
/// says so. Templates for repositories keep their other files.
#[test]
fn t22_only_names_that_git_reads_are_left_out() {
    let project = project(
        Change::new()
            .skill("a")
            .text("skills/a/.gitattributes", "*.md text eol=crlf\n")
            .text("skills/a/.hidden/f", "kept\n")
            .text("skills/a/templates/.editorconfig", "root = true\n")
            .text("skills/a/templates/.env.example", "KEY=\n")
            .text("skills/a/templates/.github/workflows/ci.yml", "on: push\n")
            .text("skills/a/templates/.gitlab-ci.yml", "stages: []\n")
            .text("skills/a/templates/.GitIgnore", "*\n")
            .text("skills/a/templates/.gitkeep", ""),
    );
    let run = project.sandbox.skills(["sync"]).succeeds();
    let kept = [
        ".gitattributes",
        "a.sha256",
        "a/.hidden/f",
        "a/SKILL.md",
        "a/templates/.editorconfig",
        "a/templates/.env.example",
        "a/templates/.github/workflows/ci.yml",
        "a/templates/.gitkeep",
        "a/templates/.gitlab-ci.yml",
    ];
    assert_eq!(stored(&project), kept);
    let warning = "warning: repo: skills/a: left out `.gitattributes`, `templates/.GitIgnore`, which git would read in the store";
    run.says([warning]);
    project.sandbox.skills(["sync"]).succeeds().never_prints("left out");
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    // They do not have to be named twice.
    project.sandbox.forget();
    project.select(json!({ "files": { "exclude": ["**/.[gG]it[aAiI]*"] } }));
    project.sandbox.skills(["sync"]).succeeds().never_prints("left out");
    assert_eq!(stored(&project), kept);
}

#[test]
fn root_skill_has_its_text_and_three_directories() {
    let project = project(
        Change::new()
            .text("SKILL.md", &skill_md("root-skill"))
            .text("references/x.md", "x\n")
            .text("scripts/run.sh", "x\n")
            .text("assets/deep/logo.svg", "<svg/>\n")
            .text("README.md", "about\n")
            .text("src/main.rs", "fn main() {}\n")
            .text("LICENSE", "MIT\n"),
    );
    project.sandbox.skills(["sync", "-v"]).succeeds().says(["README.md", "src", "LICENSE"]);
    assert_eq!(
        stored(&project),
        [
            ".gitattributes",
            "root-skill.sha256",
            "root-skill/SKILL.md",
            "root-skill/assets/deep/logo.svg",
            "root-skill/references/x.md",
            "root-skill/scripts/run.sh",
        ]
    );
    let (lock, store) = (project.sandbox.lock(), project.sandbox.snapshot("project/helix.skills"));
    project.sandbox.remove_store();
    project.sandbox.remove_cache();
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.lock(), lock);
    assert_eq!(project.sandbox.snapshot("project/helix.skills").contents(), store.contents());
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn root_skill_has_what_files_include_names() {
    let project = project(
        Change::new()
            .text("SKILL.md", &skill_md("root-skill"))
            .text("data/t.csv", "x\n")
            .text("templates/a.md", "x\n")
            .text("templates/deep/b.md", "x\n")
            .text("README.md", "about\n"),
    );
    project.sandbox.skills(["sync"]).succeeds().says([
        "excluded `README.md`, `data`, `templates`; list those that it needs in `files.include`\n",
    ]);
    project.select(json!({ "files": { "include": ["data", "templates/*.md"] } }));
    project.sandbox.skills(["sync"]).succeeds().says(["excluded `README.md`, `templates/deep`;"]);
    let files = ["SKILL.md", "data/t.csv", "templates/a.md"].map(|it| format!("root-skill/{it}"));
    assert_eq!(stored(&project)[2..], files);
    project.upstream.commit(Change::new().text("README.md", "more\n"));
    project.sandbox.skills(["outdated"]).never_prints("changed");
    project.upstream.commit(Change::new().text("data/t.csv", "y\n"));
    project.sandbox.skills(["outdated"]).prints(["changed: `root-skill`"]);
    project.sandbox.skills(["update"]).succeeds();
    project.sandbox.skills(["sync", "--check", "--store", "--upstream"]).succeeds();
    assert_eq!(project.sandbox.read("project/helix.skills/root-skill/data/t.csv"), "y\n");
}

/// Renaming changes names, never bytes.
#[test]
fn renamed_skill_keeps_its_bytes() {
    let project = project(Change::new().skill("a"));
    project.select(json!({"rename": {"a": "another"}}));
    project.sandbox.skills(["sync"]).succeeds();
    assert_eq!(project.sandbox.locked_skills(), ["another"]);
    assert_eq!(project.sandbox.read("project/helix.skills/another/SKILL.md"), skill_md("a"));
}

#[test]
fn sha256_repository_is_an_error() {
    let sandbox = Sandbox::new();
    let upstream = Upstream::create_sha256(&sandbox.path("upstream/repo.git"));
    upstream.commit(Change::new().skill("a"));
    let server = sandbox.serve();
    for url in [server.url("repo"), sandbox.path("upstream/repo.git").display().to_string()] {
        sandbox.sources(&json!({"repo": {"type": "git", "url": url}}));
        sandbox.skills(["sync"]).exits(2).says(["SHA-256"]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    }
}

/// T10, T12: files that a work tree would run or read as configuration are stored as plain files or
/// ignored.
#[test]
fn t10_hooks_and_configuration_are_plain_files() {
    let marker = "#!/bin/sh\ntouch \"$HOME/ran\" ../../ran ran\n";
    let project = project(
        Change::new()
            .text(".gitmodules", "[submodule \"x\"]\n\tpath = x\n\turl = -u./evil\n")
            .text(".lfsconfig", "[lfs]\n\turl = http://127.0.0.1:1/\n")
            .skill("a")
            .executable("skills/a/hooks/post-checkout", marker)
            .text("skills/a/HEAD", "ref: refs/heads/main\n")
            .text("skills/a/config", "[core]\n\tfsmonitor = touch ran\n\tsshCommand = touch ran\n")
            .executable("skills/a/scripts/post-checkout", marker),
    );
    project.sandbox.skills(["sync"]).succeeds();
    project.sandbox.skills(["sync", "--check"]).succeeds();
    assert!(project.sandbox.files("project").iter().all(|file| !file.ends_with("ran")));
}

/// The hint has the keys by which the entry names the skills.
#[test]
fn refused_skills_are_named_by_the_paths_that_include_them() {
    let bad = |change: Change, name: &str| {
        let file = |file| format!("skills/{name}/{file}");
        change.skill(name).text(&file("x.md"), "x\n").text(&file("X.md"), "X\n")
    };
    let change = bad(bad(Change::new().skill("good"), "one"), "two");
    let project = project(change);
    let paths = ["good", "one", "two"].map(|name| format!("skills/{name}"));
    project.select(json!({ "include": paths }));
    project.sandbox.skills(["sync"]).fails().says(["[\"skills/one\",\"skills/two\"]"]);
}
