//! Assertions about messages, findings and paths, shared by all targets.

use arbitrary::Unstructured;
use helix_skills_format::Finding;
use std::path::{Component, Path};

/// Asserts that a message is one line without control characters. Invisible characters and Unicode
/// line separators are escaped when it is printed.
pub(crate) fn assert_one_line(message: &str) {
    let bad = message.chars().find(|c| c.is_control());
    assert_eq!(
        bad, None,
        "a message of more than one line, or with a control character: {message:?}"
    );
    assert!(!message.is_empty(), "an empty message");
}

/// Asserts that findings have one-line messages, and positions within the text.
pub(crate) fn assert_findings(findings: &[Finding], text: &str) {
    let lines = text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    for finding in findings {
        assert_one_line(&finding.message);
        finding.hint.iter().for_each(|hint| assert_one_line(hint));
        if let Some(at) = finding.at {
            assert!(
                at.line >= 1 && at.line as usize <= lines,
                "{finding:?} is not in a text of {lines} lines"
            );
            assert!(
                at.column >= 1 && at.column as usize <= text.chars().count() + 1,
                "{finding:?} is not in the text"
            );
        }
    }
}

/// Asserts that joining this path to a directory stays inside it, and that no other path names the
/// same file.
pub(crate) fn assert_inside(path: &str) {
    let parts: Vec<&str> = Path::new(path)
        .components()
        .map(|part| match part {
            Component::Normal(part) => {
                part.to_str().unwrap_or_else(|| panic!("{path:?} is not UTF-8"))
            }
            other => panic!("{path:?} has the part {other:?}"),
        })
        .collect();
    assert_eq!(parts.join("/"), path, "the file system reads another path");
    assert!(!path.contains(['\\', '\0', '\n', '\r']), "{path:?}");
}

/// Generates a text of up to `most` parts: mostly words, sometimes other characters.
pub(crate) fn text(input: &mut Unstructured<'_>, words: &[&str], most: usize) -> String {
    let mut text = String::new();
    for _ in 0..input.int_in_range(0..=most).unwrap_or(0) {
        match input.int_in_range(0..=9_u8).unwrap_or(0) {
            0 => text.push(input.arbitrary().unwrap_or('x')),
            1 => text.push(char::from(input.int_in_range(0x20..=0x7e_u8).unwrap_or(b'x'))),
            _ => text.push_str(input.choose(words).copied().unwrap_or("")),
        }
    }
    text
}
