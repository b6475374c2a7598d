//! Skills of a set from names and descriptions.

use helix_skills_runtime::{__internal::Parts, Skill};

/// Returns skills of these names and descriptions for a set: by name, and each name once.
pub fn sorted<'s>(skills: impl Iterator<Item = (&'s str, &'s str)>) -> Vec<Skill> {
    let mut sorted: Vec<Skill> = skills
        .map(|(name, description)| Parts { name, description, ..Parts::EMPTY }.into())
        .collect();
    sorted.sort_by(|one, other| one.name().cmp(other.name()));
    sorted.dedup_by(|one, other| one.name() == other.name());
    sorted
}
