//! The question which skills of a large source to add, in a pseudo terminal.
#![cfg(unix)]

use crate::commands::manifest;
use helix_skills_tests::{Change, GitServer, Running, Sandbox, Upstream};

const QUESTION: &str = "add which of 6 skills? [names, all, or NONE] ";

/// A project without sources, and a repository with six skills.
fn project() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let change = ["a", "b", "c", "d", "e", "f"].iter().fold(Change::new(), |all, s| all.skill(s));
    upstream.commit(change);
    upstream.tag("v1.0.0");
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    (sandbox, upstream, server)
}

/// Starts `skills add` and waits for the question.
fn asked<'s>(sandbox: &'s Sandbox, server: &GitServer) -> Running<'s> {
    let url = server.url("tools");
    let mut running = sandbox.command(["add", &url]).in_terminal(100);
    running.wait_for_screen(QUESTION);
    running
}

#[test]
fn names_on_a_terminal_are_included() {
    let (sandbox, _upstream, server) = project();
    let mut running = asked(&sandbox, &server);
    running.types("b, x\n");
    running.wait_for_screen("there is no skill `x`");
    running.types("b,e\n");
    let run = running.finish().succeeds().prints([
        "skill  description     size    license",
        "none found",
        "added",
    ]);
    assert!(!run.stdout.contains("next: skills sync"), "{run}");
    assert_eq!(sandbox.locked_skills(), ["b", "e"]);
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["include"], serde_json::json!(["b", "e"]));
}

#[test]
fn only_all_adds_every_skill_on_a_terminal() {
    let (sandbox, _upstream, server) = project();
    let mut running = asked(&sandbox, &server);
    // Answers to another question.
    for answer in ["y", "yes"] {
        running.types(&format!("{answer}\n"));
        running.wait_for_screen(&format!("there is no skill `{answer}`"));
    }
    running.types("all\n");
    assert!(running.finish().succeeds().stdout.contains("added"));
    assert_eq!(sandbox.locked_skills().len(), 6);
    assert!(manifest(&sandbox)["skills"]["tools"]["include"].is_null());
}

#[test]
fn none_interrupt_and_end_of_input_write_nothing() {
    let (sandbox, _upstream, server) = project();
    let before = sandbox.snapshot("project");
    let mut running = asked(&sandbox, &server);
    running.types("none\n");
    running.finish().succeeds().prints(["nothing was written"]);
    // The default.
    let mut running = asked(&sandbox, &server);
    running.types("\n");
    running.finish().succeeds().prints(["nothing was written"]);
    let mut running = asked(&sandbox, &server);
    running.types("3\n");
    running.wait_for_screen("there is no skill `3`; type names from the list, `all` or `none`");
    running.types("No\n");
    running.finish().succeeds().prints(["nothing was written"]);
    let mut running = asked(&sandbox, &server);
    // Ctrl-D at the start of a line.
    running.types("\u{4}");
    running.finish().exits(2).prints(["no skills were chosen", "--all"]);
    let mut running = asked(&sandbox, &server);
    running.signal("INT");
    running.finish().exits(130).prints(["interrupted"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn question_does_not_depend_on_other_options() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    for option in ["--quiet", "--dry-run"] {
        let mut running = sandbox.command(["add", &url, option]).in_terminal(100);
        running.wait_for_screen(QUESTION);
        running.types("x\n");
        running.wait_for_screen("there is no skill `x`");
        running.types("none\n");
        running.finish().succeeds();
    }
    let mut running = sandbox.command(["add", &url]).in_terminal(100);
    running.wait_for_screen(QUESTION);
    running.types("c\n");
    running.finish().succeeds();
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["include"], serde_json::json!(["c"]));
}

#[test]
fn nothing_is_asked_with_a_selection_or_in_a_pipe() {
    for arguments in [&["--all"][..], &["--exclude", "f"], &["--json", "--all"]] {
        let (sandbox, _upstream, server) = project();
        let url = server.url("tools");
        let arguments = [&["add", &url], arguments].concat();
        let run = sandbox.command(arguments).in_terminal(100).finish().succeeds();
        assert!(!run.stdout.contains(QUESTION), "{run}");
        assert!(sandbox.locked_skills().len() > 4);
    }
}

#[test]
fn yes_neither_asks_nor_means_all() {
    let (sandbox, _upstream, server) = project();
    let before = sandbox.snapshot("project");
    let url = server.url("tools");
    let run = sandbox.command(["add", &url, "--yes"]).in_terminal(100).finish().exits(2);
    run.prints(["the source `tools` would take 6 skills", "--all"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.skills(["add", &url, "--yes", "--all"]).succeeds();
    assert_eq!(sandbox.locked_skills().len(), 6);
}

/// Without a terminal, nothing can be asked.
#[test]
fn many_skills_in_a_pipe_are_an_error_with_commands() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["add", &url]).exits(2).never_prints(QUESTION);
    let run = run.says(["the source `tools` would take 6 skills", "name some with `--include`"]);
    let [list, all] = <[String; 2]>::try_from(run.offered()).unwrap();
    sandbox.skills(["add", &url, "--json"]).exits(2).never_prints(QUESTION);
    sandbox.skills(list.split(' ').skip(1)).succeeds().prints(["Does f things."]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.skills(all.split(' ').skip(1)).succeeds();
    assert_eq!(sandbox.locked_skills().len(), 6);
    assert!(manifest(&sandbox)["skills"]["tools"]["include"].is_null());
    // Without another skill, there is no question; a seventh one is not added to these.
    sandbox.skills(["add", &url]).succeeds().says(["unchanged"]);
}
