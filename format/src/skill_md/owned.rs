//! Converts a SKILL.md to skills of the runtime.

use super::{ParseSkillError, Parsed, SkillMd};
use crate::{Code, Finding, SkillName};
use helix_skills_runtime::{
    __private::{Fields, Shared},
    Skill,
};

/// Parses the text of a SKILL.md, for example from a database or a network, with the same rules as
/// baking.
///
/// `fallback` is the name for a text without a name, because such a text has no directory; the
/// two are not compared. The frontmatter is kept as written, so that `read_skill_file` returns
/// exactly this text.
///
/// ```
/// use helix_skills_format::{Code, parse_skill};
///
/// let text = "---\nname: pdf\ndescription: Reads PDFs.\nversion: 1.0\n---\n\nUse `pdftotext`.\n";
/// let parsed = parse_skill(text, None).unwrap();
/// let answer = parsed.value.loaded().to_string();
/// assert_eq!(answer, "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
/// assert_eq!(parsed.findings[0].code, Code::UnknownField); // `version`, which is kept
///
/// let text = "---\ndescription: Reads PDF files.\n---\nUse it.\n";
/// let error = parse_skill(text, None).unwrap_err();
/// assert_eq!(error.findings[0].code, Code::MissingKey);
/// ```
///
/// # Errors
/// As for [`SkillMd::parse`]: everything that makes the skill unusable, with positions. A
/// missing name is an error without a `fallback`.
pub fn parse_skill(text: &str, fallback: Option<&str>) -> Result<Parsed<Skill>, ParseSkillError> {
    let parsed = SkillMd::parse(text, fallback, "SKILL.md")
        .map_err(|findings| ParseSkillError { findings: without_directory(findings) })?;
    let value = parsed.value.to_skill(text);
    Ok(Parsed { value, findings: without_directory(parsed.findings) })
}

/// Adapts findings to a text that is not in a directory.
fn without_directory(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.code != Code::NameMismatch);
    for finding in &mut findings {
        match finding.code {
            Code::MissingName => {
                finding.message = "`name` is missing; the given fallback name is used".into()
            }
            Code::MissingKey => {
                finding.message = "`name` is missing, and no fallback name was given".into();
                finding.hint = Some("add `name: …`".into());
            }
            _ => {}
        }
    }
    findings
}

impl SkillMd {
    /// Converts to a skill of the runtime with all fields and the parts of the parsed text. It has
    /// no files and no origin yet.
    ///
    /// ```
    /// use helix_skills_format::SkillMd;
    /// let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\n# PDF\n";
    /// let parsed = SkillMd::parse(text, Some("pdf"), "SKILL.md").unwrap();
    /// assert_eq!(parsed.value.to_skill(text).skill_md().concat(), text);
    /// ```
    ///
    /// # Panics
    /// If `text` is shorter than the parsed text.
    #[must_use]
    pub fn to_skill(&self, text: &str) -> Skill {
        let body = &self.layout.body;
        let mut fields = Fields::from(self.skill.clone());
        fields.frontmatter = Shared::copied(&text[..body.start]);
        fields.body = Shared::copied(&text[body.clone()]);
        fields.trailing = Shared::copied(&text[body.end..]);
        fields.into()
    }

    /// Converts to a skill of the runtime without its text, named as in the lockfile: enough for a
    /// catalog.
    #[doc(hidden)]
    #[must_use]
    pub fn to_catalog_entry(&self, name: &SkillName) -> Skill {
        let mut fields = Fields::from(self.skill.clone());
        fields.name = name.to_string().into();
        fields.into()
    }
}
