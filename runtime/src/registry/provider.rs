//! A registry as a provider: what it has when it is asked.

use super::Registry;
use crate::{
    Pending, Provided, Provider, SkillBuf,
    provider::{first_level, second_level},
};
use alloc::{boxed::Box, vec::Vec};

impl Provider for Registry {
    fn list(&self) -> Pending<'_, Provided> {
        Box::pin(async {
            Ok(self.iter().map(|skill| skill.view(|skill| first_level(&skill))).collect::<Vec<_>>().into())
        })
    }

    fn load<'p>(&'p self, name: &'p str) -> Pending<'p, Option<SkillBuf>> {
        Box::pin(async { Ok(self.get(name).map(|skill| skill.view(|skill| second_level(&skill)))) })
    }

    fn read<'p>(&'p self, skill: &'p str, path: &'p str) -> Pending<'p, Option<Vec<u8>>> {
        Box::pin(async { Ok(self.get(skill).and_then(|skill| skill.resource(path)).map(|file| file.bytes().to_vec())) })
    }
}
