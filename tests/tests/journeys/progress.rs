//! Progress on a terminal, which the program `script` provides.

use helix_skills_tests::{Behavior, Change, Fault, GitServer, Run, Sandbox};
use serde_json::json;

/// A key that does not fit a narrow terminal with its state.
const KEY: &str = "a-source-with-a-name-that-is-long";

/// A project with one source, whose server behaves as given.
fn project(behavior: Behavior) -> (Sandbox, GitServer) {
    let sandbox = Sandbox::new();
    sandbox.upstream("tools").commit(Change::new().skill("alpha"));
    let server = sandbox.serve_with(behavior);
    sandbox.sources(&json!({KEY: {"type": "git", "url": server.url("tools")}}));
    (sandbox, server)
}

/// A server that sends the head of a response, and nothing else.
fn silent() -> Behavior {
    Behavior { faults: [(1, Fault::Stalled)].into(), ..Behavior::default() }
}

/// Runs `skills sync` on a terminal with this environment.
fn sync_on_terminal(sandbox: &Sandbox, columns: u32, environment: &[(&str, &str)]) -> Run {
    let mut command = sandbox.command(["sync"]).env("HELIX_SKILLS_STALL_TIMEOUT", "3");
    for (name, value) in environment {
        command = command.env(name, value);
    }
    let script =
        format!("exec script -qefc \"stty cols {columns} rows 20; exec $*\" /dev/null </dev/null");
    command.under("sh", ["-c", &script, "sh"]).run()
}

#[test]
fn progress_names_source_host_and_what_is_waited_for() {
    let (sandbox, _server) = project(silent());
    let run = sync_on_terminal(&sandbox, 100, &[("TERM", "xterm"), ("NO_COLOR", "1")]).exits(3);
    let run = run.prints([
        format!("  {KEY} (127.0.0.1): resolving"),
        format!("  {KEY} (127.0.0.1): waiting for an answer (1 s)"),
    ]);
    assert!(!run.stdout.contains("\u{1b}[1m") && !run.stdout.contains("\u{1b}[3"), "{run}");
}

#[test]
fn progress_fits_a_narrow_terminal() {
    let (sandbox, _server) = project(silent());
    let run = sync_on_terminal(&sandbox, 60, &[("TERM", "xterm")]).exits(3);
    let drawn: Vec<&str> =
        run.stdout.split(['\r', '\n', '\u{1b}']).filter(|part| part.contains(KEY)).collect();
    assert!(drawn.iter().any(|part| part.contains("(127.0.0.1): wait")), "{run}");
    // After an escape sequence of 3 characters, both lines have the width of the terminal.
    let rows = drawn.iter().filter(|part| part.contains(": wait"));
    assert!(rows.clone().all(|part| part.chars().count() == 3 + 60 + 60), "{drawn:#?}");
    assert!(rows.clone().all(|part| part.ends_with('…')), "{drawn:#?}");
    // Lines that begin after other text would be wrapped.
    assert!(run.stdout.starts_with('\r'), "{run}");
}

#[test]
fn summary_has_the_time() {
    for environment in [&[("TERM", "xterm")][..], &[("TERM", "dumb"), ("NO_COLOR", "1")]] {
        let (sandbox, _server) = project(Behavior::default());
        let run = sync_on_terminal(&sandbox, 100, environment).succeeds();
        has_time(&run.stdout);
    }
    let (sandbox, _server) = project(Behavior::default());
    has_time(&sandbox.skills(["sync"]).succeeds().stderr);
}

fn has_time(printed: &str) {
    let summary = printed.lines().find(|line| line.contains("1 skill, 1 file, "));
    assert!(summary.is_some_and(|line| line.contains(" in ") && line.ends_with(" s")), "{printed}");
}

#[test]
fn dumb_terminals_and_pipes_get_no_progress() {
    let (sandbox, server) = project(silent());
    let run = sync_on_terminal(&sandbox, 100, &[("TERM", "dumb"), ("NO_COLOR", "1")]).exits(3);
    let run = run.never_prints("\u{1b}").never_prints("resolving");
    assert!(run.stdout.contains("error: "), "{run}");
    server.take_traffic();
    server.behave(Behavior::default());
    let run = sandbox.skills(["sync"]).succeeds().never_prints("\u{1b}").never_prints("\r");
    run.says(["synced 1 skill, 1 file, "]);
}
