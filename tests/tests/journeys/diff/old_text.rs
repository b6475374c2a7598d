//! Sources of the old text, and its verification.

use super::{diff, skill, sync_next_commit, synced};
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;

/// Besides the cache, the old text can come from the store next to the old lockfile, or from its
/// originals.
#[test]
fn old_text_comes_from_the_old_checkout() {
    let project = synced();
    let sandbox = &project.sandbox;
    sandbox.write("project/own/mine/SKILL.md", skill("mine", "first\n"));
    sandbox.sources(
        &json!({"repo": project.source(json!({})), "own": {"type": "path", "path": "own"}}),
    );
    sandbox.skills(["sync"]).succeeds();
    for file in sandbox.files("project") {
        sandbox.write(format!("outside/old/{file}"), sandbox.read_bytes(format!("project/{file}")));
    }
    sandbox.write("project/own/mine/SKILL.md", skill("mine", "second\n"));
    sync_next_commit(
        &project,
        Change::new().text("skills/a/SKILL.md", &skill("a", "one\n2\nthree\n")),
    );
    sandbox.remove_cache();
    let run =
        diff(sandbox, &["../outside/old.lock"]).succeeds().prints(["cannot compare the files"]);
    run.says(["git worktree add"]);
    diff(sandbox, &["../outside/old/helix.skills.lock"]).succeeds().prints([
        "-two\n+2\n",
        "changed skill mine (own: mine)\n--- a/own/mine/SKILL.md\n+++ b/own/mine/SKILL.md\n",
        "-first\n+second\n",
    ]);
    let run = diff(sandbox, &["../outside/old"])
        .exits(2)
        .says(["is a directory", "../outside/old/helix.skills.lock"]);
    assert!(run.stdout.is_empty(), "{run}");
}

#[test]
fn originals_of_a_path_are_compared() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(format!("project/own/{name}/SKILL.md"), skill(name, "one\n"));
    }
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    diff(&sandbox, &["--exit-code"]).succeeds();
    sandbox.write("project/own/a/SKILL.md", skill("a", "two\n"));
    sandbox.write("project/own/a/new.md", "new\n");
    sandbox.remove("project/own/b");
    sandbox.write("project/own/c/SKILL.md", skill("c", "one\n").replace('\n', "\r\n"));
    sandbox.write("project/own/d/SKILL.md", skill_md("d"));
    let run = diff(&sandbox, &["--exit-code"]).exits(1).prints([
        "changed skill a (own: a)\nchanged own/a/SKILL.md: the old text is not available\n",
        "--- /dev/null\n+++ b/own/a/new.md\n@@ -0,0 +1 @@\n+new\n",
        "removed skill b (own: b)\nremoved own/b/SKILL.md: the old text is not available\n",
        "changed skill c (own: c)\nchanged own/c/SKILL.md: only line endings differ (CRLF)\n",
        "added skill d (own: d)\n--- /dev/null\n+++ b/own/d/SKILL.md\n",
    ]);
    run.says(["git diff -- own/a", "git diff -- own/b"]);
    // An unreadable skill is an error; the other skills are printed.
    sandbox.write("project/other/f/SKILL.md", skill_md("f"));
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}, "other": {"type": "path", "path": "other"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/own/e/SKILL.md", "no frontmatter\n");
    sandbox.write("project/other/f/more.md", "more\n");
    let run =
        diff(&sandbox, &[]).exits(1).says(["own/e/SKILL.md"]).prints(["+++ b/other/f/more.md\n"]);
    assert!(!run.stderr.contains("ok "), "{run}");
    let document = diff(&sandbox, &["--json"]).exits(1).json();
    let message = document["errors"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("own/e/SKILL.md"), "{document}");
    assert_eq!(
        (&document["identical"], &document["ok"]),
        (&json!(false), &json!(false)),
        "{document}"
    );
    assert_eq!(document["skills"][0]["name"], "f", "{document}");
}

/// A skill of a `path` source may be a link inside the project; its target is verified like any
/// file.
#[cfg(unix)]
#[test]
fn text_of_a_linked_original_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("project/elsewhere/SKILL.md", skill("a", "one\n"));
    std::fs::create_dir(sandbox.project("own")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", sandbox.project("own/a")).unwrap();
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    let run = sandbox
        .command(["diff", "-"])
        .input("{\"sources\": {}, \"skills\": {}, \"version\": 1}")
        .run();
    run.succeeds().prints(["added source own: own\n", "added skill a (own: a)\n", "+one\n"]);
}

/// Bytes are shown as locked only after verification, even if the store or the cache was edited.
#[test]
fn only_verified_bytes_are_shown_as_locked() {
    let project = synced();
    sync_next_commit(
        &project,
        Change::new().text("skills/a/SKILL.md", &skill("a", "one\n2\nthree\n")),
    );
    let sandbox = &project.sandbox;
    sandbox.write("project/helix.skills/a/SKILL.md", skill("a", "one\nforged\nthree\n"));
    diff(sandbox, &["../outside/old.lock"])
        .succeeds()
        .prints(["-two\n+2\n"])
        .never_prints("forged");
    for file in sandbox.files("cache").iter().filter(|file| file.starts_with("skills-v1/")) {
        let path = format!("cache/{file}");
        let text = String::from_utf8(sandbox.read_bytes(&path)).unwrap();
        sandbox.write(&path, text.replace("three\n", "forged"));
    }
    let run =
        diff(sandbox, &["../outside/old.lock"]).succeeds().prints(["cannot compare the files"]);
    run.never_prints("forged");
}
