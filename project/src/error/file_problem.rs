//! Unusable files and directories of skills.

use super::{Error, ErrorKind};
use std::fmt;

/// Returns the line for the manifest that excludes the skill in a directory, or in `files` a file.
pub(crate) fn excluding(name: &str) -> String {
    format!("\"exclude\": [{}]", serde_json::Value::from(name))
}

impl Error {
    /// Returns an error for a file or directory of a source.
    pub(crate) fn file(
        place: impl AsRef<str>,
        why: impl fmt::Display,
        hint: impl Into<String>,
    ) -> Self {
        let message = format!("{}: {why}", place.as_ref());
        Self::new(ErrorKind::Drift, "file", message).with_hint(hint)
    }

    /// Returns an error for a file that the manifest can exclude. `exclude` is the line for the
    /// manifest, unless it is too long for a message.
    pub(crate) fn excludable(
        place: impl AsRef<str>,
        why: impl fmt::Display,
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
    pub(crate) fn of_plugin(place: impl AsRef<str>, why: impl fmt::Display) -> Self {
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
