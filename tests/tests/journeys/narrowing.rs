//! A selection that only got smaller is locked offline.

use crate::market::Market;
use crate::project::project;
use helix_skills_tests::Change;
use serde_json::{Value, json};

fn files() -> Change {
    Change::new()
        .skill_at("skills/alpha", "alpha")
        .skill_at("skills/beta", "beta")
        .skill_at("skills/gamma", "gamma")
}

#[test]
fn smaller_selection_needs_no_network() {
    let project = project(files());
    let sandbox = &project.sandbox;
    for (before, after) in [
        (json!({"include": ["alpha", "beta"]}), json!({"include": ["alpha"]})),
        (json!({"include": ["alpha"]}), json!({"include": []})),
        (json!({}), json!({"exclude": ["alpha"]})),
        (json!({"exclude": ["alpha"]}), json!({"exclude": ["alpha", "beta"]})),
        (json!({"exclude": ["alpha"]}), json!({"include": ["beta"]})),
        (
            json!({"rename": {"alpha": "a", "beta": "b"}}),
            json!({"exclude": ["alpha"], "rename": {"beta": "b"}}),
        ),
        (json!({"prefix": "x-"}), json!({"prefix": "x-", "include": ["beta"]})),
    ] {
        project.select(before.clone());
        sandbox.skills(["sync"]).succeeds();
        // The branch moves, and the locked commit stays.
        project.upstream.commit(Change::new().text("README.md", &after.to_string()));
        project.server.take_traffic();
        project.select(after.clone());
        sandbox.skills(["sync", "--locked"]).exits(1);
        sandbox.skills(["sync", "--offline"]).succeeds();
        assert_eq!(project.server.traffic().requests, 0, "{before} {after}");
        sandbox.skills(["sync", "--check"]).succeeds();
        let commit = sandbox.locked_commit("repo");
        let narrowed = sandbox.lock();
        // The same lockfile comes from resolving the entry at that commit.
        sandbox.remove("project/helix.skills.lock");
        let mut pinned = after.as_object().unwrap().clone();
        pinned.insert("sha".to_owned(), json!(commit));
        project.select(Value::Object(pinned));
        sandbox.skills(["sync"]).succeeds();
        let resolved = sandbox.lock_json();
        let narrowed: Value = serde_json::from_str(&narrowed).unwrap();
        assert_eq!(resolved["skills"], narrowed["skills"], "{before} {after}");
        let directories = |lock: &Value| lock["sources"]["repo"]["directories"].clone();
        assert_eq!(directories(&resolved), directories(&narrowed));
        sandbox.remove("project/helix.skills.lock");
    }
}

#[test]
fn other_changes_of_a_selection_need_the_network() {
    let project = project(files());
    let sandbox = &project.sandbox;
    for (before, after) in [
        (json!({"include": ["alpha"]}), json!({"include": ["beta"]})),
        (json!({"include": ["alpha"]}), json!({})),
        (json!({"include": ["alpha"]}), json!({"exclude": ["beta"]})),
        (json!({"exclude": ["alpha"]}), json!({"exclude": ["beta"]})),
        (json!({}), json!({"exclude": ["delta"]})),
        (json!({"prefix": "x-"}), json!({"include": ["alpha"]})),
        (json!({"rename": {"alpha": "a"}}), json!({"include": ["alpha"]})),
        (json!({}), json!({"include": ["alpha"], "files": {"exclude": ["*.md5"]}})),
    ] {
        project.select(before.clone());
        sandbox.skills(["sync"]).succeeds();
        project.select(after.clone());
        let run = sandbox.skills(["sync", "--offline"]).exits(3);
        run.says(["changed since it was locked"]);
        sandbox.skills(["sync"]).succeeds();
    }
}

#[test]
fn smaller_selection_of_a_plugin_needs_no_network() {
    let files = Change::new().skill_at("p/skills/one", "one").skill_at("p/skills/two", "two");
    let market = Market::with(&json!([{"name": "p", "source": "./p"}]), files);
    market.sandbox.skills(["sync"]).succeeds();
    market.server.take_traffic();
    market.request(json!({"include": ["two"]}));
    market.sandbox.remove_store();
    market.sandbox.skills(["sync", "--offline"]).succeeds();
    assert_eq!(market.sandbox.locked_skills(), ["two"]);
    market.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    assert_eq!(market.server.traffic().requests, 0);
}

/// Edits of a skill that is no longer selected are not lost.
#[test]
fn smaller_selection_keeps_edits() {
    let project = project(files());
    let sandbox = &project.sandbox;
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/helix.skills/alpha/SKILL.md", "mine");
    project.select(json!({"exclude": ["alpha"]}));
    sandbox
        .skills(["sync", "--offline"])
        .exits(5)
        .says(["alpha/SKILL.md", "run `skills sync --restore` to discard the change"]);
    assert_eq!(sandbox.read("project/helix.skills/alpha/SKILL.md"), "mine");
    let run = sandbox.skills(["sync", "--offline", "--restore"]).succeeds();
    run.says([
        "the edited file `helix.skills/alpha/SKILL.md` was removed with the skill `alpha`\n",
    ]);
}
