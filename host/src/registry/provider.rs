//! A shared registry as a provider: what it has when it is asked.

use super::SharedRegistry;
use helix_skills_agent::{Pending, Provided, Provider, ProviderRequest, run::InputContract};
use helix_skills_runtime::SkillBuf;
use std::path::Path;

impl Provider for SharedRegistry {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> Pending<'p, Provided> {
        Box::pin(async { self.snapshot().list(request).await })
    }

    fn load<'p>(&'p self, name: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<SkillBuf>> {
        Box::pin(async { self.snapshot().load(name, request).await })
    }

    fn read<'p>(&'p self, skill: &'p str, path: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<Vec<u8>>> {
        Box::pin(async { self.snapshot().read(skill, path, request).await })
    }

    fn input<'p>(&'p self, skill: &'p str, request: &'p ProviderRequest) -> Pending<'p, Option<InputContract>> {
        Box::pin(async { self.snapshot().input(skill, request).await })
    }

    /// Where a skill of a directory was loaded from.
    fn directory<'p>(&'p self, skill: &'p str, _: &'p ProviderRequest) -> Pending<'p, Option<String>> {
        Box::pin(async {
            let registry = self.snapshot();
            // A path that is no UTF-8 is kept for people alone.
            let is_path =
                |origin: &&str| Path::new(origin).is_absolute() && !origin.contains(char::REPLACEMENT_CHARACTER);
            Ok(registry.origin(skill).filter(is_path).map(str::to_owned))
        })
    }
}
