//! The framework with `skill_use`. Its users write agents and skills, which are the same here, and
//! no program; ours is the 6 lines of [`agent`], as in the guide's page "Coming from the framework
//! with `skill_use`".

use super::call;
use crate::{folder::Folder, live::recording_shell::RecordingShell, waiting::wait};
use helix_skills::{AsyncToolbox, Profile, shell::ShellContext};
use helix_skills_host::{Directories, ScriptRunner, SystemShell, load_agent};
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the system prompt and the tools of an agent of the workspace.
fn agent(folder: &Folder, name: &str) -> (String, AsyncToolbox<Directories>) {
    let loaded = load_agent(folder.path(&format!("agents/{name}.md"))).unwrap();
    let skills = Directories::new().root(folder.path("agents/skills"));
    let toolbox = AsyncToolbox::builder(skills).allow(&loaded.value.skills);
    let toolbox = toolbox.profile(Profile::SkillUse);
    let toolbox = toolbox.shell(SystemShell::new()).scripts(ScriptRunner::new()).build();
    let toolbox = wait(toolbox).unwrap();
    (loaded.value.prompt_with(toolbox.catalog()), toolbox)
}

/// A workspace with the page's agent, which lists two of three skills.
fn workspace() -> Folder {
    let folder = Folder::new();
    folder.write(
        "agents/my-agent.md",
        "---\nname: my-agent\nskills:\n  - analyze-pr\n  - generate-report\n---\n\n\
         You are an assistant. Use your skills when appropriate.\n",
    );
    folder.write(
        "agents/skills/analyze-pr/SKILL.md",
        "---\nname: analyze-pr\ndescription: Analyze a GitHub pull request\n\
         argument-hint: \"[pr-number]\"\n---\n\nAnalyze pull request #$ARGUMENTS\n",
    );
    folder.write("agents/skills/analyze-pr/scripts/helper.sh", "echo \"helps with $1\"\n");
    folder.write("agents/skills/analyze-pr/references/api-docs.md", "GET /pulls\n");
    folder.write(
        "agents/skills/generate-report/SKILL.md",
        "---\ndescription: Generate a formatted report\n---\n\nKeep it short.\n",
    );
    folder.skill("agents/skills/merge-pr", "merge-pr", "Merges a pull request.");
    folder
}

/// Writes the page's `my-skill` with this body, and an agent that lists it.
fn write_my_skill(folder: &Folder, body: &str) {
    folder.write(
        "agents/skills/my-skill/SKILL.md",
        format!(
            "---\nname: my-skill\ndescription: What this skill does and when to use it\n\
             argument-hint: \"[args]\"\n---\n\n# Instructions\n\n{body}\n"
        ),
    );
    folder.write("agents/tester.md", "---\nskills: [my-skill]\n---\nYou test.\n");
}

fn activate(toolbox: &AsyncToolbox<Directories>, arguments: &str) -> String {
    let arguments = json!({"skill_name": "my-skill", "arguments": arguments});
    call(toolbox, "skill_use", &arguments).message().unwrap().to_string()
}

#[test]
fn prompt_lists_the_skills_that_the_agent_enables() {
    let folder = workspace();
    let (prompt, toolbox) = agent(&folder, "my-agent");
    // Names, hints and descriptions; a skill without a hint has no brackets.
    assert_eq!(
        prompt,
        "You are an assistant. Use your skills when appropriate.\n\n## Available Skills\n\n\
         - **analyze-pr** [pr-number]: Analyze a GitHub pull request\n\
         - **generate-report**: Generate a formatted report\n\n\
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
    let directory = folder.text("agents/skills/my-skill");
    for (body, arguments, filled) in [
        ("Analyze pull request #$ARGUMENTS", "123", "Analyze pull request #123".to_owned()),
        (
            "Compare $ARGUMENTS[0] with $ARGUMENTS[1]",
            "main develop",
            "Compare main with develop".to_owned(),
        ),
        ("Compare $0 with $1", "main develop", "Compare main with develop".to_owned()),
        (
            "Run: python ${SKILL_DIR}/scripts/analyze.py",
            "",
            format!("Run: python {directory}/scripts/analyze.py"),
        ),
        ("Current branch: !`echo main`", "", "Current branch: main".to_owned()),
    ] {
        write_my_skill(&folder, body);
        let message = activate(&agent(&folder, "tester").1, arguments);
        assert!(message.contains(&format!("# Instructions\n\n{filled}\n")), "{message}");
    }
}

#[test]
fn commands_run_in_the_skill_for_at_most_10_seconds() {
    let folder = workspace();
    write_my_skill(
        &folder,
        "Current branch: !`git branch --show-current`\nLast commit: !`git log -1 --oneline`",
    );
    let shell = RecordingShell::echo();
    let skills = Directories::new().root(folder.path("agents/skills"));
    let toolbox = AsyncToolbox::builder(skills).profile(Profile::SkillUse);
    let toolbox = wait(toolbox.shell(ShellContext::new(shell.clone())).build()).unwrap();
    // The output replaces the command before the model gets the text.
    let filled =
        "\nCurrent branch: <git branch --show-current>\nLast commit: <git log -1 --oneline>\n";
    assert!(activate(&toolbox, "").contains(filled));
    let commands = shell.recorded();
    assert_eq!(commands.len(), 2);
    assert_eq!(commands[0].directory, Some(folder.text("agents/skills/my-skill")));
    assert_eq!(commands[0].time_limit, Duration::from_secs(10));
}

#[test]
fn agent_with_skills_has_three_tools() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "my-agent");
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
    let (_, toolbox) = agent(&folder, "my-agent");
    let arguments = json!({"skill_name": "analyze-pr", "arguments": "123"});
    let reply = call(&toolbox, "skill_use", &arguments);
    assert!(reply.to_string().contains("`analyze-pr` is active"), "{reply}");
    assert!(!reply.to_string().contains("request #"), "the instructions are not in the result");
    let message = reply.message().unwrap().to_string();
    assert!(message.starts_with("<skill-context name=\"analyze-pr\">\n"), "{message}");
    assert!(message.ends_with("\n</skill-context>"), "{message}");
    assert!(message.contains("\nScripts:\n- scripts/helper.sh\n"), "{message}");
    assert!(message.contains("\nReferences:\n- references/api-docs.md\n"), "{message}");
}

