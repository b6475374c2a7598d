//! A registry as a provider of its current skills.

use super::Registry;
use crate::{
    BoxFuture, Provided, Provider, ProviderRequest, provider::OwnedSkill, run::InputContract,
};
use alloc::{boxed::Box, sync::Arc, vec::Vec};
use helix_skills_runtime::SkillBuf;

impl Provider for Registry {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async {
            let mut provided = OwnedSkill::list(self.iter().map(Arc::as_ref));
            // The paths let the toolbox offer its tool that reads files.
            provided
                .skills
                .iter_mut()
                .zip(&self.0)
                .for_each(|(skill, entry)| entry.list_lazy(skill));
            Ok(provided.check_directories(request))
        })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<SkillBuf>> {
        Box::pin(async {
            Ok(OwnedSkill(self.entry(name).map(|entry| entry.listed()).as_deref()).load())
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            match self.entry(skill).and_then(|entry| entry.read(path)) {
                Some(reading) => reading.await.map(Some),
                None => Ok(OwnedSkill(self.get(skill).map(Arc::as_ref)).read(path)),
            }
        })
    }

    fn input<'p>(
        &'p self,
        skill: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<InputContract>> {
        Box::pin(async { Ok(self.entry(skill).and_then(|entry| entry.contract().cloned())) })
    }
}
