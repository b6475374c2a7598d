//! The rules by which a SKILL.md is read.

use super::{
    Parsed, SkillMd,
    fences::{self, Layout},
};
use crate::{Code, Finding, SkillName};
use helix_skills_runtime::Profile;

/// Maximum length of a generated description, as for a written one.
const MAX_CHARS: usize = 1024;

/// The rules by which a SKILL.md is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules<'n> {
    /// The rules for a project's own skills, which their author can fix.
    #[default]
    Own,
    /// The rules for skills of repositories and plugins, whose authors often test them in Claude
    /// Code only. A name that cannot be a name is replaced by the directory's, and a missing
    /// description by the first paragraph of the body; the frontmatter may be missing. The finding
    /// says what is used. Its code is that of an error by [`Own`](Self::Own).
    Fetched {
        /// The name in the manifest or the lockfile, if it gives one: then the name in the
        /// SKILL.md is not read.
        name: Option<&'n SkillName>,
    },
    /// The rules for a single file, which needs no frontmatter. The description is the first line.
    Flat,
    /// The rules of a profile for skills that an agent reads at run time.
    Profile(Profile),
}

impl<'n> Rules<'n> {
    /// Returns the rules for a locked skill, from a `path` source or fetched.
    #[must_use]
    pub fn locked(name: &'n SkillName, is_own: bool) -> Self {
        if is_own { Self::Own } else { Self::Fetched { name: Some(name) } }
    }

    /// Returns the layout of a text in which `finding` says that there is no frontmatter, if the
    /// text is all body.
    pub(super) fn bare_layout(self, text: &str, finding: &Finding) -> Option<Layout> {
        let is_bare = match self {
            Self::Fetched { .. } => {
                finding.code == Code::NoFrontmatter && !fences::may_have_frontmatter(text)
            }
            Self::Flat => matches!(finding.code, Code::NoFrontmatter | Code::UnclosedFrontmatter),
            Self::Own | Self::Profile(_) => false,
        };
        is_bare.then(|| Layout::of_body(text))
    }

    /// Adds to the findings about a skill what is used instead of what is missing. `bare` is the
    /// finding that there is no frontmatter.
    pub(super) fn explain(
        self,
        mut read: Result<Parsed<SkillMd>, Vec<Finding>>,
        bare: Option<Finding>,
    ) -> Result<Parsed<SkillMd>, Vec<Finding>> {
        if !matches!(self, Self::Fetched { .. }) {
            return read;
        }
        if let Some(bare) = bare {
            let (Ok(Parsed { findings, .. }) | Err(findings)) = &mut read;
            // They have the same cause.
            let is_missing = |code| {
                matches!(code, Code::MissingDescription | Code::MissingName | Code::MissingKey)
            };
            findings.retain(|finding| !is_missing(finding.code));
            findings.push(bare);
        }
        if let Ok(Parsed { value, findings }) = &mut read {
            let name = &value.name;
            for finding in findings {
                finding.message += &*match finding.code {
                    Code::NoFrontmatter => format!(
                        "; the name is `{name}`, and the description is the first paragraph"
                    ),
                    Code::MissingDescription => {
                        "; the first paragraph of the body is used instead".to_owned()
                    }
                    Code::BadName | Code::WrongType => format!(
                        "; it gets the name `{name}` from its directory; use `rename` for another one"
                    ),
                    _ => continue,
                };
            }
        }
        read
    }

    /// Returns a description for a skill that has none, or `None` if that is an error.
    pub(super) fn describe(self, body: &str) -> Option<String> {
        let text = match self {
            Self::Fetched { .. } | Self::Profile(Profile::ClaudeCode) => first_paragraph(body)?,
            Self::Flat => lines_with_text(body).next()?.to_owned(),
            Self::Profile(Profile::SkillUse) => String::new(),
            Self::Own | Self::Profile(_) => return None,
        };
        Some(text.chars().take(MAX_CHARS).collect())
    }
}

/// Returns the first paragraph that is not a heading, on one line; if there are only headings, the
/// first one.
fn first_paragraph(body: &str) -> Option<String> {
    let lines = body.lines().map(str::trim);
    let lines = lines.skip_while(|line| !has_text(line) || line.starts_with('#'));
    let paragraph: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    match paragraph.is_empty() {
        true => lines_with_text(body).next().map(str::to_owned),
        false => Some(paragraph.join(" ")),
    }
}

/// Returns the lines with a letter or digit, without heading marks.
fn lines_with_text(body: &str) -> impl Iterator<Item = &str> {
    body.lines()
        .map(|line| line.trim().trim_start_matches('#').trim())
        .filter(|line| has_text(line))
}

/// Returns whether a line has a letter or digit.
pub(super) fn has_text(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}
