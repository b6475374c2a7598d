//! The skill of a run, whoever keeps it.

use alloc::sync::Arc;
use helix_skills_runtime::{Skill, SkillBuf};

/// A skill that is borrowed, lent by its owner, shared, or owned: what [`Run::new`](super::Run::new) takes.
#[derive(Clone, Debug)]
pub struct RunSkill<'a>(SkillHandle<'a>);

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a typed skill is a constant, which has no heap to put it on"
)]
enum SkillHandle<'a> {
    Borrowed(Skill<'a>),
    Lent(&'a SkillBuf),
    Owned(Arc<SkillBuf>),
}

impl<'a> RunSkill<'a> {
    pub(super) const fn borrowed(skill: Skill<'a>) -> Self {
        Self(SkillHandle::Borrowed(skill))
    }

    /// The same for somebody else.
    #[cfg(feature = "serde")]
    pub(super) fn lend(&self) -> RunSkill<'_> {
        RunSkill(match &self.0 {
            SkillHandle::Borrowed(skill) => SkillHandle::Borrowed(*skill),
            SkillHandle::Lent(skill) => SkillHandle::Lent(skill),
            SkillHandle::Owned(skill) => SkillHandle::Lent(skill),
        })
    }

    /// The skill with a text of its own.
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

    /// The directory that the skill was loaded from.
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

/// What a registry hands out: the run keeps it, whatever is registered in the meantime.
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
