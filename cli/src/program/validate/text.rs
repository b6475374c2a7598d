//! Findings as people read them, and as editors and forges find their places: `file:line:column: severity: message [code]`.

use super::word;
use anstyle::{AnsiColor, Style};
use helix_skills_format::__internal::printable;
use helix_skills_format::{Finding, Severity};
use std::{borrow::Cow, fmt::Write as _};

const PLACE: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Green.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default();

/// One finding a line, and its hint on the next; what comes from skills is escaped.
pub(super) fn text<'r>(findings: impl Iterator<Item = (Cow<'r, str>, Severity, &'r Finding)>) -> String {
    let mut text = String::new();
    for (file, severity, found) in findings {
        let place = match found.at {
            Some(at) => format!("{}:{at}", printable(&file)),
            None => printable(&file),
        };
        let style = match severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
            Severity::Note | Severity::Silent => NOTE,
        };
        let (word, message, code) = (word(severity), printable(&found.message), found.code.as_str());
        let _ = writeln!(text, "{PLACE}{place}:{PLACE:#} {style}{word}:{style:#} {message} [{code}]");
        if let Some(hint) = &found.hint {
            let _ = writeln!(text, "{HELP}  help:{HELP:#} {}", printable(hint));
        }
    }
    text
}
