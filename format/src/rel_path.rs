//! Paths of files inside a skill, and of directories inside a repository or project.

use crate::skill_name::fold;
use helix_skills_runtime::{
    __internal::{PathError, check_path},
    is_invisible,
};

/// The checked path of a file inside a skill. Joined to a directory, it never leaves that
/// directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

crate::checked_text!(RelPath, borrow);

impl RelPath {
    /// Checks a path.
    ///
    /// # Errors
    /// The rule of [`check_path`](helix_skills_runtime::check_path) that the path breaks.
    pub fn new(text: impl Into<String>) -> Result<Self, PathError> {
        let text = text.into();
        check_path(&text).map(|()| Self(text))
    }

    /// Returns a key that is equal for paths that some file system treats as the same, or that look
    /// the same: case-folded, in Unicode normal form, without invisible characters.
    #[doc(hidden)]
    #[must_use]
    pub fn folded(&self) -> String {
        fold(&self.0.replace(is_invisible, ""))
    }
}

/// The checked path of a directory inside a repository or below a `path` source; `.` is the root.
///
/// Less strict than [`RelPath`], because it is only read and never written: `.github/skills` is
/// allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirPath(String);

crate::checked_text!(DirPath);

impl DirPath {
    /// Returns the root.
    #[must_use]
    pub fn root() -> Self {
        Self(".".to_owned())
    }

    /// Parses a path. Drops one leading `./` and one trailing `/`.
    ///
    /// # Errors
    /// The path is absolute, has a part `..`, or contains a backslash or a control character.
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
}

#[doc(hidden)]
impl DirPath {
    /// Returns whether this is the root.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == "."
    }

    /// Returns the parts from the root down; empty for the root.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|part| *part != ".")
    }

    /// Returns the directory `name` below this one.
    ///
    /// # Errors
    /// As [`DirPath::new`].
    pub fn join(&self, name: &str) -> Result<Self, PathError> {
        if self.is_root() { Self::new(name) } else { Self::new(&format!("{}/{name}", self.0)) }
    }

    /// Returns whether `other` is this directory or below it.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.is_root()
            || other
                .0
                .strip_prefix(&self.0)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the parent directory, or `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        Some(self.0.rsplit_once('/').map_or_else(Self::root, |(above, _)| Self(above.to_owned())))
    }

    /// Returns the last part, or `None` for the root.
    #[must_use]
    pub fn file_name(&self) -> Option<&str> {
        self.parts().last()
    }
}
