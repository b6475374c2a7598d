//! The variables that a host sets for a session.

use alloc::{borrow::ToOwned, string::String, vec::Vec};
use helix_skills_runtime::{Profile, Skill, Variables};

/// Returns whether the body of a skill uses the directory of its files: in its text, or to run
/// commands there. Some providers have to write the files before they can return a directory.
pub(crate) fn uses_directory(skill: &Skill, profile: Profile) -> bool {
    skill.template(profile).commands().next().is_some() || names_directory(skill, profile)
}

/// Returns whether the body of a skill uses the directory of its files in its text.
pub(crate) fn names_directory(skill: &Skill, profile: Profile) -> bool {
    skill.template(profile).variables().any(|name| name.ends_with("SKILL_DIR"))
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

/// Returns the first of `names` that only a host can set and that is not in `environment`.
pub(super) fn first_missing<'n>(
    mut names: impl Iterator<Item = &'n str>,
    environment: &[(String, String)],
) -> Option<&'n str> {
    let is_set = |name: &str| environment.iter().any(|(key, _)| key == name);
    names.find(|name| HOST_VARIABLES.contains(name) && !is_set(name))
}

/// Returns the variables, and the directory of the skill, as environment variables.
pub(super) fn environment(variables: &Variables, directory: Option<&str>) -> Vec<(String, String)> {
    let known =
        directory.map_or_else(Variables::new, |path| Variables::new().skill_directory(path));
    let all = variables.iter().fold(known, |all, (name, value)| all.set(name.to_owned(), value));
    all.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
