//! Behavior that all profiles share.

use crate::features::set::{builder, toolbox};
use helix_skills_runtime::{Profile, Resource, Skill, SkillSet, Toolbox};

#[test]
fn profiles_have_names_for_the_command_line() {
    let names = Profile::ALL.map(Profile::name);
    assert_eq!(
        names,
        ["helix", "skill-use", "agentick", "deer-flow", "deep-agents", "claude-code"]
    );
    for profile in Profile::ALL {
        assert_eq!(Profile::from_name(profile.name()), Some(profile));
    }
    assert_eq!(Profile::from_name("Helix"), None);
}

/// The table in the documentation of `Profile`, and the one in the guide.
#[test]
fn profiles_have_the_tools_of_the_table() {
    let files = [Resource::from_text("notes.md", "A note.\n")];
    let plain = [Skill::define("plain", "Does.", "Do it.").build()];
    let with_files =
        [Skill::define("files", "Does.", "Do it.").resources(&files).try_build().unwrap()];
    let names = |skills: &[Skill], profile| -> Vec<&str> {
        let toolbox = Toolbox::builder(SkillSet::new(skills)).profile(profile).build().unwrap();
        toolbox.tools([]).unwrap().map(|tool| tool.name()).collect()
    };
    for (profile, expected, reads_always) in [
        (Profile::Helix, &["load_skill", "read_skill_file"][..], true),
        (Profile::SkillUse, &["skill_use", "skill_read_file"], true),
        (Profile::Agentick, &["skill", "read_skill_file"], false),
        (Profile::DeerFlow, &["load_skill", "read_skill_file"], true),
        (Profile::DeepAgents, &[], true),
        (Profile::ClaudeCode, &["Skill", "read_skill_file"], false),
    ] {
        assert_eq!(names(&with_files, profile), expected);
        let of_plain = if reads_always { expected } else { &expected[..1] };
        assert_eq!(names(&plain, profile), of_plain);
        let guide = include_str!("../../../../docs/src/reference/profiles.md");
        let row = guide.lines().find(|line| line.contains(&format!(" `{}` |", profile.name())));
        let row = row.unwrap();
        assert!(expected.iter().all(|tool| row.contains(&format!("`{tool}`"))), "{row}");
        assert_eq!(row.contains("if a skill has files"), !reads_always, "{row}");
    }
}

#[test]
fn texts_are_the_same_in_any_order_of_calls() {
    let render = |profile| {
        let toolbox = toolbox(profile);
        let tools = toolbox
            .tools([])
            .unwrap()
            .map(|tool| format!("{} {}", tool.description(), tool.parameters()));
        (toolbox.catalog().to_string(), tools.collect::<Vec<_>>())
    };
    let forward = Profile::ALL.map(render);
    let mut backward = Profile::ALL;
    backward.reverse();
    let mut backward = backward.map(render);
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn texts_are_written_like_they_are_displayed() {
    for profile in Profile::ALL {
        let catalog = builder(profile).preload(&["pdf"]).build().unwrap().catalog();
        let text = catalog.to_string();
        assert_eq!(catalog.len(), text.len());
        let mut out = String::new();
        catalog.write_to(&mut out).unwrap();
        assert_eq!(out, text);
    }
}
