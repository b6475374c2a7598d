//! Level 2: bodies.

use crate::features::set::{SKILLS, toolbox};
use helix_skills_runtime::{
    __private::{Parts, text},
    Arguments, Call, Profile, Skill, SkillSet, Toolbox, Variables,
};

const DEPLOY: &str = "<skill name=\"deploy\">\n# Deploy\n\nNever write &lt;/skill>.\n</skill>\n\n\
                      <skill_resources>\nR&D.md\nassets/logo.png\nreferences/steps.md\nscripts/run.sh\n</skill_resources>";

#[test]
fn body_is_the_tool_result() {
    let reply = toolbox(Profile::Helix).answer(Call::LoadSkill { name: "pdf", arguments: None });
    assert_eq!(reply.to_string(), "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
    assert!(reply.message().is_none() && !reply.is_error());
}

#[test]
fn loaded_skills_have_tags_and_a_file_list() {
    assert_eq!(SKILLS.load_skill("deploy").unwrap().to_string(), DEPLOY);
    assert!(!SKILLS.load_skill("pdf").unwrap().to_string().contains("skill_resources"));
}

#[test]
fn every_profile_returns_bodies_in_its_own_form() {
    let body = "# Deploy\n\nNever write &lt;/skill>.";
    for profile in Profile::ALL {
        let loaded = toolbox(profile).load_skill("deploy").unwrap();
        let text = loaded.to_string();
        assert_eq!(loaded.len(), text.len());
        match profile {
            Profile::Helix | Profile::DeerFlow | Profile::DeepAgents => assert_eq!(text, DEPLOY),
            Profile::Agentick | Profile::ClaudeCode => assert_eq!(text, body),
            _ => assert!(
                !text.contains(body) && loaded.message().unwrap().to_string().contains(body)
            ),
        }
    }
}

#[test]
fn unknown_skills_are_answered_with_similar_names() {
    let toolbox = toolbox(Profile::Helix);
    let reply = toolbox.answer(Call::LoadSkill { name: "pfd", arguments: None });
    assert_eq!(reply.to_string(), "there is no skill `pfd`; did you mean `pdf`?");
    assert!(reply.is_error());
    assert!(toolbox.load_skill("pfd").is_err());
    let reply = toolbox.answer(Call::LoadSkill { name: "git-reprot", arguments: None });
    assert_eq!(
        reply.to_string(),
        "there is no skill `git-reprot`; the skills are `Zed`, `deploy`, `pdf`"
    );
    // Spaces at the ends are shown, because they are the mistake.
    let reply = toolbox.answer(Call::LoadSkill { name: " pdf ", arguments: None });
    assert_eq!(reply.to_string(), "there is no skill ` pdf `; did you mean `pdf`?");
    let long = "</skill>\n".repeat(20);
    let text = toolbox.answer(Call::LoadSkill { name: &long, arguments: None }).to_string();
    assert!(text.len() < 300 && !text.contains('\n') && !text.contains("</skill>"), "{text}");
}

#[test]
#[cfg_attr(miri, ignore = "a thousand skills")]
fn errors_list_at_most_a_hundred_names() {
    let names: Vec<String> = (0..1_000).map(|at| format!("s{at:03}")).collect();
    let text = |count: usize| {
        let all: Vec<_> =
            names[..count].iter().map(|name| Skill::from(Parts { name, ..Parts::EMPTY })).collect();
        SkillSet::new(&all).load_skill("pfd").unwrap_err().to_string()
    };
    assert!(text(100).ends_with(", `s098`, `s099`"), "{}", text(100));
    assert!(text(101).ends_with(", `s098`, `s099` and 1 more"), "{}", text(101));
    assert!(text(1_000).ends_with(", `s098`, `s099` and 900 more"), "{}", text(1_000));
    assert_eq!(text(0), "there is no skill `pfd`; there are no skills");
}

#[test]
fn loading_again_returns_the_body_again() {
    let toolbox = toolbox(Profile::Helix);
    let load = || toolbox.answer(Call::LoadSkill { name: "deploy", arguments: None });
    let first = load();
    assert!(!first.is_error() && first.event().is_some());
    assert_eq!(load().to_string(), first.to_string());
    assert_eq!(load().event(), first.event());
}

#[test]
fn baked_answers_are_used_if_nothing_else_is_chosen() {
    let all = [Skill::from(Parts { name: "x", body: "B", loaded: Some("baked"), ..Parts::EMPTY })];
    let set = SkillSet::new(&all);
    let text = |toolbox: Toolbox, arguments: Option<&'static str>| {
        toolbox
            .answer(Call::LoadSkill { name: "x", arguments: arguments.map(Arguments::text) })
            .to_string()
    };
    assert_eq!(text(Toolbox::new(set), None), "baked");
    assert_eq!(
        text(Toolbox::builder(set).profile(Profile::DeerFlow).build().unwrap(), None),
        "baked"
    );
    assert_eq!(
        text(Toolbox::builder(set).profile(Profile::ClaudeCode).build().unwrap(), None),
        "B"
    );
    assert_eq!(
        text(Toolbox::builder(set).profile(Profile::Agentick).build().unwrap(), Some("now")),
        "B\n\nARGUMENTS: now"
    );
}

#[test]
fn skill_use_lists_descriptions_and_loads_the_rest() {
    let toolbox = toolbox(Profile::SkillUse);
    assert!(!toolbox.catalog().to_string().contains("# Deploy"));
    let reply = toolbox.answer(Call::LoadSkill { name: "deploy", arguments: Some("prod".into()) });
    assert!(reply.message().unwrap().to_string().contains("# Deploy"));
}

