//! Differences between the lockfile and the store.

use super::{diff, entry, skill, synced};
use crate::project::Project;
use helix_skills_tests::{Sandbox, skill_md};
use serde_json::{Value, json};

#[test]
fn unchanged_store_has_no_differences() {
    let Project { sandbox, server, .. } = synced();
    server.take_traffic();
    let run = diff(&sandbox, &["--exit-code"]).succeeds().says(["ok", "1 skill"]);
    assert!(run.stdout.is_empty(), "{run}");
    let document = diff(&sandbox, &["--json", "--exit-code"]).succeeds().json();
    assert_eq!((&document["identical"], &document["skills"]), (&json!(true), &json!([])));
    let run = sandbox.command(["diff", "-"]).input(sandbox.lock()).run().succeeds().says(["ok"]);
    assert!(run.stdout.is_empty(), "{run}");
    assert_eq!(server.traffic().requests, 0);
}

#[test]
fn edits_in_the_store_are_shown_as_text() {
    let Project { sandbox, .. } = synced();
    sandbox.write("project/helix.skills/a/SKILL.md", skill("a", "one\nTWO\nthree\n"));
    sandbox.write("project/helix.skills/a/extra.md", "more\n");
    sandbox.remove("project/helix.skills/a/references/x.md");
    sandbox.write("project/helix.skills/a/logo.bin", b"\0\x01\x02");
    let run = diff(&sandbox, &[]).succeeds().says(["1 skill, 4 files, +2 -2 lines"]).prints([
        "changed skill a (repo: skills/a)\n",
        "--- a/helix.skills/a/SKILL.md\n+++ b/helix.skills/a/SKILL.md\n",
        " one\n-two\n+TWO\n three\n",
        "--- /dev/null\n+++ b/helix.skills/a/extra.md\n@@ -0,0 +1 @@\n+more\n",
        "--- a/helix.skills/a/references/x.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
        "changed helix.skills/a/logo.bin: binary\n  before  2 B, sha256 b413f47d",
        "  after   3 B, sha256 ",
    ]);
    assert!(!run.stdout.contains('\u{1b}'), "{run}");
    diff(&sandbox, &["--exit-code"]).exits(1);
    diff(&sandbox, &["-U0"]).succeeds().prints(["@@ -10 +10 @@\n-two\n+TWO\n"]);
    let run = diff(&sandbox, &["--stat"]).succeeds().prints([
        "SKILL.md",
        "+1 -1",
        "binary, 2 B -> 3 B",
        "+0 -1",
    ]);
    assert!(!run.stdout.contains("TWO"), "{run}");
    let run = diff(&sandbox, &["--color", "always"]).succeeds();
    assert!(run.stdout.contains("\u{1b}[32m+TWO\u{1b}[0m"), "{run}");

    let document = diff(&sandbox, &["--json"]).succeeds().json();
    assert_eq!((&document["from"], &document["to"]), (&json!("lock"), &json!("store")));
    let files = &document["skills"][0]["files"];
    let changed = entry(files, "path", "SKILL.md");
    assert_eq!(
        (&changed["change"], &changed["added"], &changed["removed"]),
        (&json!("changed"), &json!(1), &json!(1))
    );
    assert!(
        changed["diff"].as_str().is_some_and(|text| text.contains("\n-two\n+TWO\n")),
        "{changed}"
    );
    assert_eq!(entry(files, "path", "extra.md")["change"], "added");
    assert_eq!(entry(files, "path", "references/x.md")["change"], "removed");
    let binary = entry(files, "path", "logo.bin");
    assert_eq!((&binary["shown"], &binary["after"]["bytes"]), (&json!("binary"), &json!(3)));
    let document = diff(&sandbox, &["--json", "--stat"]).succeeds().json();
    assert!(
        entry(&document["skills"][0]["files"], "path", "SKILL.md")["diff"].is_null(),
        "{document}"
    );
}

