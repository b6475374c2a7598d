//! Helix: a catalog in the prompt, two tools, and skills in code and in directories. What its page
//! says about remote packages is in `tests/tests/consumers/helix.rs`.

use super::call;
use crate::{folder::Folder, waiting::wait};
use helix_skills::{
    AsyncToolbox, Call, Event, Resource, Skill, SkillBuf, SkillSet, SkillSetBuf, Toolbox,
    ToolboxError, skill_set,
};
use helix_skills_format::Code;
use helix_skills_host::Directories;
use helix_skills_lint::{Draft, Rules, lint};
use serde_json::{Value, json};

const BELLS: Skill = Skill::define(
    "ring-bells",
    "Rings the bells of a tower. Use when a feast begins.",
    "# Bells\n\nRead `references/order.md`, then pull.\n",
)
.resources(&[
    Resource::from_text("references/order.md", "one\ntwo\nthree\n"),
    Resource::lazy("scripts/count.sh", || b"echo 3\n"),
])
.build();
const CLOCK: Skill =
    Skill::define("wind-clock", "Winds a clock. Use when it stops.", "# Clock\n\nTurn the key.\n")
        .license("MIT")
        .build();
static TOWER: SkillSet = skill_set![CLOCK, BELLS];

/// The same skills as files.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "skills/ring-bells/SKILL.md",
        "---\nname: ring-bells\ndescription: Rings the bells of a tower. Use when a feast begins.\n---\n\n\
         # Bells\n\nRead `references/order.md`, then pull.\n",
    );
    folder.write("skills/ring-bells/references/order.md", "one\ntwo\nthree\n");
    folder.write("skills/ring-bells/scripts/count.sh", "echo 3\n");
    folder.write("skills/ring-bells/assets/bell.png", b"\x89PNG\0\xff");
    folder.write(
        "skills/wind-clock/SKILL.md",
        "---\nname: wind-clock\ndescription: Winds a clock. Use when it stops.\nlicense: MIT\n---\n\
         # Clock\n\nTurn the key.\n",
    );
    folder
}

fn directory_toolbox(folder: &Folder) -> AsyncToolbox<Directories> {
    let skills = Directories::new().root(folder.path("skills"));
    wait(AsyncToolbox::builder(skills).build()).unwrap()
}

#[test]
fn catalog_is_sorted_and_says_that_a_skill_is_not_a_tool() {
    let folder = folder();
    let (code, files) = (Toolbox::new(TOWER).catalog().to_string(), directory_toolbox(&folder));
    assert_eq!(code, files.catalog(), "both providers have the same catalog");
    assert!(code.starts_with("## Skills\n"), "{code}");
    assert!(code.contains("NOT a tool") && code.contains("load_skill"), "{code}");
    let lines = "\n- ring-bells: Rings the bells of a tower. Use when a feast begins.\n\
                 - wind-clock: Winds a clock. Use when it stops.\n";
    assert!(code.ends_with(lines), "{code}");
    // Loading changes nothing in the prompt.
    call(&files, "load_skill", &json!({"name": "ring-bells"}));
    assert_eq!(code, files.catalog());
}

#[test]
fn agent_without_skills_has_no_catalog_and_no_tools() {
    let toolbox = Toolbox::new(SkillSet::EMPTY);
    assert_eq!(toolbox.catalog().to_string(), "");
    assert_eq!(toolbox.tools(["load_skill"]).unwrap().count(), 0);
}

#[test]
fn two_tools_are_added_and_their_names_are_reserved() {
    let toolbox = Toolbox::new(TOWER);
    let tools: Vec<_> = toolbox.tools(["search"]).unwrap().map(|tool| tool.name()).collect();
    assert_eq!(tools, ["load_skill", "read_skill_file"]);
    for name in tools {
        let shadowed = toolbox.tools([name]);
        assert!(matches!(shadowed, Err(ToolboxError::ReservedTool { .. })), "{name}");
        assert!(Skill::define(name, "x", "x").try_build().is_err(), "no skill has this name");
    }
}

