//! Skills that are called like tools, and the directories of skills that are files.

use crate::features::set::{SKILLS, builder, toolbox};
use helix_skills_runtime::{
    __private::Parts, Call, Profile, Selection, Skill, SkillSet, Toolbox, ToolboxBuilder,
};

const TOOLS: [&str; 3] = ["get_weather", "Deploy", "web_search"];

/// Returns the skill that each call means.
fn meant_skill(toolbox: Toolbox<'_>, called: &str) -> Option<String> {
    let reply = toolbox.skill_as_tool(called, TOOLS)?;
    assert!(reply.is_error());
    let text = reply.to_string();
    let (_, rest) = text.split_once("`: `").unwrap();
    Some(rest.split_once("` is a skill").unwrap().0.to_owned())
}

#[test]
fn skills_called_as_tools_are_recognized() {
    let skills = [
        Skill::define("deploy-helper", "Deploys.", "Do.").build(),
        Skill::define("pdf", "Reads PDF files.", "Do.").build(),
        Skill::define("skill-creator", "Makes skills.", "Do.").build(),
        Skill::from(Parts { name: "技能", description: "Has another script.", ..Parts::EMPTY }),
    ];
    let toolbox = Toolbox::new(SkillSet::new(&skills));
    for (called, skill) in [
        ("deploy-helper", "deploy-helper"),
        ("deploy_helper", "deploy-helper"),
        ("DEPLOY HELPER", "deploy-helper"),
        ("DeployHelper", "deploy-helper"),
        ("skills__deploy_helper", "deploy-helper"),
        ("skill:deploy-helper", "deploy-helper"),
        ("my-plugin:deploy-helper", "deploy-helper"),
        ("use_deploy_helper_skill", "deploy-helper"),
        ("mcp__skills__pdf", "pdf"),
        ("functions.pdf", "pdf"),
        ("load_skill_pdf", "pdf"),
        ("/skills/pdf/SKILL.md", "pdf"),
        ("pdf_skill", "pdf"),
        ("Pdf", "pdf"),
        ("skill-creator", "skill-creator"),
        ("skills.skill_creator", "skill-creator"),
        ("技能", "技能"),
    ] {
        assert_eq!(meant_skill(toolbox, called).as_deref(), Some(skill), "{called}");
    }
    let long = format!("{}pdf", "skills__".repeat(200_000));
    for other in [
        "",
        "-",
        "skill",
        "skills__",
        "pd",
        "pdf2",
        "mcp__github__pdf",
        "get_time",
        "deploy",
        "a:b:c",
        &long,
    ] {
        assert_eq!(meant_skill(toolbox, other), None, "{}", other.get(..40).unwrap_or(other));
    }
}

#[test]
fn tools_are_never_taken_for_skills() {
    for profile in Profile::ALL {
        let toolbox = toolbox(profile);
        for own in TOOLS {
            assert!(toolbox.skill_as_tool(own, TOOLS).is_none(), "{own}");
        }
        for tool in toolbox.tools([]).unwrap() {
            assert!(toolbox.skill_as_tool(tool.name(), TOOLS).is_none(), "{}", tool.name());
        }
        // One letter away from a tool is that tool, misspelled. The exact name of a skill is the
        // skill.
        assert_eq!(meant_skill(toolbox, "DEPLOY"), None);
        assert_eq!(meant_skill(toolbox, "deploy").unwrap(), "deploy");
    }
}

#[test]
fn skills_of_other_agents_are_not_revealed() {
    let chosen = Toolbox::builder(SKILLS).allow(&["pdf"]).build().unwrap();
    for hidden in ["hidden", "Hidden", "deploy", "Zed"] {
        assert_eq!(meant_skill(chosen, hidden), None, "{hidden}");
    }
    assert_eq!(meant_skill(toolbox(Profile::SkillUse), "zed"), None, "not available there");
    assert_eq!(meant_skill(toolbox(Profile::Helix), "zed").unwrap(), "Zed");
    assert_eq!(
        meant_skill(Toolbox::builder(SKILLS).allow(Selection::NONE).build().unwrap(), "pdf"),
        None
    );
}

