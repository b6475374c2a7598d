//! An owned set of skills.

use super::{SkillBuf, lists::Lists};
use crate::{DuplicateSkill, Skill, SkillSet};
use alloc::{
    boxed::Box,
    vec::{self, Vec},
};
use core::{fmt, slice};

/// Skills that own their text, sorted by name, each name once.
///
/// Functions that read a set take a [`SkillSet`], which [`view`](Self::view) lends.
///
/// ```
/// use helix_skills::{Skill, SkillBuf, SkillSetBuf};
///
/// let rows = [("pdf", "Reads PDF files."), ("csv", "Reads CSV files.")]; // from a database
/// let skills = rows.map(|(name, about)| SkillBuf::from(Skill::define(name, about, "A").build()));
/// let mut set = SkillSetBuf::try_from_iter(skills.clone())?;
/// let catalog = set.view(|set| set.catalog().to_string());
/// assert!(catalog.ends_with("- csv: Reads CSV files.\n- pdf: Reads PDF files.\n"));
///
/// let [pdf, _] = skills;
/// assert_eq!(set.insert(pdf).unwrap_err().to_string(), "two skills have the name `pdf`");
/// # Ok::<(), helix_skills::define::DuplicateSkill>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct SkillSetBuf(Vec<SkillBuf>);

impl SkillSetBuf {
    /// Makes an empty set.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Makes a set of skills in any order.
    ///
    /// # Errors
    /// If two skills have the same name.
    pub fn try_from_iter(
        skills: impl IntoIterator<Item = SkillBuf>,
    ) -> Result<Self, DuplicateSkill> {
        let mut skills: Vec<_> = skills.into_iter().collect();
        skills.sort_by(|a, b| a.name().cmp(b.name()));
        match skills.windows(2).find(|pair| pair[0].name() == pair[1].name()) {
            Some(pair) => Err(DuplicateSkill::new(pair[0].name())),
            None => Ok(Self(skills)),
        }
    }

    /// Returns the skill with exactly this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SkillBuf> {
        self.0.get(self.position_of(name).ok()?)
    }

    /// Adds a skill.
    ///
    /// # Errors
    /// If the set has a skill with this name, which stays. Use [`replace`](Self::replace) instead
    /// to replace it.
    pub fn insert(&mut self, skill: SkillBuf) -> Result<(), DuplicateSkill> {
        match self.position_of(skill.name()) {
            Ok(_) => Err(DuplicateSkill::new(skill.name())),
            Err(at) => {
                self.0.insert(at, skill);
                Ok(())
            }
        }
    }

    /// Adds a skill, or replaces the one with the same name, which is returned.
    pub fn replace(&mut self, skill: SkillBuf) -> Option<SkillBuf> {
        match self.position_of(skill.name()) {
            Ok(at) => Some(core::mem::replace(&mut self.0[at], skill)),
            Err(at) => {
                self.0.insert(at, skill);
                None
            }
        }
    }

    /// Removes and returns the skill called `name`.
    pub fn remove(&mut self, name: &str) -> Option<SkillBuf> {
        self.position_of(name).ok().map(|at| self.0.remove(at))
    }

    /// Returns the skills, sorted by the bytes of their names.
    pub fn iter(&self) -> slice::Iter<'_, SkillBuf> {
        self.0.iter()
    }

    /// Returns the names, sorted by their bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.0.iter().map(SkillBuf::name)
    }

    /// Returns the number of skills.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the set has no skills.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `read` with the borrowed set. This allocates slices of borrowed texts for each skill,
    /// but does not copy the texts.
    pub fn view<R>(&self, read: impl FnOnce(SkillSet<'_>) -> R) -> R {
        view_all(self.0.iter(), read)
    }

    /// Leaks the memory of the set. Use it for sets that are made once, at startup.
    #[must_use = "the leaked memory is only reachable through the result"]
    pub fn leak(self) -> SkillSet<'static> {
        let skills: Vec<Skill<'static>> = self.0.into_iter().map(SkillBuf::leak).collect();
        SkillSet::new(Box::leak(skills.into_boxed_slice()))
    }

    /// Returns the position of the skill with this name, or the one where to insert it.
    fn position_of(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|skill| skill.name().cmp(name))
    }
}

/// Returns a set of the first skill of each name, and the others: for each, the first skill of its
/// name and itself, with their positions in `skills`.
#[must_use]
pub fn first_of_each_name(skills: Vec<SkillBuf>) -> (SkillSetBuf, Vec<[(usize, SkillBuf); 2]>) {
    // A stable sort keeps the first skill of each name first. Inserting the skills one by one would
    // be quadratic.
    let mut skills: Vec<_> = skills.into_iter().enumerate().collect();
    skills.sort_by(|(_, a), (_, b)| a.name().cmp(b.name()));
    let mut repeated = Vec::new();
    skills.dedup_by(|later, first| {
        let is_repeated = later.1.name() == first.1.name();
        if is_repeated {
            repeated.push([first.clone(), later.clone()]);
        }
        is_repeated
    });
    (SkillSetBuf(skills.into_iter().map(|(_, skill)| skill).collect()), repeated)
}

/// Calls `read` with a set of the borrowed skills, which are sorted by name, each name once.
pub fn view_all<'s, R>(
    skills: impl Iterator<Item = &'s SkillBuf> + Clone,
    read: impl FnOnce(SkillSet<'_>) -> R,
) -> R {
    let lists: Vec<_> = skills.clone().map(|skill| Lists::new(&skill.0)).collect();
    let skills: Vec<_> = skills.zip(&lists).map(|(skill, lists)| lists.skill(&skill.0)).collect();
    read(SkillSet::new(&skills))
}

/// Copies everything that the skills borrow. Loads the content of lazy resources.
impl From<SkillSet<'_>> for SkillSetBuf {
    fn from(set: SkillSet<'_>) -> Self {
        Self(set.iter().map(|skill| SkillBuf::from(*skill)).collect())
    }
}

impl IntoIterator for SkillSetBuf {
    type Item = SkillBuf;
    type IntoIter = vec::IntoIter<SkillBuf>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a SkillSetBuf {
    type Item = &'a SkillBuf;
    type IntoIter = slice::Iter<'a, SkillBuf>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for SkillSetBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
