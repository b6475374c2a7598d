//! `skills add` of skills that its source does not search, or its pin does not have.

use super::manifest;
use helix_skills_tests::{Change, GitServer, Sandbox, Upstream};
use serde_json::{Value, json};

/// A repository whose two releases and default branch have more and more skills.
fn project() -> (Sandbox, Upstream, GitServer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tools");
    let change = Change::new().skill("a").skill("b").skill_at("plugins/p/skills/c", "c");
    let same = |at: &str| format!("---\nname: same\ndescription: From {at}.\n---\nx\n");
    let change = change.text("x/same/SKILL.md", &same("x")).text("y/same/SKILL.md", &same("y"));
    upstream.commit(change);
    upstream.tag("v1.0.0");
    upstream.commit(Change::new().skill("d"));
    upstream.tag("v2.0.0");
    upstream.commit(Change::new().skill("late"));
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    (sandbox, upstream, server)
}

fn entry(sandbox: &Sandbox) -> Value {
    manifest(sandbox)["skills"]["tools"].clone()
}

#[test]
fn skill_elsewhere_is_included_with_the_locked_ones() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    sandbox.skills(["add", &url, "--version", "1.0.0"]).succeeds();
    sandbox.skills(["add", &url, "--include", "c"]).succeeds().says([
        "changed the source tools, version 1.0.0: include a, b, plugins/p/skills/c\n",
        "tools no longer takes skills by itself that upstream adds",
        "note: c is in plugins/p/skills/c\n",
    ]);
    assert_eq!(entry(&sandbox)["include"], json!(["a", "b", "plugins/p/skills/c"]));
    assert_eq!(sandbox.locked_skills(), ["a", "b", "c"]);
    let run = sandbox.skills(["add", &url, "--include", "c"]).succeeds();
    run.says(["unchanged the source tools already has"]);
}

#[test]
fn skill_of_a_new_pin_needs_no_include() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    sandbox.skills(["add", &url, "--version", "1.0.0"]).succeeds();
    sandbox.skills(["add", &url, "--version", "2.0.0", "--include", "d"]).succeeds();
    assert_eq!(entry(&sandbox), json!({"type": "git", "url": url, "version": "2.0.0"}));
    assert_eq!(sandbox.locked_skills(), ["a", "b", "d"]);
}

/// A named skill is looked up at the new pin, also by a name that it has only in the lockfile.
#[test]
fn skill_that_moved_with_the_pin_is_included_or_an_error() {
    let (sandbox, upstream, server) = project();
    let url = server.url("tools");
    let moved = Change::new().remove("skills/a").remove("skills/b").skill_at("data/b", "b");
    upstream.commit(moved);
    upstream.tag("v3.0.0");
    sandbox.skills(["add", &url, "--version", "1.0.0", "--rename", "b=bee"]).succeeds();
    let before = sandbox.snapshot("project");
    let pin = ["add", &url, "--version", "3.0.0", "--include"];
    let run = sandbox.skills(pin.iter().chain(&["a"])).exits(2);
    run.says(["the source `tools` has no skill `a`"]).never_prints("skills update");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.skills(pin.iter().chain(&["bee"])).succeeds().says(["note: bee is in data/b"]);
    let (include, rename) = (json!(["data/b"]), json!({"data/b": "bee"}));
    assert_eq!((&entry(&sandbox)["include"], &entry(&sandbox)["rename"]), (&include, &rename));
    assert_eq!(sandbox.locked_skills(), ["bee"]);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

/// What is excluded by name alone keeps the name that `rename` gives it.
#[test]
fn removed_skill_is_added_again_by_its_new_name() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    sandbox.skills(["add", &url, "--version", "2.0.0", "--rename", "b=bee"]).succeeds();
    sandbox.skills(["remove", "bee", "d"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["a"]);
    let run = sandbox.skills(["add", &url, "--include", "bee"]).succeeds();
    run.says(["changed the source tools, version 2.0.0: it no longer excludes b\n"]);
    assert_eq!(sandbox.locked_skills(), ["a", "bee"]);
    assert_eq!(entry(&sandbox)["exclude"], json!(["d"]));
}

#[test]
fn skill_of_the_default_branch_is_answered_with_two_commands() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    sandbox.skills(["add", &url, "--include", "a"]).succeeds();
    let run = sandbox.skills(["add", &url, "--include", "late"]).exits(2);
    let run = run.says(["the source `tools`: version 2.0.0 does not have `late`"]);
    let [moved, second] = run.offered().try_into().unwrap();
    assert_eq!(moved, format!("skills add {url} --ref main --include late"));
    sandbox.skills(second.split(' ').skip(1)).succeeds();
    assert_eq!(manifest(&sandbox)["skills"]["tools-main"]["ref"], "main");
    assert_eq!(sandbox.locked_skills(), ["a", "late"]);
}

#[test]
fn name_of_several_skills_is_answered_with_a_command_for_each() {
    let (sandbox, _upstream, server) = project();
    let url = server.url("tools");
    let run = sandbox.skills(["add", &url, "--include", "same"]).exits(2);
    let run = run.says(["`same` is in 2 directories: `x/same`, `y/same`"]);
    let [first, second] = run.offered().try_into().unwrap();
    assert_eq!(first, format!("skills add {url} --include x/same"));
    sandbox.skills(second.split(' ').skip(1)).succeeds();
    assert_eq!(entry(&sandbox)["include"], json!(["y/same"]));
}
