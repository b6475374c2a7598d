//! Recorded cases of registries: searches of Agentick and deer-flow, and slash commands and tool
//! policies of deer-flow.
//!
//! `HELIX_CONFORMANCE` is the path of the file of cases. Without it, the feature `conformance`
//! reads the file of a directory next to the checkout, and any other run has no cases: the other
//! tests of this module cover the same behavior.

use helix_skills_agent::{Registry, SkillQuery};
use helix_skills_runtime::{
    __private::{Parts, skill},
    Profile, Skill, SlashCommand, ToolPolicy,
};
use serde_json::{Value, json};
use std::path::PathBuf;

/// Groups in which this crate deviates from the recorded system, with our result and the reason.
const DEVIATIONS: &[(&str, &str, &str)] = &[
    (
        "dfcatalog/a|b",
        "[]",
        "a query is a text, not a pattern: it may come from a model, and agents have no regex engine",
    ),
    ("dfcatalog/.*", "[]", "a query is a text, not a pattern"),
    (
        "policy/empty",
        "null",
        "an empty list is none in this profile, as its documentation says: \"leave empty for all tools\"",
    ),
];

fn cases(area: &str, least: usize) -> Vec<Value> {
    let path = match std::env::var_os("HELIX_CONFORMANCE") {
        Some(path) => PathBuf::from(path),
        None if cfg!(feature = "conformance") => PathBuf::from(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../shared/conformance/cases.json"
        )),
        None => return Vec::new(),
    };
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", path.display()));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let cases: Vec<Value> = serde_json::from_value(document["cases"].take()).unwrap();
    let cases: Vec<_> = cases.into_iter().filter(|case| case["area"] == area).collect();
    assert!(cases.len() >= least, "there are {} cases of {area}", cases.len());
    cases
}

/// Compares our result with the recorded one.
fn compare(group: &str, ours: &Value, theirs: &Value) {
    match DEVIATIONS.iter().find(|(deviating, ..)| *deviating == group) {
        Some((_, expected, reason)) => {
            assert_eq!(ours.to_string(), *expected, "{group}");
            assert_ne!(
                ours, theirs,
                "{group} is in DEVIATIONS ({reason}), and does not deviate any more"
            );
        }
        None => assert_eq!(ours, theirs, "{group}"),
    }
}

/// The skills of deer-flow's cases. Names are recorded, descriptions are reconstructed from the
/// results.
const DEER_FLOW: [(&str, &str); 7] = [
    ("data-analysis", "Tables, and what a chart of them would say."),
    ("podcast-generation", "Two voices about a text."),
    ("chart-visualization", "Bars, lines and maps."),
    ("deep-research", "Many sources, all of them read."),
    ("image-gen", "Pictures of words."),
    ("video-gen", "Short films."),
    ("ppt-gen", "Slides of an outline."),
];

/// Returns the skills that a query finds, in their order. Checks that a registry finds the same
/// ones.
fn found(skills: &[Skill<'_>], query: SkillQuery<'_>) -> Value {
    let found: Vec<_> = query.search(skills).iter().map(|skill| skill.name()).collect();
    let mut registry = Registry::new();
    for skill in skills {
        registry.register(*skill).unwrap();
    }
    let mut in_registry: Vec<_> =
        registry.search(&query).iter().map(|skill| skill.name()).collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    in_registry.sort_unstable();
    assert_eq!(in_registry, sorted);
    json!(found)
}

fn agentick(input: &Value) -> Value {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pairs = |value: &Value| -> Vec<(String, String)> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, value)| (key.clone(), text(value)))
            .collect()
    };
    let skills: Vec<_> = input["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| [&skill["name"], &skill["description"], &skill["whenToUse"]].map(text))
        .collect();
    let metadata: Vec<_> =
        input["skills"].as_array().unwrap().iter().map(|skill| pairs(&skill["metadata"])).collect();
    let metadata: Vec<Vec<_>> = metadata
        .iter()
        .map(|pairs| pairs.iter().map(|(key, value)| (&**key, &**value)).collect())
        .collect();
    let skills: Vec<_> = skills
        .iter()
        .zip(&metadata)
        .map(|([name, description, when], metadata)| {
            let when_to_use = (!when.is_empty()).then_some(when.as_str());
            skill(Parts { name, description, when_to_use, metadata, ..Parts::EMPTY })
        })
        .collect();

    let query = &input["query"];
    let wanted = pairs(&query["metadata"]);
    let wanted: Vec<_> = wanted.iter().map(|(key, value)| (&**key, &**value)).collect();
    let text = text(&query["query"]);
    let limit = query["limit"].as_u64().unwrap_or_default();
    let asked = SkillQuery::new()
        .text(&text)
        .limit(limit.try_into().unwrap())
        .in_profile(Profile::Agentick);
    found(&skills, if query["metadata"].is_null() { asked } else { asked.metadata(&wanted) })
}

#[test]
fn registry_searches_match_recorded_cases() {
    let deer_flow =
        DEER_FLOW.map(|(name, description)| skill(Parts { name, description, ..Parts::EMPTY }));
    let mut tried = 0;
    for case in cases("search", 17) {
        let ours = match case["peer"].as_str().unwrap() {
            peer if peer.starts_with("agentick ") => agentick(&case["input"]),
            peer if peer.starts_with("deer-flow ") => {
                let text = case["input"].as_str().unwrap();
                found(&deer_flow, SkillQuery::new().text(text).in_profile(Profile::DeerFlow))
            }
            peer => panic!("unknown peer {peer}"),
        };
        compare(case["group"].as_str().unwrap(), &ours, &case["expected"]);
        tried += 1;
    }
    assert!(tried == 0 || tried == 17, "{tried}");
}

#[test]
fn slash_commands_match_recorded_cases() {
    for case in cases("slash", 8) {
        let command = SlashCommand::parse(case["input"].as_str().unwrap(), Profile::DeerFlow);
        let ours = command
            .map(|command| json!({"name": command.name(), "remaining": command.arguments()}));
        compare(case["group"].as_str().unwrap(), &ours.into(), &case["expected"]);
    }
}

#[test]
fn tool_policies_match_recorded_cases() {
    let of = |tools| skill(Parts { name: "s", allowed_tools: tools, ..Parts::EMPTY });
    for case in cases("tool-policy", 4) {
        // The inputs of the cases are names.
        let skills = match case["input"].as_str().unwrap() {
            "mixed" => vec![of(None), of(Some(&["bash"]))],
            "empty" => vec![of(Some(&[]))],
            "union" => vec![of(Some(&["read"])), of(Some(&["bash"])), of(Some(&["read"]))],
            "no-skills" => vec![],
            input => panic!("unknown input {input}"),
        };
        let policy = ToolPolicy::from_skills(&skills).in_profile(Profile::DeerFlow);
        let mut tools: Vec<_> = policy.rules().map(|rule| rule.tool()).collect();
        tools.sort_unstable();
        tools.dedup();
        let ours = if policy.is_limited() { json!(tools) } else { Value::Null };
        compare(case["group"].as_str().unwrap(), &ours, &case["expected"]);
        for tool in ["bash", "read", "write"] {
            assert_eq!(
                policy.allows(tool),
                !policy.is_limited() || tools.contains(&tool),
                "{tool}"
            );
        }
    }
}
