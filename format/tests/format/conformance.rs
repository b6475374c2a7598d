//! What existing systems do with a SKILL.md, and the decisions of this project.

use crate::cases::document;
use helix_skills_format::{Code, Finding, ParsedSkillMd, Severity, SkillMd, SkillName};
use serde_json::Value;
use std::collections::BTreeMap;

/// Groups in which the design deviates from `recommended`, with the reason.
const DEVIATIONS: &[(&str, &str)] = &[];

struct Case {
    id: String,
    group: String,
    directory: String,
    file: String,
    content: String,
    expected: Value,
}

fn cases() -> (Vec<Case>, BTreeMap<String, Value>) {
    let mut document = document();
    let recommended = serde_json::from_value(document["recommended"].take()).unwrap();
    let field = |value: &Value, key: &str| {
        value[key].as_str().unwrap_or_else(|| panic!("no `{key}`: {value}")).to_owned()
    };
    let cases =
        document["cases"].as_array().unwrap().iter().filter(|case| case["area"] == "parse").map(
            |case| Case {
                id: field(case, "id"),
                group: field(case, "group"),
                directory: field(&case["input"], "dir"),
                file: field(&case["input"], "file"),
                content: field(&case["input"], "content"),
                expected: case["expected"].clone(),
            },
        );
    let cases: Vec<_> = cases.collect();
    assert!(!cases.is_empty(), "no parse cases found");
    (cases, recommended)
}

fn parse(case: &Case) -> Result<ParsedSkillMd, Vec<Finding>> {
    SkillMd::parse(&case.content, Some(&case.directory), &case.file)
}

/// Returns the outcome in the words of `recommended`.
fn found(result: &Result<ParsedSkillMd, Vec<Finding>>) -> Value {
    let (outcome, findings) = match result {
        Ok(parsed) => ("load", &parsed.findings),
        Err(errors) => ("error", errors),
    };
    let any =
        |weight: fn(Code) -> Severity, least| findings.iter().any(|f| weight(f.code) == least);
    let strict = match (
        any(Code::when_validating, Severity::Error),
        any(Code::when_validating, Severity::Warning),
    ) {
        (true, _) => "fail",
        (false, true) => "warn",
        (false, false) => "pass",
    };
    let warn = any(Code::when_baking, Severity::Warning);
    serde_json::json!({"lenient": {"outcome": outcome, "warn": warn}, "strict": strict})
}

/// Returns whether the values are those that a `detail` states, or `None` if it states none.
fn states(detail: &str, case: &Case, skill: &SkillMd) -> Option<bool> {
    if let Ok(tools) = serde_json::from_str::<Vec<String>>(detail) {
        return Some(skill.allowed_tools.as_deref() == Some(&tools));
    }
    if detail == "name is the directory name" {
        return Some(skill.name == SkillName::new(&case.directory).unwrap());
    }
    if let Some(texts) = detail.strip_prefix("as ") {
        let texts: Vec<_> = texts.split('"').skip(1).step_by(2).collect();
        return Some(
            texts.contains(&skill.name.as_str()) || texts.contains(&skill.description.as_str()),
        );
    }
    (detail.starts_with("one retry"))
        .then(|| case.content.contains(&format!("description: {}\n", skill.description)))
}

