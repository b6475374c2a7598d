//! Ranges of versions, in cargo's syntax.

use helix_skills_format::Error;
use semver::VersionReq;

/// Parses the text of a [`VersionPin::Range`](super::VersionPin::Range).
///
/// # Errors
/// The text is not a range in cargo's syntax.
pub(crate) fn requirement(range: &str) -> Result<VersionReq, Error> {
    let syntax = "ranges have cargo's syntax, for example `>=1.2, <2`";
    Ok(VersionReq::parse(&normalize(range)).map_err(|why| format!("{why}; {syntax}"))?)
}

/// Removes a leading `v` and leading zeros, which tags may have: `^v2026.07` is `^2026.7`.
fn normalize(range: &str) -> String {
    let comparators = range.split(',').map(|part| {
        let part = part.trim();
        let end =
            part.find(|c: char| !"^~<>=".contains(c) && !c.is_whitespace()).unwrap_or(part.len());
        let (operator, version) = part.split_at(end);
        let version = version.strip_prefix(['v', 'V']).unwrap_or(version);
        let core_end = version.find(['-', '+']).unwrap_or(version.len());
        let (core, rest) = version.split_at(core_end);
        let core = core.split('.').map(|number| match number.trim_start_matches('0') {
            "" if !number.is_empty() => "0",
            stripped if number.bytes().all(|b| b.is_ascii_digit()) => stripped,
            _ => number,
        });
        format!(
            "{}{}{rest}",
            operator.split_whitespace().collect::<String>(),
            core.collect::<Vec<_>>().join(".")
        )
    });
    comparators.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use helix_skills_format::VersionPin;

    fn matches(range: &str, version: &str) -> bool {
        match VersionPin::parse(range).unwrap_or_else(|why| panic!("{range}: {why}")) {
            VersionPin::Exact(text) => text == version,
            VersionPin::Range(text) => requirement(&text)
                .unwrap_or_else(|why| panic!("{range}: {why}"))
                .matches(&version.parse().expect("a version")),
        }
    }

    #[test]
    fn ranges_follow_cargo_and_bare_versions_are_exact() {
        assert!(matches("^0.6", "0.6.70"));
        assert!(matches(">=1.2, <2", "1.9.0"));
        assert!(matches("^v2026.07", "2026.8.0"));
        assert!(matches("*", "3.0.0") && !matches("*", "3.0.0-rc.1"));
        assert!(matches("0.6.70", "0.6.70") && !matches("0.6.70", "0.6.71"));
        assert!(matches!(VersionPin::parse("1.2"), Ok(VersionPin::Exact(_))));
        for bad in ["", ">=1 <2", "1.2 - 1.4", "^1 || ^2", "-x", "a~b"] {
            let is_range =
                |pin| matches!(pin, VersionPin::Range(text) if requirement(&text).is_ok());
            assert!(!VersionPin::parse(bad).is_ok_and(is_range), "{bad}");
        }
    }
}
