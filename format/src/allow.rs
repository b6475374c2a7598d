//! Findings that the manifest lets through.

use crate::list::listed_all;
use crate::{
    Code, Finding, RelPath, Severity, SkillName,
    json::{Dialect, Range, Reader, Tree, Value, quoted},
    nearest,
};
use std::collections::{BTreeMap, BTreeSet};

/// Findings that are let through, file by file: `{"skill/path/in/skill": ["invisible-text"]}`.
///
/// ```
/// use helix_skills_format::{Allow, Code};
/// let allow = Allow::from_manifest(r#"{"skills": {}, "allow": {"pdf/docs/a.md": ["invisible-text"]}}"#).unwrap();
/// assert!(allow.allows("pdf", "docs/a.md", Code::InvisibleText));
/// assert!(!allow.allows("pdf", "docs/b.md", Code::InvisibleText));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow(BTreeMap<(SkillName, RelPath), BTreeSet<Code>>);

impl Allow {
    /// Whether a finding in this file is let through; `skill` is its name in the lock, `path` that
    /// of the file in the skill.
    #[must_use]
    pub fn allows(&self, skill: &str, path: &str, code: Code) -> bool {
        let mut of_file = self
            .0
            .iter()
            .filter(|((name, file), _)| name.as_str() == skill && file.as_str() == path);
        of_file.any(|(_, codes)| codes.contains(&code))
    }

    /// The files with what is let through in them, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&SkillName, &RelPath, &BTreeSet<Code>)> {
        self.0.iter().map(|((skill, path), codes)| (skill, path, codes))
    }

    /// The entry that lets `code` through, as it stands in the manifest: invisible characters of
    /// the path are escaped.
    ///
    /// ```
    /// use helix_skills_format::{Allow, Code};
    /// let line = Allow::line("pdf", "docs/a.md", Code::InvisibleText);
    /// assert_eq!(line, r#""allow": {"pdf/docs/a.md": ["invisible-text"]}"#);
    /// ```
    #[must_use]
    pub fn line(skill: &str, path: &str, code: Code) -> String {
        let key = Tree::Text(format!("{skill}/{path}"));
        crate::escape_invisible(&format!("\"allow\": {{{key}: [\"{}\"]}}", code.as_str()))
    }

    /// What a manifest lets through. Of the rest of it only the keys are checked: a build needs no
    /// more.
    ///
    /// # Errors
    /// The text is no JSON object with comments, a key is unknown, or `allow` is wrong.
    pub fn from_manifest(text: &str) -> Result<Self, Vec<Finding>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Reader::document(text, Dialect::Commented, "the manifest", |reader, fields| {
            for key in ["$schema", "skills", "limits", "budget"] {
                fields.take(key);
            }
            fields
                .take("allow")
                .map_or_else(|| Some(Self::default()), |allow| Self::read(reader, allow))
        })
    }

    #[doc(hidden)]
    pub fn read<'t>(reader: &mut Reader<'t>, value: &Value<'t>) -> Option<Self> {
        let mut allow = Self::default();
        for (key, at, listed) in reader.object(value, "`allow`")?.entries() {
            let parts = reader.checked(key, at, "the file", file);
            let mut codes = BTreeSet::new();
            for (text, at) in reader.strings(listed, "the allowed findings")? {
                match Code::parse(&text).filter(|code| code.can_be_allowed()) {
                    Some(code) => drop(codes.insert(code)),
                    None => unknown(reader, &text, at),
                }
            }
            // Two spellings of one name are one skill.
            if let Some(file) = parts
                && allow.0.insert(file, codes).is_some()
            {
                let message = format!("the file {} is there twice", quoted(key));
                reader.error_hint(
                    Code::DuplicateKey,
                    value.range(),
                    message,
                    "write all of its findings into one list",
                );
            }
        }
        Some(allow)
    }
}

/// The parts of `skill/path/in/skill`.
fn file(text: &str) -> Result<(SkillName, RelPath), String> {
    let Some((skill, path)) = text.split_once('/') else {
        return Err(
            "expected the name of a skill, `/`, and the path of a file in it, as in `pdf/docs/forms.md`".to_owned()
        );
    };
    let skill = SkillName::new(skill).map_err(|why| why.to_string())?;
    Ok((skill, RelPath::new(path).map_err(|why| why.to_string())?))
}

