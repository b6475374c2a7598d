//! A skill in one file of any name, with as little frontmatter as its author cared for.

use super::{SkillMd, entries, errors_alone, fences::Layout, fields::Fields, owned::ParsedSkill};
use crate::{Code, Finding, Position};

/// The most characters of a description, here too.
const MAX_CHARS: usize = 1024;

/// Reads a skill that is one markdown file. `stem` is the file's name without its extension, and
/// the skill's where the text has none; a description that is missing or blank is the first line of
/// the body that says something. A text without frontmatter is all body.
///
/// ```
/// use helix_skills_format::parse_flat_skill;
/// let parsed = parse_flat_skill("# Triage\n\nLabel the issue.\n", "triage").unwrap();
/// assert_eq!((parsed.skill.name(), parsed.skill.description()), ("triage", "Triage"));
/// assert_eq!(parsed.skill.body(), "# Triage\n\nLabel the issue.");
/// ```
///
/// # Errors
/// As [`SkillMd::parse`], but for what is made up here: a text without anything to say has no
/// description.
pub fn parse_flat_skill(text: &str, stem: &str) -> Result<ParsedSkill, Vec<Finding>> {
    let read =
        match SkillMd::parse_with_default_description(text, Some(stem), "SKILL.md", first_line) {
            Err(errors) if errors.iter().all(|error| is_bare(error.code)) => {
                let layout = Layout::of_body(text);
                let body = layout.body(text).to_owned();
                let top = Position { line: 1, column: 1 };
                entries::read(Vec::new(), Fields::default(), Some(stem), top, layout, || {
                    first_line(&body)
                })
                .map_err(errors_alone)
            }
            read => read,
        };
    let mut parsed = read?;
    // A file may be called as its author likes: there is no directory that would have to agree.
    parsed
        .findings
        .retain(|finding| !matches!(finding.code, Code::NameMismatch | Code::MissingName));
    Ok(ParsedSkill { skill: parsed.skill.to_skill(text), findings: parsed.findings })
}

/// Whether a text has no frontmatter at all.
fn is_bare(code: Code) -> bool {
    matches!(code, Code::NoFrontmatter | Code::UnclosedFrontmatter)
}

/// The first line that says something, without the marks of a heading.
fn first_line(body: &str) -> Option<String> {
    let mut lines = body.lines().map(|line| line.trim().trim_start_matches('#').trim());
    lines
        .find(|line| line.chars().any(char::is_alphanumeric))
        .map(|line| line.chars().take(MAX_CHARS).collect())
}