#[test]
fn answer_says_how_this_agent_uses_skills() {
    let rendered = |toolbox: Toolbox| toolbox.skill_as_tool("PDF", TOOLS).unwrap().to_string();
    let head = "there is no tool `PDF`: `pdf` is a skill, a set of instructions. ";
    let call = |tool| {
        format!(
            "{head}Call the tool `{tool}` with the skill's name, `pdf`, and follow what it returns."
        )
    };
    assert_eq!(rendered(toolbox(Profile::Helix)), call("load_skill"));
    assert_eq!(rendered(toolbox(Profile::SkillUse)), call("skill_use"));
    assert_eq!(rendered(toolbox(Profile::Agentick)), call("skill"));
    assert_eq!(rendered(toolbox(Profile::ClaudeCode)), call("Skill"));
    let read = |path| format!("{head}Read `{path}`, and follow it.");
    assert_eq!(rendered(toolbox(Profile::DeepAgents)), read("/skills/pdf/SKILL.md"));
    assert_eq!(
        rendered(builder(Profile::DeepAgents).at("/opt/").build().unwrap()),
        read("/opt/pdf/SKILL.md")
    );
    assert_eq!(
        rendered(builder(Profile::DeepAgents).directories(&[("pdf", "/a/PDF-1")]).build().unwrap()),
        read("/a/PDF-1/SKILL.md")
    );
    assert_eq!(
        rendered(builder(Profile::DeepAgents).directories(&[("deploy", "/a")]).build().unwrap()),
        format!("{head}Read its `SKILL.md`, and follow it.")
    );
    let preloaded = Toolbox::builder(SKILLS).preload(&["pdf"]).build().unwrap();
    assert_eq!(
        rendered(preloaded),
        format!("{head}They are in front of you already: follow them.")
    );
    let long = format!("skills__pdf{}", "_".repeat(100));
    let mistake = toolbox(Profile::Helix).skill_as_tool(&long, TOOLS).unwrap();
    assert!(mistake.to_string().starts_with("there is no tool `skills__pdf____"));
    assert_eq!(
        (mistake.len(), mistake.to_string().contains("_…`: `pdf`")),
        (mistake.to_string().len(), true)
    );
}

#[test]
fn skills_are_listed_with_their_own_directories() {
    let places = [("deploy", "/custom/deploy-2"), ("pdf", "/public/pdf/")];
    let catalog =
        |profile| builder(profile).directories(&places).build().unwrap().catalog().to_string();
    let deep = catalog(Profile::DeepAgents);
    assert!(deep.contains("name: deploy\npath: /custom/deploy-2/SKILL.md\n"), "{deep}");
    assert!(deep.contains("name: pdf\npath: /public/pdf/SKILL.md\n"), "{deep}");
    assert!(
        deep.contains("name: Zed\ndescription: "),
        "a skill without a known directory has no path: {deep}"
    );
    let code = catalog(Profile::ClaudeCode);
    assert_eq!(code.matches("<location>").count(), 2);
    assert!(code.contains("<location>\n/custom/deploy-2/SKILL.md\n</location>"));
    // Unsorted directories are found as well.
    let places = [("pdf", "/public/pdf"), ("deploy", "/custom/deploy-2"), ("Zed", "/z")];
    assert!(
        builder(Profile::DeepAgents)
            .directories(&places)
            .build()
            .unwrap()
            .catalog()
            .to_string()
            .contains("path: /public/pdf/SKILL.md")
    );
}

#[test]
fn skill_directory_is_a_variable_of_the_body() {
    let skills =
        [Skill::define("pdf", "Reads PDF files.", "Run ${SKILL_DIR}/scripts/x and $ARGUMENTS.")
            .build()];
    let set = SkillSet::new(&skills);
    for profile in [Profile::Agentick, Profile::ClaudeCode] {
        let rendered = |builder: ToolboxBuilder| {
            let call = Call::LoadSkill { name: "pdf", arguments: Some("a".into()) };
            builder.build().unwrap().answer(call).to_string()
        };
        let builder = Toolbox::builder(set).profile(profile);
        assert_eq!(rendered(builder), "Run ${SKILL_DIR}/scripts/x and a.");
        assert_eq!(rendered(builder.at("/skills/")), "Run /skills/pdf/scripts/x and a.");
        assert_eq!(
            rendered(builder.directories(&[("pdf", "/tmp/x/pdf-2")])),
            "Run /tmp/x/pdf-2/scripts/x and a."
        );
        assert_eq!(rendered(builder.directories(&[])), "Run ${SKILL_DIR}/scripts/x and a.");
    }
}

/// Each part of the name is compared with the names of all skills.
#[test]
fn only_the_first_parts_of_a_name_are_compared() {
    let called = |parts: usize| format!("{}pdf", "a/".repeat(parts));
    assert_eq!(meant_skill(toolbox(Profile::Helix), &called(20)).unwrap(), "pdf");
    assert_eq!(meant_skill(toolbox(Profile::Helix), &called(200)), None);
}
