//! A skill in a single file of any name, with optional frontmatter.

use super::{ParseSkillError, Parsed, Rules, SkillMd};
use crate::Code;
use helix_skills_runtime::Skill;

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
    let mut parsed = SkillMd::parse_as(text.as_bytes(), Some(stem), "SKILL.md", Rules::Flat)
        .map_err(|findings| ParseSkillError { findings })?;
    // The file may have any name: no directory name has to match.
    parsed
        .findings
        .retain(|finding| !matches!(finding.code, Code::NameMismatch | Code::MissingName));
    Ok(Parsed { value: parsed.value.to_skill(text), findings: parsed.findings })
}
