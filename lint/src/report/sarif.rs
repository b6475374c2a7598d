//! Findings as SARIF 2.1.0 (OASIS, sarif-schema-2.1.0), which forges show next to the code.

use super::Reported;
use helix_skills_format::__internal::printable;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// Formats the findings of one run of `skills validate` as a SARIF log, with a final newline.
///
/// Relative paths are relative to the working directory of the command, which should be the root of
/// the repository, because forges resolve `%SRCROOT%` to it.
///
/// ```
/// use helix_skills_format::{Code, Finding, Severity};
/// use helix_skills_lint::report::{Reported, sarif};
///
/// let found = Finding::new(Code::EmptyBody, None, "the body is empty");
/// let log = sarif([Reported::new("tides/SKILL.md", Severity::Warning, &found)]);
/// assert!(log.contains("\"ruleId\": \"empty-body\""));
/// assert!(log.contains("\"uri\": \"tides/SKILL.md\""));
/// ```
pub fn sarif<'r>(findings: impl IntoIterator<Item = Reported<'r>>) -> String {
    let findings: Vec<_> = findings.into_iter().collect();
    let code = |found: &Reported<'_>| found.finding.code.as_str();
    let rules: BTreeMap<_, _> =
        findings.iter().map(|found| (code(found), found.severity.as_str())).collect();
    let results = findings.iter().map(|found| {
        let mut place = json!({ "artifactLocation": artifact(&found.file) });
        if let Some(at) = found.finding.at {
            place["region"] = json!({ "startLine": at.line, "startColumn": at.column });
        }
        let text = match &found.finding.hint {
            Some(hint) => printable(&format!("{}; {hint}", found.finding.message)),
            None => printable(&found.finding.message),
        };
        json!({
            "ruleId": code(found),
            "ruleIndex": rules.keys().position(|known| *known == code(found)),
            "level": found.severity.as_str(),
            "message": { "text": text },
            "locations": [{ "physicalLocation": place }],
        })
    });
    let results: Vec<_> = results.collect();
    let rules = rules
        .iter()
        .map(|(code, level)| json!({ "id": code, "defaultConfiguration": { "level": level } }));
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "skills validate",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            // The absolute path of the base is different on other machines.
            "originalUriBaseIds": { ROOT: { "description": { "text": "the directory in which skills validate ran" } } },
            "results": results,
        }],
    });
    format!("{document:#}\n")
}

/// The name of the base of relative paths, as known by forges.
const ROOT: &str = "%SRCROOT%";

/// Returns the location of a file: relative to the base, or an absolute `file:` URI.
fn artifact(path: &str) -> Value {
    if Path::new(path).is_absolute() {
        json!({ "uri": format!("file://{}{}", if path.starts_with('/') { "" } else { "/" }, uri(path)) })
    } else {
        json!({ "uri": uri(path), "uriBaseId": ROOT })
    }
}

/// The bytes of a path that a URI reference escapes.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Converts a path to a URI reference.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    utf8_percent_encode(&path, ESCAPED).to_string()
}

#[cfg(test)]
mod tests {
    use super::{artifact, uri};
    use serde_json::json;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("a b/é:.md"), "a%20b/%C3%A9%3A.md");
        assert_eq!(uri("\u{1b}%20\n"), "%1B%2520%0A");
        assert_eq!(
            artifact("x/SKILL.md"),
            json!({ "uri": "x/SKILL.md", "uriBaseId": "%SRCROOT%" })
        );
        #[cfg(unix)]
        assert_eq!(artifact("/x/SKILL.md"), json!({ "uri": "file:///x/SKILL.md" }));
    }
}
