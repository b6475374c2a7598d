//! A directory of skills.

use std::path::{Path, PathBuf};

/// A directory whose subdirectories are skills: `ROOT/pdf/SKILL.md`, exactly one level deep.
///
/// [`Directories::root`](crate::Directories::root) also takes a plain path.
///
/// ```
/// use helix_skills_host::Root;
/// let mine = Root::new("~/.agents/skills").optional().kind("custom");
/// assert_eq!(mine, Root::new("~/.agents/skills").kind("custom").optional());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    pub(crate) path: PathBuf,
    pub(crate) kind: Option<String>,
    pub(crate) is_optional: bool,
    pub(crate) sandbox: Option<String>,
}

impl Root {
    /// Creates a root for the directory at `path`. A leading `~` is the user's home directory.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), kind: None, is_optional: false, sandbox: None }
    }

    /// Sets the kind of every skill in this root, returned by
    /// [`DiscoveredSkill::kind`](crate::DiscoveredSkill::kind).
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// Sets the path of this directory in a sandbox, for
    /// [`Directories::mount`](crate::Directories::mount). It is absolute, such as `/skills`.
    #[must_use]
    pub fn at(mut self, sandbox: impl Into<String>) -> Self {
        self.sandbox = Some(sandbox.into());
        self
    }

    /// Suppresses the warning if the directory, or the home directory it is in, is missing.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Root {
    fn from(path: &P) -> Self {
        Self::new(path.as_ref())
    }
}

impl From<PathBuf> for Root {
    fn from(path: PathBuf) -> Self {
        Self::new(path)
    }
}

impl From<String> for Root {
    fn from(path: String) -> Self {
        Self::new(path)
    }
}
