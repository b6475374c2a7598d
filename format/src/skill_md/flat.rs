//! A skill in a single file of any name, with optional frontmatter.

use super::{
    ParseSkillError, Parsed, SkillMd, entries, errors_alone, fences::Layout, fields::FieldReader,
    name::NameRule,
};
use crate::Code;
use helix_skills_runtime::Skill;

/// Maximum length of a generated description, as for a written one.
const MAX_CHARS: usize = 1024;

/// Parses a skill that is a single Markdown text, with lenient rules: [`parse_skill`] requires a
/// name and a description.
///
/// [`parse_skill`]: crate::parse_skill
///
/// `stem` is the file's name without its extension; it names the skill if the text does not. A
/// missing or blank description is replaced by the first line of the body that contains a letter or
/// digit. A text without frontmatter is all body.
///
/// ```
/// use helix_skills_format::parse_flat_skill;
/// let parsed = parse_flat_skill("# Triage\n\nLabel the issue.\n", "triage").unwrap();
/// assert_eq!((parsed.value.name(), parsed.value.description()), ("triage", "Triage"));
/// assert_eq!(parsed.value.body(), "# Triage\n\nLabel the issue.");
/// ```
///
/// # Errors
/// As for [`SkillMd::parse`], except that a description is missing only if the body has no such
/// line.
pub fn parse_flat_skill(text: &str, stem: &str) -> Result<Parsed<Skill>, ParseSkillError> {
    let read =
        match SkillMd::parse_as(text, Some(stem), "SKILL.md", NameRule::Portable, &first_line) {
            Err(errors) if errors.iter().all(|error| is_bare(error.code)) => {
                let layout = Layout::of_body(text);
                let describe = || first_line(Layout::of_body(text).body(text));
                entries::read(Vec::new(), FieldReader::default(), Some(stem), layout, &describe)
                    .map_err(errors_alone)
            }
            read => read,
        };
    let mut parsed = read.map_err(|findings| ParseSkillError { findings })?;
    // The file may have any name: no directory name has to match.
    parsed
        .findings
        .retain(|finding| !matches!(finding.code, Code::NameMismatch | Code::MissingName));
    Ok(Parsed { value: parsed.value.to_skill(text), findings: parsed.findings })
}

/// Returns whether the finding means that the text has no frontmatter.
fn is_bare(code: Code) -> bool {
    matches!(code, Code::NoFrontmatter | Code::UnclosedFrontmatter)
}

/// Returns the first line with a letter or digit, without heading marks.
fn first_line(body: &str) -> Option<String> {
    let mut lines = body.lines().map(|line| line.trim().trim_start_matches('#').trim());
    lines
        .find(|line| line.chars().any(char::is_alphanumeric))
        .map(|line| line.chars().take(MAX_CHARS).collect())
}
