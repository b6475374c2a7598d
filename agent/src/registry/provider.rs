//! A registry as a provider of its current skills.

use super::Registry;
use crate::{BoxFuture, Provided, Provider, ProviderRequest, run::InputContract};
use alloc::{boxed::Box, vec::Vec};
use helix_skills_runtime::Skill;

impl Provider for Registry {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async {
            // The paths of lazy files let the toolbox offer its tool that reads files.
            let listed = self.skills.iter().zip(&self.data).map(|(skill, data)| data.listed(skill));
            Ok(Provided::from(listed.collect::<Vec<_>>()).check_directories(request))
        })
    }

    fn load<'p>(&'p self, name: &'p str, _: &'p ProviderRequest) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async {
            Ok(self.position(name).ok().map(|at| self.data[at].listed(&self.skills[at])))
        })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            let Ok(at) = self.position(skill) else { return Ok(None) };
            match self.data[at].read(path) {
                Some(reading) => reading.await.map(Some),
                None => Ok(self.skills[at].resource(path).map(|file| file.bytes().to_vec())),
            }
        })
    }

    fn input<'p>(
        &'p self,
        skill: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<InputContract>> {
        Box::pin(async { Ok(self.position(skill).ok().and_then(|at| self.data[at].input.clone())) })
    }
}