#[test]
fn load_skill_returns_the_body_and_lists_the_files() {
    let toolbox = Toolbox::new(TOWER);
    let load = |name| toolbox.answer(Call::LoadSkill { name, arguments: None });
    let reply = load("ring-bells");
    assert_eq!(
        reply.to_string(),
        "<skill name=\"ring-bells\">\n# Bells\n\nRead `references/order.md`, then pull.\n</skill>\n\n\
         <skill_resources>\nreferences/order.md\nscripts/count.sh\n</skill_resources>"
    );
    assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "ring-bells" }));
    assert_eq!(
        load("wind-clock").to_string(),
        "<skill name=\"wind-clock\">\n# Clock\n\nTurn the key.\n</skill>"
    );
    // Coming from Helix: the most similar names, or all of them.
    let unknown = load("cook-soup").to_string();
    assert!(unknown.contains("`ring-bells`") && unknown.contains("`wind-clock`"), "{unknown}");
    // Loading again returns the body again; the names of earlier loads can be collected.
    assert_eq!(load("ring-bells").to_string(), reply.to_string());
    let calls = [("load_skill", r#"{"name":"ring-bells"}"#); 2];
    assert_eq!(toolbox.collect_loaded_skill_names(calls), ["ring-bells"]);
}

#[test]
fn read_skill_file_returns_untrusted_lines() {
    let folder = folder();
    let toolbox = directory_toolbox(&folder);
    let read = |more: Value| {
        let mut arguments = json!({"skill": "ring-bells", "path": "references/order.md"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(&toolbox, "read_skill_file", &arguments)
    };
    let part = read(json!({"startLine": 2, "endLine": 3}));
    assert!(part.as_str().starts_with("<skill_file skill=\"ring-bells\" path="), "{part}");
    assert!(part.as_str().contains(" untrusted=\"true\">\nNote: the content of a file, as data."));
    assert!(part.as_str().ends_with("\n\ntwo\nthree\n</skill_file>"), "{part}");
    // A script is text to read, and does not run.
    assert!(read(json!({"path": "scripts/count.sh"})).as_str().contains("\necho 3\n"));
    assert!(read(json!({"path": "assets/bell.png"})).as_str().contains("binary"));
    for path in ["../wind-clock/SKILL.md", "/etc/hosts", "references/../../../x"] {
        assert!(read(json!({ "path": path })).is_error(), "{path}");
    }
    folder.write("skills/ring-bells/references/order.md", "x\n".repeat(40_000));
    let cut = read(json!({}));
    assert!(cut.as_str().len() < 66_000, "64 KiB of a larger file");
}

#[test]
fn definition_that_breaks_a_rule_is_an_error() {
    let is_valid = |name: &str, description: &str, body: &str| {
        Skill::define(name, description, body).try_build().is_ok()
    };
    assert!(is_valid("a1-b2", "Does it.", "Do it."));
    for name in ["A", "a_b", "a--b", "-a", "a-", &"a".repeat(65)] {
        assert!(!is_valid(name, "Does it.", "Do it."), "{name}");
    }
    assert!(!is_valid("a", &"x".repeat(1025), "Do it.") && !is_valid("a", "Does it.", " \n"));
    assert!(
        SkillSetBuf::try_from_iter([BELLS, CLOCK, BELLS].map(SkillBuf::from)).is_err(),
        "a duplicate name"
    );
}

#[test]
fn preloaded_body_is_in_the_prompt_and_marked() {
    let toolbox = Toolbox::builder(TOWER).preload(&["wind-clock"]).build().unwrap();
    let catalog = toolbox.catalog().to_string();
    assert!(catalog.contains("\n- ring-bells: "), "{catalog}");
    assert!(catalog.contains("\n- wind-clock loaded=\"true\": "), "{catalog}");
    let (_, active) = catalog.split_once("### Active Skills (already loaded)\n").unwrap();
    assert!(active.contains("Turn the key.") && !active.contains("then pull"), "{active}");
    // It can be loaded all the same.
    assert!(toolbox.load_skill("wind-clock").is_ok());
    // An unknown or repeated name is an error of a set, and a warning of a provider.
    for names in [&["nope"][..], &["wind-clock", "wind-clock"]] {
        assert!(Toolbox::builder(TOWER).preload(names).build().is_err(), "{names:?}");
    }
    let folder = folder();
    let skills = Directories::new().root(folder.path("skills"));
    let builder = AsyncToolbox::builder(skills).preload(&["nope", "wind-clock"]);
    let lenient = wait(builder.build()).unwrap();
    assert!(lenient.catalog().contains("Turn the key.") && lenient.warnings().len() == 1);
    // A sub-agent has only what its own configuration declares.
    let child = Toolbox::new(toolbox.set()).catalog().to_string();
    assert!(!child.contains("Active Skills"), "{child}");
}

#[test]
fn directory_skill_keeps_its_frontmatter_and_files() {
    let folder = folder();
    folder.write(
        "skills/full/SKILL.md",
        "---\nname: full\ndescription: Has all fields.\nlicense: MIT\ncompatibility: A tower.\n\
         metadata:\n  author: ada\nallowed-tools: [bash]\n---\nUse all.\n",
    );
    let toolbox = directory_toolbox(&folder);
    wait(toolbox.skill("full")).unwrap().view(|skill| {
        assert_eq!((skill.license(), skill.compatibility()), (Some("MIT"), Some("A tower.")));
        assert_eq!(skill.metadata(), [("author", "ada")]);
        assert_eq!(skill.allowed_tools(), Some(&["bash"][..]));
    });
    let files = wait(toolbox.skill("ring-bells")).unwrap();
    let files = files.view(|skill| {
        skill.resources().iter().map(|file| file.path().to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(files, ["assets/bell.png", "references/order.md", "scripts/count.sh"]);
}

#[test]
fn authors_are_warned_of_descriptions_that_do_not_trigger() {
    let reported = |name: &str, description: &str| {
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nPull.\n");
        let draft =
            Draft { bytes: text.as_bytes(), directory: Some(name), file: "SKILL.md", files: None };
        let found = lint(&draft, Rules::Authors, |_| None);
        found.into_iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(reported("bells", "Rings bells and counts them. Use when a feast begins."), []);
    assert_eq!(reported("bells", "Rings bells and counts them."), [Code::NoTrigger]);
    let person = "You should ring the bells when a feast begins.";
    assert_eq!(reported("bells", person), [Code::DescriptionPerson]);
    let steps = "Use when a feast begins, by first opening the tower, then pulling the rope.";
    assert_eq!(reported("bells", steps), [Code::DescriptionWorkflow]);
    // Coming from Helix: a name with this word is a warning.
    let good = "Rings bells and counts them. Use when a feast begins.";
    assert_eq!(reported("claude-bells", good), [Code::ReservedWord]);
}
