//! Skills in memory as providers.

use super::{Provided, Provider, ProviderWarning};
use crate::BoxFuture;
use alloc::{boxed::Box, vec::Vec};
use helix_skills_runtime::{Profile, Skill, SkillSet};

impl Provider for SkillSet<'_> {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async { Ok(Provided { is_fixed: true, ..in_memory(self.to_vec()) }) })
    }

    fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Ok(self.get(name).cloned()) })
    }
}

/// The skills in any order. If several have the same name, the first one is used.
impl Provider for Vec<Skill> {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async { Ok(Provided { is_fixed: true, ..in_memory(self.clone()) }) })
    }

    fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move { Ok(self.iter().find(|skill| skill.name() == name).cloned()) })
    }
}

/// Returns a list of these skills, with a warning for each whose scripts have no directory to run
/// in.
pub(crate) fn in_memory(skills: Vec<Skill>) -> Provided {
    let has_scripts =
        |skill: &Skill| skill.resources().iter().any(|file| file.path().starts_with("scripts/"));
    let without = skills.iter().filter(|skill| skill.directory().is_none() && has_scripts(skill));
    let warnings = without.map(|skill| ProviderWarning::no_directory(skill.name())).collect();
    Provided { warnings, ..Provided::from(skills) }
}

/// Sorts skills by name, and returns those that repeat a name: for each, the first skill of its
/// name and itself, with their positions in `skills`.
pub(crate) fn first_of_each_name(skills: &mut Vec<Skill>) -> Vec<[(usize, Skill); 2]> {
    // A stable sort keeps the first skill of each name first.
    let mut sorted: Vec<_> = skills.drain(..).enumerate().collect();
    sorted.sort_by(|(_, a), (_, b)| a.name().cmp(b.name()));
    let mut repeated = Vec::new();
    sorted.dedup_by(|later, first| {
        let is_repeated = later.1.name() == first.1.name();
        if is_repeated {
            repeated.push([first.clone(), later.clone()]);
        }
        is_repeated
    });
    skills.extend(sorted.into_iter().map(|(_, skill)| skill));
    repeated
}
