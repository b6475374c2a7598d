//! A directory of skills.

use std::path::{Path, PathBuf};

/// A directory whose subdirectories are skills: `ROOT/pdf/SKILL.md`, one level and no deeper.
///
/// A path alone is one, too: [`Directories::root`](crate::Directories::root) takes both.
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
}

impl Root {
    /// The directory at `path`; `~` at its beginning is the home of the user.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), kind: None, is_optional: false }
    }

    /// Says of every skill in it what kind it is: [`DiscoveredSkill::kind`](crate::DiscoveredSkill::kind).
    #[must_use]
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.kind = Some(kind.into());
        self
    }

    /// May be missing without a warning, as may the home directory that it lies in.
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
