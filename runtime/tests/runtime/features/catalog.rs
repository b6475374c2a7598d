//! Level 1.

use crate::features::set::{SKILLS, builder, toolbox};
use expect_test::expect_file;
use helix_skills_runtime::{
    __private::{Parts, skill},
    Call, Profile, Skill, SkillSet, Toolbox,
};

#[test]
fn row_01_the_catalog_is_first_then_the_body_then_its_files() {
    let toolbox = toolbox(Profile::Helix);
    let catalog = toolbox.catalog().to_string();
    assert!(
        catalog.contains("\n- deploy: ")
            && !catalog.contains("# Deploy")
            && !catalog.contains("references/")
    );
    let loaded = toolbox.answer(Call::LoadSkill { name: "deploy", arguments: None }).to_string();
    assert!(
        loaded.contains("# Deploy")
            && loaded.contains("\nreferences/steps.md\n")
            && !loaded.contains("# Steps")
    );
    let read = Call::ReadSkillFile {
        skill: "deploy",
        path: "references/steps.md",
        start_line: None,
        end_line: None,
    };
    assert!(toolbox.answer(read).to_string().contains("# Steps"));
}

#[test]
fn row_02_the_prompt_is_the_same_bytes_whatever_was_loaded_since() {
    for profile in Profile::ALL {
        let toolbox = builder(profile).preload(&["pdf"]).build().unwrap();
        let tools = || {
            toolbox
                .tools([])
                .unwrap()
                .map(|tool| format!("{}{}", tool.description(), tool.parameters()))
                .collect::<Vec<_>>()
        };
        let before = (toolbox.catalog().to_string(), tools());
        for name in ["deploy", "pdf", "hidden", "nope"] {
            let _ =
                toolbox.answer(Call::LoadSkill { name, arguments: Some("x".into()) }).to_string();
            let read = Call::ReadSkillFile {
                skill: name,
                path: "R&D.md",
                start_line: Some(2),
                end_line: None,
            };
            let _ = toolbox.answer(read).to_string();
        }
        assert_eq!((toolbox.catalog().to_string(), tools()), before);
    }
}

#[test]
fn row_03_a_script_is_text_like_any_other_file() {
    let script = SKILLS.read_skill_file("deploy", "scripts/run.sh").unwrap().to_string();
    assert!(script.ends_with("\n\necho hi\n</skill_file>"));
}

#[test]
fn row_04_the_catalog_is_a_section_with_name_and_description_of_every_skill() {
    expect_file!["../snapshots/catalog-helix.txt"].assert_eq(&SKILLS.catalog().to_string());
}

#[test]
fn row_05_the_catalog_is_sorted_by_the_bytes_of_names() {
    for profile in Profile::ALL {
        let text = match profile {
            Profile::Agentick => {
                toolbox(profile).tools([]).unwrap().next().unwrap().description().to_string()
            }
            _ => toolbox(profile).catalog().to_string(),
        };
        let places =
            |names: &[&str]| names.iter().map(|name| text.find(name).unwrap()).collect::<Vec<_>>();
        let visible: &[&str] = if profile == Profile::SkillUse {
            &["deploy", "pdf"]
        } else {
            &["Zed", "deploy", "pdf"]
        };
        assert!(places(visible).is_sorted(), "{profile:?}: {text}");
        assert!(toolbox(profile).view().names().eq(visible.iter().copied()));
        assert!(!text.contains("hidden"), "{profile:?}: {text}");
    }
}

#[test]
fn row_06_the_catalog_says_that_a_skill_is_no_tool_and_which_tool_loads_it() {
    let text = SKILLS.catalog().to_string();
    assert!(
        text.contains("A skill is NOT a tool")
            && text.contains("call the tool `load_skill` with its name")
    );
}

