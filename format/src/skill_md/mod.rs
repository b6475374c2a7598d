//! SKILL.md: YAML frontmatter and a markdown body.

mod agent;
mod entries;
mod fences;
mod fields;
mod flat;
mod loader;
mod name;
mod owned;
mod quoting;
mod tools;
mod yaml;

pub use agent::{Agent, ParsedAgent, parse_agent};
pub use fences::Layout;
pub use flat::parse_flat_skill;
/// A value of the frontmatter that has no type of its own.
pub use helix_skills_runtime::ValueBuf;
pub use owned::{ParsedSkill, parse_skill};

use crate::{Code, Finding, Position, Severity, SkillName};
use fields::Fields;
use loader::Refused;
use std::{cell::OnceCell, collections::BTreeMap, str::Utf8Error};

/// The frontmatter of a SKILL.md, and where its body is.
///
/// Texts are without white space around them. An empty value counts as none, with two exceptions
/// that fail closed: empty `allowed-tools` allow no tool, and an empty `disable-model-invocation`
/// or `user-invocable` hides the skill. Values of known keys that are of the wrong type are kept in
/// [`extra`](Self::extra).
///
/// ```
/// use helix_skills_format::SkillMd;
///
/// let text = "---\nname: pdf\ndescription: Reads PDF files.\nallowed-tools: Read, Bash(pdftotext *)\n---\n# PDF\n";
/// let parsed = SkillMd::parse(text, Some("pdf"), "SKILL.md").unwrap();
/// assert_eq!(parsed.skill.name.as_str(), "pdf");
/// assert_eq!(parsed.skill.allowed_tools.unwrap(), ["Read", "Bash(pdftotext *)"]);
/// assert_eq!(parsed.skill.layout.body(text), "# PDF");
/// assert!(parsed.findings.is_empty());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillMd {
    /// The name: trimmed, in normal form NFKC, or the directory's where there is none.
    pub name: SkillName,
    /// What the skill does and when to use it; never blank. May have several lines.
    pub description: String,
    /// The licence, as written.
    pub license: Option<String>,
    /// What the skill needs of its surroundings.
    pub compatibility: Option<String>,
    /// Metadata whose values are texts, numbers or booleans: the text that stands in the file
    /// (`1.0` stays `1.0`).
    pub metadata: BTreeMap<String, String>,
    /// Tools that the skill may use; none means all, an empty list means no tool.
    pub allowed_tools: Option<Vec<String>>,
    /// Tools that the skill may not use.
    pub disallowed_tools: Option<Vec<String>>,
    /// `when_to_use`: more for the description, in catalogs that have room.
    pub when_to_use: Option<String>,
    /// What arguments to give, for people.
    pub argument_hint: Option<String>,
    /// Names of the arguments, in order.
    pub arguments: Vec<String>,
    /// Whether the skill is hidden from the model. True also where the value is not a boolean.
    pub disable_model_invocation: bool,
    /// Whether people find the skill in lists. False also where the value is not a boolean.
    pub user_invocable: bool,
    /// The model to run with.
    pub model: Option<String>,
    /// The effort to run with.
    pub effort: Option<String>,
    /// Where to run, as `fork`.
    pub context: Option<String>,
    /// The agent to run.
    pub agent: Option<String>,
    /// Whether to run in the background, as written.
    pub background: Option<String>,
    /// The shell of commands in the body: `bash` or `powershell`.
    pub shell: Option<String>,
    /// Hooks, as written.
    pub hooks: Option<ValueBuf>,
    /// Patterns of the files with which the skill is of use.
    pub paths: Vec<String>,
    /// `maxTicks`: how many steps a run of the skill may take.
    pub max_ticks: Option<u32>,
    /// Unknown keys, nested metadata (under `metadata`) and values of the wrong type, in the order
    /// of the file.
    pub extra: Vec<(String, ValueBuf)>,
    /// Where the parts of the file are.
    pub layout: Layout,
}

/// A SKILL.md that loads, and what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedSkillMd {
    /// The skill.
    pub skill: SkillMd,
    /// What is odd, from top to bottom; none of it is an error [when baking](Code::when_baking).
    pub findings: Vec<Finding>,
}

impl SkillMd {
    /// What the file may be called: as the specification says, else in lower case, with a warning.
    pub const FILE_NAMES: [&str; 2] = ["SKILL.md", "skill.md"];

    /// Whether a file of this name makes its directory a skill.
    #[must_use]
    pub fn is_file_name(name: &str) -> bool {
        Self::FILE_NAMES.contains(&name)
    }

