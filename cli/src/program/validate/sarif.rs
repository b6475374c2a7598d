//! Findings as SARIF 2.1.0 (OASIS, sarif-schema-2.1.0), which forges show beside the lines.

use super::word;
use helix_skills_format::__internal::printable;
use helix_skills_project::validate::Report;
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// The log of one run. Paths are those that are printed, relative to the working directory where they can be.
pub(super) fn document(report: &Report) -> Value {
    let all = || report.findings().chain(report.notes());
    let rules: BTreeMap<&str, &str> = all().map(|(_, severity, found)| (found.code.as_str(), word(severity))).collect();
    let index = |code: &str| rules.keys().position(|known| *known == code);
    let results = all().map(|(file, severity, found)| {
        let mut place = json!({ "artifactLocation": artifact(&file) });
        if let Some(at) = found.at {
            place["region"] = json!({ "startLine": at.line, "startColumn": at.column });
        }
        let text = match &found.hint {
            Some(hint) => printable(&format!("{}; {hint}", found.message)),
            None => printable(&found.message),
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
            // Where it lies is nothing that another machine could use.
            "originalUriBaseIds": { ROOT: { "description": { "text": "the directory in which skills validate ran" } } },
            "results": results,
        }],
    })
}

/// What relative paths begin at, under the name that forges know.
const ROOT: &str = "%SRCROOT%";

/// Where a file is: relative to the working directory, else absolute and for itself.
fn artifact(path: &str) -> Value {
    if Path::new(path).is_absolute() {
        json!({ "uri": format!("file://{}{}", if path.starts_with('/') { "" } else { "/" }, uri(path)) })
    } else {
        json!({ "uri": uri(path), "uriBaseId": ROOT })
    }
}

/// A path as a reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
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
    use super::{artifact, uri};
    use serde_json::json;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("a b/é:.md"), "a%20b/%C3%A9%3A.md");
        assert_eq!(uri("\u{1b}%20\n"), "%1B%2520%0A");
        assert_eq!(artifact("x/SKILL.md"), json!({ "uri": "x/SKILL.md", "uriBaseId": "%SRCROOT%" }));
        #[cfg(unix)]
        assert_eq!(artifact("/x/SKILL.md"), json!({ "uri": "file:///x/SKILL.md" }));
    }
}
