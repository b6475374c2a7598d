//! Conformance cases: which texts other systems load as a skill, and which they refuse.

use crate::folder::Folder;
use helix_skills_conformance::{Case, Deviation, Report, Value, cases, json};
use helix_skills_host::{Directories, Error, load_skill};
use helix_skills_runtime::Profile;
use std::collections::BTreeSet;

const LOADS: &str = r#"{"loads":true}"#;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["parse/bom", "parse/cr-only", "vercel skills parse/fence-trailing-space"],
        "an editor leaves a byte order mark, other line endings and trailing white space unseen",
    )
    .ours(LOADS),
    Deviation::new(
        &["skills-ref parse/argument-hint-unquoted", "skills-ref parse/tools-flow-list"],
        "a list in brackets is YAML; the peer reads a part of YAML",
    )
    .ours(LOADS),
    Deviation::new(&["agentick parse/metadata-null"], "a key without a value counts as absent")
        .ours(LOADS),
    Deviation::new(
        &["agentick parse/empty-body"],
        "the specification's smallest example has no body; the finding says so",
    )
    .ours(LOADS),
    Deviation::new(
        &[
            "deer-flow parse/tools-space",
            "deer-flow parse/tools-comma",
            "deer-flow parse/tools-patterns",
            "deer-flow parse/tools-pattern-commas",
        ],
        "the specification writes tools as one text; the peer refuses all but a list",
    )
    .ours(LOADS),
    Deviation::new(
        &["skills-ref parse/name-missing"],
        "a directory's name is not the author's word; Helix's documentation requires a name",
    )
    .ours(r#"{"loads":false,"refused":["missing-key"]}"#),
    Deviation::new(
        &["parse/desc-colon"],
        "one unquoted colon is accepted, with a finding: published skills have it",
    )
    .ours(LOADS),
    Deviation::new(
        &["parse/desc-number", "parse/name-true"],
        "a number or boolean is its text, with a finding",
    )
    .ours(LOADS),
    Deviation::new(
        &["agentick parse/name-padded"],
        "white space around a name is ignored, with a finding",
    )
    .ours(LOADS),
    Deviation::new(&["deer-flow parse/lower-skill-md"], "a `skill.md` is taken, with a finding")
        .ours(LOADS),
    Deviation::new(&["agentick parse/name-missing"], "the peer's documentation requires a name")
        .ours(r#"{"loads":false,"refused":["missing-name"]}"#),
    Deviation::new(
        &["agentick parse/compat-list"],
        "a skill that is loaded by its path is checked like an author's; the peer drops the value",
    )
    .ours(r#"{"loads":false,"refused":["field-type"]}"#),
    Deviation::new(
        &["parse/desc-missing", "parse/desc-spaces"],
        "a model cannot choose a skill without a description",
    )
    .ours(r#"{"loads":false,"refused":["missing-description"]}"#),
    Deviation::new(&["deer-flow parse/duplicate-key"], "one of two values would be ignored")
        .ours(r#"{"loads":false,"refused":["duplicate-key"]}"#),
    Deviation::new(&["parse/anchor-alias"], "what a reviewer reads is what a model gets")
        .ours(r#"{"loads":false,"refused":["yaml-anchor"]}"#),
    Deviation::new(&["parse/frontmatter-tag"], "what a reviewer reads is what a model gets")
        .ours(r#"{"loads":false,"refused":["yaml-tag"]}"#),
];

/// Returns whether the recorded system loads the skill. Of several recorded functions, the one that
/// reads the directory of a skill decides.
fn loads_there(expected: &Value) -> Option<bool> {
    let functions = [&expected["load"], &expected["folder"], &expected["skill"], expected];
    functions.into_iter().find_map(|result| result["ok"].as_bool())
}

/// Loads the skill as this project does in place of the system, and returns the findings that
/// refuse it. Agentick's function reads one directory, the others look for skills in a directory.
fn outcome(case: &Case) -> Result<(), BTreeSet<String>> {
    let (folder, directory) = (Folder::new(), case.text("dir").unwrap());
    let file = case.text("file").unwrap();
    folder.write(&format!("{directory}/{file}"), case.text("content").unwrap());
    let refused = |error: &Error| -> BTreeSet<String> {
        error.findings().iter().map(|finding| finding.code.as_str().to_owned()).collect()
    };
    let profile = match &*case.peer {
        "agentick" => {
            return load_skill(folder.path(directory)).map(drop).map_err(|error| refused(&error));
        }
        "deepagents" => Profile::DeepAgents,
        "deer-flow" => Profile::DeerFlow,
        _ => Profile::Helix,
    };
    let found = Directories::new().root(folder.path("")).profile(profile).discover().unwrap();
    match found.problems().first() {
        None if found.iter().len() == 1 => Ok(()),
        problem => Err(problem.map(refused).unwrap_or_default()),
    }
}

#[test]
fn conformance_of_loading_with_peers() {
    let cases = cases!("parse");
    let mut report = Report::new(&cases, DEVIATIONS);
    report.each(&cases, |report, case| {
        let Some(loads) = loads_there(&case.expected) else {
            report.skip("no outcome is recorded");
            return;
        };
        let ours = match outcome(case) {
            Err(refused) if loads => json!({"loads": false, "refused": refused}),
            result => json!({"loads": result.is_ok()}),
        };
        report.compare_with(case, &json!({"loads": loads}), ours);
    });
    report.finish();
}
