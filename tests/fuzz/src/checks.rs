//! What holds for every message and every path, whoever it is about.

use arbitrary::Unstructured;
use helix_skills_format::Finding;
use std::path::{Component, Path};

/// A message is one line without control characters. What nobody sees, and the separators of Unicode, are escaped by whoever
/// prints it.
pub(crate) fn is_one_line(message: &str) {
    let bad = message.chars().find(|c| c.is_control());
    assert_eq!(
        bad, None,
        "a message of more than one line, or with a control character: {message:?}"
    );
    assert!(!message.is_empty(), "an empty message");
}

/// Findings have messages of one line, and places that are in the text.
pub(crate) fn are_findings(findings: &[Finding], text: &str) {
    let lines = text.bytes().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    for finding in findings {
        is_one_line(&finding.message);
        finding.hint.iter().for_each(|hint| is_one_line(hint));
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

/// Joining this path to a directory stays inside of the directory, and gives another path for every other text.
pub(crate) fn is_inside(path: &str) {
    let parts: Vec<&str> = Path::new(path)
        .components()
        .map(|part| match part {
            Component::Normal(part) => {
                part.to_str().unwrap_or_else(|| panic!("{path:?} is no text"))
            }
            other => panic!("{path:?} has the part {other:?}"),
        })
        .collect();
    assert_eq!(parts.join("/"), path, "a path that a file system reads as another one");
    assert!(!path.contains(['\\', '\0', '\n', '\r']), "{path:?}");
}

/// A text of input that makes decisions: of the words, or of its own bytes.
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
