//! Errors of reading a file of a skill.

use super::SKILL_MD;
use crate::{
    Excerpt, LoadError, OneLine, PathError, Skill,
    known::MAX_LISTED,
    similar::{closest, did_you_mean},
};
use core::{fmt, iter::once};

/// Why a file cannot be read. `Display` is the message for the model. Of an unknown file, it names
/// at most five similar ones, or lists at most 100 if none is similar.
///
/// ```
/// use helix_skills::{ReadError, Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let error = SKILLS.read_skill_file("pdf", "forms.md").unwrap_err();
/// assert!(matches!(error, ReadError::UnknownFile { .. }));
/// assert_eq!(
///     error.to_string(),
///     "the skill `pdf` has no file `forms.md`; its files are `SKILL.md`",
/// );
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum ReadError<'a> {
    /// The skill cannot be loaded.
    Skill(LoadError<'a>),
    /// The path is not valid inside a skill: absolute, with `..`, a backslash, …
    Path {
        /// The requested path.
        path: Excerpt,
        /// The rule that it breaks.
        reason: PathError,
    },
    /// The skill has no such file.
    UnknownFile {
        /// The requested path.
        path: Excerpt,
        /// The skill, whose files the message names.
        skill: &'a Skill,
    },
    /// The file is binary.
    Binary {
        /// The path of the file.
        path: &'a str,
        /// Size of the file in bytes.
        bytes: usize,
    },
    /// The file does not have the requested lines.
    Lines {
        /// The path of the file.
        path: &'a str,
        /// The first requested line.
        start: Option<usize>,
        /// The last requested line.
        end: Option<usize>,
        /// Number of lines in the file.
        total: usize,
    },
}

crate::__error_debug!(ReadError<'_> {
    Skill(inner),
    Path { path, reason },
    UnknownFile { path, skill },
    Binary { path, bytes },
    Lines { path, start, end, total },
});

impl fmt::Display for ReadError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skill(why) => why.fmt(f),
            Self::Path { path, reason } => write!(f, "cannot read `{path}`: {reason}"),
            Self::Binary { path, bytes } => {
                write!(
                    f,
                    "cannot read `{}`: it is a binary file ({}) of {bytes} bytes",
                    OneLine(path),
                    file_type(path)
                )
            }
            Self::Lines { path, start, end, total } => {
                match (start, end) {
                    (Some(start), Some(end)) => write!(f, "cannot read lines {start}-{end}")?,
                    (Some(start), None) => write!(f, "cannot read from line {start}")?,
                    (None, end) => write!(f, "cannot read up to line {}", end.unwrap_or(*total))?,
                }
                write!(
                    f,
                    " of `{}`: lines are numbered from 1 in ascending order, and the file has {total}",
                    OneLine(path)
                )
            }
            Self::UnknownFile { path, skill } => {
                write!(f, "the skill `{}` has no file `{path}`; ", OneLine(skill.name()))?;
                let files = skill.sorted_resources().map(|file| file.path());
                let near = closest(path.as_str(), &mut once(SKILL_MD).chain(files));
                if near.names().len() > 0 {
                    return did_you_mean(near.names(), f);
                }
                write!(f, "its files are `{SKILL_MD}`")?;
                for resource in skill.sorted_resources().take(MAX_LISTED) {
                    write!(f, ", `{}`", OneLine(resource.path()))?;
                }
                match skill.resources().len().saturating_sub(MAX_LISTED) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}

impl core::error::Error for ReadError<'_> {}

/// Returns the type of a binary file from its extension, so that a model can choose another tool.
fn file_type(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty() && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            extension
        }
        _ => "unknown type",
    }
}
