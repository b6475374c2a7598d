//! Preloads belong to one toolbox: they move neither with the set nor with the provider.

use crate::wait;
use helix_skills_agent::{AsyncToolbox, Providers};
use helix_skills_runtime::{
    __private::{BakedCatalog, toolbox},
    Skill, SkillSet, Toolbox, skill_set,
};

const BLOCK: &str = "### Active Skills (already loaded)";
const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
const STYLE: Skill = Skill::define("style", "How we write.", "Short sentences.").build();
static SKILLS: SkillSet = skill_set![PDF, STYLE];

/// What `include_skills!(mod skills, preload = ["style"])` generates: the set has no preloads, and
/// the toolbox has a catalog with their bodies.
const BAKED: Toolbox = toolbox(SKILLS, &["style"], &BakedCatalog { text: BLOCK, digest: "" });

#[test]
fn baked_preloads_keep_their_block_in_a_provider_toolbox() {
    assert_eq!(BAKED.catalog().as_str(), Some(BLOCK));
    let preloaded: Vec<_> = BAKED.preloaded().collect();
    let own = Toolbox::builder(SKILLS).preload(&["style"]).build().unwrap().catalog().to_string();
    let provided = AsyncToolbox::builder(BAKED.set()).preload(&preloaded);
    let provided = wait(provided.build()).unwrap();
    assert_eq!(provided.catalog(), own);
    assert!(own.contains(BLOCK) && own.contains("- style loaded=\"true\": "), "{own}");

    let providers = Providers::new().with(SkillSet::EMPTY).with(BAKED.set());
    let combined = wait(AsyncToolbox::builder(providers).preload(&preloaded).build()).unwrap();
    assert_eq!(combined.catalog(), own);
    assert!(combined.warnings().is_empty());
}

#[test]
fn child_of_a_baked_set_has_no_preloads() {
    let plain = Toolbox::new(SKILLS).catalog().to_string();
    assert!(!plain.contains(BLOCK) && !plain.contains("loaded="), "{plain}");
    let set = BAKED.set();
    assert_eq!(set.catalog().to_string(), plain);
    assert_eq!(Toolbox::new(set).catalog().to_string(), plain);
    assert_eq!(Toolbox::builder(set).build().unwrap().catalog().to_string(), plain);
    assert_eq!(wait(AsyncToolbox::builder(set).build()).unwrap().catalog(), plain);
}

#[test]
fn child_of_a_provider_has_no_preloads() {
    let parent = wait(AsyncToolbox::builder(SKILLS).preload(&["style"]).build()).unwrap();
    assert!(parent.catalog().contains(BLOCK));
    let plain = Toolbox::new(SKILLS).catalog().to_string();
    let child = wait(AsyncToolbox::builder(parent.provider()).build()).unwrap();
    assert_eq!(child.catalog(), plain);
    parent.view(|toolbox| {
        assert_eq!(Toolbox::new(toolbox.set()).catalog().to_string(), plain);
    });
    // A child that preloads does not change its parent.
    let child = AsyncToolbox::builder(parent.provider()).preload(&["pdf"]);
    let child = wait(child.build()).unwrap();
    assert!(child.catalog().contains("Use `pdftotext`."));
    assert!(!child.catalog().contains("Short sentences."));
    assert!(!parent.catalog().contains("Use `pdftotext`."));
}
