//! Real skills: each file parses as recorded, with the values that another YAML library reads.
//!
//! `HELIX_CORPUS` names the directory. Without it, the feature `corpus` reads the one next to the
//! checkout, and other runs read the skills of the example.

// Rejected files are printed for callers that run another corpus.
#![allow(clippy::print_stdout)]

use crate::oracle::{equal, scalar};
use helix_skills_format::{Code, Finding, Severity, SkillMd};
use helix_skills_runtime::Value;
use serde_yaml::Value as Yaml;
use std::path::{Path, PathBuf};

/// Number of skills in the default corpus.
const SKILLS: usize = 58;

/// Number of skills in the default corpus that load.
const LOADED: usize = 57;

/// The findings of skills in the default corpus; all others have none. One is rejected, because it
/// has no description.
const RECORDED: &[(&str, &[Code])] = &[
    ("deer-flow/skills/public/chart-visualization/SKILL.md", &[Code::FieldType]),
    ("deer-flow/skills/public/claude-to-deerflow/SKILL.md", &[Code::ReservedWord]),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/blocked/SKILL.md",
        &[Code::MissingDescription],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/needs-revision/SKILL.md",
        &[Code::NameMismatch],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/partial-package/SKILL.md",
        &[Code::NameMismatch],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/prompt-injection/SKILL.md",
        &[Code::NameMismatch, Code::UnknownField],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/publish-candidate/SKILL.md",
        &[Code::NameMismatch],
    ),
    (
        "deer-flow/skills/public/skill-reviewer/evals/fixtures/zh-output/SKILL.md",
        &[Code::NameMismatch],
    ),
    ("deer-flow/skills/public/vercel-deploy-claimable/SKILL.md", &[Code::NameMismatch]),
];

struct File {
    /// Relative to the corpus, with `/` as the separator.
    path: String,
    directory: String,
    bytes: Vec<u8>,
}

/// Returns the skills of the corpus, and whether it is the default one.
fn files() -> (Vec<File>, bool) {
    let given = std::env::var_os("HELIX_CORPUS");
    let default = if cfg!(feature = "corpus") {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus")
    } else {
        concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/agent/skills")
    };
    let root = given.as_deref().map_or_else(|| PathBuf::from(default), PathBuf::from);
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!files.is_empty(), "`{}` contains no SKILL.md", root.display());
    (files, cfg!(feature = "corpus") && given.is_none())
}

fn collect(root: &Path, directory: &Path, files: &mut Vec<File>) {
    let entries = std::fs::read_dir(directory)
        .unwrap_or_else(|why| panic!("cannot read `{}`: {why}", directory.display()));
    for entry in entries {
        let entry = entry.unwrap();
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            collect(root, &path, files);
        } else if entry.file_name() == "SKILL.md" {
            files.push(File {
                path: path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"),
                directory: directory.file_name().unwrap().to_str().unwrap().to_owned(),
                bytes: std::fs::read(&path).unwrap(),
            });
        }
    }
}

fn summary(findings: &[Finding]) -> String {
    let summary = findings.iter().map(|f| {
        format!("{} {}: {f}", f.at.map_or(String::new(), |at| at.to_string()), f.code.as_str())
    });
    summary.collect::<Vec<_>>().join("; ")
}

