//! Rules for names of skills and paths of their files, as users call them.

use crate::{
    Error, ErrorKind,
    json::JsonError,
    name::{self, NameError},
    path::{self, PathError},
    resource::ResourceError,
};
use alloc::string::ToString;

/// Checks that `name` can be the name of a skill: a directory on every file system, and an
/// attribute that needs no escaping.
///
/// This is the rule for loading a skill. `skills validate` is stricter: lower-case ASCII, at most
/// 64 characters.
///
/// ```
/// use helix_skills_runtime::check_name;
/// assert!(check_name("pdf-processing").is_ok());
/// assert_eq!(check_name("a/b").unwrap_err().to_string(), "a name cannot contain `/`");
/// assert!(check_name("../evil").is_err() && check_name("con").is_err());
/// ```
///
/// # Errors
/// The first rule that the name breaks.
pub fn check_name(name: &str) -> Result<(), Error> {
    Ok(name::check_name(name)?)
}

/// Checks that `path` is valid inside a skill: relative, with `/` between its parts, and a name
/// that every supported file system can store and does not confuse with another name.
///
/// ```
/// use helix_skills_runtime::check_path;
/// assert!(check_path("references/forms.md").is_ok());
/// assert!(check_path("../secret").is_err() && check_path("/etc/passwd").is_err());
/// ```
///
/// # Errors
/// The first rule that the path breaks.
pub fn check_path(path: &str) -> Result<(), Error> {
    Ok(path::check_path(path)?)
}

/// Checks a path as a model may write it, and removes a leading `./`.
///
/// Everything that [`check_path`] refuses is refused; nothing else is changed.
///
/// ```
/// use helix_skills_runtime::normalize_path;
/// assert_eq!(normalize_path("./references/forms.md")?, "references/forms.md");
/// assert_eq!(
///     normalize_path("references/../../secret").unwrap_err().to_string(),
///     "a path cannot have empty parts, `.` or `..`",
/// );
/// # Ok::<(), helix_skills::Error>(())
/// ```
///
/// # Errors
/// The first rule that the path breaks.
pub fn normalize_path(path: &str) -> Result<&str, Error> {
    Ok(path::normalize_path(path)?)
}

impl From<NameError> for Error {
    fn from(error: NameError) -> Self {
        Self::new(ErrorKind::InvalidName, error.to_string())
    }
}

impl From<PathError> for Error {
    fn from(error: PathError) -> Self {
        Self::new(ErrorKind::InvalidPath, error.to_string())
    }
}

impl From<ResourceError> for Error {
    fn from(error: ResourceError) -> Self {
        Self::new(ErrorKind::InvalidPath, error.to_string())
    }
}

impl From<JsonError> for Error {
    fn from(error: JsonError) -> Self {
        Self::new(ErrorKind::Input, error.to_string())
    }
}
