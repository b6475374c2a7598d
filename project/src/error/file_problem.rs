//! Unusable files and directories of skills.

use super::{Error, ErrorKind};
use helix_skills_runtime::__internal::PathError;
use std::{borrow::Cow, fmt, io};

/// Why a file or a directory of a skill cannot be used.
#[derive(Debug)]
pub(crate) struct FileProblem {
    text: Cow<'static, str>,
    source: Option<io::Error>,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&'static str> for FileProblem {
    fn from(text: &'static str) -> Self {
        Self { text: text.into(), source: None }
    }
}

impl From<String> for FileProblem {
    fn from(text: String) -> Self {
        Self { text: text.into(), source: None }
    }
}

/// The metadata of the file cannot be read.
impl From<io::Error> for FileProblem {
    fn from(source: io::Error) -> Self {
        Self { text: "broken link or unreadable file".into(), source: Some(source) }
    }
}

/// Its path in the skill breaks a rule.
impl From<PathError> for FileProblem {
    fn from(why: PathError) -> Self {
        match why {
            PathError::Git => "its name is reserved for git on some file systems".into(),
            why => why.to_string().into(),
        }
    }
}

impl Error {
    /// Returns an error for a file or directory of a source.
    pub(crate) fn file(
        place: impl AsRef<str>,
        why: impl Into<FileProblem>,
        hint: impl Into<String>,
    ) -> Self {
        let why = why.into();
        let error = Self::new(ErrorKind::Drift, "file", format!("{}: {why}", place.as_ref()));
        match why.source {
            Some(source) => error.with_source(source),
            None => error,
        }
        .with_hint(hint)
    }

    /// Returns an error for a file that the manifest can exclude. `exclude` is the line for the
    /// manifest, unless it is too long for a message.
    pub(crate) fn excludable(
        place: impl AsRef<str>,
        why: impl Into<FileProblem>,
        exclude: Option<&str>,
    ) -> Self {
        let hint = match exclude {
            Some(exclude) => format!("exclude it with `{exclude}`"),
            None => {
                "exclude the whole skill with `exclude`, or the file's directory with `files.exclude`"
                    .to_owned()
            }
        };
        Self::file(place, why, hint)
    }

    /// Returns an error for a file of a plugin, whose author has to correct it.
    #[cfg(feature = "git")]
    pub(crate) fn of_plugin(place: impl AsRef<str>, why: impl Into<FileProblem>) -> Self {
        Self::file(place, why, "report it to the plugin's author, or pin an earlier version")
    }

    /// Returns an error for something larger than a limit. `field` is the manifest's field that
    /// raises the limit; `None` if the limit on the directories of a source is exceeded.
    pub(crate) fn limit(what: impl fmt::Display, limit: u64, field: Option<&'static str>) -> Self {
        let (named, hint) = match field {
            Some(field) => (
                format!(" (`limits.{field}`)"),
                format!("raise `limits.{field}` in the manifest if this is intended"),
            ),
            None => {
                (String::new(), "set its `skillsDir` to a directory with fewer skills".to_owned())
            }
        };
        let message = format!("{what} is over the limit of {limit}{named}");
        Self::new(ErrorKind::Policy, "limit", message).with_hint(hint)
    }
}
