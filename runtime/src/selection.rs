//! Skills that somebody named.

use crate::Skill;
use core::fmt;

/// Some skills, in any order: names that came from a configuration, or skills that the compiler knows.
///
/// ```
/// # use helix_skills_runtime::{__private::{skill, Parts}, Selection, Skill};
/// # const DEPLOY_RUNBOOK: &Skill = &skill(Parts { name: "deploy-runbook", ..Parts::EMPTY });
/// let by_name = Selection::from(&["deploy-runbook"]);
/// let typed = Selection::from(&[DEPLOY_RUNBOOK]); // `skills::DEPLOY_RUNBOOK` of `include_skills!(pub mod skills)`
/// assert!(by_name.names().eq(typed.names()));
/// ```
#[derive(Clone, Copy)]
pub struct Selection<'a>(Inner<'a>);

#[derive(Clone, Copy)]
enum Inner<'a> {
    Names(&'a [&'a str]),
    Skills(&'a [&'a Skill<'a>]),
}

impl<'a> Selection<'a> {
    /// Skills by their names.
    #[must_use]
    pub const fn of_names(names: &'a [&'a str]) -> Self {
        Self(Inner::Names(names))
    }

    /// Skills by themselves.
    #[must_use]
    pub const fn of_skills(skills: &'a [&'a Skill<'a>]) -> Self {
        Self(Inner::Skills(skills))
    }

    /// How many.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self.0 {
            Inner::Names(names) => names.len(),
            Inner::Skills(skills) => skills.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names, in the order they were given in.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'a str> + Clone + use<'a> {
        let inner = self.0;
        (0..self.len()).map(move |at| match inner {
            Inner::Names(names) => names[at],
            Inner::Skills(skills) => skills[at].name(),
        })
    }

    /// Whether the skill called `name` is among them.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.names().any(|selected| selected == name)
    }
}

impl<'a> From<&'a [&'a str]> for Selection<'a> {
    fn from(names: &'a [&'a str]) -> Self {
        Self::of_names(names)
    }
}

impl<'a, const N: usize> From<&'a [&'a str; N]> for Selection<'a> {
    fn from(names: &'a [&'a str; N]) -> Self {
        Self::of_names(names)
    }
}

impl<'a> From<&'a [&'a Skill<'a>]> for Selection<'a> {
    fn from(skills: &'a [&'a Skill<'a>]) -> Self {
        Self::of_skills(skills)
    }
}

impl<'a, const N: usize> From<&'a [&'a Skill<'a>; N]> for Selection<'a> {
    fn from(skills: &'a [&'a Skill<'a>; N]) -> Self {
        Self::of_skills(skills)
    }
}

impl fmt::Debug for Selection<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
