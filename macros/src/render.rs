//! The texts of a set, rendered by the runtime itself.

use crate::skill::BakedSkill;
use helix_skills_runtime::{
    __internal::build_unchecked,
    __private::{Baked, Parts, set, skill, text},
    Document, IndexOptions, Resource, SearchIndexBuf, Skill, Toolbox,
};

/// The answer of `load_skill`.
pub(crate) fn loaded(baked: &BakedSkill) -> String {
    let resources = resources(baked);
    skill(parts(baked, &resources)).loaded().to_string()
}

/// The default catalog, with the bodies of what is preloaded. Skills and names are sorted, and the
/// names were checked.
pub(crate) fn catalog(skills: &[BakedSkill], preloaded: &[String]) -> String {
    let resources: Vec<_> = skills.iter().map(resources).collect();
    let skills: Vec<Skill<'_>> = skills
        .iter()
        .zip(&resources)
        .map(|(baked, resources)| skill(parts(baked, resources)))
        .collect();
    let builder = Toolbox::builder(set(&skills, &Baked::EMPTY)).preload(preloaded);
    build_unchecked(builder).catalog().to_string()
}

/// The search index, by positions in the set. The skills are sorted.
pub(crate) fn index(skills: &[BakedSkill], options: &IndexOptions) -> Vec<u8> {
    let documents = skills.iter().map(|skill| Document::from(&self::skill(parts(skill, &[]))));
    SearchIndexBuf::build(documents, options).into_bytes()
}

/// What is rendered of a skill.
fn parts<'b>(baked: &'b BakedSkill, resources: &'b [Resource<'b>]) -> Parts<'b> {
    let md = &baked.skill_md;
    Parts {
        name: &baked.name,
        description: &md.description,
        when_to_use: md.when_to_use.as_deref(),
        argument_hint: md.argument_hint.as_deref(),
        disable_model_invocation: md.disable_model_invocation,
        user_invocable: md.user_invocable,
        body: baked.body(),
        resources,
        ..Parts::EMPTY
    }
}

/// The files of a skill without their contents: only the paths are rendered.
fn resources(baked: &BakedSkill) -> Vec<Resource<'_>> {
    baked.resources.iter().map(|resource| text(&resource.path, "", 0, "")).collect()
}
