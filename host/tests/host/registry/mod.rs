//! A registry of several threads.

mod load;
mod subscriptions;
mod threads;
mod toolboxes;

use helix_skills_agent::RegistryChange;
use helix_skills_host::SharedRegistry;
use helix_skills_runtime::{Skill, SkillBuf};

/// A skill of this name, and a body that tells which one it is.
fn skill(name: &str, about: &str) -> SkillBuf {
    Skill::define(name, about, &format!("Do as {about}")).try_build().unwrap().into()
}

fn names(registry: &SharedRegistry) -> Vec<String> {
    registry.snapshot().names().map(str::to_owned).collect()
}

/// A change in one line: `+added ~replaced -removed`.
fn told(change: &RegistryChange) -> String {
    let signs = [("+", &change.added), ("~", &change.replaced), ("-", &change.removed)];
    let names = signs
        .iter()
        .flat_map(|(sign, names)| names.iter().map(move |name| format!("{sign}{name}")));
    names.collect::<Vec<_>>().join(" ")
}
