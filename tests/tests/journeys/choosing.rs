//! The question which skills of a large source to add, in a pseudo terminal.
#![cfg(unix)]

use crate::commands::manifest;
use helix_skills_tests::{Change, GitServer, Running, Sandbox, Upstream};

const QUESTION: &str = "add which of 6 skills?";

const DOWN: &str = "\u{1b}[B";
const RIGHT: &str = "\u{1b}[C";
const ESCAPE: &str = "\u{1b}";

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
fn filtered_and_marked_skills_are_included() {
    for (keys, marked) in
        [(format!("{DOWN} {} \r", DOWN.repeat(3)), &["b", "e"][..]), ("C \r".to_owned(), &["c"])]
    {
        let (sandbox, _upstream, server) = project();
        let mut running = asked(&sandbox, &server);
        running.types(&keys);
        let run = running.finish().succeeds().prints([if marked.len() == 2 {
            "2 skills"
        } else {
            "1 skill"
        }]);
        assert!(!run.stdout.contains("next: run `skills sync`"), "{run}");
        assert_eq!(sandbox.locked_skills(), marked);
        assert_eq!(manifest(&sandbox)["skills"]["tools"]["include"], serde_json::json!(marked));
    }
}

#[test]
fn all_marked_skills_are_the_whole_source() {
    let (sandbox, _upstream, server) = project();
    let mut running = asked(&sandbox, &server);
    running.types(&format!("{RIGHT}\r"));
    assert!(running.finish().succeeds().stdout.contains("added"));
    assert_eq!(sandbox.locked_skills().len(), 6);
    assert!(manifest(&sandbox)["skills"]["tools"]["include"].is_null());
}

#[test]
fn no_mark_escape_and_interrupt_write_nothing() {
    let (sandbox, _upstream, server) = project();
    let before = sandbox.snapshot("project");
    for answer in ["y\r", "\r", ESCAPE] {
        let mut running = asked(&sandbox, &server);
        running.types(answer);
        running.finish().succeeds().prints(["nothing was written"]);
    }
    let mut running = asked(&sandbox, &server);
    // The second one ends the program if the first one came between two keys.
    running.signal("INT");
    running.signal("INT");
    running.finish().exits(130);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn question_does_not_depend_on_other_options() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    for option in ["--quiet", "--dry-run"] {
        let mut running = sandbox.command(["add", &url, option]).in_terminal(100);
        running.wait_for_screen(QUESTION);
        running.types("\r");
        running.finish().succeeds();
    }
}

#[test]
fn each_listed_skill_has_one_line() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let text = |name: &str| {
        format!("---\nname: {name}\ndescription: Is {}\n---\nText.\n", "long ".repeat(60))
    };
    let names = ["a", "b", "c", "d", "e", "f"];
    let change = names
        .iter()
        .fold(Change::new(), |all, name| all.text(&format!("skills/{name}/SKILL.md"), &text(name)));
    upstream.commit(change);
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    let mut running = asked(&sandbox, &server);
    running.wait_for_screen("f  Is long");
    running.types(ESCAPE);
    let run = running.finish().succeeds();
    let lines = run.stdout.lines().filter(|line| line.contains("  Is long"));
    assert!(lines.clone().count() >= 6 && lines.clone().all(|line| line.contains('…')), "{run}");
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
