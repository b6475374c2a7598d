//! The errors of a source, with a limit per kind.

use super::{Error, ErrorKind};
use helix_skills_format::SourceKey;
use std::collections::BTreeMap;

/// Maximum number of errors of one code that are kept for a source.
const MAX_PER_CODE: u64 = 50;

/// The errors of one source.
///
/// Beyond a limit per code they are only counted, because a repository of a few kilobytes can have
/// hundreds of thousands.
pub(crate) struct SourceErrors {
    /// Maximum number of kept errors per code.
    limit: u64,
    kept: Vec<Error>,
    /// All errors by their codes.
    counts: BTreeMap<&'static str, ErrorCount>,
}

/// The number of errors of one code.
#[derive(Clone)]
struct ErrorCount {
    count: u64,
    kind: ErrorKind,
}

/// The errors of a source at some time.
#[cfg(feature = "git")]
pub(crate) struct Mark {
    kept: usize,
    counts: BTreeMap<&'static str, ErrorCount>,
}

impl SourceErrors {
    /// Creates an empty collection.
    pub(crate) fn new() -> Self {
        Self { limit: MAX_PER_CODE, kept: Vec::new(), counts: BTreeMap::new() }
    }

    /// Creates a collection that only counts, for a first pass over files that are read again.
    #[cfg(feature = "git")]
    pub(crate) fn count_only() -> Self {
        Self { limit: 0, ..Self::new() }
    }

    /// Returns a mark of the errors so far.
    #[cfg(feature = "git")]
    pub(crate) fn mark(&self) -> Mark {
        Mark { kept: self.kept.len(), counts: self.counts.clone() }
    }

    /// Removes the errors that were added since `mark`.
    #[cfg(feature = "git")]
    pub(crate) fn reset(&mut self, mark: Mark) {
        self.kept.truncate(mark.kept);
        self.counts = mark.counts;
    }

    /// Adds an error with a code. Calls `error` only if the error is kept.
    pub(crate) fn add(
        &mut self,
        code: &'static str,
        kind: ErrorKind,
        error: impl FnOnce() -> Error,
    ) {
        let entry = self.counts.entry(code).or_insert(ErrorCount { count: 0, kind });
        entry.count += 1;
        if entry.count <= self.limit {
            self.kept.push(error());
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
        let Self { limit, mut kept, counts } = self;
        let more = counts.into_iter().filter(|(_, entry)| entry.count > limit);
        kept.extend(more.map(|(code, ErrorCount { count, kind })| {
            let count = count - limit;
            let errors = if count == 1 { "error" } else { "errors" };
            let message = format!("and {count} more `{code}` {errors} in the source `{key}`");
            Error::new(kind, code, message)
        }));
        kept
    }
}

impl Default for SourceErrors {
    fn default() -> Self {
        Self::new()
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

    #[cfg(feature = "git")]
    #[test]
    fn errors_beyond_the_limit_are_not_created() {
        let mut errors = SourceErrors::count_only();
        errors.add("file", ErrorKind::Drift, || unreachable!("it is not kept"));
        assert_eq!(errors.count(), 1);
    }
}
