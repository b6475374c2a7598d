//! The errors of one source, with a limit for each kind.

use super::Error;
use crate::ExitCode;
use helix_skills_format::SourceKey;
use std::collections::BTreeMap;

/// Errors of one kind that are kept for each source: more of them say nothing new.
const MAX_OF_A_KIND: u64 = 50;

/// Collects the errors of one source. A repository of a few kilobytes can have hundreds of thousands of them, so that
/// beyond the limit they are only counted.
pub(crate) struct SourceErrors {
    /// Errors that are kept for each kind.
    limit: u64,
    kept: Vec<Error>,
    /// How many there are, by their codes.
    kinds: BTreeMap<&'static str, Kind>,
}

/// What is known of the errors of one kind.
struct Kind {
    count: u64,
    exit: ExitCode,
}

impl SourceErrors {
    /// No errors yet.
    pub(crate) fn new() -> Self {
        Self { limit: MAX_OF_A_KIND, kept: Vec::new(), kinds: BTreeMap::new() }
    }

    /// Counts errors, and keeps none: for a pass over files that will be read once more.
    #[cfg(feature = "git")]
    pub(crate) fn discarded() -> Self {
        Self { limit: 0, ..Self::new() }
    }

    /// Adds an error of the kind `code`, which is made only if it is kept.
    pub(crate) fn add(
        &mut self,
        code: &'static str,
        exit: ExitCode,
        error: impl FnOnce() -> Error,
    ) {
        let kind = self.kinds.entry(code).or_insert(Kind { count: 0, exit });
        kind.count += 1;
        if kind.count <= self.limit {
            self.kept.push(error());
        }
    }

    /// Adds an error.
    pub(crate) fn push(&mut self, error: Error) {
        self.add(error.code(), error.exit_code(), || error);
    }

    /// How many errors there are.
    pub(crate) fn count(&self) -> u64 {
        self.kinds.values().map(|kind| kind.count).sum()
    }

    /// The errors that were kept, and for each kind that had more, an error that says how many.
    pub(crate) fn into_vec(self, key: &SourceKey) -> Vec<Error> {
        let Self { limit, mut kept, kinds } = self;
        kept.extend(kinds.into_iter().filter(|(_, kind)| kind.count > limit).map(
            |(code, Kind { count, exit })| Error::More {
                key: key.clone(),
                count: count - limit,
                code,
                exit,
            },
        ));
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
    /// Those of one source, to add to.
    pub(crate) fn for_source(&mut self, key: &SourceKey) -> &mut SourceErrors {
        self.0.entry(key.clone()).or_default()
    }

    /// The errors of all sources, as [`SourceErrors::into_vec`] gives them.
    pub(crate) fn into_vec(self) -> Vec<Error> {
        self.into_sources().flat_map(|(_, errors)| errors).collect()
    }

    /// The errors of each source that has any.
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
    use crate::error::{FileProblem, UnresolvedSource};

    #[test]
    fn errors_of_a_kind_are_capped_and_counted() {
        let key = SourceKey::new("k").expect("a key");
        let mut errors = SourceErrors::new();
        for number in 0..120 {
            errors.add("file", ExitCode::Drift, || {
                Error::file(format!("p{number}"), FileProblem::Submodule)
            });
        }
        errors.push(Error::unresolved(&key, UnresolvedSource::NoGit));
        assert_eq!(errors.count(), 121);
        let errors = errors.into_vec(&key);
        assert_eq!(errors.len(), 52);
        assert_eq!(errors[49].to_string(), "p49: it is a submodule, which is not fetched");
        assert_eq!(
            errors[51].to_string(),
            "and 70 more errors of the kind `file` in the source `k`"
        );
        assert_eq!((errors[51].code(), errors[51].exit_code()), ("file", ExitCode::Drift));
    }

    #[cfg(feature = "git")]
    #[test]
    fn errors_beyond_the_limit_are_not_made() {
        let mut errors = SourceErrors::discarded();
        errors.add("file", ExitCode::Drift, || unreachable!("it is not kept"));
        assert_eq!(errors.count(), 1);
    }
}
