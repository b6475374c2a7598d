//! Skills that are registered while a program runs, seen from outside.

mod conformance;
mod entry;
mod lazy;
mod model;
mod rows;

use helix_skills_agent::Registry;
use helix_skills_runtime::{Skill, SkillBuf};

/// A skill of this name, and a body that tells which one it is.
fn skill(name: &str, about: &str) -> SkillBuf {
    Skill::define(name, about, &format!("Do as {about}")).try_build().unwrap().into()
}

fn names(registry: &Registry) -> Vec<&str> {
    registry.names().collect()
}
