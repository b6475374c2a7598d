//! Errors of skills that borrow nothing.

use crate::{Excerpt, KnownNames, LoadError, OneLine, PathError, ReadError};
use core::fmt;

/// A [`LoadError`] or [`ReadError`] that borrows nothing of its set: what a function returns with `?`
/// as a `Box<dyn Error + Send + Sync>`, or as the error of its own.
///
/// It keeps excerpts of names, by value. A model should read the borrowed error, which lists more
/// of what there is.
///
/// ```
/// use helix_skills_runtime::{OwnedError, Skill, SkillSet, Toolbox};
/// use std::error::Error;
///
/// fn body(skills: &[Skill<'_>], name: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
///     let toolbox = Toolbox::new(SkillSet::new(skills));
///     Ok(toolbox.load_skill(name).map_err(OwnedError::from)?.to_string())
/// }
///
/// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").try_build()?;
/// let error = body(&[pdf], "pfd").unwrap_err();
/// assert_eq!(error.to_string(), "there is no skill `pfd`; the skills are `pdf`");
/// # Ok::<(), Box<dyn Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OwnedError {
    /// No skill has this name, or none that the agent is allowed.
    UnknownSkill {
        /// The name that was asked for.
        name: Excerpt,
        /// The skills there are.
        known: KnownNames,
    },
    /// The skill is not for models.
    NotForModels {
        /// The name of the skill.
        name: Excerpt,
    },
    /// With its arguments and variables, the body is too long.
    TooLong {
        /// The name of the skill.
        name: Excerpt,
        /// The maximum, in bytes.
        limit: usize,
    },
    /// No file of a skill can have the path.
    Path {
        /// The path that was asked for.
        path: Excerpt,
        /// The rule that it breaks.
        reason: PathError,
    },
    /// The skill has no such file.
    UnknownFile {
        /// The path that was asked for.
        path: Excerpt,
        /// The name of the skill.
        skill: Excerpt,
    },
    /// The file is not text.
    Binary {
        /// The path of the file.
        path: Excerpt,
        /// Its size.
        bytes: usize,
    },
    /// The file does not have the lines.
    Lines {
        /// The path of the file.
        path: Excerpt,
        /// The first line that was asked for.
        start: Option<usize>,
        /// The last line that was asked for.
        end: Option<usize>,
        /// Number of lines in the file.
        total: usize,
    },
}

crate::__internal::error_debug!(OwnedError {
    UnknownSkill { name, known },
    NotForModels { name },
    TooLong { name, limit },
    Path { path, reason },
    UnknownFile { path, skill },
    Binary { path, bytes },
    Lines { path, start, end, total },
});

impl fmt::Display for OwnedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnknownSkill { name, known } => {
                write!(f, "there is no skill `{name}`; the skills are {known}")
            }
            Self::NotForModels { name } => LoadError::NotForModels { name: name.as_str() }.fmt(f),
            Self::TooLong { name, limit } => {
                LoadError::TooLong { name: name.as_str(), limit }.fmt(f)
            }
            Self::Path { path, reason } => ReadError::Path { path, reason }.fmt(f),
            Self::UnknownFile { path, skill } => {
                write!(f, "the skill `{}` has no file `{path}`", OneLine(skill.as_str()))
            }
            Self::Binary { path, bytes } => ReadError::Binary { path: path.as_str(), bytes }.fmt(f),
            Self::Lines { path, start, end, total } => {
                ReadError::Lines { path: path.as_str(), start, end, total }.fmt(f)
            }
        }
    }
}

impl core::error::Error for OwnedError {}

impl From<LoadError<'_>> for OwnedError {
    fn from(error: LoadError<'_>) -> Self {
        match error {
            LoadError::UnknownSkill { name, available } => Self::UnknownSkill {
                name,
                known: KnownNames::near(name.as_str(), available.names()),
            },
            LoadError::NotForModels { name } => Self::NotForModels { name: Excerpt::new(name) },
            LoadError::TooLong { name, limit } => Self::TooLong { name: Excerpt::new(name), limit },
        }
    }
}

impl From<ReadError<'_>> for OwnedError {
    fn from(error: ReadError<'_>) -> Self {
        match error {
            ReadError::Skill(error) => error.into(),
            ReadError::Path { path, reason } => Self::Path { path, reason },
            ReadError::UnknownFile { path, skill } => {
                Self::UnknownFile { path, skill: Excerpt::new(skill.name()) }
            }
            ReadError::Binary { path, bytes } => Self::Binary { path: Excerpt::new(path), bytes },
            ReadError::Lines { path, start, end, total } => {
                Self::Lines { path: Excerpt::new(path), start, end, total }
            }
        }
    }
}
