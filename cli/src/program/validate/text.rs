//! Findings as people read them, and as editors and forges find their places: `file:line:column: severity: message [code]`.

use super::word;
use crate::{printable::printable, validate::Report};
use anstyle::{AnsiColor, Style};
use helix_skills_format::Severity;
use std::fmt::Write as _;

const PLACE: Style = Style::new().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default();

/// One finding a line, and its hint on the next; what comes from skills is escaped.
pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    for (file, severity, found) in report.findings() {
        let place = match found.at {
            Some(at) => format!("{}:{at}", printable(file)),
            None => printable(file),
        };
        let style = if severity == Severity::Error { ERROR } else { WARNING };
        let (word, message, code) = (word(severity), printable(&found.message), found.code.as_str());
        let _ = writeln!(text, "{PLACE}{place}:{PLACE:#} {style}{word}:{style:#} {message} [{code}]");
        if let Some(hint) = &found.hint {
            let _ = writeln!(text, "{HELP}  help:{HELP:#} {}", printable(hint));
        }
    }
    text
}
