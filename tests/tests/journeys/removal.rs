//! Removing and updating by the name of a skill.

use crate::commands::manifest;
use crate::market::Market;
use crate::project::{Project, project};
use helix_skills_tests::Change;
use serde_json::json;

fn three_skills() -> Project {
    project(Change::new().skill("alpha").skill("beta").skill("gamma"))
}

#[test]
fn remove_takes_a_skill_out_of_include() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    let url = project.server.url("repo");
    sandbox.manifest(&format!(
        "{{\n  \"skills\": {{\n    // ours\n    \"repo\": {{\n      \"type\": \"git\", \"url\": \"{url}\", // u\n      \"include\": [\n        \"alpha\", // first\n        \"beta\", // second\n        \"gamma\" // third\n      ]\n    }}\n  }}\n}}\n"
    ));
    sandbox.skills(["sync"]).succeeds();
    project.server.take_traffic();
    let run = sandbox.skills(["remove", "beta"]).succeeds();
    run.says(["removed the skill beta from the source repo"]);
    assert_eq!(
        sandbox.read("project/helix.skills.json"),
        format!(
            "{{\n  \"skills\": {{\n    // ours\n    \"repo\": {{\n      \"type\": \"git\", \"url\": \"{url}\", // u\n      \"include\": [\n        \"alpha\", // first\n        \"gamma\" // third\n      ]\n    }}\n  }}\n}}\n"
        )
    );
    assert_eq!(sandbox.locked_skills(), ["alpha", "gamma"]);
    assert!(!sandbox.exists("project/helix.skills/beta"));
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    let document = sandbox.skills(["remove", "gamma", "--json"]).succeeds().json();
    assert_eq!(document["removed"], json!([]));
    assert_eq!(document["skills"], json!([{"name": "gamma", "source": "repo"}]));
    // The source is removed with its last skill.
    let document = sandbox.skills(["remove", "alpha", "--json"]).succeeds().json();
    assert_eq!(document["removed"], json!(["repo"]));
    assert_eq!(
        sandbox.read("project/helix.skills.json"),
        "{\n  \"skills\": {\n    // ours\n  }\n}\n"
    );
    assert!(sandbox.locked_skills().is_empty());
    assert_eq!(project.server.traffic().requests, 0);
}

#[test]
fn remove_excludes_a_skill_of_a_whole_source() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["remove", "alpha"]).succeeds();
    let manifest = sandbox.read("project/helix.skills.json");
    assert!(manifest.contains("\"exclude\": [\"alpha\"]"), "{manifest}");
    assert_eq!(sandbox.locked_skills(), ["beta", "gamma"]);
    sandbox.skills(["rm", "beta", "gamma"]).succeeds().says(["removed the source repo"]);
    assert!(!sandbox.read("project/helix.skills.json").contains("repo"));
}

#[test]
fn included_skill_that_is_not_locked_is_known_by_name() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    project.select(json!({"include": ["alpha"]}));
    sandbox.skills(["sync"]).succeeds();
    let url = project.server.url("repo");
    sandbox.skills(["add", &url, "--include", "beta", "--no-sync"]).succeeds();
    let run = sandbox.skills(["remove", "beta"]).succeeds();
    run.says(["removed the skill beta from the source repo"]);
    assert_eq!(manifest(sandbox)["skills"]["repo"]["include"], json!(["alpha"]));
    // Without a lockfile, too.
    project.select(json!({"include": ["beta", "alpha"], "prefix": "x-"}));
    sandbox.remove("project/helix.skills.lock");
    sandbox.skills(["remove", "skill:x-alpha", "--no-sync"]).succeeds();
    assert_eq!(manifest(sandbox)["skills"]["repo"]["include"], json!(["beta"]));
    // The name with the prefix was not printed yet.
    sandbox.skills(["update", "beta"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["x-beta"]);
    let help = "help: it has the source `repo` and the skill `x-beta`\n";
    sandbox.skills(["remove", "other-thing"]).exits(2).says([help]);
}

#[test]
fn remove_takes_locked_names() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    project.select(json!({
        "include": ["alpha", "beta", "gamma"], "prefix": "team-", "rename": {"beta": "second"},
    }));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["remove", "betta"]).exits(2).says(["no source or skill `betta`"]);
    // A key of `include` names the skill, too.
    sandbox.skills(["remove", "beta", "--dry-run"]).succeeds().prints(["removed the skill second"]);
    sandbox.skills(["remove", "second", "team-gamma"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["team-alpha"]);
    let manifest = sandbox.read("project/helix.skills.json");
    assert!(!manifest.contains("beta") && !manifest.contains("rename"), "{manifest}");
}

