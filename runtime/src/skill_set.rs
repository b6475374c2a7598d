//! Sets of skills.

use crate::{
    SearchIndex, Skill,
    baked::{Baked, BakedCatalog},
    body::{FILLED, Fill},
    selection::first_unsorted_name,
};
use alloc::vec::Vec;
use core::{fmt, slice};

/// Skills sorted by name, and their catalog; the result of `include_skills!`.
///
/// ```
/// # use helix_skills::{Skill, SkillSet};
/// # static PDF: [Skill; 1] = [Skill::define("pdf", "Reads PDF files.", "Use it.").build()];
/// # static SKILLS: SkillSet = SkillSet::new(&PDF);
/// // static SKILLS: SkillSet = helix_skills::include_skills!();
/// assert_eq!(SKILLS.names().collect::<Vec<_>>(), ["pdf"]);
/// assert_eq!(SKILLS.get("pdf").map(|skill| skill.description()), Some("Reads PDF files."));
/// assert!(SKILLS.get("PDF").is_none());
/// assert!(SkillSet::EMPTY.catalog().is_empty());
/// ```
#[derive(Clone, Copy)]
pub struct SkillSet<'a> {
    pub(crate) skills: &'a [Skill],
    /// The catalog that the macro rendered.
    pub(crate) catalog: Option<&'a BakedCatalog>,
    /// From the macro, or made at run time.
    pub(crate) index: &'a SearchIndex,
    /// Fills declared arguments into bodies. `None` in a constant without such skills, so that the
    /// program does not link the code that fills.
    pub(crate) fill: Option<Fill>,
}

impl<'a> SkillSet<'a> {
    /// The empty set, with an empty catalog.
    pub const EMPTY: Self =
        Self { skills: &[], catalog: None, index: &SearchIndex::EMPTY, fill: None };

    /// Makes a set of sorted skills.
    ///
    /// [`skill_set!`](crate::skill_set) sorts constants, and [`from_unsorted`](Self::from_unsorted)
    /// sorts at run time.
    ///
    /// # Panics
    /// If the names are not strictly ascending by their bytes; in a `const` or `static`, this is a
    /// compile error.
    #[must_use]
    pub const fn new(skills: &'a [Skill]) -> Self {
        let are_sorted = first_unsorted_name(skills).is_none();
        assert!(are_sorted, "skills must be sorted by name, each name once");
        Self { skills, fill: fill(skills), ..Self::EMPTY }
    }

    /// Returns the skill with exactly this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a Skill> {
        find(self.skills, name)
    }

    /// Returns the skills, sorted by the bytes of their names.
    pub fn iter(&self) -> slice::Iter<'a, Skill> {
        self.skills.iter()
    }

    /// Returns the names, sorted by their bytes.
    pub fn names(
        &self,
    ) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        self.skills.iter().map(Skill::name)
    }

    /// Returns the skills as a vector, to change them. Their text is not copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Skill> {
        self.skills.to_vec()
    }

    /// Returns the number of skills.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.skills.len()
    }

    /// Returns whether the set has no skills.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Sets the search index. A set that was not embedded needs one, made by [`SkillSet::index`].
    ///
    /// ```
    /// # use helix_skills::search::{IndexOptions, SearchOptions};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// let set = skill_set![PDF];
    /// let index = set.index(&IndexOptions::new());
    /// let set = set.with_index(&index);
    /// assert_eq!(set.search("a pdf", &SearchOptions::new()).len(), 1);
    /// ```
    #[must_use]
    pub const fn with_index(mut self, index: &'a SearchIndex) -> Self {
        self.index = index;
        self
    }
}

/// Makes a set of skills that the macro has sorted. Checking their order again would cost time in
/// every build.
#[must_use]
pub const fn set<'a>(skills: &'a [Skill], baked: &'a Baked) -> SkillSet<'a> {
    let (catalog, index) = (baked.catalog.as_ref(), &baked.index);
    SkillSet { skills, catalog, index, fill: fill(skills) }
}

/// Makes a set of skills that are known to be sorted by name, each name once.
#[must_use]
pub const fn sorted_set(skills: &[Skill]) -> SkillSet<'_> {
    SkillSet { skills, fill: Some(FILLED), ..SkillSet::EMPTY }
}

/// Returns the function that fills declared arguments into bodies, if a skill may declare some.
const fn fill(mut skills: &[Skill]) -> Option<Fill> {
    while let [skill, rest @ ..] = skills {
        if skill.may_declare_arguments() {
            return Some(FILLED);
        }
        skills = rest;
    }
    None
}

/// Returns the skill called `name` from skills sorted by name.
pub(crate) fn find<'a>(skills: &'a [Skill], name: &str) -> Option<&'a Skill> {
    let at = skills.binary_search_by(|skill| skill.name().cmp(name)).ok()?;
    skills.get(at)
}

impl fmt::Debug for SkillSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl Default for SkillSet<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<'a> IntoIterator for SkillSet<'a> {
    type Item = &'a Skill;
    type IntoIter = slice::Iter<'a, Skill>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &SkillSet<'a> {
    type Item = &'a Skill;
    type IntoIter = slice::Iter<'a, Skill>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_declared_arguments_refer_to_the_code_that_fills() {
        const PLAIN: Skill = Skill::define("a", "Does it.", "Do it.").build();
        const NAMED: Skill = Skill::define("b", "Does it.", "Do $x.").arguments(&["x"]).build();
        const HINTED: Skill = Skill::define("b", "Does it.", "Do $1.").argument_hint("x").build();
        assert!(SkillSet::new(&[PLAIN]).fill.is_none());
        for declares in [NAMED, HINTED] {
            assert!(SkillSet::new(&[PLAIN, declares]).fill.is_some());
        }
    }
}
