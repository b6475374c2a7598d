//! Errors about skills that borrow nothing.

use crate::{Excerpt, KnownNames, LoadError, OneLine, PathError, ReadError};
use core::fmt;

/// A [`LoadError`] or [`ReadError`] that borrows nothing from its set.
///
/// A function can return it with `?` as a `Box<dyn Error + Send + Sync>`, or as part of its own
/// error type. It stores excerpts of names by value. The borrowed errors are better for a model,
/// because they list more names.
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
    /// No skill has this name, or the agent is not allowed to use it.
    UnknownSkill {
        /// The requested name.
        name: Excerpt,
        /// The closest names that exist.
        known: KnownNames,
    },
    /// The skill has `disable-model-invocation`, or a field that the profile treats alike.
    NotForModels {
        /// The name of the skill.
        name: Excerpt,
    },
    /// With its arguments and variables, the body is too long.
    TooLong {
        /// The name of the skill.
        name: Excerpt,
        /// Maximum size of a filled body, in bytes.
        limit: usize,
    },
    /// The path is not valid inside a skill.
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
        /// The name of the skill.
        skill: Excerpt,
    },
    /// The file is not text.
    Binary {
        /// The path of the file.
        path: Excerpt,
        /// Size of the file in bytes.
        bytes: usize,
    },
    /// The file does not have the requested lines.
    Lines {
        /// The path of the file.
        path: Excerpt,
        /// The first requested line.
        start: Option<usize>,
        /// The last requested line.
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