/// Without the cache, the locked text is unavailable; the message says so, and its hint gets the
/// text.
#[test]
fn missing_old_text_is_reported_and_can_be_fetched() {
    let Project { sandbox, server, .. } = synced();
    sandbox.write("project/helix.skills/a/SKILL.md", skill("a", "one\nTWO\nthree\n"));
    sandbox.remove_cache();
    server.take_traffic();
    let run = diff(&sandbox, &["--exit-code"])
        .exits(1)
        .prints(["helix.skills/a/SKILL.md: the old text is not available", "sha256"]);
    let run = run.says(["skills sync --locked --out DIR"]);
    assert!(!run.stdout.contains("+TWO"), "{run}");
    assert_eq!(server.traffic().requests, 0);
    let document = diff(&sandbox, &["--json"]).succeeds().json();
    assert_eq!(document["skills"][0]["files"][0]["shown"], "unavailable");
    assert!(
        document["notes"][0].as_str().is_some_and(|note| note.contains("--out DIR")),
        "{document}"
    );
    sandbox.skills(["sync", "--locked", "--out", "../cache/fresh"]).succeeds();
    diff(&sandbox, &[]).succeeds().prints(["-two\n+TWO\n"]);
}

#[test]
fn changed_listing_is_a_difference() {
    let Project { sandbox, .. } = synced();
    let listing = sandbox.read("project/helix.skills/a.sha256");
    sandbox.remove("project/helix.skills/a.sha256");
    diff(&sandbox, &["--exit-code"])
        .exits(1)
        .prints(["helix.skills/a.sha256: the file is missing"]);
    sandbox.write("project/helix.skills/a.sha256", listing.replace("logo", "togo"));
    sandbox.write("project/helix.skills/a/SKILL.md", skill("a", ""));
    diff(&sandbox, &[]).succeeds().prints([
        "helix.skills/a.sha256: the listing does not have the locked integrity",
        "-two\n",
    ]);
    sandbox.remove("project/helix.skills/a");
    diff(&sandbox, &["--exit-code"]).exits(1).prints([
        "the listing does not have the locked integrity",
        "removed helix.skills/a/logo.bin",
    ]);
    // It is unknown then which files were locked.
    sandbox.remove_cache();
    let run = diff(&sandbox, &["--exit-code"]).exits(1).prints(["cannot compare the files"]);
    run.says(["skills sync --locked --out DIR"]);
    let document = diff(&sandbox, &["--json"]).succeeds().json();
    let skill = &document["skills"][0];
    assert_eq!((&skill["files"], &skill["missing"]["before"]), (&Value::Null, &json!(true)));
    assert_eq!(skill["listing"], "listing-changed");
}

#[test]
fn skill_missing_from_the_store_is_reported() {
    let Project { sandbox, .. } = synced();
    sandbox.remove_store();
    diff(&sandbox, &["--exit-code"]).succeeds().says(["`a` is not in the store", "skills sync"]);
    assert_eq!(diff(&sandbox, &["--json"]).succeeds().json()["absent"], json!(["a"]));
}

#[cfg(unix)]
#[test]
fn links_in_the_store_are_not_followed() {
    let Project { sandbox, .. } = synced();
    sandbox.write("outside/secret", "precious\n");
    let link = |path: &str| {
        sandbox.remove(path);
        std::os::unix::fs::symlink(sandbox.path("outside/secret"), sandbox.path(path)).unwrap();
    };
    link("project/helix.skills/a/SKILL.md");
    link("project/helix.skills/a/other.md");
    let run = diff(&sandbox, &["--exit-code"]).exits(1).never_prints("precious");
    assert_eq!(run.stdout.matches("not a regular file").count(), 2, "{run}");
    link("project/helix.skills/a");
    diff(&sandbox, &["--exit-code"])
        .exits(1)
        .prints(["changed helix.skills/a: not a regular file"])
        .never_prints("precious");
}

/// The locked text of a `path` source is not on this machine, so its lines are not counted.
#[test]
fn edited_path_skill_has_no_count_of_lines() {
    let sandbox = Sandbox::new();
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills"}}));
    sandbox.write("project/skills/a/SKILL.md", skill_md("a"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/skills/a/SKILL.md", skill_md("a") + "more\n");
    let run = sandbox.skills(["diff"]).succeeds().says(["differs: 1 skill, 1 file\n"]);
    run.never_prints("+0 -0");
}
