//! Tables fit the terminal.
#![cfg(unix)]

use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

const LONG: &str = "Reads PDF files of any size and fills in their forms, also 表格 in Chinese.";

const NAMES: [&str; 2] = ["a-skill-with-a-name-of-30-chars", "a-skill-with-a-name-of-30-chart"];

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = format!("---\nname: pdf\ndescription: {LONG}\nlicense: MIT\n---\nRead it.\n");
    sandbox.write("project/own/pdf/SKILL.md", text);
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

/// Returns the lines that a command prints in a terminal.
fn screen(sandbox: &Sandbox, arguments: &[&str], columns: u16) -> Vec<String> {
    let command = sandbox.command(arguments).env("CARGO_TERM_PROGRESS_WHEN", "never");
    let run = command.in_terminal(columns).finish().succeeds();
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn long_text_is_wrapped_to_two_lines() {
    let sandbox = project();
    let lines = screen(&sandbox, &["search", "pdf"], 60);
    let expected = [
        "skill  score  description",
        "pdf    1.04   Reads PDF files of any size and fills in their",
        "              forms, also 表格 in Chinese.",
    ];
    assert_eq!(lines, expected);
    // A wide character takes two columns.
    let lines = screen(&sandbox, &["search", "pdf"], 45);
    assert_eq!(lines[2], "              fills in their forms, also 表…");
    let lines = screen(&sandbox, &["search", "pdf"], 40);
    let expected = [
        "skill  score",
        "  description",
        "pdf  1.04",
        "  Reads PDF files of any size and fills",
        "  in their forms, also 表格 in Chinese.",
    ];
    assert_eq!(lines, expected);
}

/// Two skills with long names; the second one has a long license and description.
fn long_names() -> (Sandbox, String, helix_skills_tests::GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let license = "Proprietary. LICENSE.txt has complete terms";
    let second = format!("---\nname: {}\ndescription: {LONG}\nlicense: {license}\n---\n", NAMES[1]);
    let change = Change::new().skill(NAMES[0]).text("LICENSE", "A\n");
    upstream.commit(change.text(&format!("skills/{}/SKILL.md", NAMES[1]), &second));
    upstream.tag("v1.0.0");
    let server = sandbox.serve();
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &url]).succeeds();
    (sandbox, url, server)
}

#[test]
fn names_are_never_cut_and_no_line_is_too_long() {
    let (sandbox, url, _server) = long_names();
    for command in
        [&["list"][..], &["search", "skill"], &["outdated"], &["add", &url, "--list", "-q"]]
    {
        for columns in [40, 60, 80, 100, 120] {
            let lines = screen(&sandbox, command, columns);
            let table = lines.iter().take_while(|line| !line.starts_with('\u{1b}'));
            let is_short = |line: &String| line.chars().count() <= usize::from(columns);
            assert!(table.clone().all(is_short), "{columns} {lines:#?}");
            let names = if command[0] == "outdated" { &["tools"][..] } else { &NAMES };
            for name in names {
                assert!(table.clone().any(|line| line.starts_with(name)), "{columns} {lines:#?}");
            }
        }
    }
    // If not even the names fit, lines are longer.
    assert!(screen(&sandbox, &["list"], 20).contains(&NAMES[0].to_owned()));
}

#[test]
fn list_has_size_and_commit_at_any_width() {
    let (sandbox, _url, _server) = long_names();
    let commit = &sandbox.locked_commit("tools")[..12];
    for columns in [40, 60, 80, 100, 120] {
        let text = screen(&sandbox, &["list"], columns).join("\n");
        let locked = format!("v1.0.0@{commit}");
        assert_eq!(text.matches(&locked).count(), 2, "{columns} {text}");
        assert_eq!(text.matches("1 file, ").count(), 2, "{columns} {text}");
        assert!(text.contains("Proprietary. LICENSE.txt has"), "{columns} {text}");
    }
    let lines = screen(&sandbox, &["list"], 60);
    assert_eq!(lines[0], "skill  source  locked  size  tokens  license");
    assert_eq!(lines[1], format!("{}  tools  v1.0.0@{commit}", NAMES[0]));
    assert!(lines[2].starts_with("  1 file, "), "{lines:#?}");
    assert!(lines[2].ends_with("  see LICENSE of the repository"), "{lines:#?}");
}

#[test]
fn offers_begin_with_the_description_and_end_with_the_license() {
    let (sandbox, url, _server) = long_names();
    let lines = screen(&sandbox, &["add", &url, "--list", "-q"], 40);
    let expected = [
        "skill",
        "  description",
        "  size  license",
        NAMES[0],
        "  Does a-skill-with-a-name-of-30-chars",
        "  things.",
        "  1 file  see LICENSE of the repository",
        NAMES[1],
        "  Reads PDF files of any size and fills",
        "  in their forms, also 表格 in Chinese.",
        "  1 file  Proprietary. LICENSE.txt has …",
    ];
    assert_eq!(lines, expected);
    let lines = screen(&sandbox, &["add", &url, "--list", "-q"], 120);
    assert!(lines[0].starts_with("skill                            description"), "{lines:#?}");
    assert!(lines[1].ends_with("see LICENSE of the repository"), "{lines:#?}");
}

#[test]
fn tables_are_whole_with_wide_and_in_a_pipe() {
    let sandbox = project();
    let whole = format!("pdf    1.04   {LONG}");
    assert_eq!(screen(&sandbox, &["search", "pdf", "--wide"], 60)[1], whole);
    assert_eq!(screen(&sandbox, &["search", "pdf"], 200)[1], whole);
    let run = sandbox.skills(["search", "pdf"]).succeeds();
    assert_eq!(run.stdout.lines().nth(1), Some(whole.as_str()));
    assert_eq!(sandbox.skills(["search", "pdf", "--wide"]).succeeds().stdout, run.stdout);
    for command in ["list", "outdated"] {
        sandbox.skills([command, "--wide"]).succeeds();
    }
}
