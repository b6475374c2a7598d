//! Several agents over one set, and their tools.

use crate::features::set::{SKILLS, builder, only, toolbox};
use helix_skills_runtime::{
    Budget, Call, ErrorKind, Event, IndexOptions, Profile, SearchMode, Selection, Skill, SkillSet,
    TextLimit, Toolbox,
};

/// Returns everything that a model can get from a toolbox.
fn everything(toolbox: Toolbox) -> Vec<String> {
    let mut all = vec![toolbox.catalog().to_string()];
    for tool in toolbox.tools([]).unwrap() {
        all.push(format!("{} {} {}", tool.name(), tool.description(), tool.parameters()));
    }
    for name in ["Zed", "deploy", "hidden", "pdf", "nope"] {
        let reply =
            toolbox.answer(Call::LoadSkill { name, arguments: Some("a </skill> b".into()) });
        all.push(format!(
            "{reply} {:?} {:?}",
            reply.event(),
            reply.message().map(|message| message.to_string())
        ));
        for path in ["SKILL.md", "R&D.md", "assets/logo.png", "../x", "nope"] {
            let read =
                Call::ReadSkillFile { skill: name, path, start_line: Some(2), end_line: Some(2) };
            all.push(toolbox.answer(read).to_string());
        }
    }
    all
}

#[test]
fn skills_come_with_both_tools() {
    let names: Vec<_> =
        toolbox(Profile::Helix).tools([]).unwrap().map(|tool| tool.name()).collect();
    assert_eq!(names, ["load_skill", "read_skill_file"]);
}

#[test]
fn agent_tools_cannot_have_reserved_names() {
    let ours = [
        (Profile::Helix, &["load_skill", "read_skill_file", "search_skills"][..]),
        (Profile::SkillUse, &["skill_use", "skill_read_file"]),
        (Profile::Agentick, &["skill", "read_skill_file"]),
        (Profile::DeerFlow, &["load_skill", "read_skill_file"]),
        (Profile::DeepAgents, &[]),
        (Profile::ClaudeCode, &["Skill", "read_skill_file"]),
    ];
    for (profile, names) in ours {
        assert!(toolbox(profile).tools(["get_weather", "Load_Skill", ""]).is_ok());
        for name in names {
            let error = toolbox(profile).tools(["get_weather", name]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Setup);
            assert_eq!(
                error.to_string(),
                format!(
                    "the tool name `{name}` is reserved for skills; rename the agent's own tool"
                )
            );
        }
        for tool in toolbox(profile).tools([]).unwrap() {
            assert!(names.contains(&tool.name()));
        }
    }
}

#[test]
fn sub_agents_inherit_nothing() {
    let parent = Toolbox::builder(SKILLS)
        .preload(&["pdf"])
        .budget(Budget::NONE.catalog(TextLimit::Chars(9)))
        .build()
        .unwrap();
    let child = Toolbox::new(parent.set());
    assert_eq!(child.catalog().to_string(), SKILLS.catalog().to_string());
    assert!(Toolbox::new(SkillSet::EMPTY).catalog().is_empty());
}

#[test]
fn skills_not_allowed_do_not_exist() {
    let toolbox = Toolbox::builder(SKILLS).allow(&["pdf", "hidden"]).build().unwrap();
    assert!(toolbox.skills().map(|skill| skill.name()).eq(["pdf"]));
    assert!(!everything(toolbox).concat().contains("Deploys"));
    let why = "there is no skill `deploy`; the skills are `pdf`";
    assert_eq!(toolbox.load_skill("deploy").unwrap_err().to_string(), why);
    assert_eq!(toolbox.read_skill_file("deploy", "R&D.md").unwrap_err().to_string(), why);
    let hidden = "the skill `hidden` is not for models: its author disabled that";
    assert_eq!(toolbox.load_skill("hidden").unwrap_err().to_string(), hidden);
    let unseen = Toolbox::builder(SKILLS)
        .allow(&["pdf"])
        .build()
        .unwrap()
        .load_skill("hidden")
        .unwrap_err()
        .to_string();
    assert_eq!(unseen, "there is no skill `hidden`; the skills are `pdf`");
}

#[test]
fn unknown_names_in_an_allow_list_are_errors() {
    let error = Toolbox::builder(SKILLS).allow(&["pdf", "pfd"]).build().unwrap_err();
    assert!(error.to_string().starts_with("unknown skill `pfd`; the set has `Zed`, "));
    let error = Toolbox::builder(SKILLS).allow(&["pdf", "pdf"]).build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Duplicate);
    assert_eq!(error.to_string(), "duplicate skill `pdf`");
}

/// An agent reads names from its configuration at startup; the error outlives the names.
#[test]
fn errors_outlive_the_configured_names() {
    fn visible_names(configured: &str) -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let names: Vec<String> = configured.split(' ').map(Into::into).collect();
        let toolbox = Toolbox::builder(SKILLS).allow(&names).build()?;
        Ok(toolbox.skills().map(|skill| skill.name()).map(Into::into).collect())
    }
    assert_eq!(visible_names("pdf Zed").unwrap(), ["Zed", "pdf"]);
    assert_eq!(
        visible_names("pdf pfd").unwrap_err().to_string(),
        "unknown skill `pfd`; the set has `Zed`, `deploy`, `hidden`, `pdf`"
    );
    assert_eq!(
        Toolbox::builder(SKILLS).allow(Selection::NONE).build().unwrap().tools([]).unwrap().count(),
        0
    );
}

