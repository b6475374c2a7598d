//! The store: what changes it, what fails, and what is kept.

use crate::project::{Project, project};
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;

fn synced() -> Project {
    let project = project(Change::new().skill("a").text("skills/a/docs/x.md", "x\n").skill("b"));
    project.sandbox.skills(["sync"]).succeeds();
    project
}

#[test]
fn t18_edited_file_fails_a_sync_until_restored() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    let before = sandbox.snapshot("project");
    server.take_traffic();
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/docs/x.md", "--restore"]);
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "mine\n");
    let run = sandbox.skills(["sync", "--json"]).exits(5);
    drop(run.json());
    assert!(run.stdout.contains("helix.skills/a/docs/x.md"), "{run}");
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.snapshot("project").contents(), before.contents());
    assert_eq!(server.take_traffic().requests, 1, "expected the files to come from the cache");

    // With an empty cache they come from the network.
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    sandbox.remove_cache();
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.snapshot("project").contents(), before.contents());
    assert_eq!(server.traffic().requests, 2);
}

#[test]
fn unlisted_file_in_a_skill_fails_a_sync() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let before = sandbox.snapshot("project");
    for path in ["helix.skills/a/notes.md", "helix.skills/a/new/deep.md", "helix.skills/b/.hidden"]
    {
        sandbox.write(format!("project/{path}"), "mine\n");
        sandbox.skills(["sync"]).exits(5).says([path, "--restore"]);
        assert_eq!(sandbox.read(format!("project/{path}")), "mine\n");
        sandbox.skills(["sync", "--restore"]).succeeds();
        assert_eq!(sandbox.snapshot("project").contents(), before.contents(), "{path}");
    }
}

#[test]
fn missing_file_is_restored_by_a_sync() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let before = sandbox.snapshot("project");
    for path in [
        "helix.skills/a/docs/x.md",
        "helix.skills/a",
        "helix.skills/a.sha256",
        "helix.skills/.gitattributes",
    ] {
        sandbox.remove(format!("project/{path}"));
        sandbox.skills(["sync"]).succeeds();
        assert_eq!(sandbox.snapshot("project").contents(), before.contents(), "{path}");
    }
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn changed_line_endings_are_reported_as_such() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let crlf = sandbox.read("project/helix.skills/a/SKILL.md").replace('\n', "\r\n");
    sandbox.write("project/helix.skills/a/SKILL.md", crlf);
    for arguments in [&["sync"][..], &["sync", "--check"]] {
        let run = sandbox.skills(arguments).exits(5).says(["helix.skills/a/SKILL.md"]);
        assert!(run.stderr.contains("CRLF") || run.stderr.contains("line end"), "{run}");
    }
}

#[test]
fn edits_of_all_skills_are_reported() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write("project/helix.skills/a/SKILL.md", "mine\n");
    sandbox.write("project/helix.skills/b/SKILL.md", "mine\n");
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/SKILL.md", "helix.skills/b/SKILL.md"]);
}

#[test]
fn skill_removed_from_the_manifest_is_removed() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "include": ["b"]}}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["b"]);
    assert_eq!(sandbox.files("project/helix.skills"), [".gitattributes", "b.sha256", "b/SKILL.md"]);
    assert!(!sandbox.exists("project/helix.skills/a"), "expected no empty directory");
    sandbox.sources(&json!({}));
    sandbox.skills(["sync"]).succeeds();
    assert!(!sandbox.exists("project/helix.skills/b"));
}

/// Only files in an old listing or lockfile are removed, never a user's file.
#[test]
fn removed_skill_with_a_user_file_is_an_error() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    sandbox.write("project/helix.skills/a/notes.md", "mine\n");
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "include": ["b"]}}));
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/notes.md"]);
    assert_eq!(sandbox.read("project/helix.skills/a/notes.md"), "mine\n");
    sandbox.skills(["sync", "--restore"]).succeeds().says(["helix.skills/a/notes.md"]);
    assert!(!sandbox.exists("project/helix.skills/a"));
}

/// `ａ` becomes `a` as the name of a skill; as a file name it is different.
#[test]
fn listing_with_a_similar_name_is_kept() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let listing = sandbox.read("project/helix.skills/a.sha256");
    sandbox.write("project/helix.skills/\u{ff41}.sha256", listing);
    sandbox.skills(["sync"]).succeeds().says(["\u{ff41}.sha256"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    assert!(sandbox.exists("project/helix.skills/\u{ff41}.sha256"));
}

#[test]
fn restore_lists_removed_and_restored_files() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write("project/helix.skills/a/notes.md", "mine\n");
    sandbox.write("project/helix.skills/a/SKILL.md", "edited\n");
    let run = sandbox.skills(["sync", "--restore"]).succeeds();
    run.says(["helix.skills/a/notes.md", "helix.skills/a/SKILL.md"]);
    assert!(!sandbox.exists("project/helix.skills/a/notes.md"));
}

