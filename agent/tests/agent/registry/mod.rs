//! Registries of skills.

mod conformance;
mod entry;
mod lazy;
mod operations;
mod properties;

use helix_skills_agent::Registry;
use helix_skills_runtime::Skill;

/// Creates a skill whose body contains its description, so that tests can distinguish skills.
fn skill(name: &str, about: &str) -> Skill {
    Skill::define(name, about, &format!("Do as {about}")).try_build().unwrap()
}

fn names(registry: &Registry) -> Vec<&str> {
    registry.set().names().collect()
}
