//! How much validation allocates for a skill without findings, which most skills are.

use allocation_counter::measure;
use helix_skills_lint::fix;

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

#[test]
fn text_without_a_fix_is_not_copied() {
    let text = skill(0, 400);
    let allocated = measure(|| assert_eq!(fix(&text, Some("tides")), None)).bytes_total;
    assert!(allocated < text.len() as u64, "{allocated} of {} bytes", text.len());
}
