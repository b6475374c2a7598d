//! The framework with `skill_use`. Its users write agents and skills, and no program; ours is
//! [`agent`], as in the guide's page "Coming from the framework with `skill_use`".

use super::call;
use crate::{folder::Folder, live::recording_shell::RecordingShell, waiting::wait};
use helix_skills::{AsyncToolbox, Profile, live::LiveContext};
use helix_skills_host::{Directories, ScriptRunner, SystemShell, load_agent};
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the system prompt and the tools of an agent of the workspace.
fn agent(folder: &Folder, name: &str) -> (String, AsyncToolbox<Directories>) {
    let loaded = load_agent(folder.path(&format!("agents/{name}.md"))).unwrap();
    let skills = Directories::new().root(folder.path("agents/skills"));
    let toolbox = loaded.toolbox(skills).profile(Profile::SkillUse);
    let toolbox = toolbox.shell(SystemShell::new()).scripts(ScriptRunner::new()).build();
    let toolbox = wait(toolbox).unwrap();
    (loaded.agent.prompt_with(toolbox.catalog()), toolbox)
}

/// A workspace with an agent that lists two of three skills.
fn workspace() -> Folder {
    let folder = Folder::new();
    folder.write(
        "agents/pilot.md",
        "---\nname: pilot\nskills:\n  - plan-passage\n  - harbor_notes\n---\n\n\
         You guide ships. Follow a skill if one fits.\n",
    );
    folder.write(
        "agents/skills/plan-passage/SKILL.md",
        "---\nname: plan-passage\n\
         description: Plans a passage between two harbors. Use when a ship has to sail.\n\
         argument-hint: \"[from] [to]\"\n---\n\n\
         # Passage\n\nAsked for: $ARGUMENTS\nFrom $ARGUMENTS[0] to $1.\n\
         Charts: ${SKILL_DIR}/charts\nTide: !`cat tide.txt`\n",
    );
    folder.write("agents/skills/plan-passage/tide.txt", "falling\n");
    folder.write("agents/skills/plan-passage/scripts/depth.sh", "echo \"depth of $1: 7 m\"\n");
    folder.write("agents/skills/plan-passage/references/rules.md", "Keep to the right.\n");
    folder.write(
        "agents/skills/harbor_notes/SKILL.md",
        "---\ndescription: Writes a note for the harbor office.\n---\n\nKeep it short.\n",
    );
    folder.skill("agents/skills/pay-crew", "pay-crew", "Pays the crew.");
    folder
}

fn activate(toolbox: &AsyncToolbox<Directories>, arguments: &str) -> String {
    let arguments = json!({"skill_name": "plan-passage", "arguments": arguments});
    call(toolbox, "skill_use", &arguments).message().unwrap().to_owned()
}

#[test]
fn prompt_lists_the_skills_that_the_agent_enables() {
    let folder = workspace();
    let (prompt, toolbox) = agent(&folder, "pilot");
    // Names, hints and descriptions; a skill without a hint has no brackets.
    assert_eq!(
        prompt,
        "You guide ships. Follow a skill if one fits.\n\n## Available Skills\n\n\
         - **harbor_notes**: Writes a note for the harbor office.\n\
         - **plan-passage** [from] [to]: Plans a passage between two harbors. Use when a ship has to sail.\n\n\
         Use the `skill_use` tool to load a skill's full instructions when needed.\n"
    );
    assert_eq!(toolbox.warnings(), []);
}

#[test]
fn frontmatter_fields_have_defaults() {
    let folder = workspace();
    folder.write("agents/clerk.md", "---\nskills: [bare_one, Off-2]\n---\nYou file papers.\n");
    folder.write("agents/skills/bare_one/SKILL.md", "---\nlicense: MIT\n---\nFile it.\n");
    folder.write("agents/skills/Off-2/SKILL.md", "---\nuser-invocable: false\n---\nShred it.\n");
    let (prompt, toolbox) = agent(&folder, "clerk");
    // The name is the directory's, there is no hint and no description, and it can be used.
    assert!(prompt.contains("\n\n- **bare_one**\n\n"), "{prompt}");
    assert!(!call(&toolbox, "skill_use", &json!({"skill_name": "bare_one"})).is_error());
    assert!(call(&toolbox, "skill_use", &json!({"skill_name": "Off-2"})).is_error());
}

#[test]
fn arguments_directory_and_commands_are_filled() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "pilot");
    let directory = folder.text("agents/skills/plan-passage");
    let message = activate(&toolbox, "Oslo Kiel");
    let filled = format!(
        "# Passage\n\nAsked for: Oslo Kiel\nFrom Oslo to Kiel.\nCharts: {directory}/charts\nTide: falling\n"
    );
    assert!(message.contains(&filled), "{message}");
}

#[test]
fn commands_run_in_the_skill_for_at_most_10_seconds() {
    let folder = workspace();
    let shell = RecordingShell::echo();
    let skills = Directories::new().root(folder.path("agents/skills"));
    let toolbox = AsyncToolbox::builder(skills).profile(Profile::SkillUse);
    let toolbox = wait(toolbox.shell(LiveContext::new(shell.clone())).build()).unwrap();
    // The output replaces the command before the model gets the text.
    assert!(activate(&toolbox, "").contains("\nTide: <cat tide.txt>\n"));
    let commands = shell.recorded();
    assert_eq!(commands.len(), 1);
    assert_eq!(commands[0].directory, Some(folder.text("agents/skills/plan-passage")));
    assert_eq!(commands[0].time_limit, Duration::from_secs(10));
}

