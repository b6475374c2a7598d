//! Compares values with another YAML library, for texts that both accept.

use helix_skills_format::{Code, SkillMd};
use helix_skills_runtime::Value;
use serde_yaml::Value as Yaml;
use std::borrow::Cow;

/// Returns whether our source texts are what the oracle read as typed values.
pub(crate) fn equal(ours: &Value, theirs: &Yaml) -> bool {
    match (ours, theirs) {
        (
            Value::Text(ours) | Value::Number(ours) | Value::Bool(ours) | Value::Null(ours),
            theirs,
        ) => scalar(ours, theirs),
        (Value::List(ours), Yaml::Sequence(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| equal(ours, theirs))
        }
        (Value::Map(ours), Yaml::Mapping(theirs)) => {
            let same = |((key, ours), (other, theirs)): (&(Cow<'static, str>, Value), _)| {
                scalar(key, other) && equal(ours, theirs)
            };
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(same)
        }
        _ => false,
    }
}

/// Returns whether the source text `ours` is what the oracle read as a typed value.
pub(crate) fn scalar(ours: &str, theirs: &Yaml) -> bool {
    match theirs {
        Yaml::Null => matches!(ours, "" | "~" | "null" | "Null" | "NULL"),
        Yaml::Bool(theirs) => ours.eq_ignore_ascii_case(if *theirs { "true" } else { "false" }),
        Yaml::Number(number) => serde_yaml::from_str::<Yaml>(ours)
            .is_ok_and(|ours| ours == Yaml::Number(number.clone())),
        Yaml::String(theirs) => ours == theirs,
        _ => false,
    }
}

/// Generates random values. It leaves out constructs in which the oracle's YAML 1.1 differs: other
/// line endings, `?` directly before text, and blank blocks that keep their line endings.
const PIECES: [&str; 60] = [
    "a",
    "b",
    " ",
    ":",
    ": ",
    "\n",
    "\n  ",
    "\n- ",
    "- ",
    "'",
    "\"",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "#",
    " #",
    "|",
    "|\n",
    "|-\n  ",
    ">\n  ",
    ">-\n  ",
    "\\n",
    "\\",
    "é",
    "1",
    "1.0",
    "0x1f",
    "true",
    "null",
    "~",
    "! ",
    "& ",
    "*",
    "%",
    "@",
    "`",
    "\t",
    "\r\n",
    "\n\n",
    "    ",
    "k: ",
    "\nk: ",
    "\nl: ",
    "---",
    "...",
    "\"x\"",
    "'y'",
    "-",
    "_",
    "=",
    "<<",
    "2020-01-01",
    "1e3",
    ".5",
    "+1",
    "-0",
    "0o7",
    "技",
];

#[test]
fn random_frontmatter_reads_like_another_library() {
    let mut seed = 7_u64;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut compared = 0;
    for _ in 0..30_000 {
        let value: String = (0..next(14)).map(|_| PIECES[next(PIECES.len())]).collect();
        let text = format!("---\nname: a\ndescription: b\nzz: {value}\n---\nBody\n");
        let Ok(parsed) = SkillMd::parse(&text, None, "SKILL.md") else { continue };
        let yaml = &text[parsed.value.layout.yaml.clone()];
        let theirs = serde_yaml::from_str::<Yaml>(yaml);
        if parsed.findings.iter().any(|finding| finding.code == Code::UnquotedValue) {
            assert!(theirs.is_err(), "{yaml:?} needs no quotes: {theirs:?}");
            continue;
        }
        let Ok(Yaml::Mapping(theirs)) = theirs else { continue };
        compared += 1;
        let extra = parsed.value.extra();
        let same = theirs
            .iter()
            .skip(2)
            .zip(extra)
            .all(|((key, theirs), (ours, value))| scalar(ours, key) && equal(value, theirs));
        assert!(
            same && theirs.len() == extra.len() + 2,
            "{yaml:?}:\n  expected {theirs:?}\n  found {extra:?}"
        );
    }
    assert!(compared > 5_000, "{compared}");
}
