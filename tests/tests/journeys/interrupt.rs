//! Interruption by a signal: the program exits soon with code 130 and leaves no partial files.
#![cfg(unix)]

use crate::requests::incompressible_bytes;
use helix_skills_tests::{Behavior, Change, Fault, GitServer, Sandbox, Upstream};
use serde_json::json;
use std::{collections::BTreeMap, fs};

/// A project that is locked at version 1.0.0 and requests 2.0.0 from a server that may stop
/// responding.
struct Project {
    server: GitServer,
    _upstream: Upstream,
    sandbox: Sandbox,
}

impl Project {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("repo");
        upstream.commit(Change::new().skill("a").skill("leaves"));
        upstream.tag("v1.0.0");
        let mut change =
            Change::new().remove("skills/leaves").text("skills/a/new.md", "new\n").skill("comes");
        for number in 0..400 {
            change = change.bytes(
                &format!("skills/comes/data/{number}.bin"),
                &incompressible_bytes(300 + number),
            );
        }
        upstream.commit(change);
        upstream.tag("v2.0.0");
        let server = sandbox.serve();
        let project = Self { server, _upstream: upstream, sandbox };
        project.pin("1.0.0");
        project.sandbox.skills(["sync"]).succeeds();
        project.pin("2.0.0");
        project
    }

    fn pin(&self, version: &str) {
        let source = json!({"type": "git", "url": self.server.url("repo"), "version": version});
        self.sandbox.sources(&json!({ "repo": source }));
    }

    /// Makes the server stop responding from this request on.
    fn stop_responding_at(&self, request: u64) {
        let faults = BTreeMap::from([(request, Fault::Stalled)]);
        self.server.take_traffic();
        self.server.behave(Behavior { faults, ..Behavior::default() });
    }

    /// Checks that the next sync completes normally.
    fn next_sync_succeeds(&self) {
        self.server.behave(Behavior::default());
        self.sandbox.skills(["sync"]).succeeds();
        assert_eq!(self.sandbox.locked_skills(), ["a", "comes"]);
        self.sandbox.skills(["sync", "--check", "--store"]).succeeds();
        assert!(!self.sandbox.exists("project/helix.skills/.staging"));
        assert!(!self.sandbox.exists("project/helix.skills/leaves"));
    }
}

#[test]
fn signal_during_a_silent_request_exits_soon() {
    let project = Project::new();
    let before = project.sandbox.snapshot("project");
    for signal in ["INT", "TERM", "HUP"] {
        for request in 1..=3 {
            for command in [&["sync"][..], &["update"], &["outdated"]] {
                if command[0] == "outdated" && request > 2 {
                    continue; // There is no third request.
                }
                project.stop_responding_at(request);
                let mut running = project.sandbox.command(command).start();
                running.wait_until("the request that gets no answer", || {
                    project.server.traffic().requests >= request
                });
                running.signal(signal);
                let run = running.finish().exits(130).says(["interrupted"]);
                assert!(run.stdout.is_empty(), "{run}");
                // No other error is printed.
                assert_eq!(run.stderr.matches("error:").count(), 1, "{run}");
                let now = project.sandbox.snapshot("project");
                assert_eq!(
                    now.changes_since(&before),
                    Vec::<String>::new(),
                    "{signal} {request} {command:?}"
                );
            }
        }
    }
    project.next_sync_succeeds();
}

#[test]
fn second_signal_has_no_effect() {
    let project = Project::new();
    let before = project.sandbox.snapshot("project");
    project.stop_responding_at(3);
    let mut running = project.sandbox.command(["sync"]).alongside_others().start();
    running
        .wait_until("the request that gets no answer", || project.server.traffic().requests >= 3);
    running.signal("INT");
    running.signal("INT");
    running.finish().exits(130);
    let now = project.sandbox.snapshot("project");
    assert_eq!(now.changes_since(&before), Vec::<String>::new());
    project.next_sync_succeeds();
}