    /// Reads a SKILL.md.
    ///
    /// `directory` is the name of the directory that holds the file, none for a skill at the root
    /// of a repository; `file` is the file's own name.
    ///
    /// # Errors
    /// Everything that keeps the skill from being used, from top to bottom, each with its place: at
    /// least one finding, all of them [errors when baking](Code::when_baking). Broken YAML hides
    /// what would be wrong after it.
    ///
    /// ```
    /// use helix_skills_format::{Code, SkillMd};
    /// let errors = SkillMd::parse("---\nname: ../evil\n---\n", Some("evil"), "SKILL.md").unwrap_err();
    /// let told: Vec<_> = errors.iter().map(|e| (e.code, e.at.unwrap().to_string())).collect();
    /// assert_eq!(told, [(Code::MissingDescription, "1:1".to_owned()), (Code::BadName, "2:7".to_owned())]);
    /// ```
    pub fn parse(
        text: &str,
        directory: Option<&str>,
        file: &str,
    ) -> Result<ParsedSkillMd, Vec<Finding>> {
        Self::examine(text, directory, file).map_err(errors_alone)
    }

    /// As [`parse`](Self::parse), for systems whose skills need no description: `describe` makes
    /// one of the body where it is missing or blank, which may be blank itself, or says that there
    /// is none to be had.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// let text = "---\nname: pdf\n---\n# PDF\n";
    /// let parsed = SkillMd::parse_with_default_description(text, Some("pdf"), "SKILL.md", |_| Some(String::new())).unwrap();
    /// assert_eq!(parsed.skill.description, "");
    /// assert!(SkillMd::parse_with_default_description(text, Some("pdf"), "SKILL.md", |_| None).is_err());
    /// ```
    ///
    /// # Errors
    /// As [`SkillMd::parse`].
    pub fn parse_with_default_description(
        text: &str,
        directory: Option<&str>,
        file: &str,
        describe: impl FnOnce(&str) -> Option<String>,
    ) -> Result<ParsedSkillMd, Vec<Finding>> {
        Self::examine_as(text, directory, file, describe).map_err(errors_alone)
    }

    /// How many bytes of a file its frontmatter is, with both fences, if `start`, the file's first
    /// bytes, has all of it: whoever wants no more than the frontmatter has to read no more.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n---\n# Bo"), Some(16));
    /// assert_eq!(SkillMd::frontmatter_len(b"---\nname: a\n---"), None); // a fourth hyphen may follow
    /// ```
    #[must_use]
    pub fn frontmatter_len(start: &[u8]) -> Option<usize> {
        let valid = match std::str::from_utf8(start) {
            Ok(text) => text,
            Err(why) => std::str::from_utf8(&start[..why.valid_up_to()]).ok()?,
        };
        let end = fences::find(valid).ok()?.layout.frontmatter.end;
        valid[..end].ends_with(['\n', '\r']).then_some(end)
    }

    /// As [`parse`](Self::parse), but an error comes with everything else that is odd.
    #[doc(hidden)]
    pub fn examine(
        text: &str,
        directory: Option<&str>,
        file: &str,
    ) -> Result<ParsedSkillMd, Vec<Finding>> {
        Self::examine_as(text, directory, file, |_| None)
    }

    fn examine_as(
        text: &str,
        directory: Option<&str>,
        file: &str,
        describe: impl FnOnce(&str) -> Option<String>,
    ) -> Result<ParsedSkillMd, Vec<Finding>> {
        let fences = fences::find(text).map_err(|finding| vec![finding])?;
        let top = Position { line: fences.opening, column: 1 };
        let mut fields = Fields::default();
        if file != "SKILL.md" {
            let message =
                format!("other systems read `SKILL.md` only, not `{}`", yaml::shown(file));
            fields.findings.push(Finding::new(Code::FileName, None, message).hint("rename it"));
        }
        if fences.opening > 1 {
            let at = Position { line: 1, column: 1 };
            let message = "other systems see no frontmatter after blank lines";
            fields
                .findings
                .push(Finding::new(Code::BlankBeforeFrontmatter, at, message).hint("remove them"));
        }
        if let Some(line) = fences.lone_cr {
            let message = "the line ends with a carriage return alone";
            let found =
                Finding::new(Code::LoneCarriageReturn, Position { line, column: 1 }, message);
            fields.findings.push(found.hint("end lines with LF"));
        }
        if fences.layout.body.is_empty() {
            let at = Position::from_offset(text, fences.layout.body_raw.start);
            let found = Finding::new(Code::EmptyBody, at, "there is no text after the frontmatter");
            fields.findings.push(found.hint("write there what the model is to do"));
        }

        let quoted = OnceCell::new();
        let entries = entries_of(text, &fences, &quoted, &mut fields)?;
        let body = &text[fences.layout.body.clone()];
        entries::read(entries, fields, directory, top, fences.layout.clone(), || describe(body))
    }

