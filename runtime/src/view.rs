//! The part of a set that an agent can see.

use crate::{Profile, Selection, Skill, skill_set::find};
use core::fmt;

/// The skills that an agent's model may load, sorted by name.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) skills: &'a [Skill],
    pub(crate) allowed: Option<Selection<'a>>,
    pub(crate) profile: Profile,
    /// Whether the model has a tool that searches the skills.
    pub(crate) has_search: bool,
}

impl Profile {
    /// Returns whether models can see a skill.
    pub(crate) const fn shows(self, skill: &Skill) -> bool {
        !skill.disable_model_invocation()
            && (skill.user_invocable() || !matches!(self, Self::SkillUse))
    }
}

impl<'a> View<'a> {
    /// Returns the skills, sorted by the bytes of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'a Skill> + Clone + use<'a> {
        ViewIter {
            view: *self,
            sorted: self.allowed.filter(Selection::is_sorted),
            rest: self.skills,
            at: 0,
        }
    }

    /// Returns the names, sorted by their bytes.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.iter().map(Skill::name)
    }

    /// Returns the number of skills, in linear time.
    pub(crate) fn len(&self) -> usize {
        self.iter().count()
    }

    /// Returns whether the view is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Returns the skill `name` if the agent may use this name, even if the skill is not for
    /// models.
    pub(crate) fn allowed(&self, name: &str) -> Option<&'a Skill> {
        find(self.skills, name).filter(|skill| self.is_allowed(skill.name()))
    }

    /// Returns the skill `name`, if it is in the view.
    pub(crate) fn find(&self, name: &str) -> Option<&'a Skill> {
        self.allowed(name).filter(|skill| self.profile.shows(skill))
    }

    /// Returns whether the agent may use this name: whether its allow-list, if it has one, contains
    /// it.
    #[inline(never)]
    pub(crate) fn is_allowed(&self, name: &str) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(name))
    }
}

/// An iterator over the skills of a view.
#[derive(Clone)]
struct ViewIter<'a> {
    view: View<'a>,
    /// The allow-list, if it is sorted like the skills. Then only the skills that it names are
    /// looked up; an unsorted list of 5,000 names on 10,000 skills takes 100 times as long.
    sorted: Option<Selection<'a>>,
    rest: &'a [Skill],
    at: usize,
}

impl<'a> Iterator for ViewIter<'a> {
    type Item = &'a Skill;

    #[inline(never)] // large, with many callers
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sorted) = self.sorted {
                let name = sorted.get(self.at)?;
                self.at += 1;
                self.rest = starting_at(self.rest, name);
                if self.rest.first()?.name() != name {
                    continue;
                }
            }
            let (skill, after) = self.rest.split_first()?;
            self.rest = after;
            if (self.sorted.is_some() || self.view.is_allowed(skill.name()))
                && self.view.profile.shows(skill)
            {
                return Some(skill);
            }
        }
    }
}

/// Returns the skills from `name` on. Searches in steps of doubling size, because the next name is
/// usually near.
fn starting_at<'s>(skills: &'s [Skill], name: &str) -> &'s [Skill] {
    let mut end = 1;
    while skills.get(end - 1).is_some_and(|skill| skill.name() < name) {
        end *= 2;
    }
    let near = &skills[..end.min(skills.len())];
    &skills[near.partition_point(|skill| skill.name() < name)..]
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        parts::Parts,
        tests::{Samples, rounds},
    };
    use alloc::{collections::BTreeSet, string::String, vec::Vec};

    #[test]
    fn order_of_the_allow_list_does_not_matter() {
        let mut samples = Samples::new("abc", 4);
        for round in 0..rounds(300) {
            let names: BTreeSet<String> = samples.by_ref().take(round % 60).collect();
            let hidden = |name: &str| name.starts_with("cb");
            let skills: Vec<_> = names
                .iter()
                .map(|name| {
                    Skill::from(Parts {
                        name,
                        disable_model_invocation: hidden(name),
                        ..Parts::EMPTY
                    })
                })
                .collect();
            let listed: Vec<String> = samples.by_ref().take(round % 40).collect();
            let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
            let expected: Vec<_> = names
                .iter()
                .map(String::as_str)
                .filter(|name| listed.contains(name) && !hidden(name))
                .collect();
            let mut sorted = listed.clone();
            sorted.sort_unstable();
            let repeated = sorted.clone();
            sorted.dedup();
            for listed in [&listed, &repeated, &sorted] {
                let view = View {
                    skills: &skills,
                    allowed: Some(Selection::from_names(listed)),
                    profile: Profile::Helix,
                    has_search: false,
                };
                assert!(view.names().eq(expected.iter().copied()), "{listed:?}");
                assert!(
                    names.iter().all(|name| view.get(name).is_ok() == expected.contains(&&**name))
                );
            }
        }
    }
}