#[test]
fn interrupted_add_keeps_the_manifest() {
    let project = Project::new();
    let before = project.sandbox.snapshot("project");
    project.stop_responding_at(3);
    let mut running =
        project.sandbox.command(["add", &project.server.url("repo"), "--name", "again"]).start();
    running
        .wait_until("the request that gets no answer", || project.server.traffic().requests >= 3);
    running.signal("INT");
    running.finish().exits(130).says(["interrupted", "the manifest is unchanged"]);
    assert_eq!(project.sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    project.next_sync_succeeds();
}

#[test]
fn signal_ends_the_wait_for_the_project_lock() {
    let project = Project::new();
    project.stop_responding_at(1);
    let mut first = project.sandbox.command(["sync"]).start();
    first.wait_until("the request that gets no answer", || project.server.traffic().requests >= 1);
    let before = project.sandbox.snapshot("project");
    for command in [&["sync"][..], &["update"], &["add", "./x"], &["remove", "repo"]] {
        project.sandbox.write("project/x/one/SKILL.md", helix_skills_tests::skill_md("one"));
        let mut second = project.sandbox.command(command).alongside_others().start();
        second.wait_for_stderr("waiting for another process");
        second.signal("INT");
        second.finish().exits(130).says(["interrupted"]);
        project.sandbox.remove("project/x");
    }
    assert_eq!(project.sandbox.snapshot("project").contents(), before.contents());
    first.signal("INT");
    first.finish().exits(130);
    project.next_sync_succeeds();
}

/// At every stage, each file is its old or new version, and the next sync completes the work.
#[test]
fn signal_during_writes_leaves_no_partial_files() {
    let project = Project::new();
    let old = project.sandbox.snapshot("project");
    project.sandbox.skills(["sync"]).succeeds();
    let new = project.sandbox.snapshot("project");
    let kept: Vec<(String, Vec<u8>)> =
        old.contents().into_iter().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
    let staged = |least: usize| {
        let staging = project.sandbox.project("helix.skills/.staging");
        fs::read_dir(staging).is_ok_and(|entries| entries.count() >= least)
    };
    let mut ended = Vec::new();
    for least in [1, 1, 2, 3] {
        for place in ["project", "cache"] {
            project.sandbox.remove(place);
            fs::create_dir(project.sandbox.path(place)).unwrap();
        }
        kept.iter()
            .for_each(|(path, bytes)| project.sandbox.write(format!("project/{path}"), bytes));
        project.pin("2.0.0");
        let mut running = project.sandbox.command(["sync"]).start();
        running.wait_until("files are staged", || staged(least));
        running.signal("INT");
        let run = running.finish();
        assert!(matches!(run.code, Some(0 | 130)), "{run}");
        ended.push(run.code);
        let now = project.sandbox.snapshot("project");
        let (old, new) = (old.contents(), new.contents());
        for (path, bytes) in now.contents() {
            assert!(
                old.get(path) == Some(&bytes) || new.get(path) == Some(&bytes),
                "{path} is partial"
            );
        }
        // Either all changes were made or none.
        assert!(now.contents() == old || now.contents() == new, "{run}");
        project.next_sync_succeeds();
    }
    assert!(ended.contains(&Some(130)), "expected an interrupted run: {ended:?}");
}

/// Returns the rows that a terminal shows after this output.
fn rows(output: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut row, mut column) = (vec![vec![' '; columns]], 0, 0);
    let mut rest = output.chars();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['), "{output:?}");
                let sequence: String = rest.by_ref().take_while(|c| !c.is_alphabetic()).collect();
                // `take_while` has consumed the letter.
                let at = output.len() - rest.as_str().len() - 1;
                let number = sequence.parse().unwrap_or(1);
                match (output.as_bytes()[at], sequence.as_str()) {
                    (b'A', _) => row -= usize::min(number, row),
                    (b'B', _) => row += number,
                    (b'K', "2") => rows[row].fill(' '),
                    (b'K', _) => rows[row][usize::min(column, columns - 1)..].fill(' '),
                    _ => {}
                }
            }
            _ => {
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                if row == rows.len() {
                    rows.push(vec![' '; columns]);
                }
                rows[row][column] = c;
                column += 1;
            }
        }
        while row >= rows.len() {
            rows.push(vec![' '; columns]);
        }
    }
    let text = |row: Vec<char>| row.into_iter().collect::<String>().trim_end().to_owned();
    rows.into_iter().map(text).filter(|row| !row.is_empty()).collect()
}

#[test]
fn ctrl_c_leaves_at_most_what_was_running_above_the_error() {
    const COLUMNS: u16 = 60;
    let project = Project::new();
    project.stop_responding_at(3);
    let mut running = project.sandbox.command(["sync"]).in_terminal(COLUMNS);
    running.wait_for_screen("waiting for an answer");
    // The terminal is not that of the session: it echoes the key, and sends no signal.
    running.types("\u{3}");
    running.wait_for_screen("^C");
    running.signal("INT");
    let run = running.finish().exits(130);
    let rows = rows(&run.stdout, COLUMNS.into());
    let [progress @ .., last] = &rows[..] else { panic!("{run}") };
    assert_eq!(last, "error: interrupted", "{run}");
    assert!(progress.iter().all(|row| row.ends_with("syncing skills")), "{run}");
    assert!(progress.len() < 2, "{run}");
}
