//! Bodies that are preloaded into the prompt.

use crate::features::set::{SKILLS, builder, only};
use expect_test::expect_file;
use helix_skills_runtime::{
    __private::{Baked, BakedCatalog, Shared, search_index, set, toolbox},
    ErrorKind, Profile, SkillSet, Toolbox, ToolboxBuilder,
};

#[test]
fn preloaded_bodies_are_in_the_prompt_of_every_profile() {
    for profile in Profile::ALL {
        let text =
            builder(profile).preload(&["pdf", "deploy"]).build().unwrap().catalog().to_string();
        let (_, block) = text.split_once("### Active Skills (already loaded)\n").unwrap();
        let bodies: Vec<_> =
            ["<skill name=\"deploy\">\n# Deploy", "<skill name=\"pdf\">\nUse `pdftotext`."]
                .iter()
                .map(|body| block.find(body).unwrap())
                .collect();
        assert!(bodies.is_sorted(), "in the order of names, not of the request");
        assert!(block.contains("<skill_resources>\nR&D.md\n"));
    }
}

#[test]
fn preloaded_bodies_follow_the_list() {
    let text =
        builder(Profile::Helix).preload(&["pdf", "deploy"]).build().unwrap().catalog().to_string();
    expect_file!["../snapshots/catalog-helix-preloaded.txt"].assert_eq(&text);
}

#[test]
fn preloaded_skills_are_listed_and_marked() {
    let text = builder(Profile::Helix).preload(&["pdf"]).build().unwrap().catalog().to_string();
    assert!(text.contains("\n- pdf loaded=\"true\": Reads PDF files.\n"));
    assert_eq!(text.matches("loaded=\"true\"").count(), 1);
    let text =
        builder(Profile::ClaudeCode).preload(&["pdf"]).build().unwrap().catalog().to_string();
    assert!(text.contains("<skill loaded=\"true\">\n<name>\npdf\n</name>"));
    assert_eq!(text.matches("loaded=\"true\"").count(), 1);
}

#[test]
fn preloaded_skills_can_be_loaded_again() {
    let toolbox = builder(Profile::Helix).preload(&["pdf"]).build().unwrap();
    assert_eq!(
        toolbox.load_skill("pdf").unwrap().to_string(),
        "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>"
    );
}

#[test]
fn invalid_preloads_are_toolbox_errors() {
    let error = |names: &'static [&'static str]| {
        builder(Profile::Helix).preload(names).build().unwrap_err()
    };
    assert_eq!(error(&["nope"]).kind(), ErrorKind::UnknownSkill);
    assert_eq!(
        error(&["pdf", "no\npe"]).to_string(),
        "unknown skill `no pe`; the set has `Zed`, `deploy`, `hidden`, `pdf`"
    );
    assert_eq!(error(&["pdf", "deploy", "pdf"]).kind(), ErrorKind::Duplicate);
    assert_eq!(error(&["pdf", "pdf"]).to_string(), "duplicate skill `pdf`");
    assert_eq!(error(&["hidden"]).kind(), ErrorKind::NotForModels);
    assert_eq!(
        error(&["hidden"]).to_string(),
        "cannot preload `hidden`: models may not load it (`disable-model-invocation`, or `user-invocable: false` in the \
         profile `skill-use`)"
    );
    let no_skills = Toolbox::builder(SkillSet::EMPTY).preload(&["pdf"]).build().unwrap_err();
    assert_eq!(no_skills.to_string(), "unknown skill `pdf`; the set has none");
}

#[test]
fn preloads_must_be_allowed_in_either_order() {
    for builder in [
        Toolbox::builder(SKILLS).allow(&["pdf"]).preload(&["deploy"]),
        Toolbox::builder(SKILLS).preload(&["deploy"]).allow(&["pdf"]),
    ] {
        let error = builder.build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Setup);
        assert_eq!(error.to_string(), "cannot preload `deploy`: it is not an allowed skill");
    }
}

/// `include_skills!(preload = […])` makes a toolbox with preloads; its set has none.
#[test]
fn preloads_of_the_macro_belong_to_its_toolbox() {
    let skills = only(&["deploy", "pdf"]);
    let set = SkillSet::new(&skills);
    let catalog = BakedCatalog { text: "the whole prompt", digest: "sha256:00" };
    let baked = toolbox(set, &["pdf"], &catalog);
    assert_eq!(
        (baked.catalog().as_str(), baked.catalog().digest()),
        (Some("the whole prompt"), Some("sha256:00"))
    );
    assert!(baked.preloaded().map(|skill| skill.name()).eq(["pdf"]));
    assert_eq!(baked.catalog().to_string(), "the whole prompt");
    for child in [
        Toolbox::new(baked.set()),
        Toolbox::builder(baked.set()).profile(Profile::DeerFlow).build().unwrap(),
    ] {
        assert_eq!((child.preloaded().count(), child.catalog().as_str()), (0, None));
        assert!(!child.catalog().to_string().contains("pdftotext"));
    }
}

#[test]
fn baked_catalogs_are_used_only_without_choices() {
    let text = "the whole prompt";
    let catalog = BakedCatalog { text, digest: "sha256:00" };
    let baked = Baked { catalog: Some(catalog), index: search_index(Shared::Static(&[])) };
    let skills = only(&["deploy", "pdf"]);
    let set = set(&skills, &baked);
    let builder = Toolbox::builder(set);
    let is_baked =
        |builder: ToolboxBuilder| builder.build().unwrap().catalog().as_str() == Some(text);
    for default in [builder, builder.profile(Profile::Helix)] {
        assert!(is_baked(default));
    }
    for chosen in
        [builder.profile(Profile::DeerFlow), builder.allow(&["pdf"]), builder.preload(&["pdf"])]
    {
        assert!(!is_baked(chosen));
    }
    assert_eq!(set.catalog().as_str(), Some(text));
}
