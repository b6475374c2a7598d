//! `skills diff` on a terminal: the pager.
#![cfg(unix)]

use super::{diff, synced};
use crate::project::Project;
use helix_skills_tests::Run;

/// A synced project with an edited file of the store.
fn edited() -> Project {
    let project = synced();
    project.sandbox.write("project/helix.skills/a/references/x.md", "y\n");
    project
}

/// Runs `skills diff` on a terminal with this pager.
fn paged(project: &Project, pager: &str) -> Run {
    let command = project.sandbox.command(["diff"]).env("PAGER", pager);
    command.in_terminal(100).finish().succeeds()
}

#[test]
fn diff_is_shown_by_the_pager_of_the_user() {
    let project = edited();
    let run = paged(&project, "sed s/^/paged:/");
    assert!(run.stdout.contains("paged:") && run.stdout.contains("+y"), "{run}");
    // Messages follow the pager.
    let (shown, rest) = run.stdout.split_once("differs:").unwrap();
    assert!(shown.contains("+y") && !rest.contains("paged:"), "{run}");
    // Colors are those of the terminal.
    assert!(shown.contains("\u{1b}[32m+y"), "{run}");
}

#[test]
fn diff_needs_no_pager() {
    let project = edited();
    for pager in ["cat", "", "/nonexistent/pager"] {
        let run = paged(&project, pager);
        assert!(run.stdout.contains("+y") && !run.stdout.contains("paged:"), "{pager}: {run}");
    }
    // A pager that ends at once is no error.
    paged(&project, "true").prints(["differs:"]);
    // Nor is one started for a pipe or a document.
    let command = project.sandbox.command(["diff"]).env("PAGER", "sed s/^/paged:/");
    command.run().succeeds().prints(["+y"]).never_prints("paged:");
    let document = project.sandbox.command(["diff", "--json"]).env("PAGER", "sed s/^/paged:/");
    document.in_terminal(100).finish().succeeds().never_prints("paged:");
    drop(diff(&project.sandbox, &[]));
}
