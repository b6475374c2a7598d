//! `SharedRegistry` as a provider of its current skills.

use super::SharedRegistry;
use helix_skills_agent::{BoxFuture, Provided, Provider, ProviderRequest, run::InputContract};
use helix_skills_runtime::Skill;

impl Provider for SharedRegistry {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async { self.snapshot().list(request).await })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { self.snapshot().load(name, request).await })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async { self.snapshot().read(skill, path, request).await })
    }

    fn input<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<InputContract>> {
        Box::pin(async { self.snapshot().input(skill, request).await })
    }

    fn directory<'p>(
        &'p self,
        skill: &'p str,
        request: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<String>> {
        Box::pin(async { self.snapshot().directory(skill, request).await })
    }
}
