//! Findings as SARIF 2.1.0 (OASIS, sarif-schema-2.1.0), which forges show beside the lines.

use super::word;
use crate::validate::Report;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The log of one run. Paths are those that are printed, relative to the working directory where they can be.
pub(super) fn document(report: &Report) -> Value {
    let all = || report.findings().chain(report.notes());
    let rules: BTreeMap<&str, &str> = all().map(|(_, severity, found)| (found.code.as_str(), word(severity))).collect();
    let index = |code: &str| rules.keys().position(|known| *known == code);
    let results = all().map(|(file, severity, found)| {
        let mut place = json!({ "artifactLocation": { "uri": uri(&file) } });
        if let Some(at) = found.at {
            place["region"] = json!({ "startLine": at.line, "startColumn": at.column });
        }
        let text = match &found.hint {
            Some(hint) => format!("{}; {hint}", found.message),
            None => found.message.clone(),
        };
        json!({
            "ruleId": found.code.as_str(),
            "ruleIndex": index(found.code.as_str()),
            "level": word(severity),
            "message": { "text": text },
            "locations": [{ "physicalLocation": place }],
        })
    });
    let results: Vec<_> = results.collect();
    let rules = rules.iter().map(|(code, level)| json!({ "id": code, "defaultConfiguration": { "level": level } }));
    json!({
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
            "results": results,
        }],
    })
}

/// A path as a relative reference, or an absolute one of the scheme `file`.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            b'\\' if cfg!(windows) => uri.push('/'),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("a b/é:.md"), "a%20b/%C3%A9%3A.md");
        assert_eq!(uri("/x/SKILL.md"), "file:///x/SKILL.md");
    }
}
