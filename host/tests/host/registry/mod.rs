//! A registry that is shared between threads.

mod load;
mod subscriptions;
mod threads;
mod toolboxes;

use helix_skills_agent::RegistryChange;
use helix_skills_host::SharedRegistry;
use helix_skills_runtime::Skill;

/// Returns a skill with this name and a body that identifies it.
fn skill(name: &str, about: &str) -> Skill {
    Skill::define(name, about, &format!("Do as {about}")).try_build().unwrap()
}

fn names(registry: &SharedRegistry) -> Vec<String> {
    registry.snapshot().set().names().map(str::to_owned).collect()
}

/// Formats a change as one line: `+added ~replaced -removed`.
fn change_line(change: &RegistryChange) -> String {
    let signs = [("+", &change.added), ("~", &change.replaced), ("-", &change.removed)];
    let names = signs
        .iter()
        .flat_map(|(sign, names)| names.iter().map(move |name| format!("{sign}{name}")));
    names.collect::<Vec<_>>().join(" ")
}
