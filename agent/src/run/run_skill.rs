//! The skill of a run: borrowed, shared or owned.

use alloc::sync::Arc;
use helix_skills_runtime::{Skill, SkillBuf};

/// A skill that is borrowed, shared or owned: the argument of [`Run::new`](super::Run::new).
#[derive(Clone, Debug)]
pub struct RunSkill<'a>(SkillHandle<'a>);

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a typed skill is a constant, which cannot allocate")]
enum SkillHandle<'a> {
    Borrowed(Skill<'a>),
    Lent(&'a SkillBuf),
    Owned(Arc<SkillBuf>),
}

impl<'a> RunSkill<'a> {
    pub(super) const fn borrowed(skill: Skill<'a>) -> Self {
        Self(SkillHandle::Borrowed(skill))
    }

    /// Returns a reference to the same skill.
    #[cfg(feature = "serde")]
    pub(super) fn lend(&self) -> RunSkill<'_> {
        RunSkill(match &self.0 {
            SkillHandle::Borrowed(skill) => SkillHandle::Borrowed(*skill),
            SkillHandle::Lent(skill) => SkillHandle::Lent(skill),
            SkillHandle::Owned(skill) => SkillHandle::Lent(skill),
        })
    }

    /// Returns a skill that owns its text.
    #[cfg(feature = "schemars")]
    pub(super) fn into_owned(self) -> Arc<SkillBuf> {
        match self.0 {
            SkillHandle::Borrowed(skill) => skill.into(),
            SkillHandle::Lent(skill) => skill.clone().into(),
            SkillHandle::Owned(skill) => skill,
        }
    }

    pub(super) fn name(&self) -> &str {
        match &self.0 {
            SkillHandle::Borrowed(skill) => skill.name(),
            SkillHandle::Lent(skill) => skill.name(),
            SkillHandle::Owned(skill) => skill.name(),
        }
    }

    /// Returns the directory that the skill was loaded from.
    pub(super) fn directory(&self) -> Option<&str> {
        match &self.0 {
            SkillHandle::Borrowed(_) => None,
            SkillHandle::Lent(skill) => skill.directory(),
            SkillHandle::Owned(skill) => skill.directory(),
        }
    }

    pub(super) fn view<R>(&self, read: impl FnOnce(Skill<'_>) -> R) -> R {
        match &self.0 {
            SkillHandle::Borrowed(skill) => read(*skill),
            SkillHandle::Lent(skill) => skill.view(read),
            SkillHandle::Owned(skill) => skill.view(read),
        }
    }
}

impl<'a> From<Skill<'a>> for RunSkill<'a> {
    fn from(skill: Skill<'a>) -> Self {
        Self::borrowed(skill)
    }
}

impl<'a> From<&Skill<'a>> for RunSkill<'a> {
    fn from(skill: &Skill<'a>) -> Self {
        Self::borrowed(*skill)
    }
}

impl<'a> From<&'a SkillBuf> for RunSkill<'a> {
    fn from(skill: &'a SkillBuf) -> Self {
        Self(SkillHandle::Lent(skill))
    }
}

impl From<SkillBuf> for RunSkill<'_> {
    fn from(skill: SkillBuf) -> Self {
        Arc::new(skill).into()
    }
}

/// Shares a skill of a registry. Later changes of the registry do not affect the run.
impl From<Arc<SkillBuf>> for RunSkill<'_> {
    fn from(skill: Arc<SkillBuf>) -> Self {
        Self(SkillHandle::Owned(skill))
    }
}

impl From<&Arc<SkillBuf>> for RunSkill<'_> {
    fn from(skill: &Arc<SkillBuf>) -> Self {
        Arc::clone(skill).into()
    }
}
