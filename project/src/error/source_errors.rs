//! The errors of a source, with a limit per kind.

use super::{Error, ErrorKind, Fact};
use helix_skills_format::{__internal::counted, DirPath, SourceKey};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of errors of one code that are kept for a source, in addition to the first one of
/// each skill.
const MAX_PER_CODE: u64 = 50;

/// The errors of one source.
///
/// Beyond a limit per code they are only counted, because a repository of a few kilobytes can have
/// hundreds of thousands. The first error of each skill is always kept.
#[derive(Default)]
pub(crate) struct SourceErrors {
    kept: Vec<Error>,
    /// All errors by their codes.
    counts: BTreeMap<&'static str, ErrorCount>,
    /// The skill that the next errors are about.
    skill: Option<(SourceKey, DirPath)>,
    /// The skills that have an error.
    refused: BTreeSet<DirPath>,
}

/// The number of errors of one code.
struct ErrorCount {
    count: u64,
    kept: u64,
    kind: ErrorKind,
}

impl SourceErrors {
    /// Creates an empty collection.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Sets the skill that the next errors are about.
    pub(crate) fn enter(&mut self, key: &SourceKey, path: &DirPath) {
        self.skill = Some((key.clone(), path.clone()));
    }

    /// Adds the errors of a skill that were collected apart.
    #[cfg(feature = "git")]
    pub(crate) fn append(&mut self, other: Self) {
        self.skill = other.skill;
        self.extend(other.kept);
        for (code, ErrorCount { count, kept, kind }) in other.counts {
            let own = self.counts.entry(code).or_insert(ErrorCount { count: 0, kept: 0, kind });
            own.count += count - kept;
        }
    }

    /// Adds an error with a code. Calls `error` only if the error is kept.
    pub(crate) fn add(
        &mut self,
        code: &'static str,
        kind: ErrorKind,
        error: impl FnOnce() -> Error,
    ) {
        let entry = self.counts.entry(code).or_insert(ErrorCount { count: 0, kept: 0, kind });
        entry.count += 1;
        let is_first =
            self.skill.as_ref().is_some_and(|(_, path)| self.refused.insert(path.clone()));
        if is_first || entry.kept < MAX_PER_CODE {
            entry.kept += 1;
            let error = error();
            self.kept.push(match &self.skill {
                Some((key, path)) if matches!(error.fact(), Fact::None) => {
                    error.about(Fact::Refused(key.clone(), path.clone(), Vec::new()))
                }
                _ => error,
            });
        }
    }

    /// Adds an error, or each of several.
    pub(crate) fn push(&mut self, error: Error) {
        for error in error {
            self.add(error.code(), error.kind(), || error);
        }
    }

    /// Returns the number of errors, including those that were not kept.
    pub(crate) fn count(&self) -> u64 {
        self.counts.values().map(|entry| entry.count).sum()
    }

    /// Returns an error if there are any; see [`into_vec`](Self::into_vec).
    ///
    /// # Errors
    /// All of them.
    pub(crate) fn finish(self, key: &SourceKey) -> Result<(), Error> {
        Error::unless_empty(self.into_vec(key))
    }

    /// Returns the kept errors, and for each code that had more, an error with their number.
    pub(crate) fn into_vec(self, key: &SourceKey) -> Vec<Error> {
        let Self { mut kept, counts, .. } = self;
        let more = counts.into_iter().filter(|(_, entry)| entry.count > entry.kept);
        kept.extend(more.map(|(code, ErrorCount { count, kept, kind })| {
            let errors = counted(count - kept, &format!("more `{code}` error"));
            let message = format!("and {errors} in the source `{key}`");
            Error::new(kind, code, message)
        }));
        kept
    }
}

impl Extend<Error> for SourceErrors {
    fn extend<T: IntoIterator<Item = Error>>(&mut self, errors: T) {
        errors.into_iter().for_each(|error| self.push(error));
    }
}

/// The errors of several sources.
#[derive(Default)]
pub(crate) struct ErrorsBySource(BTreeMap<SourceKey, SourceErrors>);

impl ErrorsBySource {
    /// Returns the errors of one source, to add to.
    pub(crate) fn for_source(&mut self, key: &SourceKey) -> &mut SourceErrors {
        self.0.entry(key.clone()).or_default()
    }

    /// Returns the errors of all sources, as [`SourceErrors::into_vec`] does.
    pub(crate) fn into_vec(self) -> Vec<Error> {
        self.into_sources().flat_map(|(_, errors)| errors).collect()
    }

    /// Returns the errors of each source that has any.
    pub(crate) fn into_sources(self) -> impl Iterator<Item = (SourceKey, Vec<Error>)> {
        let errors = self.0.into_iter().filter(|(_, errors)| errors.count() > 0);
        errors.map(|(key, errors)| {
            let errors = errors.into_vec(&key);
            (key, errors)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_per_code_are_capped_and_counted() {
        let key = SourceKey::new("k").expect("a key");
        let mut errors = SourceErrors::new();
        for number in 0..120 {
            errors.add("file", ErrorKind::Drift, || {
                Error::excludable(
                    format!("p{number}"),
                    "it is neither a file nor a directory",
                    None,
                )
            });
        }
        errors.push(Error::unresolved(&key, "it is empty").with_hint("fill it"));
        assert_eq!(errors.count(), 121);
        let errors = errors.into_vec(&key);
        assert_eq!(errors.len(), 52);
        assert_eq!(errors[49].to_string(), "p49: it is neither a file nor a directory");
        assert_eq!(errors[51].to_string(), "and 70 more `file` errors in the source `k`");
        assert_eq!((errors[51].code(), errors[51].kind()), ("file", ErrorKind::Drift));
    }

    #[test]
    fn first_error_of_each_skill_is_kept() {
        let key = SourceKey::new("k").expect("a key");
        let mut errors = SourceErrors::new();
        for number in 0..70 {
            errors.enter(&key, &DirPath::new(&format!("s{number}")).expect("a path"));
            for file in ["a", "b"] {
                errors.add("file", ErrorKind::Drift, || {
                    Error::excludable(format!("s{number}/{file}"), "it is a link", None)
                });
            }
        }
        let errors = errors.into_vec(&key);
        let is_first = |error: &&Error| error.to_string().ends_with("/a: it is a link");
        assert_eq!(errors.iter().filter(is_first).count(), 70);
        assert_eq!(errors.len(), 96);
        assert_eq!(errors[95].to_string(), "and 45 more `file` errors in the source `k`");
        assert!(matches!(errors[94].fact(), Fact::Refused(_, path, _) if path.as_str() == "s69"));
    }

    #[cfg(feature = "git")]
    #[test]
    fn errors_collected_apart_are_capped_together() {
        let key = SourceKey::new("k").expect("a key");
        let mut all = SourceErrors::new();
        for skill in ["a", "b", "c"] {
            let mut errors = SourceErrors::new();
            errors.enter(&key, &DirPath::new(skill).expect("a path"));
            for file in 0..60 {
                errors.add("file", ErrorKind::Drift, || {
                    assert!(file < 50, "further errors are not created");
                    Error::excludable(format!("{skill}/{file}"), "it is a link", None)
                });
            }
            all.append(errors);
        }
        assert_eq!(all.count(), 180);
        let errors = all.into_vec(&key);
        let texts: Vec<String> = errors[49..].iter().map(ToString::to_string).collect();
        let more = "and 128 more `file` errors in the source `k`";
        assert_eq!(texts, ["a/49: it is a link", "b/0: it is a link", "c/0: it is a link", more]);
    }
}
