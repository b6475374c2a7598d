//! `skills diff`: what changed for a model between two lockfiles, or in the store since it was
//! locked.

mod lockfiles;
mod old_text;
mod printing;
mod store;

use crate::project::{Project, project};
use helix_skills_tests::{Change, Run, Sandbox, skill_md};
use serde_json::Value;

/// Returns a SKILL.md with this body.
fn skill(name: &str, body: &str) -> String {
    skill_md(name) + body
}

/// A synced project whose only skill `a` has a text file, a binary file and a reference.
fn synced() -> Project {
    let change = Change::new()
        .text("skills/a/SKILL.md", &skill("a", "one\ntwo\nthree\n"))
        .bytes("skills/a/logo.bin", b"\0\x01")
        .text("skills/a/references/x.md", "x\n");
    let project = project(change);
    project.sandbox.skills(["sync"]).succeeds();
    project
}

/// Keeps the old lockfile outside the project and syncs another commit of its source.
fn sync_next_commit(project: &Project, change: Change) {
    project.sandbox.write("outside/old.lock", project.sandbox.lock());
    project.upstream.commit(change);
    // Without a lockfile, the default branch is resolved again.
    project.sandbox.remove("project/helix.skills.lock");
    project.sandbox.skills(["sync"]).succeeds();
}

fn diff(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let before = sandbox.snapshot("project");
    let cache = sandbox.snapshot("cache");
    let run = sandbox.skills(["diff"].iter().chain(arguments));
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new(), "{run}");
    assert_eq!(sandbox.snapshot("cache").changes_since(&cache), Vec::<String>::new(), "{run}");
    run
}

/// Finds the entry of a list with this value for `key`.
fn entry<'v>(list: &'v Value, key: &str, value: &str) -> &'v Value {
    let entries = list.as_array().unwrap_or_else(|| panic!("not a list: {list}"));
    entries
        .iter()
        .find(|entry| entry[key] == value)
        .unwrap_or_else(|| panic!("no {key} {value}: {list}"))
}
