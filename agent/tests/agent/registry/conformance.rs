//! Recorded cases of registries: searches of Agentick and deer-flow, and slash commands and tool
//! policies of deer-flow.

use helix_skills_agent::{Registry, SkillQuery};
use helix_skills_conformance::{Deviation, Report, Value, cases, json};
use helix_skills_runtime::{__private::Parts, Profile, Skill, SlashCommand, ToolPolicy};

const SEARCHES: &[Deviation] = &[Deviation::new(
    &["dfcatalog/a|b", "dfcatalog/.*"],
    "a query is a text, not a pattern: it may come from a model, and agents have no regex engine",
)
.ours("[]")];

const POLICIES: &[Deviation] = &[Deviation::new(
    &["policy/empty"],
    "an empty list is none in this profile, as its documentation says: \"leave empty for all tools\"",
)
.ours("null")];

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
fn found(skills: &[Skill], query: SkillQuery<'_>) -> Value {
    let found: Vec<_> = query.search(skills).iter().map(|skill| skill.name()).collect();
    let mut registry = Registry::new();
    for skill in skills {
        registry.register(skill.clone()).unwrap();
    }
    let mut in_registry: Vec<_> =
        query.search(registry.set()).iter().map(|skill| skill.name()).collect();
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
            Skill::from(Parts { name, description, when_to_use, metadata, ..Parts::EMPTY })
        })
        .collect();

    let query = &input["query"];
    let wanted = pairs(&query["metadata"]);
    let wanted: Vec<_> = wanted.iter().map(|(key, value)| (&**key, &**value)).collect();
    let text = text(&query["query"]);
    let limit = query["limit"].as_u64().unwrap_or_default();
    let asked =
        SkillQuery::new().text(&text).limit(limit.try_into().unwrap()).profile(Profile::Agentick);
    found(&skills, if query["metadata"].is_null() { asked } else { asked.metadata(&wanted) })
}

#[test]
fn registry_searches_match_recorded_cases() {
    let deer_flow = DEER_FLOW
        .map(|(name, description)| Skill::from(Parts { name, description, ..Parts::EMPTY }));
    let cases = cases!("search");
    let mut report = Report::new(&cases, SEARCHES);
    report.each(&cases, |report, case| match (&*case.peer, case.input.as_str()) {
        ("agentick", None) => report.compare(case, agentick(&case.input)),
        ("deer-flow", Some(text)) => {
            let query = SkillQuery::new().text(text).profile(Profile::DeerFlow);
            report.compare(case, found(&deer_flow, query));
        }
        (peer, _) => report.skip(format!("unknown system {peer}")),
    });
    report.finish();
}

#[test]
fn slash_commands_match_recorded_cases() {
    let cases = cases!("slash");
    let mut report = Report::new(&cases, &[]);
    report.each(&cases, |report, case| {
        let command = SlashCommand::parse(case.input.as_str().unwrap(), Profile::DeerFlow);
        let ours = command
            .map(|command| json!({"name": command.name(), "remaining": command.arguments()}));
        report.compare(case, ours);
    });
    report.finish();
}

#[test]
fn tool_policies_match_recorded_cases() {
    let of = |tools| Skill::from(Parts { name: "s", allowed_tools: tools, ..Parts::EMPTY });
    let cases = cases!("tool-policy");
    let mut report = Report::new(&cases, POLICIES);
    report.each(&cases, |report, case| {
        // The inputs of the cases are names.
        let skills = match case.input.as_str() {
            Some("mixed") => vec![of(None), of(Some(&["bash"]))],
            Some("empty") => vec![of(Some(&[]))],
            Some("union") => vec![of(Some(&["read"])), of(Some(&["bash"])), of(Some(&["read"]))],
            Some("no-skills") => vec![],
            _ => {
                report.skip("the input is described in words");
                return;
            }
        };
        let policy = ToolPolicy::from_skills(&skills).profile(Profile::DeerFlow);
        let tools =
            ["bash", "read", "write"].map(|tool| Some(tool).filter(|_| policy.allows(tool)));
        let tools: Vec<_> = tools.into_iter().flatten().collect();
        report.compare(case, if policy.is_limited() { json!(tools) } else { Value::Null });
        assert!(policy.is_limited() || tools.len() == 3, "{}", case.id);
    });
    report.finish();
}
