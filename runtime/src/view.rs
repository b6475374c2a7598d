//! The part of a set that one agent gets to see.

use crate::{Excerpt, LoadError, Profile, Selection, Skill, SkillSet, skill_set::find};
use core::fmt;

/// The skills that the model of one agent may load, sorted by name: those of a set, less the ones that its allow-list
/// leaves out and the ones that are not for models.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet, Toolbox};
/// const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// const CSV: Skill = Skill::define("csv", "Reads CSV files.", "Use `xsv`.").build();
/// static SKILLS: SkillSet = skill_set![PDF, CSV];
///
/// let toolbox = Toolbox::builder(SKILLS).allow(&["pdf"]).build()?;
/// assert!(toolbox.view().names().eq(["pdf"]));
/// assert_eq!(toolbox.view().get("csv").unwrap_err().to_string(), "there is no skill `csv`; the skills are `pdf`");
/// # Ok::<(), helix_skills::ToolboxError>(())
/// ```
#[derive(Clone, Copy)]
pub struct View<'a> {
    skills: &'a [Skill<'a>],
    allowed: Option<Selection<'a>>,
    profile: Profile,
}

impl<'a> View<'a> {
    pub(crate) const fn new(
        set: SkillSet<'a>,
        allowed: Option<Selection<'a>>,
        profile: Profile,
    ) -> Self {
        Self { skills: set.skills, allowed, profile }
    }

    /// The skills, sorted by the bytes of their names.
    pub fn iter(&self) -> impl Iterator<Item = &'a Skill<'a>> + Clone + use<'a> {
        ViewIter {
            view: *self,
            sorted: self.allowed.filter(Selection::is_sorted),
            rest: self.skills,
            at: 0,
        }
    }

    /// The names, sorted by their bytes.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.iter().map(Skill::name)
    }

    /// How many skills; all of them are looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there is no skill.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The skill that a model asks for by `name`.
    ///
    /// # Errors
    /// When no skill has this name, or it is not for models.
    #[inline(never)]
    pub fn get(&self, name: &str) -> Result<&'a Skill<'a>, LoadError<'a>> {
        match find(self.skills, name).filter(|skill| self.is_allowed(skill.name())) {
            None => Err(LoadError::UnknownSkill { name: Excerpt::new(name), available: *self }),
            Some(skill) if !self.profile.shows(skill) => {
                Err(LoadError::NotForModels { name: skill.name() })
            }
            Some(skill) => Ok(skill),
        }
    }

    /// Whether the skill at a position of the set is one of them.
    pub(crate) fn shows_at(&self, at: usize) -> bool {
        self.skills
            .get(at)
            .is_some_and(|skill| self.is_allowed(skill.name()) && self.profile.shows(skill))
    }

    /// Whether the agent's allow-list, if it has one, has this name.
    #[inline(never)]
    pub(crate) fn is_allowed(&self, name: &str) -> bool {
        self.allowed.is_none_or(|allowed| allowed.contains(name))
    }
}

/// The skills of a view, from one on.
#[derive(Clone)]
struct ViewIter<'a> {
    view: View<'a>,
    /// The allow-list, if it is sorted like the skills: then only what it names is looked at.
    sorted: Option<Selection<'a>>,
    rest: &'a [Skill<'a>],
    at: usize,
}

impl<'a> Iterator for ViewIter<'a> {
    type Item = &'a Skill<'a>;

    #[inline(never)] // called from everywhere, and large
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

/// The skills without those that come before `name`: looked for in steps that double, because it is near as a rule.
fn starting_at<'s, 'a>(skills: &'s [Skill<'a>], name: &str) -> &'s [Skill<'a>] {
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
        parts::{Parts, skill},
        samples::{Samples, rounds},
    };
    use alloc::{collections::BTreeSet, string::String, vec::Vec};

    #[test]
    fn a_list_shows_the_same_skills_in_the_same_order_however_it_is_ordered() {
        let mut samples = Samples::new("abc", 4);
        for round in 0..rounds(300) {
            let names: BTreeSet<String> = samples.by_ref().take(round % 60).collect();
            let hidden = |name: &str| name.starts_with("cb");
            let skills: Vec<_> = names
                .iter()
                .map(|name| {
                    skill(Parts { name, disable_model_invocation: hidden(name), ..Parts::EMPTY })
                })
                .collect();
            let set = SkillSet::new(&skills);
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
                let view = View::new(set, Some(Selection::from_names(listed)), Profile::Helix);
                assert!(view.names().eq(expected.iter().copied()), "{listed:?}");
                assert!(
                    names.iter().all(|name| view.get(name).is_ok() == expected.contains(&&**name))
                );
            }
        }
    }
}
