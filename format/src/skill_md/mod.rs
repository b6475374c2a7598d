//! SKILL.md: YAML frontmatter and a Markdown body.

mod agent;
mod entries;
mod error;
mod fences;
mod fields;
mod flat;
mod loader;
mod name;
mod owned;
mod quoting;
mod rules;
mod tools;
mod yaml;

pub use agent::{Agent, parse_agent};
pub use error::ParseSkillError;
pub use fences::Layout;
pub use flat::parse_flat_skill;
/// A value of the frontmatter without a dedicated type.
use helix_skills_runtime::Skill;
pub(crate) use helix_skills_runtime::Value;
pub use owned::parse_skill;
pub use rules::Rules;

use crate::{Code, Finding, Position, Severity, SkillName};
use fields::FieldReader;
use loader::LoadError;
use quoting::{Quoted, QuotedValue, Wanted};
use std::cell::OnceCell;
use yaml::Entry;

/// The frontmatter of a SKILL.md, and the position of its body.
///
/// Texts are trimmed. An empty value counts as missing, with two exceptions that fail closed: an
/// empty `allowed-tools` allows no tool, and an empty `disable-model-invocation` or
/// `user-invocable` hides the skill. Values of known keys that have the wrong type are kept in
/// [`extra`](Skill::extra).
///
/// ```
/// use helix_skills_format::SkillMd;
///
/// let text = "---
/// name: pdf
/// description: Reads PDF files.
/// allowed-tools: Read, Bash(pdftotext *)
/// ---
/// ## PDF
/// ";
/// let parsed = SkillMd::parse(text, Some("pdf"), "SKILL.md").unwrap();
/// assert_eq!(parsed.value.name.as_str(), "pdf");
/// assert_eq!(parsed.value.allowed_tools().unwrap(), ["Read", "Bash(pdftotext *)"]);
/// assert_eq!(parsed.value.body(text), "# PDF");
/// assert!(parsed.findings.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillMd {
    /// The name: trimmed and NFKC-normalized, or the directory's if there is none.
    pub name: SkillName,
    /// The fields, without the text.
    skill: Skill,
    /// The positions of the file's parts.
    #[doc(hidden)]
    pub layout: Layout,
}

/// The fields of the frontmatter, without the text of the file: [`to_skill`](Self::to_skill) adds
/// it.
impl std::ops::Deref for SkillMd {
    type Target = Skill;
    fn deref(&self) -> &Skill {
        &self.skill
    }
}

/// What a valid text says, and the findings about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parsed<T> {
    /// What the text says.
    pub value: T,
    /// Findings from top to bottom. None of them is an error [when baking](Code::when_baking).
    pub findings: Vec<Finding>,
}

impl<T> Parsed<T> {
    /// Creates a value with findings.
    #[doc(hidden)]
    #[must_use]
    pub fn new(value: T, findings: Vec<Finding>) -> Self {
        Self { value, findings }
    }
}

impl SkillMd {
    /// Parses a SKILL.md.
    ///
    /// `directory` is the name of the file's directory, or `None` for a skill at the root of a
    /// repository, whose directory has another name on every machine; `file` is the name of the
    /// file.
    ///
    /// # Errors
    /// Everything that makes the skill unusable, from top to bottom, with positions: at least one
    /// finding, all of them [errors when baking](Code::when_baking). A YAML syntax error hides the
    /// problems after it.
    ///
    /// ```
    /// use helix_skills_format::{Code, SkillMd};
    /// let text = "---\nname: ../evil\n---\n";
    /// let errors = SkillMd::parse(text, Some("evil"), "SKILL.md").unwrap_err();
    /// let codes: Vec<Code> = errors.iter().map(|error| error.code).collect();
    /// assert_eq!(codes, [Code::MissingDescription, Code::BadName]);
    /// assert_eq!(errors[1].at.unwrap().to_string(), "2:7");
    /// ```
    pub fn parse(
        text: &str,
        directory: Option<&str>,
        file: &str,
    ) -> Result<Parsed<SkillMd>, Vec<Finding>> {
        Self::examine(text, directory, file, Rules::Own).map_err(errors_alone)
    }

