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
        "@@ -1 +1,3 @@\n x\n+y\\r\n+z\n\\ no line feed at the end of the file\n",
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

/// A large change neither exhausts memory nor hides a small one.
#[test]
fn files_over_the_line_limit_are_counted_not_shown() {
    let project = synced();
    let lines = |from: usize, to: usize| (from..to).map(|n| format!("{n}\n")).collect::<String>();
    sync_next_commit(
        &project,
        Change::new().text("skills/a/references/large.md", &lines(0, 60_000)),
    );
    let change = Change::new().text("skills/a/references/large.md", &lines(60_000, 120_000));
    sync_next_commit(&project, change.text("skills/a/references/x.md", "small\n"));
    let large = "changed helix.skills/a/references/large.md: +60000 -60000, not shown because of the limit of lines\n  before  ";
    let run =
        diff(&project.sandbox, &["../outside/old.lock"]).succeeds().prints([large, "-x\n+small\n"]);
    assert!(run.stdout.len() < 1_000, "{}", run.stdout.len());
    let notice = "1 file is not shown (+60000 -60000 lines), because of the limit of 100000 lines; raise it with `--max-lines N`";
    run.says([notice, "1 source, 1 skill, 2 files, +60001 -60001 lines"]);
    let document = diff(&project.sandbox, &["../outside/old.lock", "--json"]).succeeds().json();
    let file = entry(&document["skills"][0]["files"], "path", "references/large.md");
    assert_eq!(
        (&file["shown"], &file["added"], &file["diff"]),
        (&json!("over-limit"), &json!(60_000), &Value::Null)
    );
    assert!(
        document["notes"][0].as_str().is_some_and(|note| note.starts_with(notice)),
        "{document}"
    );
    // `--max-lines` sets the number of lines.
    let more = diff(&project.sandbox, &["../outside/old.lock", "--max-lines", "200000"]).succeeds();
    more.prints(["-0\n-1\n", "+119999\n", "+small\n"]);
    diff(&project.sandbox, &["../outside/old.lock", "--max-lines", "0"])
        .succeeds()
        .says(["2 files are not shown (+60001"]);
    let run = diff(&project.sandbox, &["../outside/old.lock", "--stat"])
        .succeeds()
        .prints(["+60000 -60000\n"]);
    assert!(!run.stderr.contains("not shown"), "{run}");
    diff(&project.sandbox, &["--stat", "--max-lines", "1"]).exits(2);
}
