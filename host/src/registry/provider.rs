//! `SharedRegistry` as a provider of its current skills.

use super::SharedRegistry;
use helix_skills_agent::{BoxFuture, Provided, Provider, run::Shape};
use helix_skills_runtime::{Profile, Skill};

impl Provider for SharedRegistry {
    fn list(&self, profile: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async move { self.snapshot().list(profile).await })
    }

    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async move { self.snapshot().load(name, profile).await })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        profile: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move { self.snapshot().read(skill, path, profile).await })
    }

    fn input<'p>(&'p self, skill: &'p str, profile: Profile) -> BoxFuture<'p, Option<Shape>> {
        Box::pin(async move { self.snapshot().input(skill, profile).await })
    }
}