#[test]
fn remove_takes_skills_of_plugins_and_directories() {
    let files = Change::new().skill_at("p/skills/one", "one").skill_at("p/skills/two", "two");
    let market = Market::with(&json!([{"name": "p", "source": "./p"}]), files);
    let sandbox = &market.sandbox;
    sandbox.write("project/own/three/SKILL.md", helix_skills_tests::skill_md("three"));
    sandbox.write("project/own/four/SKILL.md", helix_skills_tests::skill_md("four"));
    sandbox.skills(["add", "./own"]).succeeds();
    sandbox.skills(["remove", "one", "three"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["four", "two"]);
    sandbox.skills(["remove", "two", "four"]).succeeds();
    assert!(sandbox.locked_skills().is_empty());
    assert!(sandbox.exists("project/own/four/SKILL.md"));
}

#[test]
fn name_of_a_source_and_a_skill_is_ambiguous() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    let source = project.source(json!({}));
    sandbox.sources(&json!({ "alpha": source }));
    sandbox.skills(["sync"]).succeeds();
    let text = "error: `alpha` is a source, and a skill of the source `alpha`\nhelp: write `source:alpha` or `skill:alpha`\n";
    sandbox.skills(["remove", "alpha"]).exits(2).says([text]);
    // To update the skill is to update its source.
    sandbox.skills(["update", "alpha"]).succeeds();
    sandbox.skills(["remove", "skill:alpha"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["beta", "gamma"]);
    sandbox.skills(["remove", "source:alpha"]).succeeds();
    // Of a source with one skill of its name, both mean the same.
    sandbox.sources(&json!({ "alpha": project.source(json!({"include": ["alpha"]})) }));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["remove", "alpha"]).succeeds().says(["removed the source alpha"]);
    // A skill of another source.
    sandbox.sources(&json!({
        "alpha": project.source(json!({"include": ["beta"]})),
        "other": project.source(json!({"include": ["alpha"]})),
    }));
    sandbox.skills(["sync"]).succeeds();
    for command in ["remove", "update", "outdated"] {
        let text = "`alpha` is a source, and a skill of the source `other`";
        sandbox.skills([command, "alpha"]).exits(2).says([text, "`skill:alpha`"]);
    }
}

#[test]
fn update_of_a_skill_updates_its_source() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    sandbox.sources(&json!({
        "one": project.source(json!({"include": ["alpha"]})),
        "two": project.source(json!({"include": ["beta", "gamma"]})),
    }));
    sandbox.skills(["sync"]).succeeds();
    let before = sandbox.locked_commit("one");
    project.upstream.commit(Change::new().text("skills/beta/new.md", "new\n"));
    sandbox.skills(["update", "beta", "gamma"]).succeeds().says(["updated beta"]);
    assert_eq!(sandbox.locked_commit("one"), before);
    assert_ne!(sandbox.locked_commit("two"), before);
    sandbox.skills(["outdated", "alpha"]).succeeds().prints(["one"]).never_prints("two");
}

#[test]
fn remove_keeps_a_directory_with_new_skills() {
    let project = three_skills();
    let sandbox = &project.sandbox;
    let write = |name: &str| {
        let text = helix_skills_tests::skill_md(name);
        sandbox.write(format!("project/own/{name}/SKILL.md"), text);
    };
    let source = json!({"type": "path", "path": "own"});
    sandbox.sources(&json!({"house": source}));
    write("one");
    sandbox.skills(["sync"]).succeeds();
    write("two");
    let run = sandbox.skills(["remove", "one"]).succeeds();
    run.says(["removed the skill one from the source house", "added two ("])
        .never_prints("removed the source");
    assert_eq!(sandbox.locked_skills(), ["two"]);
    assert_eq!(sandbox.lock_json()["sources"]["house"]["request"]["exclude"], json!(["one"]));
    // An excluded skill is not a new one.
    sandbox.skills(["remove", "two"]).succeeds().says(["removed the source house"]);
    // `include` names all that are wanted.
    sandbox.sources(&json!({"house": {"type": "path", "path": "own", "include": ["one"]}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["remove", "one"]).succeeds().says(["removed the source house"]);
    // A directory that is itself a skill has no other.
    sandbox.sources(&json!({"one": {"type": "path", "path": "own/one"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["remove", "skill:one"]).succeeds().says(["removed the source one"]);
}
