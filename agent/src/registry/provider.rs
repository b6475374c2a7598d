//! A registry as a provider: what it has when it is asked.

use super::Registry;
use crate::{Pending, Provided, Provider, ProviderRequest, provider::Owned};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use helix_skills_runtime::SkillBuf;

impl Provider for Registry {
    fn list<'p>(&'p self, _: &'p ProviderRequest) -> Pending<'p, Provided> {
        Box::pin(async { Ok(Owned::list(self.iter().map(Arc::as_ref))) })
    }

    fn load<'p>(&'p self, name: &'p str, _: &'p ProviderRequest) -> Pending<'p, Option<SkillBuf>> {
        Box::pin(async { Ok(Owned(self.get(name).map(Arc::as_ref)).load()) })
    }

    fn read<'p>(&'p self, skill: &'p str, path: &'p str, _: &'p ProviderRequest) -> Pending<'p, Option<Vec<u8>>> {
        Box::pin(async { Ok(Owned(self.get(skill).map(Arc::as_ref)).read(path)) })
    }
}
