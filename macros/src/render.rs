//! The texts of a set, rendered by the runtime.

use crate::skill::BakedSkill;
use helix_skills_runtime::{
    __internal::build_unchecked, IndexOptions, SearchIndex, Skill, SkillSet, Toolbox,
};

/// Returns the answer of `load_skill`.
pub(crate) fn loaded(baked: &BakedSkill) -> String {
    rendered(baked).loaded().to_string()
}

/// Returns the default catalog with preloaded bodies. Skills and names have to be sorted, and the
/// names checked.
pub(crate) fn catalog(skills: &[BakedSkill], preloaded: &[String]) -> String {
    let skills: Vec<Skill> = skills.iter().map(rendered).collect();
    let builder = Toolbox::builder(SkillSet::new(&skills)).preload(preloaded);
    build_unchecked(builder).catalog().to_string()
}

/// Returns the search index. The skills have to be sorted, as in the set.
pub(crate) fn index(skills: &[BakedSkill], options: &IndexOptions) -> SearchIndex {
    let skills: Vec<Skill> = skills.iter().map(rendered).collect();
    SkillSet::new(&skills).index(options)
}

/// Returns the skill with its files without their contents, because only paths are rendered.
fn rendered(baked: &BakedSkill) -> Skill {
    let mut skill = baked.skill.clone();
    for resource in &baked.resources {
        // The listing has checked the path.
        let _ = skill.insert_resource(&resource.path, "");
    }
    skill
}
