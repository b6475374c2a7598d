//! Formats for findings: text, JSON and SARIF.

mod sarif;
mod text;

pub use sarif::sarif;
pub use text::text;

use helix_skills_format::{Finding, Severity};
use serde_core::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

/// A finding with the file that it is in and its severity under the rules that were applied.
///
/// Serializes as an object with `code`, `severity`, `file`, `line`, `column`, `message` and `hint`.
/// Fields that the finding does not have are omitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reported<'r> {
    /// The path of the file, as printed.
    file: Cow<'r, str>,
    /// The severity under the rules that were applied.
    pub severity: Severity,
    /// The finding itself.
    finding: &'r Finding,
}

impl<'r> Reported<'r> {
    /// Creates a finding in `file`.
    #[must_use]
    pub fn new(file: impl Into<Cow<'r, str>>, severity: Severity, finding: &'r Finding) -> Self {
        Self { file: file.into(), severity, finding }
    }
}

impl Serialize for Reported<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let finding = self.finding;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", finding.code.as_str())?;
        map.serialize_entry("severity", self.severity.as_str())?;
        map.serialize_entry("file", &self.file)?;
        if let Some(at) = finding.at {
            map.serialize_entry("line", &at.line)?;
            map.serialize_entry("column", &at.column)?;
        }
        map.serialize_entry("message", &finding.message)?;
        if let Some(hint) = &finding.hint {
            map.serialize_entry("hint", hint)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::Reported;
    use helix_skills_format::{Code, Finding, Position, Severity};
    use serde_json::json;

    #[test]
    fn absent_fields_are_not_serialized() {
        let bare = Finding::new(Code::EmptyBody, None, "the body is empty");
        let expected = json!({ "code": "empty-body", "severity": "warning", "file": "a.md", "message": "the body is empty" });
        assert_eq!(json!(Reported::new("a.md", Severity::Warning, &bare)), expected);

        let full = Finding::new(Code::DeadLink, Position { line: 3, column: 7 }, "no `b.md`")
            .hint("remove the link");
        let expected = json!({
            "code": "dead-link", "severity": "warning", "file": "x/SKILL.md", "line": 3, "column": 7,
            "message": "no `b.md`", "hint": "remove the link",
        });
        assert_eq!(json!(Reported::new("x/SKILL.md", Severity::Warning, &full)), expected);
    }
}
