//! The format of the printed diff: escapes, line endings, size limits.

use super::{diff, entry, skill, sync_next_commit, synced};
use helix_skills_tests::Change;
use serde_json::{Value, json};

/// Untrusted text: control characters are escaped, and hidden characters become visible.
#[test]
fn hostile_text_is_escaped() {
    let project = synced();
    project.sandbox.allow_invisible_text(&["a/SKILL.md"]);
    let hostile = "\u{1b}[2J\u{1b}]0;owned\u{7} \u{202e}live\u{200b}\u{e0041}\u{9b}31m\u{feff}\u{2028}\tcell\rback\u{0008}\n";
    sync_next_commit(&project, Change::new().text("skills/a/SKILL.md", &skill("a", hostile)));
    let sandbox = &project.sandbox;
    sandbox.write("project/helix.skills/a/\u{1b}[31m\u{202e}.md", "x\n");
    for arguments in [
        &["../outside/old.lock"][..],
        &["../outside/old.lock", "--json"],
        &[],
        &["--stat"],
        &["--json"],
    ] {
        let run = diff(sandbox, arguments).succeeds();
        let raw = |text: &str| {
            text.chars().find(|c| {
                (c.is_control() && *c != '\n')
                    || "\u{202e}\u{200b}\u{e0041}\u{feff}\u{2028}".contains(*c)
            })
        };
        assert_eq!((raw(&run.stdout), raw(&run.stderr)), (None, None), "{run:?}");
    }
    let shown = r"+\u{1b}[2J\u{1b}]0;owned\u{7} \u{202e}live\u{200b}\u{e0041}\u{9b}31m\u{feff}\u{2028}\tcell\rback\u{8}";
    diff(sandbox, &["../outside/old.lock"]).succeeds().prints([shown]);
    let document = diff(sandbox, &["../outside/old.lock", "--json"]).succeeds().json();
    let text = document["skills"][0]["files"][0]["diff"].as_str().unwrap();
    assert!(text.contains(shown), "expected escapes in JSON, too: {text}");
    diff(sandbox, &[]).succeeds().prints([r"helix.skills/a/\u{1b}[31m\u{202e}.md"]);
}

#[test]
fn line_endings_and_a_missing_last_one_are_visible() {
    let project = synced();
    let dos = skill("a", "one\ntwo\nthree\n").replace('\n', "\r\n");
    sync_next_commit(
        &project,
        Change::new().text("skills/a/SKILL.md", &dos).text("skills/a/references/x.md", "x\ny\r\nz"),
    );
    diff(&project.sandbox, &["../outside/old.lock"]).succeeds().prints([
        "changed helix.skills/a/SKILL.md: only line endings differ: 0 lines with CRLF before, 11 after\n",
        "@@ -1 +1,3 @@\n x\n+y\\r\n+z\n\\ No newline at end of file\n",
    ]);
    let document = diff(&project.sandbox, &["../outside/old.lock", "--json"]).succeeds().json();
    assert_eq!(entry(&document["skills"][0]["files"], "path", "SKILL.md")["shown"], "line-endings");
}

#[test]
fn large_files_are_compared_by_size() {
    let project = synced();
    let (before, after) = ("a line\n".repeat(160_000), "another line\n".repeat(160_000));
    sync_next_commit(&project, Change::new().text("skills/a/references/x.md", &before));
    sync_next_commit(&project, Change::new().text("skills/a/references/x.md", &after));
    let run = diff(&project.sandbox, &["../outside/old.lock"]).succeeds().prints([
        "changed helix.skills/a/references/x.md: larger than 1 MiB, not shown\n  before  1.12 MB, sha256 ",
        "\n  after   2.08 MB, sha256 ",
    ]);
    assert!(run.stdout.len() < 1_000, "{}", run.stdout.len());
    // An unlisted file is not even read.
    let file = std::fs::File::create(project.sandbox.project("helix.skills/a/enormous")).unwrap();
    file.set_len(100 << 30).unwrap();
    let run = project.sandbox.skills(["diff"]).succeeds();
    run.prints([
        "added helix.skills/a/enormous: larger than 1 MiB, not shown\n  after   107.37 GB\n",
    ]);
    project.sandbox.remove("project/helix.skills/a/enormous");
}

/// A large change does not delay the command, and does not hide a small one.
#[test]
fn files_with_too_many_lines_are_not_shown() {
    let project = synced();
    let lines = |from: usize, to: usize| (from..to).map(|n| format!("{n}\n")).collect::<String>();
    let change = Change::new().text("skills/a/references/large.md", &lines(0, 15_000));
    sync_next_commit(&project, change);
    let change = Change::new().text("skills/a/references/large.md", &lines(15_000, 30_000));
    sync_next_commit(&project, change.text("skills/a/references/x.md", "small\n"));
    let large = "changed helix.skills/a/references/large.md: too many lines, not shown\n  before  ";
    let run =
        diff(&project.sandbox, &["../outside/old.lock"]).succeeds().prints([large, "-x\n+small\n"]);
    assert!(run.stdout.len() < 1_000, "{}", run.stdout.len());
    run.says(["1 source, 1 skill, 2 files, +1 -1 lines"]);
    let document = diff(&project.sandbox, &["../outside/old.lock", "--json"]).succeeds().json();
    let file = entry(&document["skills"][0]["files"], "path", "references/large.md");
    assert_eq!((&file["shown"], &file["diff"]), (&json!("too-large"), &Value::Null));
}