#[test]
fn agent_with_skills_has_three_tools() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "pilot");
    let tools = toolbox.tools([]).unwrap();
    let required = |at: usize| {
        let parameters: Value = serde_json::from_str(&tools[at].parameters).unwrap();
        (tools[at].name.clone(), parameters["required"].clone())
    };
    assert_eq!(tools.len(), 3);
    assert_eq!(required(0), ("skill_use".into(), json!(["skill_name"])));
    assert_eq!(required(1), ("skill_read_file".into(), json!(["skill_name", "file_path"])));
    assert_eq!(required(2), ("skill_run_script".into(), json!(["skill_name", "script_name"])));
    assert!(tools[0].parameters.contains(r#""arguments":{"type":"string""#));
    assert!(tools[2].parameters.contains("script_args"));
    let description = &tools[2].description;
    assert!(description.contains(".bash, .js, .py, .sh"), "{description}");
    assert!(description.contains("at most 30 seconds"), "{description}");

    folder.write("agents/guest.md", "---\nname: guest\n---\nYou are a guest.\n");
    let (prompt, toolbox) = agent(&folder, "guest");
    assert_eq!((&*prompt, toolbox.tools([]).unwrap().len()), ("You are a guest.", 0));
}

#[test]
fn activation_is_confirmed_and_a_message_follows() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "pilot");
    let arguments = json!({"skill_name": "plan-passage", "arguments": "Oslo Kiel"});
    let reply = call(&toolbox, "skill_use", &arguments);
    assert!(reply.as_str().contains("`plan-passage` is active"), "{reply}");
    assert!(!reply.as_str().contains("Asked for"), "the instructions are not in the result");
    let message = reply.message().unwrap();
    assert!(message.starts_with("<skill-context name=\"plan-passage\">\n"), "{message}");
    assert!(message.ends_with("\n</skill-context>"), "{message}");
    assert!(message.contains("\nScripts:\n- scripts/depth.sh\n"), "{message}");
    assert!(message.contains("\nReferences:\n- references/rules.md\n"), "{message}");
}

#[test]
fn model_reads_references_and_runs_scripts() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "pilot");
    let read = |path| {
        let arguments = json!({"skill_name": "plan-passage", "file_path": path});
        call(&toolbox, "skill_read_file", &arguments)
    };
    assert!(read("references/rules.md").as_str().contains("Keep to the right.\n"));
    let run = |script| {
        let arguments =
            json!({"skill_name": "plan-passage", "script_name": script, "script_args": "Kiel"});
        call(&toolbox, "skill_run_script", &arguments)
    };
    // Coming from the framework with `skill_use`: the output is marked as data by tags.
    assert!(run("depth.sh").as_str().contains("\ndepth of Kiel: 7 m\n"));

    // Paths stay inside the skill, and only files of `scripts` run.
    for path in ["../harbor_notes/SKILL.md", "references/../../../pilot.md", "/etc/hosts"] {
        assert!(read(path).is_error(), "{path}");
    }
    for script in ["../tide.txt", "references/rules.md", "absent.sh"] {
        assert!(run(script).is_error(), "{script}");
    }
}

#[test]
fn skills_that_an_agent_does_not_list_are_unavailable() {
    let folder = workspace();
    let (prompt, toolbox) = agent(&folder, "pilot");
    assert!(!prompt.contains("pay-crew"));
    for (tool, other) in [
        ("skill_use", json!({"skill_name": "pay-crew"})),
        ("skill_read_file", json!({"skill_name": "pay-crew", "file_path": "SKILL.md"})),
        ("skill_run_script", json!({"skill_name": "pay-crew", "script_name": "pay.sh"})),
    ] {
        let reply = call(&toolbox, tool, &other);
        assert!(reply.is_error(), "{tool}");
        assert!(reply.as_str().starts_with("there is no skill `pay-crew`"), "{reply}");
    }
}

#[test]
fn copied_claude_code_skill_works_without_changes() {
    let folder = workspace();
    let files = [
        (
            "SKILL.md",
            "---\nname: check-hull\ndescription: Checks a hull. Use before a ship leaves.\n\
             argument-hint: \"[ship]\"\nallowed-tools: Bash(ls *), Read\nuser-invocable: true\n---\n\n\
             Check $ARGUMENTS with !`ls references`.\n",
        ),
        ("references/rivets.md", "Count them.\n"),
        ("scripts/knock.sh", "echo solid\n"),
    ];
    for (path, text) in files {
        folder.write(&format!(".claude/skills/check-hull/{path}"), text);
        let copy = folder.path(&format!("agents/skills/check-hull/{path}"));
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(folder.path(&format!(".claude/skills/check-hull/{path}")), copy).unwrap();
    }
    folder.write("agents/mate.md", "---\nskills: [check-hull]\n---\nYou are the mate.\n");
    let (prompt, toolbox) = agent(&folder, "mate");
    assert!(prompt.contains("- **check-hull** [ship]: Checks a hull."), "{prompt}");
    let arguments = json!({"skill_name": "check-hull", "arguments": "the ferry"});
    let reply = call(&toolbox, "skill_use", &arguments);
    let message = reply.message().unwrap();
    assert!(message.contains("\nCheck the ferry with rivets.md.\n"), "{message}");
    let arguments = json!({"skill_name": "check-hull", "script_name": "knock.sh"});
    assert!(call(&toolbox, "skill_run_script", &arguments).as_str().contains("\nsolid\n"));
}
