//! Level 1: catalogs.

use crate::features::set::{SKILLS, builder, toolbox};
use expect_test::expect_file;
use helix_skills_runtime::{__private::Parts, Call, Profile, Skill, SkillSet, Toolbox};

#[test]
fn catalog_body_and_files_are_three_levels() {
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
fn loading_skills_does_not_change_the_prompt() {
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
fn scripts_are_read_like_any_text_file() {
    let script = SKILLS.read_skill_file("deploy", "scripts/run.sh").unwrap().to_string();
    assert!(script.ends_with("\n\necho hi\n</skill_file>"));
}

#[test]
fn catalog_lists_names_and_descriptions() {
    expect_file!["../snapshots/catalog-helix.txt"].assert_eq(&SKILLS.catalog().to_string());
}

#[test]
fn catalogs_are_sorted_by_the_bytes_of_names() {
    for profile in Profile::ALL {
        let text = match profile {
            Profile::Agentick => toolbox(profile).tools([]).unwrap().next().unwrap().description(),
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
        assert!(toolbox(profile).skills().map(|skill| skill.name()).eq(visible.iter().copied()));
        assert!(!text.contains("hidden"), "{profile:?}: {text}");
    }
}

#[test]
fn catalog_says_skills_are_not_tools_and_names_load_tool() {
    let text = SKILLS.catalog().to_string();
    assert!(
        text.contains("A skill is NOT a tool")
            && text.contains("call the tool `load_skill` with its name")
    );
}

#[test]
fn without_skills_there_is_no_text_and_no_tool() {
    let none: [&str; 0] = [];
    let hidden = [SKILLS.get("hidden").unwrap().clone()];
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
            assert!(toolbox.skills().next().is_none());
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
fn catalog_does_not_mark_loaded_skills() {
    let toolbox = toolbox(Profile::Helix);
    let before = toolbox.catalog().to_string();
    assert!(!toolbox.load_skill("pdf").unwrap().to_string().is_empty());
    assert_eq!(toolbox.catalog().to_string(), before);
    assert!(!before.contains("loaded=\"true\""));
}

#[test]
fn argument_hints_are_listed() {
    let lines = |hint| {
        let all = [Skill::from(Parts {
            name: "x",
            description: "D.",
            argument_hint: hint,
            ..Parts::EMPTY
        })];
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
fn skill_use_hides_skills_that_are_not_user_invocable() {
    for profile in Profile::ALL {
        let there = toolbox(profile).load_skill("Zed").is_ok();
        assert_eq!(there, profile != Profile::SkillUse, "{profile:?}");
    }
    assert!(SKILLS.get("Zed").is_some_and(|skill| !skill.user_invocable()));
}

#[test]
fn skill_use_lists_hints_and_names_its_tool() {
    expect_file!["../snapshots/catalog-skill-use.txt"]
        .assert_eq(&toolbox(Profile::SkillUse).catalog().to_string());
}

#[test]
fn agentick_lists_skills_in_its_tool_description() {
    let toolbox = toolbox(Profile::Agentick);
    assert_eq!(toolbox.catalog().to_string(), "");
    let description = toolbox.tools([]).unwrap().next().unwrap().description();
    expect_file!["../snapshots/description-agentick.txt"].assert_eq(&description);
}

#[test]
fn deer_flow_has_a_plain_list() {
    expect_file!["../snapshots/catalog-deer-flow.txt"]
        .assert_eq(&toolbox(Profile::DeerFlow).catalog().to_string());
}

#[test]
fn deep_agents_get_paths_and_no_tools() {
    let toolbox = builder(Profile::DeepAgents).at("/mnt/<skills>/").build().unwrap();
    let text = toolbox.catalog().to_string();
    assert!(text.contains(
        "name: pdf\npath: /mnt/&lt;skills&gt;/pdf/SKILL.md\ndescription: Reads PDF files.\n"
    ));
    assert!(!text.contains("pdftotext"));
    assert_eq!(toolbox.tools(["load_skill", "read_skill_file"]).unwrap().count(), 0);
}

#[test]
fn deep_agents_catalog_is_one_fragment() {
    let text = toolbox(Profile::DeepAgents).catalog().to_string();
    expect_file!["../snapshots/catalog-deep-agents.txt"].assert_eq(&text);
    assert_eq!(text.matches("<instructions>").count(), 1);
    assert_eq!(text.matches("<skill>").count(), 3);
}

#[test]
fn deep_agents_instructions_have_six_points_and_examples() {
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

/// Returns the text between the description's tags in the catalog of a skill.
fn listed(description: &str, when_to_use: Option<&str>) -> String {
    let all = [Skill::from(Parts { name: "x", description, when_to_use, ..Parts::EMPTY })];
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
fn claude_code_truncates_descriptions_to_1536_characters() {
    let (a, b) = ("a".repeat(1500), "b".repeat(35));
    for (description, when_to_use, expected) in [
        ("é".repeat(1536), None, "é".repeat(1536)),
        ("é".repeat(1537), None, "é".repeat(1536) + "…"),
        ("a".repeat(1536), Some(" \n".to_owned()), "a".repeat(1536)),
        (a.clone(), Some(b.clone()), format!("{a} {b}")),
        (a.clone(), Some(b.clone() + "c"), format!("{a} {b}…")),
        // The limit applies to the author's text, so that no entity is split.
        ("&".repeat(1536), None, "&amp;".repeat(1536)),
        ("<".repeat(1537), None, "&lt;".repeat(1536) + "…"),
    ] {
        let text = listed(&description, when_to_use.as_deref());
        assert!(
            text == expected,
            "{} characters and {when_to_use:?}: {} bytes",
            description.len(),
            text.len()
        );
    }
}

#[test]
fn skills_without_description_show_when_to_use() {
    let catalog = |when_to_use| {
        let all = [Skill::from(Parts { name: "x", when_to_use, ..Parts::EMPTY })];
        Profile::ALL.map(|profile| {
            let toolbox =
                Toolbox::builder(SkillSet::new(&all)).profile(profile).at("/s").build().unwrap();
            match profile {
                Profile::Agentick => toolbox.tools([]).unwrap().next().unwrap().description(),
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
fn toolboxes_render_like_their_sets() {
    let all: Vec<Skill> = SKILLS.to_vec();
    assert_eq!(
        SKILLS.catalog().to_string(),
        Toolbox::new(SkillSet::new(&all)).catalog().to_string()
    );
}

/// The first text ends with a bracket, and the second one continues the tag: found by the attacks
/// of `hostile/`.
#[test]
fn description_and_when_to_use_cannot_form_a_tag() {
    let all = [Skill::from(Parts {
        name: "x",
        description: "a <",
        when_to_use: Some("/skill>b"),
        ..Parts::EMPTY
    })];
    let text = SkillSet::new(&all).catalog().to_string();
    assert!(text.ends_with("\n- x: a &lt; /skill>b\n"), "{text}");
}