#[test]
fn row_26_without_skills_nothing_is_there_at_all() {
    let none: [&str; 0] = [];
    let hidden = [*SKILLS.get("hidden").unwrap()];
    for profile in Profile::ALL {
        let empty = [
            Toolbox::builder(SkillSet::EMPTY).profile(profile).build().unwrap(),
            Toolbox::builder(SKILLS).profile(profile).allow(&none).build().unwrap(),
            Toolbox::builder(SkillSet::new(&hidden)).profile(profile).build().unwrap(),
        ];
        for toolbox in empty {
            assert!(toolbox.catalog().is_empty());
            assert_eq!(toolbox.catalog().to_string(), "");
            assert_eq!(toolbox.tools([]).unwrap().count(), 0);
            assert!(toolbox.view().is_empty());
            let taken =
                ["load_skill", "read_skill_file", "search_skills", "skill_use", "skill", "Skill"];
            assert_eq!(toolbox.tools(taken).unwrap().count(), 0);
            for name in taken {
                assert!(toolbox.call(name, r#"{"name": "pdf"}"#).is_none(), "{name}");
            }
        }
    }
}

#[test]
fn row_57_the_catalog_never_tells_what_was_loaded() {
    let toolbox = toolbox(Profile::Helix);
    let _ = toolbox.load_skill("pdf").unwrap().to_string();
    assert!(!toolbox.catalog().to_string().contains("loaded=\"true\""));
}

#[test]
fn row_66_an_argument_hint_is_shown_where_there_is_one() {
    let lines = |hint| {
        let all =
            [skill(Parts { name: "x", description: "D.", argument_hint: hint, ..Parts::EMPTY })];
        let text = Toolbox::builder(SkillSet::new(&all))
            .profile(Profile::SkillUse)
            .build()
            .unwrap()
            .catalog()
            .to_string();
        text.lines().find(|line| line.starts_with("- ")).unwrap().to_owned()
    };
    assert_eq!(lines(None), "- **x**: D.");
    assert_eq!(lines(Some(" ")), "- **x**: D.");
    assert_eq!(lines(Some("file")), "- **x** [file]: D.");
    assert_eq!(lines(Some("[file] [format]")), "- **x** [file] [format]: D.");
    assert_eq!(lines(Some("[file]\n- **y**: evil")), "- **x** [[file] - **y**: evil]: D.");
}

#[test]
fn row_67_a_skill_that_is_not_for_users_is_available_everywhere_but_in_seed_001() {
    for profile in Profile::ALL {
        let there = toolbox(profile).load_skill("Zed").is_ok();
        assert_eq!(there, profile != Profile::SkillUse, "{profile:?}");
    }
    assert!(SKILLS.get("Zed").is_some_and(|skill| !skill.user_invocable()));
}

#[test]
fn row_70_seed_001_has_a_list_with_hints_and_the_sentence_about_skill_use() {
    expect_file!["../snapshots/catalog-skill-use.txt"]
        .assert_eq(&toolbox(Profile::SkillUse).catalog().to_string());
}

#[test]
fn row_111_agentick_lists_skills_in_the_description_of_its_tool() {
    let toolbox = toolbox(Profile::Agentick);
    assert_eq!(toolbox.catalog().to_string(), "");
    let description = toolbox.tools([]).unwrap().next().unwrap().description().to_string();
    expect_file!["../snapshots/description-agentick.txt"].assert_eq(&description);
}

#[test]
fn row_126_deer_flow_has_a_plain_list() {
    expect_file!["../snapshots/catalog-deer-flow.txt"]
        .assert_eq(&toolbox(Profile::DeerFlow).catalog().to_string());
}

#[test]
fn row_133_deep_agents_get_name_description_and_path_and_read_for_themselves() {
    let toolbox = builder(Profile::DeepAgents).at("/mnt/<skills>/").build().unwrap();
    let text = toolbox.catalog().to_string();
    assert!(text.contains(
        "name: pdf\npath: /mnt/&lt;skills&gt;/pdf/SKILL.md\ndescription: Reads PDF files.\n"
    ));
    assert!(!text.contains("pdftotext"));
    assert_eq!(toolbox.tools(["load_skill", "read_skill_file"]).unwrap().count(), 0);
}

#[test]
fn row_144_deep_agents_have_one_fragment_with_instructions_and_a_part_for_every_skill() {
    let text = toolbox(Profile::DeepAgents).catalog().to_string();
    expect_file!["../snapshots/catalog-deep-agents.txt"].assert_eq(&text);
    assert_eq!(text.matches("<instructions>").count(), 1);
    assert_eq!(text.matches("<skill>").count(), 3);
}

#[test]
fn row_145_the_instructions_have_six_points_and_examples_of_right_and_wrong() {
    let text = toolbox(Profile::DeepAgents).catalog().to_string();
    let (instructions, _) = text.split_once("\n</instructions>").unwrap();
    assert_eq!(instructions.lines().filter(|line| line.starts_with("- ")).count(), 6);
    for point in ["Match", "Read on demand", "Load little", "Prefer scripts", "Announce", "No tool"]
    {
        assert!(instructions.contains(&format!("\n- {point}: ")), "{point}");
    }
    assert!(instructions.contains("\nRight: ") && instructions.matches("\nWrong: ").count() == 2);
}

#[test]
fn available_skills_are_escaped_as_the_reference_library_does() {
    let plain = toolbox(Profile::ClaudeCode).catalog().to_string();
    expect_file!["../snapshots/catalog-claude-code.txt"].assert_eq(&plain);
    let located = builder(Profile::ClaudeCode)
        .at("/skills")
        .preload(&["pdf"])
        .build()
        .unwrap()
        .catalog()
        .to_string();
    expect_file!["../snapshots/catalog-claude-code-located.txt"].assert_eq(&located);
}

/// The text between the description's tags of a skill that has this one.
fn listed(description: &str, when_to_use: Option<&str>) -> String {
    let all = [skill(Parts { name: "x", description, when_to_use, ..Parts::EMPTY })];
    let text = Toolbox::builder(SkillSet::new(&all))
        .profile(Profile::ClaudeCode)
        .build()
        .unwrap()
        .catalog()
        .to_string();
    let (_, rest) = text.split_once("<description>\n").unwrap();
    rest.split_once("\n</description>").unwrap().0.to_owned()
}

#[test]
fn claude_code_cuts_description_and_when_to_use_together_at_1536_characters() {
    let (a, b) = ("a".repeat(1500), "b".repeat(35));
    for (description, when_to_use, expected) in [
        ("é".repeat(1536), None, "é".repeat(1536)),
        ("é".repeat(1537), None, "é".repeat(1536) + "…"),
        ("a".repeat(1536), Some(" \n".to_owned()), "a".repeat(1536)),
        (a.clone(), Some(b.clone()), format!("{a} {b}")),
        (a.clone(), Some(b.clone() + "c"), format!("{a} {b}…")),
        // The limit counts what the author wrote, and no entity is cut in two.
        ("&".repeat(1536), None, "&amp;".repeat(1536)),
        ("<".repeat(1537), None, "&lt;".repeat(1536) + "…"),
    ] {
        let shown = listed(&description, when_to_use.as_deref());
        assert!(
            shown == expected,
            "{} characters and {when_to_use:?}: {} bytes",
            description.len(),
            shown.len()
        );
    }
}

#[test]
fn a_skill_without_description_is_a_name_and_what_it_is_for() {
    let catalog = |when_to_use| {
        let all = [skill(Parts { name: "x", when_to_use, ..Parts::EMPTY })];
        Profile::ALL.map(|profile| {
            let toolbox =
                Toolbox::builder(SkillSet::new(&all)).profile(profile).at("/s").build().unwrap();
            match profile {
                Profile::Agentick => {
                    toolbox.tools([]).unwrap().next().unwrap().description().to_string()
                }
                _ => toolbox.catalog().to_string(),
            }
        })
    };
    let [helix, skill_use, _, deer_flow, deep_agents, claude_code] =
        catalog(Some("Use for tests."));
    assert!(helix.ends_with("\n- x: Use for tests.\n"));
    assert!(skill_use.contains("\n- **x**: Use for tests.\n"));
    assert!(deer_flow.ends_with("\n- x: Use for tests.\n"));
    assert!(deep_agents.contains("\ndescription: Use for tests.\n"));
    assert!(claude_code.contains("<description>\nUse for tests.\n</description>"));
    let [helix, skill_use, _, deer_flow, ..] = catalog(None);
    assert!(
        helix.ends_with("\n- x\n")
            && skill_use.contains("\n- **x**\n")
            && deer_flow.ends_with("\n- x\n")
    );
}

#[test]
fn a_toolbox_renders_what_its_set_does() {
    let all: Vec<Skill> = SKILLS.iter().copied().collect();
    assert_eq!(
        SKILLS.catalog().to_string(),
        Toolbox::new(SkillSet::new(&all)).catalog().to_string()
    );
}

/// A bracket in the end of one text, the rest of a tag in the next: found by the attacks of `tests/hostile`.
#[test]
fn a_tag_cannot_come_together_of_description_and_when_to_use() {
    let all = [skill(Parts {
        name: "x",
        description: "a <",
        when_to_use: Some("/skill>b"),
        ..Parts::EMPTY
    })];
    let text = SkillSet::new(&all).catalog().to_string();
    assert!(text.ends_with("\n- x: a &lt; /skill>b\n"), "{text}");
}
