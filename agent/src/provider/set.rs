//! Skills in memory as providers.

use super::{BoxFuture, Provided, Provider, ProviderRequest};
use alloc::{boxed::Box, vec::Vec};
use helix_skills_runtime::{Skill, SkillSet};

impl Provider for SkillSet<'_> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async { Ok(fixed(self.to_vec(), request)) })
    }

    fn load<'p>(&'p self, name: &'p str, _: &'p ProviderRequest) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Ok(self.get(name).cloned()) })
    }
}

/// The skills in any order. If several have the same name, the first one is used.
impl Provider for Vec<Skill> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async { Ok(fixed(self.clone(), request)) })
    }

    fn load<'p>(&'p self, name: &'p str, _: &'p ProviderRequest) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move { Ok(self.iter().find(|skill| skill.name() == name).cloned()) })
    }
}

/// Returns a list that never changes.
fn fixed(skills: Vec<Skill>, request: &ProviderRequest) -> Provided {
    Provided { is_fixed: true, ..Provided::from(skills).check_directories(request) }
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
