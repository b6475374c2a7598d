//! Tables fit the terminal.
#![cfg(unix)]

use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

const LONG: &str = "Reads PDF files of any size and fills in their forms, also 表格 in Chinese.";

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
fn long_cells_are_cut_to_the_width_of_the_terminal() {
    let sandbox = project();
    let lines = screen(&sandbox, &["search", "pdf"], 60);
    assert_eq!(lines[0], "skill  score  description");
    assert_eq!(lines[1], "pdf    1.04   Reads PDF files of any size and fills in thei…");
    // A wide character takes two columns.
    let lines = screen(&sandbox, &["search", "pdf"], 77);
    assert_eq!(
        lines[1],
        "pdf    1.04   Reads PDF files of any size and fills in their forms, also 表…"
    );
}

#[test]
fn names_are_never_cut() {
    let sandbox = Sandbox::new();
    let long = ["a-skill-with-a-name-of-30-chars", "a-skill-with-a-name-of-30-chart"];
    let upstream = sandbox.upstream("tools");
    upstream.commit(
        long.iter().fold(Change::new(), |all, name| all.skill(name)).text("LICENSE", "A\n"),
    );
    upstream.tag("v1.0.0");
    let server = sandbox.serve();
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &url]).succeeds();
    for command in
        [&["list"][..], &["search", "skill"], &["outdated"], &["add", &url, "--list", "-q"]]
    {
        for columns in [40, 60, 80] {
            let lines = screen(&sandbox, command, columns);
            let names = if command[0] == "outdated" { &["tools"][..] } else { &long };
            let table = &lines[..=names.len()];
            let is_short = |line: &String| line.chars().count() <= usize::from(columns);
            assert!(table.iter().all(is_short), "{columns} {lines:#?}");
            for (line, name) in table[1..].iter().zip(names) {
                assert!(line.starts_with(*name), "{columns} {lines:#?}");
            }
        }
    }
    let lines = screen(&sandbox, &["list"], 60);
    assert_eq!(lines[0], "skill                            source  locked            …");
    assert!(lines[1].starts_with(&format!("{}  tools   v1.0.0@", long[0])), "{lines:#?}");
    // If not even the names fit, lines are longer.
    assert_eq!(screen(&sandbox, &["list"], 20)[1], format!("{}  …", long[0]));
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
