//! `skills validate` for skills of other repositories, which are in the store.

use super::{GOOD, validate};
use crate::project::{Project, project};
use helix_skills_tests::Change;
use serde_json::{Value, json};

/// A project with the skills `tides` and `vague` of a repository, and no other.
fn remote_skills() -> Project {
    let vague = "---\nname: vague\ndescription: Wind\n---\nText.\n";
    let change =
        Change::new().text("skills/tides/SKILL.md", GOOD).text("skills/vague/SKILL.md", vague);
    let project = project(change);
    project.sandbox.skills(["sync"]).succeeds();
    project
}

#[test]
fn remote_skills_are_validated_in_the_store() {
    let Project { sandbox, .. } = remote_skills();
    let run = validate(&sandbox, [""; 0]).succeeds().says(["2 skills: 0 errors, 1 warning"]);
    assert!(run.stdout.starts_with("helix.skills/vague/SKILL.md:3:14: warning: "), "{run}");
    let document = validate(&sandbox, ["--json"]).succeeds().json();
    assert_eq!(document["counts"]["skills"], 2);
    // Skills of the project go first.
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    validate(&sandbox, [""; 0]).succeeds().says(["ok 1 skill, no problems found"]);
    sandbox.remove("project/skills");
    sandbox.remove_store();
    validate(&sandbox, [""; 0]).exits(1).says([
        "error: the skills `tides`, `vague` are not in the store",
        "help: run `skills sync`",
    ]);
    sandbox.remove("project/helix.skills.lock");
    validate(&sandbox, [""; 0]).exits(1).says(["cannot find the lockfile", "skills sync"]);
}

/// The text of a renamed skill is upstream's, and names its upstream directory.
#[test]
fn renamed_locked_skill_keeps_its_upstream_name() {
    let project = remote_skills();
    let sandbox = &project.sandbox;
    let mut manifest: Value =
        serde_json::from_str(&sandbox.read("project/helix.skills.json")).unwrap();
    let source = manifest["skills"].as_object_mut().unwrap().values_mut().next().unwrap();
    source["rename"] = json!({"tides": "sea"});
    sandbox.manifest(&manifest.to_string());
    sandbox.skills(["sync"]).succeeds();
    validate(sandbox, ["sea"]).succeeds().says(["ok 1 skill, no problems found"]);
    validate(sandbox, [""; 0]).succeeds().says(["2 skills: 0 errors, 1 warning"]);
}

#[test]
fn locked_skill_is_validated_by_name() {
    let Project { sandbox, .. } = remote_skills();
    let run = validate(&sandbox, ["vague"]).succeeds().says(["1 skill: 0 errors, 1 warning"]);
    assert!(run.stdout.starts_with("helix.skills/vague/SKILL.md:3:14: warning: "), "{run}");
    validate(&sandbox, ["tides", "vague"]).succeeds().says(["2 skills: "]);
    validate(&sandbox, ["vogue"]).exits(2).says(["no skill `vogue`", "did you mean `vague`?"]);
    validate(&sandbox, ["x/y"]).exits(2).says(["cannot find `x/y`", "name of a locked skill"]);
    sandbox.remove("project/helix.skills/tides");
    validate(&sandbox, ["tides"]).exits(1).says(["the skill `tides` is not in the store"]);
    // A path wins.
    sandbox.write("project/vague/SKILL.md", GOOD.replace("tides", "vague"));
    let run = validate(&sandbox, ["vague"]).succeeds().says(["ok 1 skill, no problems found"]);
    assert_eq!(run.stdout, "");
    let run = validate(&sandbox, ["skill:vague"]).succeeds();
    assert!(run.stdout.starts_with("helix.skills/vague/SKILL.md:3:14: warning: "), "{run}");
    sandbox.skills(["show", "skill:vague"]).succeeds();
    // A skill of a `path` source has a name, too.
    sandbox.write("project/own/tides/SKILL.md", GOOD);
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    validate(&sandbox, ["tides"]).succeeds().says(["ok 1 skill, no problems found"]);
}
