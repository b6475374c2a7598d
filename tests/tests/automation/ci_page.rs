//! The configuration examples of the guide name inputs, hooks and presets that exist.

use crate::checkout::{self, text, yaml};
use helix_skills_tests::markdown::blocks_of;
use serde_yaml::Value;

/// Parses the blocks of the page in a language whose text starts with `start`. JSON is parsed as
/// YAML.
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
fn workflow_uses_inputs_of_the_action() {
    let [workflow] = &snippets("yaml", "# .github/workflows/skills.yml\n")[..] else {
        panic!("expected one snippet")
    };
    let steps = workflow["jobs"]["skills"]["steps"].as_sequence().unwrap();
    let ours = repository().strip_prefix("https://github.com/").unwrap();
    let step = steps.iter().find(|step| step["uses"] == format!("{ours}@{}", tag())).unwrap();
    let inputs = &yaml("action.yml")["inputs"];
    for (name, _) in step["with"].as_mapping().unwrap() {
        assert!(inputs[name].is_mapping(), "the action has no input {name:?}");
    }
    let words: Vec<&str> = step["with"]["args"].as_str().unwrap().split_whitespace().collect();
    let sandbox = helix_skills_tests::Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", helix_skills_tests::skill_md("tides"));
    sandbox.skills(["add", "./skills"]).succeeds();
    sandbox.skills(words).succeeds();
}

#[test]
fn hook_of_the_page_is_defined() {
    let [config] = &snippets("yaml", "# .pre-commit-config.yaml\n")[..] else {
        panic!("expected one snippet")
    };
    let [repo] = &config["repos"].as_sequence().unwrap()[..] else {
        panic!("expected one repository")
    };
    assert_eq!((&repo["repo"], &repo["rev"]), (&repository().into(), &tag().into()));
    let hooks = yaml(".pre-commit-hooks.yaml");
    let [hook] = &repo["hooks"].as_sequence().unwrap()[..] else { panic!("expected one hook") };
    assert!(hooks.as_sequence().unwrap().iter().any(|defined| defined["id"] == hook["id"]));
}

#[test]
fn renovate_example_names_the_preset_and_a_package_rule() {
    let [extends, rules] = &snippets("jsonc", "")[..] else { panic!("expected two snippets") };
    let ours = repository().strip_prefix("https://github.com/").unwrap();
    assert_eq!(extends["extends"][0], format!("github>{ours}#{}", tag()));
    let rule = &rules["packageRules"][0];
    let preset: serde_json::Value = serde_json::from_str(&text("default.json")).unwrap();
    for manager in preset["customManagers"].as_array().unwrap() {
        assert_eq!(rule["matchDepTypes"][0].as_str(), manager["depTypeTemplate"].as_str());
    }
    let command: Vec<&str> =
        rule["postUpgradeTasks"]["commands"][0].as_str().unwrap().split(' ').collect();
    assert_eq!(command[0], "cargo-skills");
    let sandbox = helix_skills_tests::Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.skills(&command[1..]).succeeds();
}
