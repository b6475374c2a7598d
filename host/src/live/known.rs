//! What a host knows of a session.

use helix_skills_runtime::Variables;
use std::path::Path;

/// The values of `${…}`, but for those of the skill itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) session: Option<String>,
    pub(super) project: Option<String>,
    pub(super) others: Vec<(String, String)>,
}

impl Known {
    /// Calls `read` with all of them, of a skill that lies in `directory`. A path that is no UTF-8 has no place in a text.
    pub(super) fn with<R>(&self, directory: Option<&Path>, read: impl FnOnce(Variables<'_>) -> R) -> R {
        let others: Vec<(&str, &str)> = self.others.iter().map(|(name, value)| (&**name, &**value)).collect();
        let mut known = Variables::new().others(&others);
        if let Some(path) = directory.and_then(Path::to_str) {
            known = known.skill_directory(path);
        }
        if let Some(id) = &self.session {
            known = known.session(id);
        }
        if let Some(path) = &self.project {
            known = known.project_directory(path);
        }
        read(known)
    }
}
