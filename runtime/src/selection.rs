//! Selections of skills by name.

use crate::{Skill, order::first, scalars::less};
use alloc::{string::String, vec::Vec};
use core::fmt;

/// A list of skills: names from a configuration, or skills that the compiler knows.
///
/// The skills may be in any order. Lookups in long lists are faster if they are sorted by name.
///
/// ```
/// # use helix_skills::{Selection, Skill};
/// # const DEPLOY_RUNBOOK: &Skill =
/// #     &Skill::define("deploy-runbook", "Reads PDF files.", "Use it.").build();
/// let by_name = Selection::from(&["deploy-runbook"]);
/// let typed = Selection::from(&[DEPLOY_RUNBOOK]); // a constant of `include_skills!(mod skills)`
/// assert!(by_name.names().eq(typed.names()));
/// let configured = vec!["deploy-runbook".to_owned()];
/// assert!(Selection::from(&configured).names().eq(typed.names()));
/// assert_eq!(Selection::NONE.names().len(), 0); // as an allow-list, it allows no skill
/// ```
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    inner: Inner<'a>,
    /// Whether the names are strictly ascending by their bytes.
    is_sorted: bool,
}

/// Maximum number of names for which a linear search is faster than a binary one.
const MAX_LINEAR: usize = 16;

/// The names as the caller passed them.
#[derive(Clone, Copy)]
enum Inner<'a> {
    Names(&'a [&'a str]),
    Owned(&'a [String]),
    Skills(&'a [Skill]),
    References(&'a [&'a Skill]),
}

impl<'a> Selection<'a> {
    /// A selection of no skills.
    pub const NONE: Self = Self::from_names(&[]);

    const fn new(inner: Inner<'a>) -> Self {
        Self { inner, is_sorted: inner.first_unsorted_name().is_none() }
    }

    /// Selects skills by name.
    pub(crate) const fn from_names(names: &'a [&'a str]) -> Self {
        Self::new(Inner::Names(names))
    }

    /// Returns the number of selected skills.
    pub(crate) const fn len(&self) -> usize {
        self.inner.len()
    }

    /// Returns whether no skill is selected.
    pub(crate) const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the names, in the order of the list.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        let inner = self.inner;
        (0..self.len()).map(move |at| inner.name(at))
    }

    /// Returns the name at a position.
    pub(crate) fn get(&self, at: usize) -> Option<&'a str> {
        (at < self.len()).then(|| self.inner.name(at))
    }

    /// Returns whether the names are strictly ascending by their bytes.
    pub(crate) const fn is_sorted(&self) -> bool {
        self.is_sorted
    }

    /// Returns whether the skill called `name` is selected.
    pub(crate) fn contains(&self, name: &str) -> bool {
        if !self.is_sorted || self.len() <= MAX_LINEAR {
            return self.names().any(|selected| selected == name);
        }
        self.get(first(0..self.len(), |at| self.inner.name(at) >= name)) == Some(name)
    }

    /// Returns whether the name at a position also occurs before it.
    pub(crate) fn is_repeated(&self, at: usize) -> bool {
        !self.is_sorted && self.names().take(at).any(|before| before == self.inner.name(at))
    }
}

impl<'a> Inner<'a> {
    const fn len(self) -> usize {
        match self {
            Self::Names(names) => names.len(),
            Self::Owned(names) => names.len(),
            Self::Skills(skills) => skills.len(),
            Self::References(skills) => skills.len(),
        }
    }

    const fn name(self, at: usize) -> &'a str {
        match self {
            Self::Names(names) => names[at],
            Self::Owned(names) => names[at].as_str(),
            Self::Skills(skills) => skills[at].name(),
            Self::References(skills) => skills[at].name(),
        }
    }

    /// Returns the first name that is not greater than the one before it.
    const fn first_unsorted_name(self) -> Option<&'a str> {
        let mut next = 1;
        while next < self.len() {
            if !less(self.name(next - 1), self.name(next)) {
                return Some(self.name(next));
            }
            next += 1;
        }
        None
    }
}

/// Returns the name of the first skill that is not greater than the name before it. If the skills
/// are sorted, the two are equal.
pub(crate) const fn first_unsorted_name(skills: &[Skill]) -> Option<&str> {
    Inner::Skills(skills).first_unsorted_name()
}

impl<'a> From<&'a [&'a str]> for Selection<'a> {
    fn from(names: &'a [&'a str]) -> Self {
        Self::from_names(names)
    }
}

impl<'a> From<&'a [&'a Skill]> for Selection<'a> {
    fn from(skills: &'a [&'a Skill]) -> Self {
        Self::new(Inner::References(skills))
    }
}

impl<'a> From<&'a [Skill]> for Selection<'a> {
    fn from(skills: &'a [Skill]) -> Self {
        Self::new(Inner::Skills(skills))
    }
}

impl<'a> From<&'a [String]> for Selection<'a> {
    fn from(names: &'a [String]) -> Self {
        Self::new(Inner::Owned(names))
    }
}

impl<'a, T> From<&'a Vec<T>> for Selection<'a>
where
    &'a [T]: Into<Self>,
{
    fn from(items: &'a Vec<T>) -> Self {
        items.as_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Selection<'a>
where
    &'a [T]: Into<Self>,
{
    fn from(items: &'a [T; N]) -> Self {
        items.as_slice().into()
    }
}

impl fmt::Debug for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