#[test]
fn model_reads_references_and_runs_scripts() {
    let folder = workspace();
    let (_, toolbox) = agent(&folder, "my-agent");
    let read = |path| {
        let arguments = json!({"skill_name": "analyze-pr", "file_path": path});
        call(&toolbox, "skill_read_file", &arguments)
    };
    assert!(read("references/api-docs.md").to_string().contains("GET /pulls\n"));
    let run = |script| {
        let arguments =
            json!({"skill_name": "analyze-pr", "script_name": script, "script_args": "#123"});
        call(&toolbox, "skill_run_script", &arguments)
    };
    // Coming from the framework with `skill_use`: the output is marked as data by tags.
    assert!(run("helper.sh").to_string().contains("\nhelps with #123\n"));

    // Paths stay inside the skill, and only files of `scripts` run.
    for path in ["../generate-report/SKILL.md", "references/../../../my-agent.md", "/etc/hosts"] {
        assert!(read(path).is_error(), "{path}");
    }
    for script in ["../SKILL.md", "references/api-docs.md", "absent.sh"] {
        assert!(run(script).is_error(), "{script}");
    }
}

#[test]
fn skills_that_an_agent_does_not_list_are_unavailable() {
    let folder = workspace();
    let (prompt, toolbox) = agent(&folder, "my-agent");
    assert!(!prompt.contains("merge-pr"));
    for (tool, other) in [
        ("skill_use", json!({"skill_name": "merge-pr"})),
        ("skill_read_file", json!({"skill_name": "merge-pr", "file_path": "SKILL.md"})),
        ("skill_run_script", json!({"skill_name": "merge-pr", "script_name": "merge.sh"})),
    ] {
        let reply = call(&toolbox, tool, &other);
        assert!(reply.is_error(), "{tool}");
        assert!(reply.to_string().starts_with("there is no skill `merge-pr`"), "{reply}");
    }
}

#[test]
fn copied_claude_code_skill_works_without_changes() {
    let folder = workspace();
    let files = [
        (
            "SKILL.md",
            "---\nname: review-code\n\
             description: Review code for quality, style, and potential issues. Use when asked to review code or PRs.\n\
             argument-hint: \"[file-or-pr]\"\nallowed-tools: Bash(ls *), Read\nuser-invocable: true\n---\n\n\
             # Code Review\n\nReview $ARGUMENTS for code quality with !`ls references`.\n\n## Steps\n\n\
             1. Read the style guide: `skill_read_file(\"review-code\", \"references/style-guide.md\")`\n\
             2. Run the linter: `skill_run_script(\"review-code\", \"lint.sh\", \"$ARGUMENTS\")`\n",
        ),
        ("references/style-guide.md", "Use short names.\n"),
        ("scripts/lint.sh", "echo \"checked $1\"\n"),
    ];
    for (path, text) in files {
        folder.write(&format!(".claude/skills/review-code/{path}"), text);
        let copy = folder.path(&format!("agents/skills/review-code/{path}"));
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(folder.path(&format!(".claude/skills/review-code/{path}")), copy).unwrap();
    }
    folder.write(
        "agents/code-assistant.md",
        "---\nname: code-assistant\nskills:\n  - review-code\n---\n\n\
         You are a senior developer. Use your skills to help with code tasks.\n",
    );
    let (prompt, toolbox) = agent(&folder, "code-assistant");
    assert!(
        prompt.contains("- **review-code** [file-or-pr]: Review code for quality,"),
        "{prompt}"
    );
    let arguments = json!({"skill_name": "review-code", "arguments": "main.rs"});
    let reply = call(&toolbox, "skill_use", &arguments);
    let message = reply.message().unwrap().to_string();
    let filled = "\nReview main.rs for code quality with style-guide.md.\n";
    assert!(message.contains(filled), "{message}");
    let step = "`skill_run_script(\"review-code\", \"lint.sh\", \"main.rs\")`";
    assert!(message.contains(step), "{message}");
    // The model follows the steps.
    let read = json!({"skill_name": "review-code", "file_path": "references/style-guide.md"});
    assert!(call(&toolbox, "skill_read_file", &read).to_string().contains("Use short names.\n"));
    let run =
        json!({"skill_name": "review-code", "script_name": "lint.sh", "script_args": "main.rs"});
    assert!(call(&toolbox, "skill_run_script", &run).to_string().contains("\nchecked main.rs\n"));
}