#[test]
fn corpus_parses_as_recorded() {
    let (files, default) = files();
    let mut failures = Vec::new();
    for file in &files {
        let (loads, findings) =
            match SkillMd::parse_bytes(&file.bytes, Some(&file.directory), "SKILL.md") {
                Ok(parsed) => (true, parsed.findings),
                Err(errors) => (false, errors),
            };
        if !loads {
            println!("{} is refused: {}", file.path, summary(&findings));
        }
        let weight =
            findings.iter().map(|f| f.code.when_baking()).max().unwrap_or(Severity::Silent);
        if loads == (weight == Severity::Error) {
            failures.push(format!("{}: loads {loads}, yet {}", file.path, summary(&findings)));
        }
        let codes: Vec<_> = findings.iter().map(|f| f.code).collect();
        let recorded = RECORDED
            .iter()
            .find(|(path, _)| *path == file.path)
            .map_or(&[][..], |(_, codes)| *codes);
        if default && codes != recorded {
            failures.push(format!(
                "{}: expected {recorded:?}, found {codes:?}: {}",
                file.path,
                summary(&findings)
            ));
        }
    }
    if default {
        assert_eq!(files.len(), SKILLS);
        for (path, _) in RECORDED {
            assert!(files.iter().any(|file| file.path == *path), "`{path}` is not in the corpus");
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn corpus_values_equal_those_of_another_library() {
    let (files, default) = files();
    let (mut failures, mut compared) = (Vec::new(), 0);
    for file in &files {
        let text = String::from_utf8_lossy(&file.bytes);
        let skill = match SkillMd::parse(&text, Some(&file.directory), "SKILL.md") {
            Ok(parsed) => parsed.value,
            Err(errors) => {
                println!("{} is refused: {}", file.path, summary(&errors));
                continue;
            }
        };
        if text[skill.layout.yaml.clone()].contains(['\u{85}', '\u{2028}', '\u{2029}']) {
            println!(
                "{} is not compared: the oracle's YAML is 1.1, which ends lines at other characters too",
                file.path
            );
            continue;
        }
        // Accepted frontmatter is neither deeply nested nor full of aliases, so the oracle
        // terminates.
        match serde_yaml::from_str::<Yaml>(&text[skill.layout.yaml.clone()]) {
            Ok(Yaml::Mapping(theirs)) => {
                compared += 1;
                failures.extend(
                    differences(&skill, &theirs)
                        .into_iter()
                        .map(|why| format!("{}: {why}", file.path)),
                );
            }
            Ok(other) => failures.push(format!("{}: not a mapping but {other:?}", file.path)),
            Err(why) => println!("{} is refused by the oracle: {why}", file.path),
        }
    }
    println!("{compared} of {} compared", files.len());
    assert!(compared == LOADED || !default, "{compared}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the values of a skill that differ from the oracle's.
fn differences(skill: &SkillMd, theirs: &serde_yaml::Mapping) -> Vec<String> {
    let mut different = Vec::new();
    for (key, value) in theirs {
        let key = key.as_str().map_or_else(|| format!("{key:?}"), str::to_owned);
        if !same(skill, &key, value) {
            different.push(format!("`{key}`: expected {value:?}\n  found {skill:?}"));
        }
    }
    for (key, _) in skill.extra() {
        if !theirs.contains_key(&**key) && !theirs.keys().any(|theirs| scalar(key, theirs)) {
            different.push(format!("`{key}`: the oracle has no such key"));
        }
    }
    different
}

fn same(skill: &SkillMd, key: &str, theirs: &Yaml) -> bool {
    let text = |ours: Option<&str>| match ours {
        Some(ours) => trimmed(ours, theirs),
        None => is_blank(theirs),
    };
    let list = |ours: Vec<&str>| match theirs {
        Yaml::Sequence(items) => {
            items.len() == ours.len() && items.iter().zip(&ours).all(|(t, o)| trimmed(o, t))
        }
        Yaml::String(theirs) => letters(&ours.concat()) == letters(theirs),
        theirs => ours.is_empty() && is_blank(theirs),
    };
    if key != "metadata"
        && let Some((_, ours)) = skill.extra().iter().find(|(extra, _)| extra == key)
    {
        return equal(ours, theirs);
    }
    match key {
        "name" => trimmed(&skill.name, theirs) || is_blank(theirs),
        "description" => trimmed(skill.description(), theirs),
        "license" => text(skill.license()),
        "compatibility" => text(skill.compatibility()),
        "when_to_use" => text(skill.when_to_use()),
        "shell" => text(skill.shell()),
        "argument-hint" => match theirs {
            Yaml::Sequence(_) => skill.argument_hint().is_some_and(|hint| hint.starts_with('[')),
            _ => text(skill.argument_hint()),
        },
        "allowed-tools" => {
            list(skill.allowed_tools().map_or(Vec::new(), |list| list.iter().collect()))
        }
        "disallowed-tools" => {
            list(skill.disallowed_tools().map_or(Vec::new(), |list| list.iter().collect()))
        }
        "arguments" => list(skill.arguments().iter().collect()),
        "disable-model-invocation" => {
            boolean(theirs).unwrap_or(true) == skill.disable_model_invocation()
        }
        "user-invocable" => boolean(theirs).unwrap_or(false) == skill.user_invocable(),
        "maxTicks" => {
            skill.max_ticks().map_or(is_blank(theirs), |ours| trimmed(&ours.to_string(), theirs))
        }
        "metadata" => metadata(skill, theirs),
        _ => skill
            .extra()
            .iter()
            .any(|(extra, ours)| scalar(extra, &Yaml::from(key)) && equal(ours, theirs)),
    }
}

fn metadata(skill: &SkillMd, theirs: &Yaml) -> bool {
    let nested = skill.extra().iter().find(|(key, _)| key == "metadata").map(|(_, value)| value);
    let Yaml::Mapping(theirs) = theirs else {
        return skill.metadata().len() == 0
            && nested.map_or(is_blank(theirs), |ours| equal(ours, theirs));
    };
    let nested = match nested {
        Some(Value::Map(entries)) => &entries[..],
        _ => &[],
    };
    theirs.len() == skill.metadata().len() + nested.len()
        && theirs.iter().all(|(key, value)| {
            skill.metadata().any(|(ours, text)| scalar(ours, key) && scalar(text, value))
                || nested.iter().any(|(ours, inner)| scalar(ours, key) && equal(inner, value))
        })
}

/// Like [`scalar`], for texts that the parser trims.
fn trimmed(ours: &str, theirs: &Yaml) -> bool {
    match theirs {
        Yaml::String(theirs) => ours == theirs.trim(),
        _ => scalar(ours, theirs),
    }
}

fn is_blank(theirs: &Yaml) -> bool {
    theirs.is_null() || theirs.as_str().is_some_and(|text| text.trim().is_empty())
}

fn boolean(theirs: &Yaml) -> Option<bool> {
    let text = match theirs {
        Yaml::Bool(value) => return Some(*value),
        Yaml::Number(number) => number.to_string(),
        Yaml::String(text) => text.trim().to_ascii_lowercase(),
        _ => return None,
    };
    match &*text {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Returns a list as one text without separators.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != ',').collect()
}