#[test]
fn borrowed_and_owned_names_select_alike() {
    let many: Vec<String> = (0..40).map(|n| format!("skill-{n:02}")).collect();
    let borrowed: Vec<&str> = many.iter().map(String::as_str).collect();
    let (from_owned, from_borrowed) = (Selection::from(&many), Selection::from(&borrowed));
    assert!(from_owned.names().eq(from_borrowed.names()));
}

/// Otherwise one wrong name would put a set that is too large for a prompt into it.
#[test]
fn unknown_names_are_answered_with_at_most_five() {
    let names: Vec<String> = (0..10_000).map(|n| format!("skill-{n:04}")).collect();
    let skills: Vec<Skill> =
        names.iter().map(|name| Skill::define(name, "Does.", "Do.").try_build().unwrap()).collect();
    let set = SkillSet::new(&skills);
    let toolbox = Toolbox::new(set);
    let answer = |name| toolbox.answer(Call::LoadSkill { name, arguments: None }).to_string();
    assert_eq!(
        answer("skill-5000x"),
        "there is no skill `skill-5000x`; did you mean `skill-5000`, `skill-0000`, `skill-0001`, \
         `skill-0002` or `skill-0003`?"
    );
    for (wrong, near) in [("a", "are `skill-0000`, "), ("z", "`skill-0099` and 9900 more")] {
        let answer = answer(wrong);
        assert!(
            answer.contains(near) && answer.ends_with(" and 9900 more") && answer.len() < 2000,
            "{answer}"
        );
    }
    let error = |name| Toolbox::builder(set).allow(&[name]).build().unwrap_err().to_string();
    assert_eq!(
        error("skill-5000x"),
        "unknown skill `skill-5000x`; the set has `skill-5000`, `skill-0000`, `skill-0001` and 9997 more"
    );
    assert_eq!(
        error("a"),
        "unknown skill `a`; the set has `skill-0000`, `skill-0001` and 9998 more"
    );
}

#[test]
fn unknown_name_without_a_similar_one_names_the_search() {
    let set = SKILLS;
    let index = set.index(&IndexOptions::new());
    let builder = Toolbox::builder(set.with_index(&index));
    for (mode, profile, expected) in [
        (
            SearchMode::ToolOnly,
            Profile::Helix,
            "there are 3 skills; the tool `search_skills` finds them",
        ),
        (
            SearchMode::ToolAndList,
            Profile::Agentick,
            "there are 3 skills; the tool `search_skills` finds them",
        ),
        // It has no tools.
        (SearchMode::ToolAndList, Profile::DeepAgents, "the skills are `Zed`, `deploy`, `pdf`"),
    ] {
        let toolbox = builder.profile(profile).search(mode).build().unwrap();
        let error = toolbox.load_skill("nothing").unwrap_err().to_string();
        assert_eq!(error, format!("there is no skill `nothing`; {expected}"));
        let error = toolbox.load_skill("deplyo").unwrap_err().to_string();
        assert_eq!(error, "there is no skill `deplyo`; did you mean `deploy`?");
    }
    let alone = builder.allow(&["pdf"]).search(SearchMode::ToolOnly).build().unwrap();
    assert_eq!(
        alone.load_skill("nothing").unwrap_err().to_string(),
        "there is no skill `nothing`; the skills are `pdf`"
    );
}

#[test]
fn views_equal_sets_of_their_skills() {
    let names = ["Zed", "deploy", "pdf"];
    for allowed in [&names[..], &["deploy"], &["pdf", "Zed"]] {
        let skills = only(allowed);
        for profile in Profile::ALL {
            // A preload may not be hidden in the profile.
            let preload = if profile == Profile::SkillUse && allowed[0] == "Zed" {
                &[][..]
            } else {
                &allowed[..1]
            };
            let view = builder(profile).at("/s").allow(allowed).preload(preload).build();
            let set = SkillSet::new(&skills);
            let as_set = Toolbox::builder(set).profile(profile).at("/s").preload(preload).build();
            let (Ok(view), Ok(as_set)) = (view, as_set) else { panic!("{profile:?} {allowed:?}") };
            // A skill hidden in one is missing from the other; nothing else may differ.
            let differs = |texts: Vec<String>| {
                texts.into_iter().filter(|text| !text.contains("`hidden`")).collect::<Vec<_>>()
            };
            assert_eq!(
                differs(everything(view)),
                differs(everything(as_set)),
                "{profile:?} {allowed:?}"
            );
        }
    }
}

#[test]
fn skills_select_like_their_names() {
    let pdf = only(&["pdf"]);
    let skills = [&pdf[0]];
    let typed = Toolbox::builder(SKILLS).allow(&skills).preload(&skills).build().unwrap();
    let named = Toolbox::builder(SKILLS).allow(&["pdf"]).preload(&["pdf"]).build().unwrap();
    assert_eq!(everything(typed), everything(named));
}

#[test]
fn only_loads_are_events() {
    for profile in Profile::ALL {
        let toolbox = toolbox(profile);
        let reply = toolbox.answer(Call::LoadSkill { name: "pdf", arguments: None });
        let event = reply.event();
        assert_eq!(event, Some(Event::SkillLoaded { name: "pdf" }));
        assert_eq!(event.unwrap().kind(), "skill_loaded");
        for name in ["hidden", "nope"] {
            let reply = toolbox.answer(Call::LoadSkill { name, arguments: None });
            assert!(reply.is_error() && reply.event().is_none() && reply.message().is_none());
        }
        let read = Call::ReadSkillFile {
            skill: "deploy",
            path: "SKILL.md",
            start_line: None,
            end_line: None,
        };
        let reply = toolbox.answer(read);
        assert!(!reply.is_error() && reply.event().is_none() && reply.message().is_none());
    }
}
