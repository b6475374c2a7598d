//! Where the skills of a repository are searched.

use helix_skills_tests::{Change, Run, Sandbox, skill_md};
use serde_json::{Value, json};

fn sync(change: Change, select: Value) -> (Sandbox, Run) {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(change);
    let server = sandbox.serve();
    let mut source = json!({"type": "git", "url": server.url("repo")});
    source.as_object_mut().unwrap().extend(select.as_object().unwrap().clone());
    sandbox.sources(&json!({ "repo": source }));
    let run = sandbox.skills(["sync"]);
    (sandbox, run)
}

#[test]
fn skills_are_one_level_below_the_skills_directory() {
    let change = Change::new()
        .skill("a")
        .skill_at("skills/nested/b", "b")
        .skill_at("skills/a/inner", "inner")
        .skill_at(".claude/skills/c", "c")
        .skill_at("d", "d")
        .text("SKILL.md", &skill_md("root"))
        .text("skills/README.md", "about\n")
        .text("skills/notes/README.md", "no skill\n");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["a"]);
    assert!(
        sandbox.exists("project/helix.skills/a/inner/SKILL.md"),
        "a skill inside a skill is a file of it"
    );
}

#[test]
fn skills_directory_is_configurable() {
    let change = Change::new().skill("a").skill_at("packages/ai/.skills/b", "b");
    let (sandbox, run) = sync(change, json!({"skillsDir": "packages/ai/.skills"}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["b"]);
    assert_eq!(sandbox.lock_json()["skills"]["b"]["path"], "packages/ai/.skills/b");
}

#[test]
fn skills_directory_may_be_the_root() {
    let change = Change::new().skill_at("a", "a").skill_at("b", "b").text("README.md", "about\n");
    let (sandbox, run) = sync(change, json!({"skillsDir": "."}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["a", "b"]);
}

#[test]
fn root_skill_is_used_without_a_skills_directory() {
    let change = Change::new().text("SKILL.md", &skill_md("root")).skill_at("other/b", "b");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["root"]);
    assert_eq!(sandbox.lock_json()["skills"]["root"]["path"], ".");
}

#[test]
fn error_lists_directories_where_skills_were_found() {
    let change = Change::new()
        .skill_at("packages/x/skills/b", "b")
        .skill_at(".claude/skills/c", "c")
        .skill_at("node_modules/dep/skills/d", "d")
        .skill_at("target/skills/e", "e")
        .skill_at("1/2/3/4/5/6/7/8/too-deep", "f");
    let (sandbox, run) = sync(change, json!({}));
    let run = run.exits(2).says([
        "repo",
        ".claude/skills/c/SKILL.md",
        "packages/x/skills/b/SKILL.md",
        "skillsDir",
    ]);
    for left_out in ["node_modules", "target/", "too-deep"] {
        assert!(!run.stderr.contains(left_out), "{left_out}: {run}");
    }
    assert!(
        run.stderr.find(".claude/") < run.stderr.find("packages/"),
        "expected bytewise order: {run}"
    );
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn missing_skills_directory_is_an_error() {
    let change = Change::new().skill("a").skill_at("elsewhere/b", "b");
    let (_sandbox, run) = sync(change, json!({"skillsDir": "agents/skills"}));
    run.exits(2).says(["agents/skills", "skills/a/SKILL.md", "elsewhere/b/SKILL.md"]);
}

#[test]
fn empty_skills_directory_is_an_error() {
    let change = Change::new().text("skills/README.md", "soon\n").skill_at("elsewhere/a", "a");
    let (_sandbox, run) = sync(change, json!({}));
    run.exits(2).says(["elsewhere/a/SKILL.md"]);
}

#[test]
fn links_without_a_skill_are_ignored() {
    let change =
        || Change::new().skill("a").text("AGENTS.md", "read me\n").link("CLAUDE.md", "AGENTS.md");
    let (sandbox, run) = sync(change(), json!({"skillsDir": "."}));
    run.exits(2).says([
        "there are no skills at the root of the repository",
        "remove `skillsDir`: the skills are in `skills`",
    ]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    let (_sandbox, run) = sync(change(), json!({"skillsDir": ".", "exclude": ["CLAUDE.md"]}));
    run.exits(2).says(["there are no skills at the root of the repository"]);
    // A broken one stays an error until it is excluded.
    let broken = || Change::new().skill_at("more/a", "a").link("skills/b", "../nothing");
    let (_sandbox, run) = sync(broken(), json!({}));
    run.exits(1).says(["skills/b", "leads to nothing"]);
    let (_sandbox, run) = sync(broken(), json!({"exclude": ["b"]}));
    run.exits(2).says(["there are no skills in `skills`", "more/a/SKILL.md"]);
    // No skills are requested.
    let (sandbox, run) = sync(change(), json!({"skillsDir": ".", "include": []}));
    run.succeeds();
    assert!(sandbox.locked_skills().is_empty());
}
