//! Warnings about skills that did not change.

use crate::project::project;
use helix_skills_tests::{Change, skill_md};
use serde_json::json;

#[test]
fn verbose_sync_repeats_warnings_about_unchanged_skills() {
    let files = Change::new()
        .text("skills/tides/SKILL.md", &skill_md("other-name"))
        .text("skills/tides/a.swp", "x");
    let project = project(files);
    let sandbox = &project.sandbox;
    let name = "repo: skills/tides/SKILL.md:2:7: ";
    let leftovers = "the source `repo` has files that editors or systems left behind: ";
    sandbox.skills(["sync"]).succeeds().says([name, leftovers]);
    let run = sandbox.skills(["sync"]).succeeds().says(["use `-v` to print 2 notes"]);
    assert!(!run.stderr.contains(name), "{run}");
    let server = &project.server;
    server.take_traffic();
    sandbox.skills(["sync", "-v"]).succeeds().says([name, leftovers, "nothing to do"]);
    assert_eq!(server.traffic().requests, 0);
    sandbox.skills(["update", "-v"]).succeeds().says([name, leftovers]);
    let run = sandbox.skills(["sync", "--json"]).succeeds();
    assert_eq!(run.json()["warnings"], json!([]));
    assert_eq!(run.json()["details"].as_array().unwrap().len(), 2, "{run}");
}
