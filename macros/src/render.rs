//! The texts of a set, rendered by the runtime.

use crate::skill::BakedSkill;
use helix_skills_runtime::{
    __internal::build_unchecked,
    __private::{Baked, Parts, set, skill, text},
    Document, IndexOptions, Resource, SearchIndexBuf, Skill, Toolbox,
};

/// Returns the answer of `load_skill`.
pub(crate) fn loaded(baked: &BakedSkill) -> String {
    let resources = resources(baked);
    skill(parts(baked, &resources)).loaded().to_string()
}

/// Returns the default catalog with preloaded bodies. Skills and names have to be sorted, and the
/// names checked.
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

/// Returns the search index. The skills have to be sorted, as in the set.
pub(crate) fn index(skills: &[BakedSkill], options: &IndexOptions) -> Vec<u8> {
    let documents = skills.iter().map(|skill| Document::from(&self::skill(parts(skill, &[]))));
    SearchIndexBuf::build(documents, options).into_bytes()
}

/// Returns the parts of a skill that are rendered.
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

/// Returns the files of a skill without their contents, because only paths are rendered.
fn resources(baked: &BakedSkill) -> Vec<Resource<'_>> {
    baked.resources.iter().map(|resource| text(&resource.path, "", 0, "")).collect()
}