#[test]
fn unknown_entries_of_the_store_are_kept_and_mentioned() {
    let Project { sandbox, upstream, server: _server } = synced();
    sandbox.write("project/helix.skills/README.md", "ours\n");
    sandbox.write("project/helix.skills/own/SKILL.md", skill_md("own"));
    let own = sandbox.snapshot("project/helix.skills/own");
    sandbox.skills(["sync"]).succeeds().says(["README.md", "own"]);
    upstream.commit(Change::new().skill("c"));
    sandbox.remove("project/helix.skills.lock");
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills/README.md"), "ours\n");
    assert_eq!(sandbox.snapshot("project/helix.skills/own"), own);
    assert!(sandbox.exists("project/helix.skills/c/SKILL.md"));
}

#[test]
fn update_writes_only_changed_files() {
    let Project { sandbox, upstream, server } = synced();
    let before = sandbox.snapshot("project/helix.skills");
    upstream.commit(
        Change::new()
            .text("skills/a/docs/x.md", "another\n")
            .text("skills/a/docs/y.md", "new\n")
            .remove("skills/b"),
    );
    upstream.tag("v1.0.0");
    sandbox
        .sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "version": "1.0.0"}}));
    sandbox.skills(["sync"]).succeeds();
    let mut changes = sandbox.snapshot("project/helix.skills").changes_since(&before);
    let is_origin = |change: &str| change.ends_with(".origin");
    assert_eq!(changes.iter().filter(|change| is_origin(change)).count(), 2);
    changes.retain(|it| !is_origin(it) && it != "touched a/docs" && it != "touched a");
    assert_eq!(
        changes,
        [
            "changed a.sha256",
            "changed a/docs/x.md",
            "removed b",
            "removed b.sha256",
            "removed b/SKILL.md",
            "added a/docs/y.md"
        ]
    );
}

#[test]
fn file_removed_upstream_is_removed_from_the_store() {
    let Project { sandbox, upstream, server } = synced();
    upstream.commit(Change::new().remove("skills/a/docs/x.md"));
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "ref": "main"}}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        sandbox.files("project/helix.skills"),
        [".gitattributes", "a.sha256", "a/SKILL.md", "b.sha256", "b/SKILL.md"]
    );
    assert!(!sandbox.exists("project/helix.skills/a/docs"));
}

#[test]
fn t18_poisoned_cache_is_detected() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    let store = sandbox.snapshot("project/helix.skills");
    let mut poisoned = 0;
    for file in sandbox.files("cache") {
        let path = format!("cache/{file}");
        let bytes = sandbox.read_bytes(&path);
        if file.starts_with("skills-v1/") {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(
                    sandbox.path(&path),
                    std::fs::Permissions::from_mode(0o644),
                )
                .unwrap();
            }
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains("things."), "{text}");
            sandbox.write(&path, text.replace("things.", "shells."));
            poisoned += 1;
        }
    }
    assert!(poisoned > 0, "{:?}", sandbox.files("cache"));
    sandbox.remove_store();
    server.take_traffic();
    let run = sandbox.skills(["sync"]);
    // Fetched again or rejected, but never used.
    if run.code == Some(0) {
        assert_eq!(sandbox.snapshot("project/helix.skills").contents(), store.contents(), "{run}");
        assert!(server.traffic().requests > 0, "{run}");
    } else {
        run.exits(5);
        assert!(sandbox.snapshot("project").file_containing(b"shells.").is_none());
    }
}

#[test]
fn fetched_skills_must_match_the_locked_integrity() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let lock = sandbox.lock_json();
    let (of_a, of_b) = (&lock["skills"]["a"]["integrity"], &lock["skills"]["b"]["integrity"]);
    let swapped = sandbox.lock().replace(of_a.as_str().unwrap(), of_b.as_str().unwrap());
    sandbox.write("project/helix.skills.lock", swapped);
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync"]).exits(5).says([
        "`a`",
        of_a.as_str().unwrap(),
        of_b.as_str().unwrap(),
        "skills update",
    ]);
    assert!(!sandbox.exists("project/helix.skills/a"));
    // The hint fixes it.
    sandbox.skills(["update", "repo"]).succeeds();
    assert_eq!(sandbox.lock_json(), lock);
    assert!(sandbox.exists("project/helix.skills/a"));
}

#[test]
fn unwritable_cache_is_ignored_with_a_warning() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.remove_store();
    sandbox.remove("cache");
    sandbox.write("cache", "a file where the directory should be\n");
    let run = sandbox.skills(["sync"]).succeeds();
    let run = run.says([
        "warning: cannot add the skills to the cache",
        "set HELIX_SKILLS_CACHE to a writable directory",
    ]);
    assert_eq!(run.stderr.matches("warning:").count(), 1, "{run}");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.remove("cache");
    std::fs::create_dir(sandbox.path("cache")).unwrap();
}