    /// Returns the body in `text`, the parsed text: without leading blank lines and trailing white
    /// space.
    ///
    /// # Panics
    /// If `text` is shorter than the parsed text.
    #[must_use]
    pub fn body<'t>(&self, text: &'t str) -> &'t str {
        self.layout.body(text)
    }

    /// Parses the bytes of a SKILL.md.
    ///
    /// # Errors
    /// As for [`SkillMd::parse`]; bytes that are not UTF-8 are an error with a position.
    ///
    /// ```
    /// use helix_skills_format::{Code, SkillMd};
    /// let errors = SkillMd::parse_bytes(b"---\nname: a\xff\n", None, "SKILL.md").unwrap_err();
    /// assert_eq!(errors[0].code, Code::NotUtf8);
    /// assert_eq!(errors[0].at.unwrap().to_string(), "2:8");
    /// ```
    pub fn parse_bytes(
        bytes: &[u8],
        directory: Option<&str>,
        file: &str,
    ) -> Result<Parsed<SkillMd>, Vec<Finding>> {
        Self::parse_as(bytes, directory, file, Rules::Own)
    }
}

#[doc(hidden)]
impl SkillMd {
    /// The accepted file names: `SKILL.md`, as specified, and `skill.md`, which gets a warning.
    pub const FILE_NAMES: [&str; 2] = ["SKILL.md", "skill.md"];

    /// Returns whether a file with this name makes its directory a skill.
    #[must_use]
    pub fn is_file_name(name: &str) -> bool {
        Self::FILE_NAMES.contains(&name)
    }

    /// Like [`parse_bytes`](Self::parse_bytes), by other rules.
    pub fn parse_as(
        bytes: &[u8],
        directory: Option<&str>,
        file: &str,
        rules: Rules<'_>,
    ) -> Result<Parsed<SkillMd>, Vec<Finding>> {
        let text = parse_utf8(bytes).map_err(|finding| vec![finding])?;
        Self::examine(text, directory, file, rules).map_err(errors_alone)
    }

    /// Like [`parse`](Self::parse), by other rules. Errors are returned together with all other
    /// findings.
    pub fn examine(
        text: &str,
        directory: Option<&str>,
        file: &str,
        rules: Rules<'_>,
    ) -> Result<Parsed<SkillMd>, Vec<Finding>> {
        let (layout, is_bare) = match fences::find(text) {
            Ok(layout) => (layout, false),
            Err(found) if rules.allow_bare(text, found.code) => (Layout::of_body(text), true),
            Err(found) => return Err(vec![found]),
        };
        let mut reader = FieldReader::default();
        if file != "SKILL.md" {
            let message =
                format!("other systems read `SKILL.md` only, not `{}`", yaml::escaped(file));
            reader.findings.push(Finding::new(Code::FileName, None, message).hint("rename it"));
        }
        if layout.opening > 1 {
            let at = Position { line: 1, column: 1 };
            let message = "other systems do not find frontmatter after blank lines";
            reader.report(Code::BlankBeforeFrontmatter, at, message, "remove them");
        }
        if let Some(line) = layout.lone_cr {
            let (at, message) =
                (Position { line, column: 1 }, "the line ends with a lone carriage return");
            reader.report(Code::LoneCarriageReturn, at, message, "end lines with LF");
        }
        reader.check_body(text, &layout, "the model");
        let quoted = OnceCell::new();
        let entries = match is_bare {
            false => entries_of(text, &layout, &quoted, &mut reader)?,
            true => Vec::new(),
        };
        entries::read(entries, reader, directory, (text, layout), rules)
    }

    /// Returns the length in bytes of the frontmatter including both fences, if `start`, the first
    /// bytes of a file, contains all of it. Callers that need only the frontmatter can stop reading
    /// there.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n---\n# Bo"), Some(16));
    /// // A fourth hyphen may follow.
    /// assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n---"), None);
    /// ```
    #[must_use]
    pub fn frontmatter_len(start: &[u8]) -> Option<usize> {
        let valid = match std::str::from_utf8(start) {
            Ok(text) => text,
            Err(why) => std::str::from_utf8(&start[..why.valid_up_to()]).ok()?,
        };
        let end = fences::find(valid).ok()?.frontmatter_end;
        valid[..end].ends_with(['\n', '\r']).then_some(end)
    }
}

