//! The skills of an agent.

use crate::{
    Catalog, Hit, LoadError, LoadedSkill, ReadError, SearchIndex, SearchOptions, Skill, SkillFile,
    Toolbox, parts::Baked, scalars::less,
};
use core::{fmt, iter::FusedIterator, slice};

/// Skills sorted by name, and their catalog: what `include_skills!` yields.
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
    pub(crate) skills: &'a [Skill<'a>],
    /// What the macro made of them.
    pub(crate) baked: Option<&'a Baked<'a>>,
    /// Made by the macro, or at run time.
    pub(crate) index: SearchIndex<'a>,
}

impl<'a> SkillSet<'a> {
    /// No skills: nothing in the prompt, nothing to load.
    pub const EMPTY: Self = Self { skills: &[], baked: None, index: SearchIndex::EMPTY };

    /// A set of `skills`.
    ///
    /// # Panics
    /// When the names are not strictly ascending by their bytes. In a `const` or `static` that is a compile error.
    #[must_use]
    pub const fn new(skills: &'a [Skill<'a>]) -> Self {
        let mut next = 1;
        while next < skills.len() {
            let ascending = less(skills[next - 1].name(), skills[next].name());
            assert!(ascending, "skills must be sorted by name, each name once");
            next += 1;
        }
        Self { skills, baked: None, index: SearchIndex::EMPTY }
    }

    /// The skill called `name`, exactly.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a Skill<'a>> {
        find(self.skills, name)
    }

    /// The skills, sorted by the bytes of their names.
    pub fn iter(&self) -> Iter<'a> {
        Iter(self.skills.iter())
    }

    /// The names, sorted by their bytes.
    pub fn names(
        &self,
    ) -> impl ExactSizeIterator<Item = &'a str> + DoubleEndedIterator + Clone + use<'a> {
        self.skills.iter().map(Skill::name)
    }

    /// How many skills.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.skills.len()
    }

    /// Whether there is no skill.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// Level 1: the section for the system prompt that names and describes every skill a model may load, ready to be
    /// appended. Empty when there is none. The same bytes in every build and every call.
    #[must_use]
    pub const fn catalog(&self) -> Catalog<'a> {
        Toolbox::new(*self).catalog()
    }

    /// The index to search with; empty for a set that was not baked and was given none.
    #[must_use]
    pub const fn search_index(&self) -> SearchIndex<'a> {
        self.index
    }

    /// The same set with another index: one that [`SkillSet::index`] made of it, as every set needs that was not baked.
    ///
    /// ```
    /// # use helix_skills::{search::{Hit, IndexOptions, SearchOptions}, Skill, skill_set, SkillSet};
    /// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// let set = skill_set![PDF];
    /// let index = set.index(&IndexOptions::new());
    /// let set = set.with_index(index.as_index());
    /// assert_eq!(set.search("a pdf", &SearchOptions::new(), &mut [Hit::default(); Hit::TOP]).len(), 1);
    /// ```
    #[must_use]
    pub const fn with_index(mut self, index: SearchIndex<'a>) -> Self {
        self.index = index;
        self
    }

    /// The skills that answer `query` best, best first, as many as `out` has room for, by their positions in the set. Only
    /// those that models may load.
    #[must_use]
    pub fn search<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        Toolbox::new(*self).search(query, options, out)
    }

    /// Level 2: the body of the skill `name` between its tags, and the paths of its files.
    ///
    /// # Errors
    /// When no skill has this name, or its author set `disable-model-invocation`. The error's text is meant for the
    /// model: an unknown name is answered with the names there are.
    pub fn load_skill(&self, name: &str) -> Result<LoadedSkill<'a>, LoadError<'a>> {
        Toolbox::new(*self).load_skill(name)
    }

    /// Level 3: one text file of the skill `skill`, between tags that mark it as data. `path` is relative to the
    /// skill; `SKILL.md` itself can be read.
    ///
    /// # Errors
    /// When there is no such skill for models, `path` leaves the skill or names no file of it, or the file is not
    /// text. The error's text is meant for the model.
    pub fn read_skill_file(&self, skill: &str, path: &str) -> Result<SkillFile<'a>, ReadError<'a>> {
        Toolbox::new(*self).read_skill_file(skill, path)
    }
}

/// The skill called `name` among skills that are sorted by name.
pub(crate) fn find<'a>(skills: &'a [Skill<'a>], name: &str) -> Option<&'a Skill<'a>> {
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

/// The skills of a [`SkillSet`], sorted by name.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// for skill in SKILLS {
///     println!("{}: {} files", skill.name(), skill.resources().len());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Iter<'a>(slice::Iter<'a, Skill<'a>>);

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Skill<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for Iter<'_> {}
impl FusedIterator for Iter<'_> {}

impl<'a> IntoIterator for SkillSet<'a> {
    type Item = &'a Skill<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &SkillSet<'a> {
    type Item = &'a Skill<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