#[cfg(unix)]
#[test]
fn file_instead_of_the_store_is_an_error() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.remove_store();
    sandbox.write("project/helix.skills", "a file where the store should be\n");
    sandbox.skills(["sync"]).fails().says(["helix.skills"]);
    assert_eq!(sandbox.read("project/helix.skills"), "a file where the store should be\n");
}

#[test]
fn removing_an_edited_skill_is_an_error() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "include": ["b"]}}));
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/docs/x.md"]);
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "mine\n");
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert!(!sandbox.exists("project/helix.skills/a"));
}

#[test]
fn updating_an_edited_skill_is_an_error() {
    let Project { sandbox, upstream, server } = synced();
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    upstream.commit(Change::new().text("skills/a/docs/x.md", "theirs\n"));
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "ref": "main"}}));
    let lock = sandbox.lock();
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/docs/x.md"]);
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "mine\n");
    assert_eq!(sandbox.lock(), lock);
    sandbox.skills(["sync", "--restore"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "theirs\n");
}

/// A directory where a file comes, and a file where a directory comes.
#[test]
fn files_and_directories_replace_each_other() {
    let Project { sandbox, upstream, server } = synced();
    for change in [
        Change::new().remove("skills/a/docs").text("skills/a/docs", "now a file\n"),
        Change::new()
            .remove("skills/a/docs")
            .text("skills/a/docs/deep/x.md", "a directory again\n"),
    ] {
        let commit = upstream.commit(change);
        sandbox
            .sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "sha": commit}}));
        sandbox.skills(["sync"]).succeeds();
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
    assert_eq!(sandbox.read("project/helix.skills/a/docs/deep/x.md"), "a directory again\n");
}

#[cfg(unix)]
#[test]
fn read_only_files_are_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let Project { sandbox, upstream, server } = synced();
    let file = sandbox.project("helix.skills/a/docs/x.md");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    upstream.commit(Change::new().text("skills/a/docs/x.md", "theirs\n"));
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "ref": "main"}}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), "theirs\n");
}

#[test]
fn sync_leaves_only_the_store() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    assert_eq!(
        sandbox.files("project"),
        [
            "helix.skills.json",
            "helix.skills.lock",
            "helix.skills/.gitattributes",
            "helix.skills/a.sha256",
            "helix.skills/a/SKILL.md",
            "helix.skills/a/docs/x.md",
            "helix.skills/b.sha256",
            "helix.skills/b/SKILL.md",
        ]
    );
    assert!(!sandbox.exists("project/helix.skills/.staging"));
}

/// Listings distinguish the program's files from a user's; a listing that no sync wrote does not
/// count.
#[test]
fn edited_file_with_matching_listing_fails_a_sync() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let edited = "mine\n";
    sandbox.write("project/helix.skills/a/docs/x.md", edited);
    let mut sums = std::process::Command::new("sh");
    sums.args(["-c", "sha256sum SKILL.md docs/x.md > ../a.sha256"])
        .current_dir(sandbox.path("project/helix.skills/a"));
    assert!(sums.status().unwrap().success());
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/a/docs/x.md"]);
    assert_eq!(sandbox.read("project/helix.skills/a/docs/x.md"), edited);
    sandbox.skills(["sync", "--restore"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn user_directory_with_a_listing_is_kept() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write(
        "project/helix.skills/a-backup/SKILL.md",
        sandbox.read("project/helix.skills/a/SKILL.md"),
    );
    let listing = sandbox.read("project/helix.skills/a.sha256");
    let listing: String = listing
        .lines()
        .filter(|line| line.ends_with("SKILL.md"))
        .map(|l| format!("{l}\n"))
        .collect();
    sandbox.write("project/helix.skills/a-backup.sha256", listing);
    sandbox.skills(["sync"]).succeeds().says(["a-backup"]);
    assert!(sandbox.exists("project/helix.skills/a-backup/SKILL.md"));
}

#[test]
fn store_may_be_the_project_directory() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.skills(["sync", "--out", "."]).succeeds();
    assert!(sandbox.exists("project/a/SKILL.md"));
    sandbox.skills(["sync", "--check", "--store", "--out", "."]).succeeds();
}

