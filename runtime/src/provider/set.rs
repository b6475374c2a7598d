//! A set as a provider: everything is at hand.

use super::{Pending, Provided, Provider};
use crate::{Resource, Skill, SkillBuf, SkillSet, SkillSetBuf, parts::Parts};
use alloc::{boxed::Box, vec::Vec};

/// What a catalog needs.
pub(crate) fn first_level(skill: &Skill<'_>) -> SkillBuf {
    Skill(Parts { frontmatter: "", body: "", trailing: "", loaded: None, resources: &[], ..skill.0 }).into()
}

/// Without the contents of the files.
pub(crate) fn second_level(skill: &Skill<'_>) -> SkillBuf {
    let resources: Vec<_> = skill.resources().iter().map(|file| Resource::of_text(file.path(), "")).collect();
    Skill(Parts { resources: &resources, ..skill.0 }).into()
}

impl Provider for SkillSet<'_> {
    fn list(&self) -> Pending<'_, Provided> {
        Box::pin(async { Ok(self.iter().map(first_level).collect::<Vec<_>>().into()) })
    }

    fn load<'p>(&'p self, name: &'p str) -> Pending<'p, Option<SkillBuf>> {
        Box::pin(async { Ok(self.get(name).map(second_level)) })
    }

    fn read<'p>(&'p self, skill: &'p str, path: &'p str) -> Pending<'p, Option<Vec<u8>>> {
        Box::pin(async { Ok(self.get(skill).and_then(|skill| skill.resource(path)).map(|file| file.bytes().to_vec())) })
    }
}

impl Provider for SkillSetBuf {
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
