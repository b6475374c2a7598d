//! Preloads belong to one toolbox: they move neither with the set nor with the provider.

use crate::wait;
use helix_skills_agent::{AsyncToolbox, BoxFuture, Provided, Provider, Providers};
use helix_skills_runtime::{
    __private::{BakedCatalog, toolbox},
    Profile, Skill, SkillSet, Toolbox, skill_set,
};
use std::error::Error;

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
fn mistakes_in_names_of_a_set_are_errors() {
    let error = |names: &[&str]| {
        let owned = SKILLS.to_vec();
        let both = Providers::new().with(SKILLS).with(Vec::<Skill>::new());
        let errors = [
            wait(AsyncToolbox::builder(SKILLS).preload(names).build()).unwrap_err(),
            wait(AsyncToolbox::builder(owned).preload(names).build()).unwrap_err(),
            wait(AsyncToolbox::builder(both).preload(names).build()).unwrap_err(),
            Toolbox::builder(SKILLS).preload(names).build().unwrap_err(),
        ]
        .map(|error| error.to_string());
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
        errors[0].clone()
    };
    assert_eq!(error(&["styel"]), "unknown skill `styel`; the set has `pdf`, `style`");
    assert_eq!(error(&["pdf", "style", "pdf"]), "duplicate skill `pdf`");
}

/// A provider that does not answer.
struct Offline;

impl Provider for Offline {
    fn list<'p>(&'p self, _: Profile) -> BoxFuture<'p, Provided> {
        Box::pin(async { Err("no route to host".into()) })
    }

    fn load<'p>(&'p self, _: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Err("no route to host".into()) })
    }

    fn read<'p>(&'p self, _: &'p str, _: &'p str, _: Profile) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async { Err("no route to host".into()) })
    }
}

#[test]
fn provider_that_fails_is_named() {
    let both = Providers::new().with(SKILLS).with(Offline);
    let error = wait(AsyncToolbox::builder(both).build()).unwrap_err();
    let cause = error.source().unwrap();
    assert_eq!(cause.to_string(), "provider 2 (Offline) failed");
    assert_eq!(cause.source().unwrap().to_string(), "no route to host");
}

#[test]
fn optional_provider_that_fails_is_a_warning() {
    for both in [
        Providers::new().with(SKILLS).with_optional(Offline),
        Providers::new().with_optional(Offline).with(SKILLS),
    ] {
        let builder = AsyncToolbox::builder(both).preload(&["style"]).allow(&["style", "csv"]);
        let toolbox = wait(builder.build()).unwrap();
        let warnings: Vec<_> = toolbox.warnings().iter().map(ToString::to_string).collect();
        assert!(warnings[0].contains(" (Offline)` is left out: no route to host"), "{warnings:?}");
        assert!(warnings[1].contains("`csv`"), "it may be a skill of the other provider");
        assert!(toolbox.catalog().contains("Short sentences."));
        let reply = wait(toolbox.call("load_skill", r#"{"name": "style"}"#)).unwrap();
        assert!(!reply.is_error() && reply.to_string().contains("Short sentences."));
    }
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
    {
        assert_eq!(Toolbox::new(parent.listed().set()).catalog().to_string(), plain);
    };
    // A child that preloads does not change its parent.
    let child = AsyncToolbox::builder(parent.provider()).preload(&["pdf"]);
    let child = wait(child.build()).unwrap();
    assert!(child.catalog().contains("Use `pdftotext`."));
    assert!(!child.catalog().contains("Short sentences."));
    assert!(!parent.catalog().contains("Use `pdftotext`."));
}
