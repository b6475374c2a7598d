//! A set of skills, owned.

use super::{SkillBuf, lists::Lists};
use crate::{DuplicateSkill, Skill, SkillSet};
use alloc::{
    borrow::ToOwned,
    boxed::Box,
    string::String,
    vec::{self, Vec},
};
use core::{fmt, slice};

/// Skills that own their text, sorted by name, each name once.
///
/// Everything that reads a set takes a [`SkillSet`]: a `SkillSetBuf` lends one.
///
/// ```
/// use helix_skills::{Skill, SkillBuf, SkillSetBuf};
///
/// let rows = [("pdf", "Reads PDF files."), ("csv", "Reads CSV files.")]; // of a database
/// let skills = rows.map(|(name, about)| SkillBuf::from(Skill::define(name, about, "…").build()));
/// let mut set = SkillSetBuf::try_from_iter(skills.clone())?;
/// assert!(set.view(|set| set.catalog().to_string()).ends_with("- csv: Reads CSV files.\n- pdf: Reads PDF files.\n"));
///
/// let [pdf, _] = skills;
/// assert_eq!(set.insert(pdf).unwrap_err().to_string(), "two skills have the name `pdf`");
/// # Ok::<(), helix_skills::define::DuplicateSkill>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct SkillSetBuf(Vec<SkillBuf>);

impl SkillSetBuf {
    /// No skills.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// A set of skills in any order.
    ///
    /// # Errors
    /// When two skills have one name.
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

    /// The skill called `name`, exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SkillBuf> {
        self.0.get(self.position_of(name).ok()?)
    }

    /// Adds a skill.
    ///
    /// # Errors
    /// When there is a skill of this name, which stays; [`replace`](Self::replace) takes its place.
    pub fn insert(&mut self, skill: SkillBuf) -> Result<(), DuplicateSkill> {
        match self.position_of(skill.name()) {
            Ok(_) => Err(DuplicateSkill::new(skill.name())),
            Err(at) => {
                self.0.insert(at, skill);
                Ok(())
            }
        }
    }

    /// Adds a skill in the place of the one of the same name, which is returned.
    pub fn replace(&mut self, skill: SkillBuf) -> Option<SkillBuf> {
        match self.position_of(skill.name()) {
            Ok(at) => Some(core::mem::replace(&mut self.0[at], skill)),
            Err(at) => {
                self.0.insert(at, skill);
                None
            }
        }
    }

    /// Takes a skill out.
    pub fn remove(&mut self, name: &str) -> Option<SkillBuf> {
        self.position_of(name).ok().map(|at| self.0.remove(at))
    }

    /// The skills, sorted by the bytes of their names.
    pub fn iter(&self) -> slice::Iter<'_, SkillBuf> {
        self.0.iter()
    }

    /// The names, sorted by their bytes.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator + Clone {
        self.0.iter().map(SkillBuf::name)
    }

    /// How many skills.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no skill.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Calls `read` with the set. Lists of borrowed texts are made for each skill, the texts are not copied.
    pub fn view<R>(&self, read: impl FnOnce(SkillSet<'_>) -> R) -> R {
        view_all(self.0.iter(), read)
    }

    /// The set for the rest of the program: its memory is never freed. For sets that are made once, at the start.
    #[must_use = "the memory is lost"]
    pub fn leak(self) -> SkillSet<'static> {
        let skills: Vec<Skill<'static>> = self.0.into_iter().map(SkillBuf::leak).collect();
        SkillSet::new(Box::leak(skills.into_boxed_slice()))
    }

    /// Where the skill of this name is, or would be.
    fn position_of(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|skill| skill.name().cmp(name))
    }
}

/// A set of the first skill of each name, and the names of the others.
#[must_use]
pub fn first_of_each_name(mut skills: Vec<SkillBuf>) -> (SkillSetBuf, Vec<String>) {
    // A stable sort keeps the first one first. Inserting them one by one would move each many times.
    skills.sort_by(|a, b| a.name().cmp(b.name()));
    let mut repeated = Vec::new();
    skills.dedup_by(|later, first| {
        let is_repeated = later.name() == first.name();
        if is_repeated {
            repeated.push(later.name().to_owned());
        }
        is_repeated
    });
    (SkillSetBuf(skills), repeated)
}

/// Calls `read` with a set of skills that are sorted by name, each name once.
pub fn view_all<'s, R>(
    skills: impl Iterator<Item = &'s SkillBuf> + Clone,
    read: impl FnOnce(SkillSet<'_>) -> R,
) -> R {
    let lists: Vec<_> = skills.clone().map(|skill| Lists::new(&skill.0)).collect();
    let skills: Vec<_> = skills.zip(&lists).map(|(skill, lists)| lists.skill(&skill.0)).collect();
    read(SkillSet::new(&skills))
}

/// Copies everything that the skills borrow. The content of lazy resources is asked for.
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
