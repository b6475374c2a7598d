//! A registry as a provider of its current skills.

use super::{Registry, RegistryEntry};
use crate::{BoxFuture, Provided, Provider, provider::in_memory, run::Shape};
use alloc::{boxed::Box, vec::Vec};
use helix_skills_runtime::{Profile, Skill};

impl Provider for Registry {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        // The paths of lazy files let the toolbox offer its tool that reads files.
        Box::pin(async { Ok(in_memory(self.entries.iter().map(RegistryEntry::listed).collect())) })
    }

    fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Ok(self.entry(name).map(RegistryEntry::listed)) })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: Profile,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async move {
            let Some(entry) = self.entry(skill) else { return Ok(None) };
            match entry.read(path) {
                Some(reading) => reading.await.map(Some),
                None => Ok(entry.skill.resource(path).map(|file| file.bytes().to_vec())),
            }
        })
    }

    fn input<'p>(&'p self, skill: &'p str, _: Profile) -> BoxFuture<'p, Option<Shape>> {
        Box::pin(async { Ok(self.entry(skill).and_then(|entry| entry.contract.clone())) })
    }
}