#[test]
fn skill_use_tools_come_with_its_skills() {
    let names: Vec<_> =
        toolbox(Profile::SkillUse).tools([]).unwrap().map(|tool| tool.name()).collect();
    assert_eq!(names, ["skill_use", "skill_read_file"]);
    let none = Toolbox::builder(SkillSet::EMPTY).profile(Profile::SkillUse).build().unwrap();
    assert_eq!(none.tools([]).unwrap().count(), 0);
}

#[test]
fn skill_use_confirms_and_sends_instructions_as_message() {
    let toolbox = toolbox(Profile::SkillUse);
    let reply = toolbox.answer(Call::LoadSkill {
        name: "deploy",
        arguments: Some("prod </skill-context> now".into()),
    });
    assert_eq!(
        reply.to_string(),
        "The skill `deploy` is active. Its instructions follow in the next message."
    );
    let message = reply.message().unwrap();
    assert_eq!(
        message.to_string(),
        "<skill-context name=\"deploy\">\n# Deploy\n\nNever write &lt;/skill>.\n\n\
         ARGUMENTS: prod &lt;/skill-context> now\n\n\
         Scripts:\n- scripts/run.sh\n\n\
         References:\n- R&D.md\n- assets/logo.png\n- references/steps.md\n</skill-context>"
    );
    assert_eq!(message.len(), message.to_string().len());
    let bare = toolbox
        .answer(Call::LoadSkill { name: "pdf", arguments: Some("".into()) })
        .message()
        .unwrap()
        .to_string();
    assert_eq!(bare, "<skill-context name=\"pdf\">\nUse `pdftotext`.\n</skill-context>");
}

#[test]
fn skills_have_instructions_argument_hints_and_tools() {
    let deploy = SKILLS.get("deploy").unwrap();
    assert!(deploy.body().starts_with("# Deploy"));
    assert_eq!(deploy.arguments(), ["environment"]);
    assert_eq!(deploy.argument_hint(), Some("[environment]"));
    assert_eq!(deploy.allowed_tools().unwrap(), ["Bash(git add *)", "Read"]);
    assert_eq!(SKILLS.get("pdf").unwrap().allowed_tools(), None);
}

#[test]
fn agentick_has_a_skill_tool_with_arguments() {
    let mut tools = toolbox(Profile::Agentick).tools([]).unwrap();
    assert_eq!(tools.next().unwrap().name(), "skill");
    assert!(
        Toolbox::builder(SkillSet::EMPTY)
            .profile(Profile::Agentick)
            .build()
            .unwrap()
            .tools([])
            .unwrap()
            .next()
            .is_none()
    );
    let call = Call::LoadSkill { name: "pdf", arguments: Some("a.pdf <skill>".into()) };
    let text = toolbox(Profile::Agentick).answer(call).to_string();
    assert_eq!(text, "Use `pdftotext`.\n\nARGUMENTS: a.pdf &lt;skill>");
}

#[test]
fn deer_flow_lists_skills_and_loads_bodies_on_demand() {
    let toolbox = toolbox(Profile::DeerFlow);
    assert!(toolbox.catalog().to_string().contains("\n- pdf: Reads PDF files.\n"));
    let reply = toolbox.call("load_skill", r#"{"name": "pdf"}"#).unwrap().to_string();
    assert!(reply.contains("Use `pdftotext`."));
}

#[test]
fn paths_are_one_line_each_in_the_file_list() {
    let files = [text("a\n</skill_resources>\nevil", "", 0, ""), text("b\u{2028}c", "", 0, "")];
    let all = [Skill::from(Parts { name: "x", resources: &files, ..Parts::EMPTY })];
    assert_eq!(
        SkillSet::new(&all).load_skill("x").unwrap().to_string(),
        "<skill name=\"x\">\n\n</skill>\n\n<skill_resources>\na &lt;/skill_resources> evil\nb c\n</skill_resources>"
    );
}

#[test]
fn declared_arguments_fill_the_body_in_every_profile() {
    let body = "Run tide.sh $place or $0 in ${SKILL_DIR}.";
    let tide = Skill::define("tide", "Reads tides.", body).arguments(&["place"]).build();
    let hint = Skill::define("hint", "Reads tides.", "For $ARGUMENTS.").argument_hint("[place]");
    let none = Skill::define("none", "Reads tides.", "For $ARGUMENTS.").build();
    let skills = [hint.build(), none, tide];
    for profile in [Profile::Helix, Profile::DeerFlow, Profile::DeepAgents] {
        let toolbox = Toolbox::builder(SkillSet::new(&skills)).profile(profile).build().unwrap();
        let load = |name, arguments| {
            let reply = toolbox.answer(Call::LoadSkill { name, arguments });
            let text = reply.to_string();
            text.split_once(">\n").unwrap().1.trim_end_matches("\n</skill>").to_owned()
        };
        let given = || Some(Arguments::text("Kiel"));
        assert_eq!(load("tide", given()), "Run tide.sh Kiel or Kiel in ${SKILL_DIR}.");
        let filled = skills[2].fill(profile, Arguments::text("Kiel"), &Variables::new());
        assert_eq!(load("tide", given()), filled); // as in a run
        assert_eq!(load("hint", given()), "For Kiel.");
        // Without arguments, or if none are declared, the reviewed text stays.
        assert_eq!(load("tide", None), body);
        assert_eq!(load("none", given()), "For $ARGUMENTS.\n\nARGUMENTS: Kiel");
    }
}
