//! Bodies that are in the prompt from the start.

use crate::rows::set::{SKILLS, only, toolbox};
use expect_test::expect_file;
use helix_skills_runtime::{
    __private::{Baked, set},
    Profile, SkillSet, Toolbox, ToolboxError,
};

#[test]
fn row_47_preloaded_bodies_are_in_the_prompt_of_every_profile() {
    for profile in Profile::ALL {
        let text = toolbox(profile).preload(&["pdf", "deploy"]).unwrap().catalog().to_string();
        let (_, block) = text.split_once("### Active Skills (already loaded)\n").unwrap();
        let bodies: Vec<_> = ["<skill name=\"deploy\">\n# Deploy", "<skill name=\"pdf\">\nUse `pdftotext`."]
            .iter()
            .map(|body| block.find(body).unwrap())
            .collect();
        assert!(bodies.is_sorted(), "by name, not as they were asked for");
        assert!(block.contains("<skill_resources>\nR&D.md\n"));
    }
}

#[test]
fn row_48_the_block_is_in_the_same_text_after_the_list() {
    let text = toolbox(Profile::Helix).preload(&["pdf", "deploy"]).unwrap().catalog().to_string();
    expect_file!["../snapshots/catalog-helix-preloaded.txt"].assert_eq(&text);
}

#[test]
fn row_49_preloaded_skills_stay_in_the_list_and_are_marked() {
    let text = toolbox(Profile::Helix).preload(&["pdf"]).unwrap().catalog().to_string();
    assert!(text.contains("\n- pdf loaded=\"true\": Reads PDF files.\n"));
    assert_eq!(text.matches("loaded=\"true\"").count(), 1);
    let text = toolbox(Profile::ClaudeCode).preload(&["pdf"]).unwrap().catalog().to_string();
    assert!(text.contains("<skill loaded=\"true\">\n<name>\npdf\n</name>"));
    assert_eq!(text.matches("loaded=\"true\"").count(), 1);
}

#[test]
fn row_50_a_preloaded_skill_can_be_loaded_again() {
    let toolbox = toolbox(Profile::Helix).preload(&["pdf"]).unwrap();
    assert_eq!(toolbox.load_skill("pdf").unwrap().to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
}

#[test]
fn row_52_a_preload_that_cannot_be_is_an_error_of_the_toolbox() {
    let toolbox = toolbox(Profile::Helix);
    let error = |names: &'static [&'static str]| toolbox.preload(names).unwrap_err();
    assert!(matches!(error(&["nope"]), ToolboxError::UnknownSkill { .. }));
    assert_eq!(
        error(&["pdf", "no\npe"]).to_string(),
        "there is no skill `no pe` for this agent; the set has `Zed`, `deploy`, `hidden`, `pdf`"
    );
    assert!(matches!(error(&["pdf", "deploy", "pdf"]), ToolboxError::Twice { .. }));
    assert_eq!(error(&["pdf", "pdf"]).to_string(), "the skill `pdf` is named twice");
    assert!(matches!(error(&["hidden"]), ToolboxError::NotForModels { name } if name.as_str() == "hidden"));
    assert_eq!(
        error(&["hidden"]).to_string(),
        "cannot preload `hidden`: models may not load it (`disable-model-invocation`, or `user-invocable: false` in the \
         profile `seed001`)"
    );
    let nothing = Toolbox::new(SkillSet::EMPTY).preload(&["pdf"]).unwrap_err();
    assert_eq!(nothing.to_string(), "there is no skill `pdf` for this agent; the set has none");
}

#[test]
fn row_52_a_preload_that_the_allow_list_leaves_out_is_an_error_in_either_order() {
    let unknown = |result: Result<Toolbox, ToolboxError>| {
        assert!(matches!(result.unwrap_err(), ToolboxError::UnknownSkill { name, .. } if name.as_str() == "deploy"));
    };
    unknown(Toolbox::new(SKILLS).allow(&["pdf"]).unwrap().preload(&["deploy"]));
    unknown(Toolbox::new(SKILLS).preload(&["deploy"]).unwrap().allow(&["pdf"]));
}

/// What `include_skills!(preload = […])` makes.
#[test]
fn row_52_what_the_macro_preloaded_holds_until_somebody_chooses() {
    let baked = Baked { catalog: Some("the whole prompt"), preloaded: &["pdf"], ..Baked::EMPTY };
    let skills = only(&["deploy", "pdf"]);
    let set = set(&skills, &baked);
    assert_eq!(set.preloaded(), ["pdf"]);
    assert_eq!(set.catalog().as_str(), Some("the whole prompt"));
    let seed = Toolbox::with_profile(set, Profile::DeerFlow).catalog().to_string();
    assert!(seed.contains("<skill name=\"pdf\">"), "{seed}");
    let none: [&str; 0] = [];
    let chosen = Toolbox::new(set).preload(&none).unwrap().catalog();
    assert_eq!(chosen.as_str(), None);
    assert!(!chosen.to_string().contains("pdftotext"));
    let left_out = Toolbox::new(set).allow(&["deploy"]).unwrap().catalog().to_string();
    assert!(!left_out.contains("pdftotext"), "{left_out}");
}
