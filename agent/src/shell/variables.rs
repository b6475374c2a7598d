//! The variables that a host sets for a session.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill, Variables};

/// Returns whether the body of a skill uses the directory of its files: in its text, or to run
/// commands there. Some providers have to write the files before they can return a directory.
pub(crate) fn uses_directory(skill: &Skill, profile: Profile) -> bool {
    skill.template(profile).describe().commands().next().is_some()
        || names_directory(skill, profile)
}

/// Returns whether the body of a skill uses the directory of its files in its text.
pub(crate) fn names_directory(skill: &Skill, profile: Profile) -> bool {
    skill.template(profile).describe().variables().any(|name| name.ends_with("SKILL_DIR"))
}

/// Values of `${…}` that do not depend on the skill.
#[derive(Clone, Debug, Default)]
pub(super) struct HostVariables {
    pub(super) session: Option<String>,
    pub(super) project: Option<String>,
    pub(super) others: Vec<(String, String)>,
}

/// Variables that agent systems define for a skill, its session or its plugin. A shell does not set
/// them: it would expand `${NAME}/x` to `/x`.
const HOST_VARIABLES: [&str; 9] = [
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

impl HostVariables {
    /// Returns the first of `names` that only a host can set and that is not in `environment`.
    pub(super) fn first_missing<'n>(
        names: &'n [String],
        environment: &[(String, String)],
    ) -> Option<&'n str> {
        let is_set = |name: &str| environment.iter().any(|(key, _)| key == name);
        names.iter().map(String::as_str).find(|name| HOST_VARIABLES.contains(name) && !is_set(name))
    }

    /// Returns all values as environment variables.
    pub(super) fn environment(&self, directory: Option<&str>) -> Vec<(String, String)> {
        let (session, project) = (self.session.as_deref(), self.project.as_deref());
        let values = [
            ("SKILL_DIR", directory),
            ("CLAUDE_SKILL_DIR", directory),
            ("AGENTICK_SKILL_DIR", directory),
            ("CLAUDE_SESSION_ID", session),
            ("AGENTICK_SESSION_ID", session),
            ("CLAUDE_PROJECT_DIR", project),
        ];
        let values = values
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
        // The later of two values takes precedence, as in the body.
        values.chain(self.others.iter().rev().cloned()).collect()
    }

    /// Calls `read` with all values, for a skill in `directory`.
    pub(super) fn with<R>(
        &self,
        directory: Option<&str>,
        read: impl FnOnce(Variables<'_>) -> R,
    ) -> R {
        let others: Vec<(&str, &str)> =
            self.others.iter().map(|(name, value)| (&**name, &**value)).collect();
        let mut variables = Variables::new().others(&others);
        if let Some(path) = directory {
            variables = variables.skill_directory(path);
        }
        if let Some(id) = &self.session {
            variables = variables.session(id);
        }
        if let Some(path) = &self.project {
            variables = variables.project_directory(path);
        }
        read(variables)
    }
}
