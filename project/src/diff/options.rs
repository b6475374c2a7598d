//! Options of comparisons.

use super::lines::DiffBudget;

/// Which lines of changed files a comparison shows.
///
/// ```
/// use helix_skills_project::__internal::diff::DiffOptions;
/// let options = DiffOptions::new().context(0).max_lines(500);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions {
    context: usize,
    /// `None` if lines are only counted.
    max_lines: Option<usize>,
}

impl DiffOptions {
    /// Returns the default: 3 unchanged lines around each change, and at most 100,000 lines in
    /// total.
    #[must_use]
    pub fn new() -> Self {
        Self { context: 3, max_lines: Some(100_000) }
    }

    /// Sets the number of unchanged lines around each change.
    #[must_use]
    pub fn context(mut self, lines: usize) -> Self {
        self.context = lines;
        self
    }

    /// Sets the maximum number of lines that are shown in total. Lines of files that do not fit are
    /// only counted.
    #[must_use]
    pub fn max_lines(mut self, lines: usize) -> Self {
        self.max_lines = Some(lines);
        self
    }

    /// Counts changed lines and shows none.
    #[must_use]
    pub fn counts_only(mut self) -> Self {
        self.max_lines = None;
        self
    }

    pub(crate) fn budget(&self) -> DiffBudget {
        match self.max_lines {
            None => DiffBudget::counts_only(),
            Some(max_lines) => DiffBudget::new(self.context, max_lines),
        }
    }
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self::new()
    }
}
