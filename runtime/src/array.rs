//! Sets of skills in an array.

use crate::{
    Error, ErrorKind, Excerpt, Skill, SkillSet, message::Message, order::sorted, parts::Parts,
    scalars::less, selection::first_unsorted_name, skill::skill,
};
use alloc::format;
use core::{
    mem::{self, ManuallyDrop},
    ops::RangeTo,
    slice,
};

/// Makes a [`SkillSet<'static>`](SkillSet) of skills, sorted at compile time.
///
/// The skills are constants, defined in code or embedded, in any order, themselves or by reference.
/// `..SET` adds the skills of another set. The result is a constant expression.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet};
///
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
/// static SKILLS: SkillSet = skill_set![PDF, CSV];
/// assert_eq!(SKILLS.names().collect::<Vec<_>>(), ["csv", "pdf"]);
/// assert!(skill_set![].is_empty());
///
/// // A set of `include_skills!` and your own skills.
/// # const REVIEW: Skill = Skill::define("review", "Reviews code.", "Read it.").build();
/// # const BAKED: SkillSet = skill_set![REVIEW];
/// static ALL: SkillSet = skill_set![..BAKED, PDF, CSV];
/// assert_eq!(ALL.names().collect::<Vec<_>>(), ["csv", "pdf", "review"]);
/// ```
///
/// Two skills with the same name do not compile:
///
/// ```compile_fail
/// # use helix_skills::{Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// static SKILLS: SkillSet = skill_set![PDF, PDF]; // error: two skills have the name `pdf`
/// ```
#[macro_export]
macro_rules! skill_set {
    ($($item:expr),* $(,)?) => {{
        // Items of a macro are visible to its arguments, so their names must not be common.
        const __HELIX_SKILLS_ITEMS: &[$crate::__private::SetItem] =
            &[$($crate::__private::IntoSetItem::new($item).item()),*];
        const __HELIX_SKILLS_COUNT: usize = $crate::__private::count_skills(__HELIX_SKILLS_ITEMS);
        const __HELIX_SKILLS_ALL: &[$crate::Skill] =
            &$crate::__private::sorted_skills::<__HELIX_SKILLS_COUNT>(__HELIX_SKILLS_ITEMS);
        const __HELIX_SKILLS_SET: $crate::SkillSet<'static> = $crate::SkillSet::new(__HELIX_SKILLS_ALL);
        __HELIX_SKILLS_SET
    }};
}

/// An item of [`skill_set!`].
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "an item is a constant, which cannot allocate")]
pub enum SetItem {
    /// A skill.
    Skill(Skill),
    /// A reference to a skill, or the skills of a set.
    Skills(&'static [Skill]),
}

impl SetItem {
    const fn skills(&self) -> &[Skill] {
        match self {
            Self::Skill(skill) => slice::from_ref(skill),
            Self::Skills(skills) => skills,
        }
    }
}

/// What is written in [`skill_set!`]: a skill, a reference to one, or `..SET`.
///
/// The type decides which method is called, because traits have no constant functions and a macro
/// matches `..SET` like any other expression.
#[derive(Debug)]
pub struct IntoSetItem<T>(ManuallyDrop<T>);

impl<T> IntoSetItem<T> {
    /// Wraps what is written. A constant expression cannot drop it.
    #[must_use]
    pub const fn new(written: T) -> Self {
        Self(ManuallyDrop::new(written))
    }
}

impl IntoSetItem<Skill> {
    /// Returns the skill.
    #[must_use]
    pub const fn item(self) -> SetItem {
        SetItem::Skill(ManuallyDrop::into_inner(self.0))
    }
}

impl IntoSetItem<&'static Skill> {
    /// Returns the skill.
    #[must_use]
    pub const fn item(self) -> SetItem {
        SetItem::Skills(slice::from_ref(ManuallyDrop::into_inner(self.0)))
    }
}

impl IntoSetItem<RangeTo<SkillSet<'static>>> {
    /// Returns the skills of the set.
    #[must_use]
    pub const fn item(self) -> SetItem {
        SetItem::Skills(ManuallyDrop::into_inner(self.0).end.skills)
    }
}

/// Counts the skills of all items of [`skill_set!`].
#[must_use]
pub const fn count_skills(items: &[SetItem]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < items.len() {
        count += items[at].skills().len();
        at += 1;
    }
    count
}

/// Sorts the skills of all items of [`skill_set!`] by name. `N` is their number.
///
/// # Panics
/// If two skills have the same name.
#[must_use]
#[track_caller]
pub const fn sorted_skills<const N: usize>(items: &[SetItem]) -> [Skill; N] {
    let mut skills = [const { skill(Parts::EMPTY) }; N];
    let (mut filled, mut item) = (0, 0);
    while item < items.len() {
        let copied = items[item].skills();
        let mut at = 0;
        while at < copied.len() {
            let copy = copied[at].const_clone();
            mem::forget(mem::replace(&mut skills[filled], copy));
            filled += 1;
            at += 1;
        }
        item += 1;
    }
    let skills = sorted!(skills, a, b => less(a.name(), b.name()));
    if let Some(name) = first_unsorted_name(&skills) {
        panic!("{}", Message::new("two skills have the name ").quoted(name).as_str());
    }
    skills
}

impl<'a> SkillSet<'a> {
    /// Sorts skills that are known only at run time, in place, and makes a set of them.
    ///
    /// [`skill_set!`] does the same for constants.
    ///
    /// ```
    /// use helix_skills::{Skill, SkillSet};
    ///
    /// let about = String::from("Reads CSV files.");
    /// let pdf = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
    /// let csv = Skill::define("csv", &about, "Use `xsv`.").try_build()?;
    ///
    /// let mut skills = [pdf.clone(), csv];
    /// let set = SkillSet::from_unsorted(&mut skills)?;
    /// assert_eq!(set.names().collect::<Vec<_>>(), ["csv", "pdf"]);
    ///
    /// let error = SkillSet::from_unsorted(&mut [pdf.clone(), pdf]).unwrap_err();
    /// assert_eq!(error.to_string(), "two skills have the name `pdf`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If two skills have the same name.
    pub fn from_unsorted(skills: &'a mut [Skill]) -> Result<Self, Error> {
        skills.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        match first_unsorted_name(skills) {
            Some(name) => Err(duplicate_name(name)),
            None => Ok(Self::new(skills)),
        }
    }
}

fn duplicate_name(name: &str) -> Error {
    Error::new(ErrorKind::Duplicate, format!("two skills have the name `{}`", Excerpt(name)))
}
