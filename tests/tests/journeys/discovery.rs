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

/// Returns the paths of the locked skills, sorted by their names.
fn locked_paths(sandbox: &Sandbox) -> Vec<String> {
    let lock = sandbox.lock_json();
    let skills = lock["skills"].as_object().unwrap().values();
    skills.map(|skill| skill["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn skills_are_at_any_depth_below_the_skills_directory() {
    let change = Change::new()
        .skill("a")
        .skill_at("skills/nested/deep/b", "b")
        .skill_at("skills/a/inner", "inner")
        .skill_at(".claude/skills/c", "c")
        .skill_at("d", "d")
        .text("SKILL.md", &skill_md("root"))
        .text("skills/README.md", "about\n")
        .text("skills/notes/README.md", "no skill\n");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(locked_paths(&sandbox), ["skills/a", "skills/nested/deep/b"]);
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
fn several_directories_are_searched() {
    let change = Change::new()
        .skill("a")
        .skill_at("plugins/one/skills/b", "b")
        .skill_at("plugins/two/skills/c", "c")
        .skill_at("docs/d", "d");
    let (sandbox, run) = sync(change, json!({"skillsDir": ["skills", "plugins"]}));
    run.succeeds();
    let paths = ["skills/a", "plugins/one/skills/b", "plugins/two/skills/c"];
    assert_eq!(locked_paths(&sandbox), paths);
    assert_eq!(
        sandbox.lock_json()["sources"]["repo"]["request"]["skillsDir"],
        json!(["plugins", "skills"]),
        "{}",
        sandbox.lock()
    );
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn root_skill_is_taken_with_the_other_skills() {
    let change = Change::new()
        .text("SKILL.md", &skill_md("root"))
        .text("references/x.md", "x\n")
        .skill_at("other/b", "b");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(locked_paths(&sandbox), ["other/b", "."]);
    let files = sandbox.files("project/helix.skills");
    let expected = [
        ".gitattributes",
        "b.sha256",
        "b/SKILL.md",
        "root.sha256",
        "root/SKILL.md",
        "root/references/x.md",
    ];
    assert_eq!(files, expected);
}

#[test]
fn visible_directories_are_searched_without_skills_directory() {
    let change = Change::new()
        .skill_at("packages/x/skills/b", "b")
        .skill_at(".claude/skills/c", "c")
        .skill_at("node_modules/dep/skills/d", "d")
        .skill_at("target/skills/e", "e")
        .skill_at("1/2/3/4/5/6/7/8/deep", "deep")
        .skill_at("tests/fixtures/f", "f")
        .skill_at("dist/skills/g", "g");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    let paths = ["packages/x/skills/b", "1/2/3/4/5/6/7/8/deep", "target/skills/e"];
    assert_eq!(locked_paths(&sandbox), paths);
    // Hidden directories are searched if there is nothing else.
    let change = Change::new()
        .skill_at(".claude/skills/c", "c")
        .skill_at(".git-hooks/backup/d", "d")
        .skill_at("tests/f", "f");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(locked_paths(&sandbox), [".claude/skills/c"]);
    // The limit of the depth is an error, not a part of the skills.
    let deep = "d/".repeat(17);
    let change = Change::new().skill("a").skill_at(&format!("skills/{deep}x"), "x");
    let (sandbox, run) = sync(change, json!({}));
    run.exits(6).says(["treeDepth"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn missing_skills_directory_is_an_error() {
    let change = Change::new().skill("a").skill_at("elsewhere/b", "b");
    let (_sandbox, run) = sync(change, json!({"skillsDir": "agents/skills"}));
    run.exits(2).says([
        "there are no skills in `agents/skills`",
        "help: remove `skillsDir` to search the whole repository\n",
    ]);
}

#[test]
fn empty_skills_directory_is_passed_over() {
    let change = Change::new().text("skills/README.md", "soon\n").skill_at("elsewhere/a", "a");
    let (sandbox, run) = sync(change, json!({}));
    run.succeeds();
    assert_eq!(locked_paths(&sandbox), ["elsewhere/a"]);
    let change = Change::new().text("skills/README.md", "soon\n");
    let (sandbox, run) = sync(change, json!({}));
    run.exits(2).says(["no skills in the repository", "help: the repository has no SKILL.md\n"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

#[test]
fn links_without_a_skill_are_ignored() {
    let change = || Change::new().text("AGENTS.md", "read me\n").link("CLAUDE.md", "AGENTS.md");
    let (sandbox, run) = sync(change(), json!({"skillsDir": "."}));
    run.exits(2).says(["there are no skills in the repository"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    let (_sandbox, run) = sync(change(), json!({"skillsDir": ".", "exclude": ["CLAUDE.md"]}));
    run.exits(2).says(["there are no skills in the repository"]);
    let (sandbox, run) = sync(change().skill("a"), json!({"skillsDir": "."}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["a"]);
    // A broken one stays an error until it is excluded.
    let broken = || Change::new().skill("a").link("skills/b", "../nothing");
    let (_sandbox, run) = sync(broken(), json!({}));
    run.exits(1).says(["skills/b", "leads to nothing"]);
    let (sandbox, run) = sync(broken(), json!({"exclude": ["b"]}));
    run.succeeds();
    assert_eq!(sandbox.locked_skills(), ["a"]);
    // No skills are requested.
    let (sandbox, run) = sync(change(), json!({"skillsDir": ".", "include": []}));
    run.succeeds();
    assert!(sandbox.locked_skills().is_empty());
}
