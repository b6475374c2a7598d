//! What existing systems do with a SKILL.md, and the decisions of this project.

use helix_skills_conformance::{Case, Deviation, Report, Value, cases, json};
use helix_skills_format::{Code, Finding, Parsed, Severity, SkillMd, SkillName};
use std::collections::BTreeMap;

fn directory(case: &Case) -> &str {
    case.text("dir").unwrap()
}

fn content(case: &Case) -> &str {
    case.text("content").unwrap()
}

fn parse(case: &Case) -> Result<Parsed<SkillMd>, Vec<Finding>> {
    SkillMd::parse(content(case), Some(directory(case)), case.text("file").unwrap())
}

/// Returns the outcome in the words of `recommended`.
fn found(result: &Result<Parsed<SkillMd>, Vec<Finding>>) -> Value {
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
    json!({"lenient": {"outcome": outcome, "warn": warn}, "strict": strict})
}

/// Returns whether the values are those that a `detail` states, or `None` if it states none.
fn states(detail: &str, case: &Case, skill: &SkillMd) -> Option<bool> {
    if let Ok(tools) = serde_json::from_str::<Vec<String>>(detail) {
        return Some(skill.allowed_tools().is_some_and(|ours| ours.iter().eq(&tools)));
    }
    if detail == "name is the directory name" {
        return Some(skill.name == SkillName::new(directory(case)).unwrap());
    }
    if let Some(texts) = detail.strip_prefix("as ") {
        let texts: Vec<_> = texts.split('"').skip(1).step_by(2).collect();
        return Some(texts.contains(&skill.name.as_str()) || texts.contains(&skill.description()));
    }
    (detail.starts_with("one retry"))
        .then(|| content(case).contains(&format!("description: {}\n", skill.description())))
}

const DECISIONS: &[Deviation] = &[Deviation::new(
    &["parse/empty-body"],
    "an author who left out the body wants to know; the skill is loaded all the same",
)
.ours(
    r#"{"findings":["the body is empty"],"lenient":{"outcome":"load","warn":true},"strict":"warn"}"#,
)];

#[test]
fn conformance_of_every_parse_group() {
    let cases = cases!("parse");
    // What the systems do is compared in `host`, which reads a skill as each of them does.
    let mut report = Report::new(&cases, DECISIONS).about("decisions");
    report.each(&cases, |report, case| {
        let Some(decided) = cases.recommended.get(&case.group) else {
            report.skip("nothing is recommended for the group");
            return;
        };
        let result = parse(case);
        let mut ours = found(&result);
        let mut theirs = json!({"lenient": decided["lenient"], "strict": decided["strict"]});
        if let (Ok(parsed), Some(detail)) = (&result, decided["detail"].as_str())
            && states(detail, case, &parsed.value) == Some(false)
        {
            theirs["detail"] = detail.into();
            ours["detail"] = format!("{:?}", parsed.value).into();
        }
        if ours != theirs {
            let findings = result.map_or_else(|errors| errors, |parsed| parsed.findings);
            ours["findings"] = findings.iter().map(|found| found.to_string()).collect();
        }
        report.compare_with(case, &theirs, ours);
    });
    report.finish();
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
    let cases = cases!("parse");
    // Peers have bugs of their own: a value is right if one of them reads the same text the same
    // way.
    let mut texts: BTreeMap<(&str, &str, &str), Vec<&Case>> = BTreeMap::new();
    for case in &cases.all {
        texts.entry((&case.group, directory(case), content(case))).or_default().push(case);
    }
    let mut report = Report::new(&cases, &[]).about("values");
    for cases in texts.into_values() {
        let Ok(parsed) = parse(cases[0]) else { continue };
        let theirs: Vec<_> = cases.iter().filter_map(|case| read_by_peer(&case.expected)).collect();
        for (what, ours) in values(&parsed.value, content(cases[0])) {
            let theirs = theirs.iter().filter_map(|(front, body)| peers_value(&what, front, body));
            let theirs: Vec<_> = theirs.collect();
            let Some(first) = theirs.first() else { continue };
            let nearest = if theirs.contains(&ours) { &ours } else { first };
            let value = |value: &str| json!({ (&*what): value });
            report.compare_with(cases[0], &value(nearest), value(&ours));
        }
    }
    report.finish();
}

/// Returns our values by name: keys of the frontmatter, `body`, and metadata as `metadata.KEY`.
fn values(skill: &SkillMd, content: &str) -> Vec<(String, String)> {
    let mut values = vec![
        ("name".to_owned(), skill.name.to_string()),
        ("description".to_owned(), skill.description().to_owned()),
        ("body".to_owned(), lines(skill.layout.body(content))),
    ];
    values.extend(skill.license().map(|text| ("license".to_owned(), text.to_owned())));
    values.extend(skill.compatibility().map(|text| ("compatibility".to_owned(), text.to_owned())));
    values.extend(skill.metadata().map(|(key, text)| (format!("metadata.{key}"), text.to_owned())));
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