#[test]
fn conformance_of_every_parse_group() {
    let (cases, recommended) = cases();
    let mut failures = Vec::new();
    let mut deviating: BTreeMap<&str, bool> =
        DEVIATIONS.iter().map(|(group, _)| (*group, false)).collect();
    for case in &cases {
        let result = parse(case);
        let Some(expected) = recommended.get(&case.group) else {
            failures.push(format!("{} {}: no `recommended` for the group", case.id, case.group));
            continue;
        };
        let found = found(&result);
        let mut wrong = Vec::new();
        if found["lenient"] != expected["lenient"] || found["strict"] != expected["strict"] {
            let findings =
                result.as_ref().map_or_else(Clone::clone, |parsed| parsed.findings.clone());
            let expected =
                serde_json::json!({"lenient": expected["lenient"], "strict": expected["strict"]});
            wrong.push(format!("expected {expected}\n  found    {found}\n  {findings:?}"));
        }
        if let (Ok(parsed), Some(detail)) = (&result, expected["detail"].as_str())
            && states(detail, case, &parsed.skill) == Some(false)
        {
            wrong.push(format!("expected {detail}\n  found    {:?}", parsed.skill));
        }
        if let Some(deviates) = deviating.get_mut(&*case.group) {
            *deviates |= !wrong.is_empty();
        } else {
            failures.extend(
                wrong.into_iter().map(|why| format!("{} {}:\n  {why}", case.id, case.group)),
            );
        }
    }
    for (group, deviates) in deviating {
        if !deviates && cases.iter().any(|case| case.group == group) {
            failures.push(format!("`{group}` stands in DEVIATIONS and no longer deviates"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// Returns the frontmatter and body that a peer read, wherever its record has them.
fn read_by_peer(expected: &Value) -> Option<(&Value, &str)> {
    [expected, &expected["frontmatter"], &expected["split"]].into_iter().find_map(|record| {
        let read = record["ok"] == true && record["frontmatter"]["description"].is_string();
        read.then_some((&record["frontmatter"], record["body"].as_str()?))
    })
}

#[test]
fn conformance_of_values_with_peers() {
    let (cases, _) = cases();
    // Peers have bugs of their own: a value is right if one of them reads the same text the same
    // way.
    let mut texts: BTreeMap<(&str, &str, &str), Vec<&Case>> = BTreeMap::new();
    for case in &cases {
        texts.entry((&case.group, &case.directory, &case.content)).or_default().push(case);
    }
    let (mut failures, mut compared) = (Vec::new(), 0);
    for ((group, _, content), cases) in texts {
        let Ok(parsed) = parse(cases[0]) else { continue };
        let theirs: Vec<_> = cases.iter().filter_map(|case| read_by_peer(&case.expected)).collect();
        for (what, ours) in values(&parsed.skill, content) {
            let theirs: Vec<_> =
                theirs.iter().filter_map(|(front, body)| peers_value(&what, front, body)).collect();
            compared += theirs.len();
            if !theirs.is_empty() && !theirs.contains(&ours) {
                let ids: Vec<_> = cases.iter().map(|case| &*case.id).collect();
                failures.push(format!(
                    "{ids:?} {group}, {what}:\n  expected one of {theirs:?}\n  found {ours:?}"
                ));
            }
        }
    }
    assert!(compared > 0, "no peer's values to compare");
    assert!(
        failures.is_empty(),
        "{} of {compared} values differ:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Returns our values by name: keys of the frontmatter, `body`, and metadata as `metadata.KEY`.
fn values(skill: &SkillMd, content: &str) -> Vec<(String, String)> {
    let mut values = vec![
        ("name".to_owned(), skill.name.to_string()),
        ("description".to_owned(), skill.description.clone()),
        ("body".to_owned(), lines(skill.layout.body(content))),
    ];
    values.extend(skill.license.iter().map(|text| ("license".to_owned(), text.clone())));
    values
        .extend(skill.compatibility.iter().map(|text| ("compatibility".to_owned(), text.clone())));
    values
        .extend(skill.metadata.iter().map(|(key, text)| (format!("metadata.{key}"), text.clone())));
    values
}

/// Returns a peer's value of that name, if it is a string. We trim white space around a text, but
/// not a line ending inside it.
fn peers_value(what: &str, frontmatter: &Value, body: &str) -> Option<String> {
    match what.strip_prefix("metadata.") {
        Some(key) => Some(frontmatter["metadata"][key].as_str()?.to_owned()),
        None if what == "body" => Some(lines(body)),
        None if what == "name" => {
            Some(SkillName::new(frontmatter["name"].as_str()?).ok()?.to_string())
        }
        None => Some(frontmatter[what].as_str()?.trim_matches([' ', '\n']).to_owned()),
    }
}

fn lines(text: &str) -> String {
    text.trim().replace("\r\n", "\n")
}
