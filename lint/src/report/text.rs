//! Findings as text: `file:line:column: severity: message [code]`, the format of compilers, which
//! editors and forges recognize.

use super::Reported;
use anstyle::{AnsiColor, Style};
use helix_skills_format::{__internal::printable, Severity};
use std::fmt::Write as _;

const PLACE: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default();

/// Formats findings, one per line with the hint on the next line, with ANSI styles.
///
/// Control and invisible characters of paths and skills are escaped.
///
/// ```
/// use helix_skills_format::{Code, Finding, Position, Severity};
/// use helix_skills_lint::report::{Reported, text};
///
/// let found = Finding::new(Code::DeadLink, Position { line: 5, column: 12 }, "no `more.md`");
/// let printed = text([Reported::new("tides/SKILL.md", Severity::Warning, &found)]);
/// assert!(printed.contains("tides/SKILL.md:5:12:"));
/// assert!(printed.ends_with(" no `more.md` [dead-link]\n"));
/// ```
pub fn text<'r>(findings: impl IntoIterator<Item = Reported<'r>>) -> String {
    let mut text = String::new();
    for Reported { file, severity, finding } in findings {
        let place = match finding.at {
            Some(at) => format!("{}:{at}", printable(&file)),
            None => printable(&file),
        };
        let style = match severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
            _ => NOTE,
        };
        let (word, message, code) =
            (severity.as_str(), printable(&finding.message), finding.code.as_str());
        let _ =
            writeln!(text, "{PLACE}{place}:{PLACE:#} {style}{word}:{style:#} {message} [{code}]");
        if let Some(hint) = &finding.hint {
            let _ = writeln!(text, "{HELP}  help:{HELP:#} {}", printable(hint));
        }
    }
    text
}
