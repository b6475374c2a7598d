//! Toolboxes with skills of a changing registry.

use super::skill;
use crate::folder::block_on;
use helix_skills_agent::{AsyncToolbox, Providers};
use helix_skills_host::SharedRegistry;
use helix_skills_runtime::{Call, Profile, Skill, SkillSet, Toolbox, skill_set};
use std::{sync::Arc, thread};

const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
static BAKED: SkillSet = skill_set![PDF];

fn load(name: &str) -> Call<'_> {
    Call::LoadSkill { name, arguments: None }
}

#[test]
fn toolbox_follows_the_registry_and_keeps_its_catalog() {
    let skills = SharedRegistry::new();
    let configured = AsyncToolbox::builder(skills.clone()).profile(Profile::Agentick);
    let resolve = || block_on(configured.clone().build()).unwrap();
    let listed = |toolbox: &AsyncToolbox<SharedRegistry>| {
        toolbox.listed().tools([]).unwrap().map(|tool| tool.description()).collect::<String>()
    };
    assert_eq!(listed(&resolve()), ""); // no skills, no tool

    skills.update(|all| all.register(skill("triage", "Sorts."))).unwrap();
    let before = resolve();
    let list = listed(&before);
    assert!(list.ends_with("\n- triage: Sorts.\n"), "{list}");
    skills.update(|all| all.replace(skill("triage", "Sorts better.")));
    skills.update(|all| all.register(skill("plan", "Plans."))).unwrap();
    assert_eq!(listed(&before), list); // the conversation's
    assert_eq!(block_on(before.answer(load("triage"))).to_string(), "Do as Sorts better.");
    assert!(block_on(before.answer(load("plan"))).is_error());
    assert!(listed(&resolve()).ends_with("\n- plan: Plans.\n- triage: Sorts better.\n"));
    skills.update(|all| all.remove("triage"));
    assert_eq!(
        block_on(before.answer(load("triage"))).to_string(),
        "cannot load the skill `triage`: it is no longer available"
    );

    // Together with baked skills, which registered skills do not replace.
    skills.update(|all| all.register(skill("pdf", "Forged."))).unwrap();
    let both =
        block_on(AsyncToolbox::builder(Providers::new().with(BAKED).with(skills.clone())).build())
            .unwrap();
    assert!(
        both.catalog().ends_with("\n- pdf: Reads PDF files.\n- plan: Plans.\n"),
        "{}",
        both.catalog()
    );
    assert_eq!(
        SharedRegistry::from(helix_skills_agent::Registry::from(BAKED))
            .snapshot()
            .set()
            .names()
            .collect::<Vec<_>>(),
        ["pdf"]
    );
}

#[test]
fn replaced_skill_stays_intact_for_its_readers() {
    let skills = SharedRegistry::new();
    skills.update(|all| all.register(skill("pdf", "One."))).unwrap();
    {
        let snapshot = skills.snapshot();
        let toolbox = Toolbox::new(snapshot.set());
        let before = toolbox.catalog().to_string();
        let held = skills.snapshot().set().get("pdf").cloned().unwrap();
        thread::scope(|scope| {
            // Holds no lock: the other thread finishes while this one reads.
            scope.spawn(|| skills.update(|all| all.replace(skill("pdf", "Two.")))).join().unwrap();
            scope.spawn(|| skills.update(|all| all.remove("pdf"))).join().unwrap();
        });
        assert!(skills.snapshot().set().get("pdf").is_none());
        assert_eq!(toolbox.catalog().to_string(), before);
        assert_eq!(
            toolbox.answer(load("pdf")).to_string(),
            "<skill name=\"pdf\">\nDo as One.\n</skill>"
        );
        assert_eq!((held.description(), held.body()), ("One.", "Do as One."));
    };
    let (one, two) = (skills.snapshot(), skills.snapshot());
    assert!(Arc::ptr_eq(&one, &two));
    skills.update(|all| all.register(skill("csv", "One."))).unwrap();
    assert!(!Arc::ptr_eq(&one, &skills.snapshot()) && one.set().is_empty());
}
