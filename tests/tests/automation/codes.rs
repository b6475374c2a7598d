//! `docs/src/reference/codes.md`: the codes of findings, each with its severity and an example that
//! causes it. `exit-codes.md` has the codes of errors.

use crate::{checkout::text, language::files};
use helix_skills_format::{Code, Severity};
use helix_skills_project::{ErrorKind, manifest::Manifest};
use helix_skills_tests::{Sandbox, markdown::blocks};
use regex::Regex;
use std::collections::BTreeSet;

const PAGE: &str = "docs/src/reference/codes.md";

/// A skill without findings, for examples that are another file of it.
const SKILL: &str = "---\nname: pdf\ndescription: Extracts text and tables from PDF files. Use when \
                     a task mentions a PDF.\n---\n\nRun `scripts/run.sh`.\n";

/// The code of each section, with the section's text.
fn sections(page: &str) -> Vec<(&str, &str)> {
    let sections = page.split("\n### `").skip(1);
    sections.map(|section| section.split_once('`').expect("a heading ends its code")).collect()
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "–",
    }
}

#[test]
fn codes_have_a_section_with_their_severities() {
    let page = text(PAGE);
    let sections = sections(&page);
    let documented: Vec<_> = sections.iter().map(|(code, _)| *code).collect();
    let mut missing: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    missing.retain(|code| !documented.contains(code));
    assert!(missing.is_empty(), "{PAGE} has no section for {missing:?}");
    for (name, section) in sections {
        let code = Code::parse(name).unwrap_or_else(|| panic!("{PAGE}: unknown code `{name}`"));
        let expected = format!(
            "\n\n*sync:* {} · *validate:* {}\n\n",
            severity(code.when_baking()),
            severity(code.when_validating())
        );
        assert!(section.starts_with(&expected), "{PAGE}: `{name}`: expected {expected:?}");
    }
}

#[test]
fn examples_of_codes_cause_them() {
    let page = text(PAGE);
    let (mut examples, mut wrong) = (0, Vec::new());
    for (name, section) in sections(&page) {
        for (language, example) in blocks(section) {
            let found = match language {
                "markdown" => validated(&[("SKILL.md", example)]),
                "jsonc" => Manifest::parse(example)
                    .err()
                    .into_iter()
                    .flatten()
                    .map(|finding| finding.code.as_str().to_owned())
                    .collect(),
                "text" => {
                    let files: Vec<_> = example.lines().map(|path| (path, SKILL)).collect();
                    validated(&files)
                }
                other => panic!("{PAGE}: `{name}` has an example in `{other}`"),
            };
            examples += 1;
            if !found.iter().any(|code| code == name) {
                wrong.push(format!("{name}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{PAGE}: examples without their code: {wrong:#?}");
    assert!(examples > 40, "{PAGE} has {examples} examples");
}

/// An error is created with its kind and code next to each other. Only differences of the store
/// have a function that returns the code.
#[test]
fn codes_of_errors_are_on_the_page_of_exit_codes() {
    let page = text("docs/src/reference/exit-codes.md");
    let (_, table) = page.split_once("\n## Codes of errors\n").unwrap();
    let code = Regex::new("`([a-z-]+)`").unwrap();
    let mut documented = BTreeSet::new();
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let [_, codes, exit, ..] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let exit: u8 = exit.trim().parse().unwrap();
        documented.extend(code.captures_iter(codes).map(|code| (code[1].to_owned(), exit)));
    }
    let created = Regex::new(r#"Kind::(\w+),\s*"([a-z-]+)""#).unwrap();
    let arm = Regex::new("=> \"([a-z-]+)\",").unwrap();
    let mut codes = BTreeSet::new();
    for (path, source) in files() {
        if path.starts_with("project/src/") {
            let found = created.captures_iter(&source);
            codes.extend(found.map(|found| (found[2].to_owned(), exit_code(&found[1]))));
        }
        if path == "project/src/difference.rs" {
            let (_, function) = source.split_once(" fn code(").unwrap();
            let function = function.split("\n    }\n").next().unwrap();
            let found = arm.captures_iter(function);
            codes.extend(found.map(|code| (code[1].to_owned(), ErrorKind::Mismatch as u8)));
        }
    }
    assert_eq!(documented, codes);
}

fn exit_code(kind: &str) -> u8 {
    let kinds = [
        ErrorKind::Drift,
        ErrorKind::Usage,
        ErrorKind::Network,
        ErrorKind::Authentication,
        ErrorKind::Mismatch,
        ErrorKind::Policy,
        ErrorKind::Disk,
        ErrorKind::Interrupted,
    ];
    let kind = kinds.into_iter().find(|known| format!("{known:?}") == kind);
    kind.unwrap_or_else(|| panic!("the test does not know {kind:?}")) as u8
}

/// The codes of what `skills validate` reports about a skill of these files.
fn validated(files: &[(&str, &str)]) -> Vec<String> {
    let sandbox = Sandbox::new();
    for (path, text) in files {
        sandbox.write(format!("project/pdf/{path}"), text);
    }
    let run = sandbox.skills(["validate", "pdf", "--json", "-v", "--profile", "helix"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{report}"));
    findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()).collect()
}
