//! What a host knows of a session.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill, Variables};

/// Whether the body of a skill has a use for the directory of its files: in its text, or to run
/// commands there. For some providers the directory is expensive.
pub(crate) fn uses_directory(skill: &Skill<'_>, profile: Profile) -> bool {
    let template = skill.template(profile);
    let needs = template.describe();
    needs.commands().next().is_some() || needs.variables().any(|name| name.ends_with("SKILL_DIR"))
}

/// The values of `${…}`, except those of the skill itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) session: Option<String>,
    pub(super) project: Option<String>,
    pub(super) others: Vec<(String, String)>,
}

/// The variables that systems define for a skill, its session or its plugin. No shell sets them by
/// itself: `${NAME}/x` would be `/x`.
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
    /// The first of `names` that only a host can know and that `environment` does not have.
    pub(super) fn missing<'n>(
        names: &'n [String],
        environment: &[(String, String)],
    ) -> Option<&'n str> {
        let is_set = |name: &str| environment.iter().any(|(known, _)| known == name);
        names.iter().map(String::as_str).find(|name| NAMES.contains(name) && !is_set(name))
    }

    /// All values as environment variables, for commands that read them from there.
    pub(super) fn environment(&self, directory: Option<&str>) -> Vec<(String, String)> {
        let (session, project) = (self.session.as_deref(), self.project.as_deref());
        let of_session = [
            ("SKILL_DIR", directory),
            ("CLAUDE_SKILL_DIR", directory),
            ("AGENTICK_SKILL_DIR", directory),
            ("CLAUDE_SESSION_ID", session),
            ("AGENTICK_SESSION_ID", session),
            ("CLAUDE_PROJECT_DIR", project),
        ];
        let of_session = of_session
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        // The later of two counts, as in the body.
        of_session.chain(self.others.iter().rev().cloned()).collect()
    }

    /// Calls `read` with all values, for a skill in `directory`.
    pub(super) fn with<R>(
        &self,
        directory: Option<&str>,
        read: impl FnOnce(Variables<'_>) -> R,
    ) -> R {
        let others: Vec<(&str, &str)> =
            self.others.iter().map(|(name, value)| (&**name, &**value)).collect();
        let mut known = Variables::new().others(&others);
        if let Some(path) = directory {
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
