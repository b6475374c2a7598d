//! Findings that the manifest allows.

use crate::list::listed_all;
use crate::{
    Code, Error, Finding, RelPath, SkillName,
    json::{Dialect, Reader, Tree, Value, nearest, quoted},
};
use std::collections::{BTreeMap, BTreeSet};

/// Allowed findings of each file: `{"skill/path/in/skill": ["invisible-text"]}`.
///
/// ```
/// use helix_skills_format::{Allow, Code};
/// let manifest = r#"{"skills": {}, "allow": {"pdf/docs/a.md": ["invisible-text"]}}"#;
/// let allow = Allow::from_manifest(manifest).unwrap();
/// assert!(allow.allows("pdf", "docs/a.md", Code::InvisibleText));
/// assert!(!allow.allows("pdf", "docs/b.md", Code::InvisibleText));
/// ```
///
/// An unknown code allows nothing: it may be of another version of this program. `skills sync`
/// warns of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow(BTreeMap<(SkillName, RelPath), BTreeSet<String>>);

impl Allow {
    /// Returns whether a finding with `code` is allowed in a file. `skill` is the name in the
    /// lockfile, `path` the path of the file in the skill.
    #[must_use]
    pub fn allows(&self, skill: &str, path: &str, code: Code) -> bool {
        let mut of_file = self
            .0
            .iter()
            .filter(|((name, file), _)| name.as_str() == skill && file.as_str() == path);
        of_file.any(|(_, codes)| codes.contains(code.as_str()))
    }
}

#[doc(hidden)]
impl Allow {
    /// Returns the files and the codes that are allowed in them, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&SkillName, &RelPath, &BTreeSet<String>)> {
        self.0.iter().map(|((skill, path), codes)| (skill, path, codes))
    }

    /// Returns the manifest entry that allows `code`, with invisible characters of the path
    /// escaped.
    ///
    /// ```
    /// use helix_skills_format::{Allow, Code};
    /// let line = Allow::line("pdf", "docs/a.md", Code::InvisibleText);
    /// assert_eq!(line, r#""allow": {"pdf/docs/a.md": ["invisible-text"]}"#);
    /// ```
    #[must_use]
    pub fn line(skill: &str, path: &str, code: Code) -> String {
        let key = Tree::Text(format!("{skill}/{path}"));
        format!("\"allow\": {{{key}: [\"{}\"]}}", code.as_str())
    }

    /// Parses `allow` of a manifest. Only the names of all other keys are checked, because a build
    /// needs no more.
    ///
    /// # Errors
    /// The text is not a JSON object with comments, a key is unknown, or `allow` is invalid.
    pub fn from_manifest(text: &str) -> Result<Self, Vec<Finding>> {
        Reader::document(text, Dialect::Commented, "the manifest", |reader, fields| {
            for key in ["$schema", "skills", "limits", "budget"] {
                fields.take(key);
            }
            fields
                .take("allow")
                .map_or_else(|| Some(Self::default()), |allow| Self::read(reader, allow))
        })
    }

    pub fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
        let mut allow = Self::default();
        for (key, at, listed) in reader.object(value, "`allow`")?.entries() {
            let parts = reader.checked(key, at, "the file", file);
            let mut codes = BTreeSet::new();
            for (text, at) in reader.strings(listed, "the allowed findings")? {
                let code = Code::parse(&text);
                let near = nearest(&text, can_be_allowed()).filter(|_| code.is_none());
                let (message, hint) = match near {
                    Some(near) => {
                        let message = format!("unknown finding {}", quoted(&text));
                        (message, format!("did you mean `{near}`?"))
                    }
                    None if code.is_some_and(|code| !code.can_be_allowed()) => {
                        let hint = format!("these can: {}", listed_all(can_be_allowed()));
                        (format!("the finding `{text}` cannot be allowed"), hint)
                    }
                    None => {
                        codes.insert(text);
                        continue;
                    }
                };
                reader.error_hint(Code::BadValue, at, message, hint);
            }
            // Two spellings of a name are the same skill.
            if let Some(file) = parts
                && allow.0.insert(file, codes).is_some()
            {
                let message = format!("duplicate file {}", quoted(key));
                reader.error_hint(
                    Code::DuplicateKey,
                    value.start(),
                    message,
                    "put all of its findings into one list",
                );
            }
        }
        Some(allow)
    }
}

/// Splits `skill/path/in/skill` into its parts.
fn file(text: &str) -> Result<(SkillName, RelPath), Error> {
    let why = Error::new("expected `SKILL/PATH`, such as `pdf/docs/forms.md`");
    let (skill, path) = text.split_once('/').ok_or(why)?;
    Ok((SkillName::new(skill)?, RelPath::new(path)?))
}

/// Returns the codes of findings that can be allowed.
fn can_be_allowed() -> impl Iterator<Item = &'static str> {
    Code::ALL.iter().filter(|code| code.can_be_allowed()).map(|code| code.as_str())
}

impl Code {
    /// Returns whether a manifest can allow this finding in a file: it may be intended, and it
    /// breaks nothing.
    #[must_use]
    pub fn can_be_allowed(self) -> bool {
        matches!(self, Self::InvisibleText | Self::InvisibleMark | Self::UnreadFile)
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
    fn only_known_findings_of_files_can_be_allowed() {
        for (allow, expected) in [
            (
                "{\"SKILL.md\": [\"invisible-text\"]}",
                "1:26 the file `SKILL.md` is refused: expected `SKILL/PATH`",
            ),
            (
                "{\"a/../b\": []}",
                "1:26 the file `a/../b` is refused: a path cannot have empty parts",
            ),
            ("{\"a b/c\": []}", "1:26 the file `a b/c` is refused: a name cannot contain ` `"),
            (
                "{\"a/b\": [\"invisble-text\"]}",
                "1:34 unknown finding `invisble-text`; did you mean `invisible-text`?",
            ),
            (
                "{\"a/b\": [\"bad-name\"]}",
                "1:34 the finding `bad-name` cannot be allowed; these can: `invisible-text`",
            ),
            (
                "{\"a/b\": \"invisible-text\"}",
                "1:33 the allowed findings must be a list of strings, not a string; write `[\"invisible-text\"]`",
            ),
            (
                "{\"a/b\": [], \" a/b\": []}",
                "1:25 duplicate file ` a/b`; put all of its findings into one list",
            ),
        ] {
            let found = findings(allow);
            assert!(found.len() == 1 && found[0].starts_with(expected), "{allow}: {found:?}");
        }
    }

    #[test]
    fn unknown_findings_allow_nothing() {
        let text = "{\"allow\": {\"a/b\": [\"html-comment\", \"invisible-text\"]}}";
        let allow = Allow::from_manifest(text).expect(text);
        let allowed = Code::ALL.iter().filter(|code| allow.allows("a", "b", **code));
        assert_eq!(allowed.collect::<Vec<_>>(), [&Code::InvisibleText]);
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
