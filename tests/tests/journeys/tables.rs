//! Tables fit the terminal.
#![cfg(unix)]

use helix_skills_tests::Sandbox;
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
    let run = sandbox.command(arguments).in_terminal(columns).finish().succeeds();
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
