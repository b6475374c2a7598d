//! What looks like a skill in a source and is not read as one, for warnings.

use crate::manifest::Select;
use helix_skills_format::Finding;
#[cfg(feature = "git")]
use helix_skills_format::{DirPath, SkillMd, SourceKey};

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
    /// Creates the finding about the SKILL.md in a directory `path` of a repository.
    #[cfg(feature = "git")]
    pub(crate) fn at_root(name: &str, path: &DirPath, finding: Finding) -> Self {
        let file = path.join(SkillMd::FILE_NAMES[0]);
        let file = file.map_or_else(|_| SkillMd::FILE_NAMES[0].to_owned(), |file| file.to_string());
        Self { directory: name.to_owned(), place: file, finding }
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
    let near: Vec<_> = near.iter().filter(|near| select.matches(&near.directory)).collect();
    let mut warnings: Vec<_> = near.iter().take(MAX_WARNINGS).map(|near| near.warning()).collect();
    if let Some(more @ 1..) = near.len().checked_sub(MAX_WARNINGS) {
        warnings.push(format!("and {more} more like these"));
    }
    warnings
}