#[cfg(unix)]
#[test]
fn changed_executable_bit_reaches_the_store() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a").text("skills/a/run.sh", "#!/bin/sh\n"));
    upstream.tag("v1.0.0");
    upstream.commit(Change::new().executable("skills/a/run.sh", "#!/bin/sh\n"));
    upstream.tag("v2.0.0");
    let server = sandbox.serve();
    for (version, executable) in [("1.0.0", false), ("2.0.0", true), ("1.0.0", false)] {
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": server.url("repo"), "version": version}}),
        );
        sandbox.skills(["sync"]).succeeds();
        let mode =
            sandbox.path("project/helix.skills/a/run.sh").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o111 != 0, executable, "{version}");
    }
}

#[test]
fn cleaning_another_directory_removes_nothing() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    sandbox.write("project/skills/mine.md", "mine\n");
    let run = sandbox.command(["cache", "clean"]).env("HELIX_SKILLS_CACHE", ".").run();
    run.exits(2).says(["CACHEDIR.TAG"]);
    assert_eq!(sandbox.read("project/skills/mine.md"), "mine\n");
}

/// On some file systems these are one directory, so the old one is removed before the new one is
/// written.
#[test]
fn skill_name_changed_in_case_is_kept() {
    let Project { sandbox, upstream, server } = synced();
    upstream.tag("v1.0.0");
    upstream.commit(Change::new().remove("skills/a").text("skills/A/SKILL.md", &skill_md("A")));
    upstream.tag("v2.0.0");
    for (version, name) in [("1.0.0", "a"), ("2.0.0", "A"), ("1.0.0", "a")] {
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": server.url("repo"), "version": version}}),
        );
        sandbox.skills(["sync"]).succeeds();
        assert!(sandbox.locked_skills().contains(&name.to_owned()));
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn user_directory_with_the_name_of_a_new_skill_is_kept() {
    let Project { sandbox, upstream: _upstream, server } = synced();
    let only = |skills: &[&str]| {
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": server.url("repo"), "include": skills}}),
        );
    };
    only(&["a"]);
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/helix.skills/b/notes.md", "mine\n");
    let sum = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
    sandbox.write("project/helix.skills/b.sha256", format!("{sum}  notes.md\n"));
    only(&["a", "b"]);
    sandbox.skills(["sync"]).exits(5).says(["helix.skills/b/notes.md"]);
    assert_eq!(sandbox.read("project/helix.skills/b/notes.md"), "mine\n");
}

/// Also without a lockfile, and if a merge or an edit of it dropped the skill.
#[test]
fn text_of_a_known_skill_is_never_added() {
    for restore in [false, true] {
        let Project { sandbox, upstream, server } = synced();
        let was = sandbox.lock_json()["skills"]["a"]["integrity"].clone();
        upstream.commit(Change::new().text("skills/a/docs/x.md", "new"));
        let arguments: &[&str] = if restore {
            let empty = json!({"version": 1, "skills": {}, "sources": {
                "other": {"request": {"type": "path", "path": "own"}}
            }});
            sandbox.write("project/helix.skills.lock", format!("{empty:#}\n"));
            sandbox.remove_cache();
            sandbox.skills(["sync"]).exits(5);
            &["sync", "--restore"]
        } else {
            sandbox.remove("project/helix.skills.lock");
            &["sync"]
        };
        let updated = format!(", was {}", &was.as_str().unwrap()[..19]);
        let dry = sandbox.skills([arguments, &["--dry-run"]].concat()).succeeds();
        drop(dry.prints(["updated a (", &updated]).never_prints("added a"));
        let run = sandbox.skills(arguments).succeeds().never_prints("added a");
        let run = run.says(["updated a (", &updated]);
        let (_, review) = run.stderr.split_once("review: run `skills ").unwrap();
        drop(
            sandbox
                .skills(review.split('`').next().unwrap().split(' '))
                .succeeds()
                .prints(["Do the a things"]),
        );
        drop(server);
    }
}

/// The name may change with the text.
#[test]
fn text_under_another_name_is_not_added() {
    let project = synced();
    let Project { sandbox, upstream, .. } = &project;
    upstream.commit_to("next", Change::new().skill("a").text("skills/a/docs/x.md", "new"));
    project.select(json!({"ref": "next", "rename": {"a": "first"}}));
    let run =
        sandbox.skills(["sync"]).succeeds().says(["updated first (", ", was sha256:", "review:"]);
    run.says(["removed a"]).never_prints("added first");
}

#[test]
fn edits_are_found_by_the_old_lockfile() {
    let project = synced();
    let Project { sandbox, upstream, .. } = &project;
    let digest = |text: &str| helix_skills_format::Digest::hash(text.as_bytes()).to_string();
    upstream.commit_to("next", Change::new().skill("a").text("skills/a/docs/x.md", "next\n"));
    sandbox.write("project/helix.skills/a/docs/x.md", "mine\n");
    project.select(json!({"ref": "next"}));
    let run = sandbox.skills(["sync"]).exits(5);
    run.says([digest("x\n"), digest("mine\n")]).never_prints(&digest("next\n"));
}
