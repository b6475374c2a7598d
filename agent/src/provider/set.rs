//! Sets of skills as providers.

use super::{BoxFuture, Provided, Provider, ProviderRequest};
use alloc::{boxed::Box, vec::Vec};
use helix_skills_runtime::{
    __internal::{Parts, parts, skill},
    Resource, Skill, SkillBuf, SkillSet, SkillSetBuf,
};

/// Returns a skill without its body and the contents of its files. The paths stay, because a
/// toolbox offers the tool that reads files only if there are files.
fn catalog_level(whole: &Skill<'_>) -> SkillBuf {
    let resources = paths(whole);
    skill(Parts {
        frontmatter: "",
        body: "",
        trailing: "",
        loaded: None,
        resources: &resources,
        ..parts(whole)
    })
    .into()
}

/// Returns a skill without the contents of its files.
fn body_level(whole: &Skill<'_>) -> SkillBuf {
    skill(Parts { resources: &paths(whole), ..parts(whole) }).into()
}

/// Returns the files of a skill without their contents.
fn paths<'a>(whole: &Skill<'a>) -> Vec<Resource<'a>> {
    whole.resources().iter().map(|file| Resource::from_text(file.path(), "")).collect()
}

impl Provider for SkillSet<'_> {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async {
            let listed = Provided::from(self.iter().map(catalog_level).collect::<Vec<_>>());
            Ok(Provided { is_fixed: true, ..listed.check_directories(request) })
        })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<SkillBuf>> {
        Box::pin(async { Ok(self.get(name).map(body_level)) })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async {
            Ok(self
                .get(skill)
                .and_then(|skill| skill.resource(path))
                .map(|file| file.bytes().to_vec()))
        })
    }
}

impl Provider for SkillSetBuf {
    fn list<'p>(&'p self, request: &'p ProviderRequest) -> BoxFuture<'p, Provided> {
        Box::pin(async {
            let listed = OwnedSkill::list(self.iter()).check_directories(request);
            Ok(Provided { is_fixed: true, ..listed })
        })
    }

    fn load<'p>(
        &'p self,
        name: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<SkillBuf>> {
        Box::pin(async { Ok(OwnedSkill(self.get(name)).load()) })
    }

    fn read<'p>(
        &'p self,
        skill: &'p str,
        path: &'p str,
        _: &'p ProviderRequest,
    ) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async { Ok(OwnedSkill(self.get(skill)).read(path)) })
    }
}

/// A skill, if there is one, of a provider that owns its skills in memory.
pub(crate) struct OwnedSkill<'s>(pub(crate) Option<&'s SkillBuf>);

impl OwnedSkill<'_> {
    pub(crate) fn list<'s>(skills: impl Iterator<Item = &'s SkillBuf>) -> Provided {
        let listed = skills.map(|skill| skill.view(|skill| catalog_level(&skill)));
        listed.collect::<Vec<_>>().into()
    }

    pub(crate) fn load(&self) -> Option<SkillBuf> {
        self.0.map(|skill| skill.view(|skill| body_level(&skill)))
    }

    pub(crate) fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.and_then(|skill| skill.resource(path)).map(|file| file.bytes().to_vec())
    }
}