/// Tells that a text is no code of a finding that can be allowed.
fn unknown(reader: &mut Reader<'_>, text: &str, at: Range) {
    let can_be: Vec<&str> =
        Code::ALL.iter().filter(|code| code.can_be_allowed()).map(|code| code.as_str()).collect();
    let listed = listed_all(&can_be);
    let (message, hint) = match (Code::parse(text), nearest(text, can_be.iter().copied())) {
        (Some(_), _) => {
            (format!("the finding `{text}` cannot be allowed"), format!("these can be: {listed}"))
        }
        (None, Some(near)) => {
            (format!("there is no finding {}", quoted(text)), format!("did you mean `{near}`?"))
        }
        (None, None) => (
            format!("there is no finding {}", quoted(text)),
            format!("these can be allowed: {listed}"),
        ),
    };
    reader.error_hint(Code::BadValue, at, message, hint);
}

impl Code {
    /// Whether the manifest can let it through in a file: what was found was meant, and nothing is
    /// broken by it.
    #[must_use]
    pub fn can_be_allowed(self) -> bool {
        self == Self::InvisibleText || self.when_validating() == Severity::Note
    }
}

#[cfg(test)]
mod tests {
    use crate::{Allow, Code};

    fn findings(allow: &str) -> Vec<String> {
        let found = Allow::from_manifest(&format!("{{\"skills\": {{}}, \"allow\": {allow}}}"))
            .expect_err(allow);
        let shown = found.iter().map(|f| {
            format!(
                "{} {}; {}",
                f.at.map(|at| at.to_string()).unwrap_or_default(),
                f.message,
                f.hint.as_deref().unwrap_or_default()
            )
        });
        shown.collect()
    }

    #[test]
    fn what_is_allowed_is_a_known_finding_of_a_file() {
        for (allow, told) in [
            (
                "{\"SKILL.md\": [\"invisible-text\"]}",
                "1:26 the file `SKILL.md` is refused: expected the name of a skill",
            ),
            (
                "{\"a/../b\": []}",
                "1:26 the file `a/../b` is refused: a path cannot have empty parts",
            ),
            ("{\"a b/c\": []}", "1:26 the file `a b/c` is refused: a name cannot hold ` `"),
            (
                "{\"a/b\": [\"invisble-text\"]}",
                "1:34 there is no finding `invisble-text`; did you mean `invisible-text`?",
            ),
            (
                "{\"a/b\": [\"nonsense\"]}",
                "1:34 there is no finding `nonsense`; these can be allowed: `invisible-text`",
            ),
            (
                "{\"a/b\": [\"bad-name\"]}",
                "1:34 the finding `bad-name` cannot be allowed; these can be: `invisible-text`",
            ),
            (
                "{\"a/b\": \"invisible-text\"}",
                "1:33 the allowed findings must be a list of strings, not a string; write `[\"invisible-text\"]`",
            ),
            (
                "{\"a/b\": [], \" a/b\": []}",
                "1:25 the file ` a/b` is there twice; write all of its findings into one list",
            ),
        ] {
            let found = findings(allow);
            assert!(found.len() == 1 && found[0].starts_with(told), "{allow}: {found:?}");
        }
    }

    #[test]
    fn only_the_allowed_findings_of_a_manifest_are_read() {
        let text = "\u{feff}{ // ours\n \"skills\": 1, \"limits\": [], \"allow\": {\"a/b\": [\"invisible-text\",],},}";
        assert!(Allow::from_manifest(text).expect("read").allows("a", "b", Code::InvisibleText));
        assert_eq!(Allow::from_manifest("{}"), Ok(Allow::default()));
        for (text, code) in [
            ("", Code::Syntax),
            ("[]", Code::WrongType),
            ("{\"allow\": []}", Code::WrongType),
            ("{\"allow\": {}, \"allow\": {}}", Code::DuplicateKey),
            ("{\"allow\": {}", Code::Syntax),
            ("{\"alow\": {}}", Code::UnknownKey),
        ] {
            let found = Allow::from_manifest(text).expect_err(text);
            assert_eq!(found[0].code, code, "{text}: {found:?}");
        }
    }

    #[test]
    fn the_line_to_paste_is_read_again() {
        for path in ["SKILL.md", "docs/a\u{200b}\u{e0041}b.md", "it's ä.md"] {
            let line = Allow::line("pdf", path, Code::InvisibleText);
            let allow =
                Allow::from_manifest(&format!("{{\"skills\": {{}}, {line}}}")).expect(&line);
            assert!(allow.allows("pdf", path, Code::InvisibleText), "{line}");
            assert!(!line.chars().any(helix_skills_runtime::is_invisible), "{line}");
        }
    }
}
