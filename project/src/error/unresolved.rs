//! Errors of sources that cannot be resolved.

use super::{Error, ErrorKind, Fact};
use helix_skills_format::{__internal::redacted, SourceKey};

impl Error {
    /// Returns an error for a source that cannot be resolved.
    #[doc(hidden)]
    #[must_use]
    pub fn unresolved(key: &SourceKey, why: impl Into<String>) -> Self {
        let why = why.into();
        let message = format!("the source `{key}`: {why}");
        let fact = Fact::Unresolved { key: key.clone(), why, newest: None, gone: None };
        Self::new(ErrorKind::Usage, "unresolved", message).about(fact)
    }

    /// Returns an error for a key of `include` that is no skill, or `count` ones.
    pub(crate) fn not_selected(key: &SourceKey, name: &str, count: usize) -> Self {
        let name = redacted(name);
        let what = match count {
            0 if name.contains('/') => "but no skill is there".to_owned(),
            0 => "but no skill is in a directory of that name".to_owned(),
            _ => format!("which is in {count} directories"),
        };
        Self::unresolved(key, format!("`include` names `{}`, {what}", name.escape_debug()))
    }

    /// Returns an error for a key of `include` whose skill `exclude` leaves out by another key.
    pub(crate) fn left_out(key: &SourceKey, name: &str) -> Self {
        let name = redacted(name);
        let why = format!("`include` names `{}`, which `exclude` leaves out", name.escape_debug());
        let hint = "remove it from `include`, or its name or path from `exclude`";
        Self::unresolved(key, why).with_hint(hint)
    }

    /// Changes why a source cannot be resolved. Other errors stay as they are.
    #[cfg(feature = "git")]
    pub(crate) fn map_unresolved(self, change: impl Fn(&str) -> String) -> Self {
        let errors = self.into_iter().map(|error| {
            error.with(|report| {
                if let Fact::Unresolved { key, why, .. } = &mut report.fact {
                    *why = change(why);
                    report.message = format!("the source `{key}`: {why}");
                }
            })
        });
        errors.collect::<Vec<_>>().into()
    }

    /// Adds that upstream moved or removed the skill of a key of `include`.
    #[cfg(feature = "git")]
    pub(crate) fn about_gone(self, name: &str, now: Option<String>) -> Self {
        self.with(|report| {
            if let Fact::Unresolved { gone, .. } = &mut report.fact {
                *gone = Some((name.to_owned(), now));
            }
        })
    }

    /// Adds the newest versions of a repository that does not have the pin of a source.
    #[cfg(feature = "git")]
    pub(crate) fn without_pin(self, versions: Vec<String>) -> Self {
        self.with(|report| {
            if let Fact::Unresolved { newest, .. } = &mut report.fact {
                *newest = Some(versions);
            }
        })
    }
}
