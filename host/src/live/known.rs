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

/// What a system says of a skill, its session or its plugin. No shell knows them by itself: `${NAME}/x` would be `/x`.
const NAMES: [&str; 9] = [
    "SKILL_DIR",
    "CLAUDE_SKILL_DIR",
    "AGENTICK_SKILL_DIR",
    "CLAUDE_SESSION_ID",
    "AGENTICK_SESSION_ID",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_EFFORT",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PLUGIN_DATA",
];

impl Known {
    /// The first of the variables that is to be known here, and is not in an environment.
    pub(super) fn missing<'n>(names: &'n [String], environment: &[(String, String)]) -> Option<&'n str> {
        let is_set = |name: &str| environment.iter().any(|(known, _)| known == name);
        names.iter().map(String::as_str).find(|name| NAMES.contains(name) && !is_set(name))
    }

    /// All of them, for commands that ask their shell.
    pub(super) fn environment(&self, directory: Option<&Path>) -> Vec<(String, String)> {
        let (directory, session, project) =
            (directory.and_then(Path::to_str), self.session.as_deref(), self.project.as_deref());
        let of_session = [
            ("SKILL_DIR", directory),
            ("CLAUDE_SKILL_DIR", directory),
            ("AGENTICK_SKILL_DIR", directory),
            ("CLAUDE_SESSION_ID", session),
            ("AGENTICK_SESSION_ID", session),
            ("CLAUDE_PROJECT_DIR", project),
        ];
        let of_session = of_session.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        // The later of two counts, as in the body.
        of_session.chain(self.others.iter().rev().cloned()).collect()
    }

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
