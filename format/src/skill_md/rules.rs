//! The rules by which a SKILL.md is read.

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

    /// Returns whether a text is all body if the search for frontmatter ends with this code.
    pub(super) fn allow_bare(self, text: &str, code: Code) -> bool {
        match self {
            Self::Fetched { .. } => code == Code::NoFrontmatter && !may_have_frontmatter(text),
            Self::Flat => matches!(code, Code::NoFrontmatter | Code::UnclosedFrontmatter),
            Self::Own | Self::Profile(_) => false,
        }
    }

    /// Adds to a finding about a skill that is used, named `name`, what is used instead.
    pub(super) fn explain(self, finding: &mut Finding, name: &SkillName) {
        match finding.code {
            _ if !matches!(self, Self::Fetched { .. }) => {}
            Code::MissingDescription => {
                finding.message += "; the first paragraph of the body is used instead";
            }
            Code::BadName | Code::WrongType => {
                finding.message += &format!(
                    "; it gets the name `{name}` from its directory; use `rename` for another one"
                );
            }
            _ => {}
        }
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

/// Returns whether a text without frontmatter looks as if it should have some: its first line is
/// like a fence, or a key follows its first `---` line.
fn may_have_frontmatter(text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']).map(str::trim);
    let mut lines = lines.filter(|line| !line.is_empty());
    let is_key = |line: &str| line.starts_with("name:") || line.starts_with("description:");
    lines.next().is_none_or(|line| line.contains("---") || !has_text(line))
        || lines.skip_while(|line| *line != "---").nth(1).is_some_and(is_key)
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
fn has_text(line: &str) -> bool {
    line.chars().any(char::is_alphanumeric)
}
