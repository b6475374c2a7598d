//! How much validation allocates for a skill without findings, which most skills are.

use allocation_counter::{AllocationInfo, measure};
use helix_skills_format::SkillMd;
use helix_skills_project::validate::{Rules, validate};
use std::fs;

/// Returns a skill in the directory `tides` with this number of metadata entries, and lines of text
/// with 600 bytes.
fn skill(entries: usize, lines: usize) -> String {
    let entries: String = (0..entries).map(|entry| format!("  key-{entry}: value\n")).collect();
    let body = format!("{}\n", "tides ".repeat(100)).repeat(lines);
    let description = "Reads tide tables. Use when a harbor is named.";
    format!(
        "---\nname: tides\ndescription: {description}\nmetadata:\n  key: value\n{entries}---\n{body}"
    )
}

/// Returns what the validation of a skill allocates. One skill is validated on this thread.
fn validation(text: &str) -> AllocationInfo {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("tides")).unwrap();
    fs::write(directory.path().join("tides/SKILL.md"), text).unwrap();
    measure(|| {
        let paths = ["tides".into()];
        let report = validate(directory.path(), &paths, Rules::Authors).unwrap();
        assert_eq!((report.skills.len(), report.findings().count()), (1, 0));
    })
}

#[test]
fn validated_frontmatter_is_parsed_once() {
    let parse =
        |text: &str| measure(|| drop(SkillMd::parse(text, Some("tides"), "SKILL.md"))).count_total;
    // The difference is that of the entries alone.
    let (small, large) = (skill(0, 1), skill(1000, 1));
    let validated = validation(&large).count_total - validation(&small).count_total;
    let parsed = parse(&large) - parse(&small);
    assert!(validated < 2 * parsed, "{validated} allocations, {parsed} for parsing once");
}

#[test]
fn validated_text_is_not_copied() {
    let text = skill(0, 400);
    let allocated = validation(&text).bytes_total;
    // The text once, and the nodes of the Markdown parser, which are one and a half times as large.
    assert!(allocated < 3 * text.len() as u64, "{allocated} of {} bytes", text.len());
}