    /// Reads a SKILL.md whose bytes may be anything.
    ///
    /// # Errors
    /// As [`SkillMd::parse`]; bytes that are not UTF-8 are an error with their place.
    ///
    /// ```
    /// use helix_skills_format::{Code, SkillMd};
    /// let errors = SkillMd::parse_bytes(b"---\nname: a\xff\n", None, "SKILL.md").unwrap_err();
    /// assert_eq!((errors[0].code, errors[0].at.unwrap().to_string()), (Code::NotUtf8, "2:8".to_owned()));
    /// ```
    pub fn parse_bytes(
        bytes: &[u8],
        directory: Option<&str>,
        file: &str,
    ) -> Result<ParsedSkillMd, Vec<Finding>> {
        let text = parse_utf8(bytes).map_err(|finding| vec![finding])?;
        Self::parse(text, directory, file)
    }
}

/// The entries between the fences of `text`. Where a value is no YAML without quotes, the text with
/// quotes is kept in `quoted`, and read.
fn entries_of<'t>(
    text: &'t str,
    fences: &fences::Fences,
    quoted: &'t OnceCell<quoting::Quoted>,
    fields: &mut Fields,
) -> Result<Vec<yaml::Entry<'t>>, Vec<Finding>> {
    let yaml = &text[fences.layout.yaml.clone()];
    let first_line = fences.opening.saturating_add(1);
    let finding = match loader::load(yaml, first_line) {
        Ok(entries) => return Ok(entries),
        Err(Refused::Policy(findings)) => return Err(findings),
        Err(Refused::Syntax(finding)) => finding,
    };
    // If quotes do not fix it, the first error is reported.
    let Some(found) = quoting::quote(yaml, first_line) else { return Err(vec![finding]) };
    let quoted = quoted.get_or_init(|| found);
    let entries = match loader::load(&quoted.text, first_line) {
        Ok(entries) => entries,
        Err(Refused::Policy(findings)) => return Err(findings),
        Err(Refused::Syntax(_)) => return Err(vec![finding]),
    };
    for (key, at) in &quoted.values {
        let message = format!("the value of `{}` is not YAML without quotes", yaml::shown(key));
        fields
            .findings
            .push(Finding::new(Code::UnquotedValue, *at, message).hint("put it in double quotes"));
    }
    Ok(entries)
}

/// What keeps a skill from being used.
fn errors_alone(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code.when_baking() == Severity::Error);
    findings
}

/// Where the parts of a text are that may not be a skill otherwise; and the line of the opening
/// fence.
pub fn layout(text: &str) -> Option<(Layout, u32)> {
    fences::find(text).ok().map(|fences| (fences.layout, fences.opening))
}

/// Every key and value of a frontmatter that is a text, as it is after YAML's escapes; `first_line`
/// is the number of its first line. None where it is no YAML, or is refused.
pub(crate) fn scalars(yaml: &str, first_line: u32) -> Vec<(Position, String)> {
    let mut found = Vec::new();
    let quoted = quoted(yaml);
    if let Ok(entries) = loader::load(quoted.as_deref().unwrap_or(yaml), first_line) {
        entries.into_iter().for_each(|entry| entry.scalars(&mut found));
    }
    found
}

/// Whether a plain YAML scalar is a number or a boolean to others.
pub use yaml::is_typed;

/// Puts quotes where [`SkillMd::parse`] takes a value as if it had them; none where it does not.
pub fn quoted(yaml: &str) -> Option<String> {
    match loader::load(yaml, 1) {
        Err(Refused::Syntax(_)) => quoting::quote(yaml, 1).map(|quoted| quoted.text),
        _ => None,
    }
}

/// The text that bytes are.
///
/// # Errors
/// The first byte that is not UTF-8, with its place.
pub fn parse_utf8(bytes: &[u8]) -> Result<&str, Finding> {
    std::str::from_utf8(bytes).map_err(|why| not_utf8(bytes, why))
}

/// The first byte that is no text.
pub fn not_utf8(bytes: &[u8], why: Utf8Error) -> Finding {
    let start = String::from_utf8_lossy(&bytes[..why.valid_up_to()]);
    let byte = bytes[why.valid_up_to()];
    let message = format!("the byte `0x{byte:02x}` is not UTF-8");
    Finding::new(Code::NotUtf8, Position::from_offset(&start, start.len()), message)
        .hint("save the file as UTF-8")
}
