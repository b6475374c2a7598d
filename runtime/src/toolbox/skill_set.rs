//! Answers of a skill set, which are those of a toolbox of all its skills.

use super::Toolbox;
use crate::{
    Catalog, Error, Hit, LoadedSkill, SearchOptions, Selection, SkillFile, SkillSet,
    baked::BakedCatalog,
};
use alloc::vec::Vec;

impl<'a> SkillSet<'a> {
    /// Returns the catalog, level 1: the section of the system prompt that names and describes all
    /// skills that models may load.
    ///
    /// It is empty if there are no such skills, and has the same bytes in every build and for every
    /// call.
    #[must_use]
    pub const fn catalog(&self) -> Catalog<'a> {
        Toolbox::new(*self).catalog()
    }

    /// Returns the skills that match `query` best, best first; equal scores are ordered by name.
    ///
    /// Only skills that models may load are found, and none if the set has no index.
    #[must_use]
    pub fn search(&self, query: &str, options: &SearchOptions) -> Vec<Hit<'a>> {
        Toolbox::new(*self).search(query, options)
    }

    /// Returns level 2: the body of the skill `name` between its tags, and the paths of its files.
    ///
    /// # Errors
    /// If no skill has this name, or it has `disable-model-invocation`. The message is for the
    /// model: for an unknown name, it lists the valid ones.
    pub fn load_skill(&self, name: &str) -> Result<LoadedSkill<'a>, Error> {
        Toolbox::new(*self).load_skill(name)
    }

    /// Returns level 3: one text file of the skill `skill`, between tags that mark it as data.
    ///
    /// `path` is relative to the skill, and may be `SKILL.md`.
    ///
    /// # Errors
    /// If models may not load the skill or it does not exist, if `path` leaves the skill or is not
    /// one of its files, or if the file is binary. The message is for the model.
    pub fn read_skill_file(&self, skill: &str, path: &str) -> Result<SkillFile<'a>, Error> {
        Toolbox::new(*self).read_skill_file(skill, path)
    }
}

/// Makes a toolbox with preloaded skills, which the macro has checked, and the catalog that
/// contains their bodies.
#[must_use]
pub const fn toolbox<'a>(
    set: SkillSet<'a>,
    preloaded: &'a [&'a str],
    catalog: &'a BakedCatalog,
) -> Toolbox<'a> {
    let mut toolbox = Toolbox::new(set);
    (toolbox.preloaded, toolbox.baked) = (Selection::from_names(preloaded), Some(catalog));
    toolbox
}
