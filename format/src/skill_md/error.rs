//! The error of a skill that cannot be used.

use crate::{Finding, error_text::write_report};
use std::{error::Error, fmt};

/// The problems that make the text of a skill unusable, at least one.
///
/// `Display` writes the first one with its position and hint, and how many more there are.
///
/// ```
/// use helix_skills_format::parse_skill;
/// use std::error::Error;
///
/// fn body(text: &str) -> Result<String, Box<dyn Error>> {
///     let parsed = parse_skill(text, None)?;
///     Ok(parsed.value.body().to_owned())
/// }
/// let error = body("---\nname: pdf\n---\nUse `pdftotext`.\n").unwrap_err();
/// assert!(error.to_string().starts_with("invalid `SKILL.md` at 1:1: `description` is missing"));
/// ```
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseSkillError {
    /// Everything that makes the text unusable, from top to bottom.
    pub findings: Vec<Finding>,
}

impl fmt::Debug for ParseSkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return write_report(self, f);
        }
        f.debug_struct("ParseSkillError").field("findings", &self.findings).finish()
    }
}

impl fmt::Display for ParseSkillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.findings.split_first() else {
            return f.write_str("invalid `SKILL.md`");
        };
        f.write_str("invalid `SKILL.md`")?;
        if let Some(at) = first.at {
            write!(f, " at {at}")?;
        }
        write!(f, ": {first}")?;
        if let Some(hint) = &first.hint {
            write!(f, "; {hint}")?;
        }
        match others.len() {
            0 => Ok(()),
            1 => f.write_str(" (and 1 more problem)"),
            more => write!(f, " (and {more} more problems)"),
        }
    }
}

impl Error for ParseSkillError {}
