//! What looks like a skill in a source and is not read as one, for warnings.

use crate::manifest::Select;
#[cfg(feature = "git")]
use helix_skills_format::SourceKey;
use helix_skills_format::{DirPath, Finding};

/// Maximum number of warnings of one source.
const MAX_WARNINGS: usize = 20;

/// A file or directory that looks like a skill and is not read as one.
#[derive(Clone)]
pub(crate) struct NearSkill {
    /// The name of the directory that `include` and `exclude` would have.
    pub(crate) directory: String,
    /// The file or directory, for messages.
    pub(crate) place: String,
    pub(crate) finding: Finding,
}

impl NearSkill {
    /// Returns whether the selection has its directory.
    pub(crate) fn is_selected(&self, select: &Select) -> bool {
        select.matches(&self.directory, &DirPath::root())
    }

    /// Returns a copy whose place begins with the source.
    #[cfg(feature = "git")]
    pub(crate) fn of(&self, key: &SourceKey) -> Self {
        Self { place: format!("{key}: {}", self.place), ..self.clone() }
    }

    /// Returns the warning, with how to fix it.
    pub(crate) fn warning(&self) -> String {
        let hint = self.finding.hint.as_ref().map(|hint| format!("; {hint}"));
        format!("{}: {}{}", self.place, self.finding, hint.unwrap_or_default())
    }
}

/// Returns the warnings about directories that are selected.
pub(crate) fn warnings(near: &[NearSkill], select: &Select) -> Vec<String> {
    let near: Vec<_> = near.iter().filter(|near| near.is_selected(select)).collect();
    let mut warnings: Vec<_> = near.iter().take(MAX_WARNINGS).map(|near| near.warning()).collect();
    if let Some(more @ 1..) = near.len().checked_sub(MAX_WARNINGS) {
        warnings.push(format!("and {more} more like these"));
    }
    warnings
}