/// Loads the entries between the fences of `text`, and reports the values that need quotes.
fn entries_of<'t>(
    text: &'t str,
    layout: &Layout,
    quoted: &'t OnceCell<Quoted>,
    reader: &mut FieldReader,
) -> Result<Vec<Entry<'t>>, Vec<Finding>> {
    let first_line = layout.opening.saturating_add(1);
    let entries = load(&text[layout.yaml.clone()], first_line, quoted)?;
    for QuotedValue { key, at, is_cut } in quoted.get().iter().flat_map(|it| &it.values) {
        let why = if *is_cut { "; other systems end it at ` #`" } else { " to be valid YAML" };
        let message = format!("the value of `{}` needs quotes{why}", yaml::escaped(key));
        reader.report(Code::UnquotedValue, *at, message, "put it in double quotes");
    }
    Ok(entries)
}

/// Loads frontmatter. If values need quotes, a copy with quotes is kept in `quoted` and loaded
/// instead. If quotes do not help, the first error is reported.
fn load<'t>(
    yaml: &'t str,
    first_line: u32,
    quoted: &'t OnceCell<Quoted>,
) -> Result<Vec<Entry<'t>>, Vec<Finding>> {
    let with_quotes = |wanted| {
        let found = quoting::quote(yaml, first_line, wanted)?;
        loader::load(&found.text, first_line).is_ok().then_some(())?;
        loader::load(&quoted.get_or_init(|| found).text, first_line).ok()
    };
    if let Some(entries) = with_quotes(Wanted::Misread) {
        return Ok(entries);
    }
    match loader::load(yaml, first_line) {
        Ok(entries) => Ok(entries),
        Err(LoadError::Policy(findings)) => Err(findings),
        Err(LoadError::Syntax(finding)) => with_quotes(Wanted::All).ok_or_else(|| vec![finding]),
    }
}

/// Keeps the findings that make a skill unusable.
fn errors_alone(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code.when_baking() == Severity::Error);
    findings
}

/// Returns the positions of the parts of a text, even if it is not a valid skill otherwise.
pub fn layout(text: &str) -> Option<Layout> {
    fences::find(text).ok()
}

/// Returns all keys and string values of a frontmatter, after YAML escapes; `first_line` is its
/// first line number. Returns an empty list if the frontmatter is not accepted.
pub fn scalars(yaml: &str, first_line: u32) -> Vec<(Position, String)> {
    let mut found = Vec::new();
    if let Ok(entries) = load(yaml, first_line, &OnceCell::new()) {
        entries.into_iter().for_each(|entry| entry.scalars(&mut found));
    }
    found
}

/// Returns all keys of the frontmatter of `text` with their values, in the order of the source, or
/// `None` if `text` is not accepted.
#[must_use]
pub fn frontmatter(text: &str) -> Option<Vec<(String, Value)>> {
    let (quoted, mut reader) = (OnceCell::new(), FieldReader::default());
    let entries = entries_of(text, &fences::find(text).ok()?, &quoted, &mut reader).ok()?;
    Some(entries.into_iter().map(|entry| (entry.key.into_owned(), entry.value.into())).collect())
}

/// Returns whether other loaders read a plain YAML scalar as a number or a boolean.
pub use yaml::is_typed;

/// Adds quotes where [`SkillMd::parse`] reads a value as if it were quoted. Returns `None` if it
/// does not.
pub fn quoted(yaml: &str) -> Option<String> {
    let quoted = OnceCell::new();
    load(yaml, 1, &quoted).ok()?;
    quoted.into_inner().map(|quoted| quoted.text)
}

/// Decodes bytes as UTF-8.
///
/// # Errors
/// The first byte that is not UTF-8, with its position.
pub fn parse_utf8(bytes: &[u8]) -> Result<&str, Finding> {
    std::str::from_utf8(bytes).map_err(|why| {
        let start = String::from_utf8_lossy(&bytes[..why.valid_up_to()]);
        let message = format!("the byte `0x{:02x}` is not UTF-8", bytes[why.valid_up_to()]);
        Finding::new(Code::NotUtf8, Position::from_offset(&start, start.len()), message)
            .hint("save the file as UTF-8")
    })
}
