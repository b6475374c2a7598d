//! Paths: of a file inside a skill, and of a directory inside a repository or project.

use crate::skill_name::fold;
use helix_skills_runtime::{PathError, check_path};

/// The checked path of a file inside a skill. Joining one to a directory cannot leave the
/// directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

crate::checked_text!(RelPath, borrow);

impl RelPath {
    /// Checks a path.
    ///
    /// # Errors
    /// The rule of [`check_path`] that the path breaks.
    pub fn new(text: impl Into<String>) -> Result<Self, PathError> {
        let text = text.into();
        check_path(&text).map(|()| Self(text))
    }

    /// The path, `/` between its parts.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two paths share when some file system takes them for one: no case, one Unicode normal
    /// form.
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// The checked path of a directory inside a repository or below a `path` source; `.` is the root.
///
/// Laxer than [`RelPath`], because it is only read and never written: `.github/skills` is fine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirPath(String);

crate::checked_text!(DirPath);

impl DirPath {
    /// The root itself.
    #[must_use]
    pub fn root() -> Self {
        Self(".".to_owned())
    }

    /// Checks a path; one leading `./` and one trailing `/` are dropped.
    ///
    /// # Errors
    /// When the path is absolute, has a part `..`, or holds a backslash or a control character.
    pub fn new(text: &str) -> Result<Self, PathError> {
        if text.starts_with('/') {
            return Err(PathError::Absolute);
        }
        let inner = text.strip_prefix("./").unwrap_or(text);
        let inner = inner.strip_suffix('/').unwrap_or(inner);
        if inner.is_empty() && text.is_empty() {
            return Err(PathError::Empty);
        }
        if inner.is_empty() || inner == "." {
            return Ok(Self::root());
        }
        if let Some(c) = inner.chars().find(|c| c.is_control() || *c == '\\') {
            return Err(PathError::Character(c));
        }
        if inner.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(PathError::Traversal);
        }
        if inner.len() > helix_skills_runtime::MAX_PATH_BYTES {
            return Err(PathError::TooLong);
        }
        Ok(Self(inner.to_owned()))
    }

    /// The path; `.` for the root.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == "."
    }

    /// The parts from the root down; none for the root.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|part| *part != ".")
    }

    /// The directory `name` below this one.
    ///
    /// # Errors
    /// As [`DirPath::new`].
    pub fn join(&self, name: &str) -> Result<Self, PathError> {
        if self.is_root() { Self::new(name) } else { Self::new(&format!("{}/{name}", self.0)) }
    }

    /// Whether `other` is this directory or is below it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.is_root()
            || other
                .0
                .strip_prefix(&self.0)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The directory above; none for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(self.0.rsplit_once('/').map_or_else(Self::root, |(above, _)| Self(above.to_owned())))
    }

    /// The last part; none for the root.
    #[must_use]
    pub fn file_name(&self) -> Option<&str> {
        self.parts().last()
    }
}
