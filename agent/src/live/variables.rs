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
pub(super) struct HostVariables {
    pub(super) session: Option<String>,
    pub(super) project: Option<String>,
    pub(super) others: Vec<(String, String)>,
}

/// The variables that systems define for a skill, its session or its plugin. No shell sets them by
/// itself: `${NAME}/x` would be `/x`.
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
    /// The first of `names` that only a host can know and that `environment` does not have.
    pub(super) fn first_missing<'n>(
        names: &'n [String],
        environment: &[(String, String)],
    ) -> Option<&'n str> {
        let is_set = |name: &str| environment.iter().any(|(key, _)| key == name);
        names.iter().map(String::as_str).find(|name| HOST_VARIABLES.contains(name) && !is_set(name))
    }

    /// All values as environment variables, for commands that read them from there.
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
        // The later of two counts, as in the body.
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
