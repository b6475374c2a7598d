//! Warnings and details that a command prints besides errors.

use helix_skills_format::SourceKey;
use std::collections::BTreeMap;

/// Maximum number of details of a source. A hostile repository can have hundreds of thousands of
/// ignored entries.
const MAX_DETAILS: u64 = 1000;

/// The notes of one command: everything that reads or writes adds to the same ones.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// What the user should know, one line each.
    pub(crate) warnings: Vec<String>,
    /// What only verbose output shows, one line each.
    pub(crate) details: Vec<String>,
    /// The number of details of each source, also of those that were not kept.
    counts: BTreeMap<SourceKey, u64>,
}

impl Notes {
    pub(crate) fn warn(&mut self, line: String) {
        self.warnings.push(line);
    }

    /// Returns the details or the warnings, to add lines to.
    pub(crate) fn lines(&mut self, are_details: bool) -> &mut Vec<String> {
        if are_details { &mut self.details } else { &mut self.warnings }
    }

    /// Adds a detail of a source. Beyond a limit, details are only counted, and `line` is not
    /// called.
    #[cfg(feature = "git")]
    pub(crate) fn detail(&mut self, key: &SourceKey, line: impl FnOnce() -> String) {
        let count = self.counts.entry(key.clone()).or_default();
        *count += 1;
        if *count <= MAX_DETAILS {
            self.details.push(line());
        }
    }

    /// Adds the notes of a part of the work.
    #[cfg(feature = "git")]
    pub(crate) fn append(&mut self, other: Self) {
        self.warnings.extend(other.warnings);
        self.details.extend(other.details);
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
    }

    /// Returns the warnings and the details, with the number of those that were not kept.
    pub(crate) fn into_lines(self) -> (Vec<String>, Vec<String>) {
        let Self { warnings, mut details, counts } = self;
        details.extend(counts.into_iter().filter(|(_, count)| *count > MAX_DETAILS).map(
            |(key, count)| {
                format!("and {} more details of the source `{key}`", count - MAX_DETAILS)
            },
        ));
        (warnings, details)
    }
}

#[cfg(all(test, feature = "git"))]
mod tests {
    use super::*;

    #[test]
    fn details_are_capped_and_counted() {
        let key = SourceKey::new("k").expect("a key");
        let mut notes = Notes::default();
        (0..MAX_DETAILS + 3).for_each(|number| notes.detail(&key, || number.to_string()));
        let (_, details) = notes.into_lines();
        assert_eq!(details.len(), 1001);
        assert_eq!(details[1000], "and 3 more details of the source `k`");
    }
}
