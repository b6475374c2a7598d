//! The configuration that the guide shows names what there is.

use crate::checkout::{self, text, yaml};
use helix_skills_tests::markdown::blocks_of;
use serde_yaml::Value;

/// The blocks of the page in a language that begin with `start`, as data. JSON is YAML as well.
fn snippets(language: &str, start: &str) -> Vec<Value> {
    let page = text("docs/src/how-to/ci.md");
    let blocks = blocks_of(&page, language).filter(|block| block.starts_with(start));
    blocks.map(|block| serde_yaml::from_str(block).unwrap()).collect()
}

fn tag() -> String {
    format!("v{}", checkout::version())
}

fn repository() -> &'static str {
    checkout::package()["repository"].as_str().unwrap()
}

#[test]
fn the_workflow_uses_inputs_that_the_action_has() {
    let [workflow] = &snippets("yaml", "# .github/workflows/skills.yml\n")[..] else {
        panic!("one snippet")
    };
    let steps = workflow["jobs"]["skills"]["steps"].as_sequence().unwrap();
    let ours = repository().strip_prefix("https://github.com/").unwrap();
    let step = steps.iter().find(|step| step["uses"] == format!("{ours}@{}", tag())).unwrap();
    let inputs = &yaml("action.yml")["inputs"];
    for (name, _) in step["with"].as_mapping().unwrap() {
        assert!(inputs[name].is_mapping(), "the action has no input {name:?}");
    }
    let words: Vec<&str> = step["with"]["args"].as_str().unwrap().split_whitespace().collect();
    let sandbox = helix_skills_tests::Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(words).succeeds();
}

#[test]
fn the_hook_is_one_that_is_defined() {
    let [config] = &snippets("yaml", "# .pre-commit-config.yaml\n")[..] else {
        panic!("one snippet")
    };
    let [repo] = &config["repos"].as_sequence().unwrap()[..] else { panic!("one repository") };
    assert_eq!((&repo["repo"], &repo["rev"]), (&repository().into(), &tag().into()));
    let hooks = yaml(".pre-commit-hooks.yaml");
    let [hook] = &repo["hooks"].as_sequence().unwrap()[..] else { panic!("one hook") };
    assert!(hooks.as_sequence().unwrap().iter().any(|defined| defined["id"] == hook["id"]));
}

#[test]
fn renovate_is_told_of_the_preset_and_of_its_sources() {
    let [extends, rules] = &snippets("jsonc", "")[..] else { panic!("two snippets") };
    let ours = repository().strip_prefix("https://github.com/").unwrap();
    assert_eq!(extends["extends"][0], format!("github>{ours}#{}", tag()));
    let rule = &rules["packageRules"][0];
    let preset: serde_json::Value = serde_json::from_str(&text("default.json")).unwrap();
    for manager in preset["customManagers"].as_array().unwrap() {
        assert_eq!(rule["matchDepTypes"][0].as_str(), manager["depTypeTemplate"].as_str());
    }
    let command: Vec<&str> =
        rule["postUpgradeTasks"]["commands"][0].as_str().unwrap().split(' ').collect();
    assert_eq!(command[0], "skills");
    let sandbox = helix_skills_tests::Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.skills(&command[1..]).succeeds();
}
