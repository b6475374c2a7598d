//! Skills written for other tools, used through the tools of an agent.

use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::AsyncToolbox;
use helix_skills_host::{Directories, ScriptRunner, SystemShell};
use helix_skills_runtime::{Profile, Reply};

/// Every field of Claude Code, arguments, a command, a file and a script.
const FIX_ISSUE: &str = "---
name: fix-issue
description: Fixes an issue. Use when an issue is named.
argument-hint: [issue] [priority]
allowed-tools: Bash(gh issue view *), Read
disable-model-invocation: no
model: opus
context: fork
agent: Explore
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: ./check.sh}]
---

Fix issue $0.

Rules: !`cat ${CLAUDE_SKILL_DIR}/reference.md`
Check: sh ${CLAUDE_SKILL_DIR}/scripts/check.sh
";

#[test]
fn claude_code_skill_is_used_through_tools() {
    let folder = Folder::new();
    folder.write("home/.claude/skills/fix-issue/SKILL.md", FIX_ISSUE);
    folder.write("home/.claude/skills/fix-issue/reference.md", "Small commits.");
    folder.write("home/.claude/skills/fix-issue/scripts/check.sh", "echo \"checked $1\"\n");
    folder.write("home/.claude/skills/fix-issue/.DS_Store", "x");
    let directory = folder.text("home/.claude/skills/fix-issue");
    let filled = |issue: &str| {
        format!(
            "Fix issue {issue}.\n\nRules: Small commits.\nCheck: sh {directory}/scripts/check.sh"
        )
    };
    for (profile, load, read, issue) in [
        (
            Profile::ClaudeCode,
            ("Skill", r#"{"skill": "fix-issue", "args": "42 high"}"#),
            None,
            "42",
        ),
        (Profile::Agentick, ("skill", r#"{"name": "fix-issue", "args": "42 high"}"#), None, "42"),
        (
            Profile::SkillUse,
            ("skill_use", r#"{"skill_name": "fix-issue", "arguments": "42 high"}"#),
            Some((
                "skill_read_file",
                r#"{"skill_name": "fix-issue", "file_path": "reference.md"}"#,
            )),
            "42",
        ),
        // Their tool has no parameter for arguments.
        (
            Profile::Helix,
            ("load_skill", r#"{"name": "fix-issue"}"#),
            Some(("read_skill_file", r#"{"skill": "fix-issue", "path": "reference.md"}"#)),
            "$0",
        ),
        (
            Profile::DeerFlow,
            ("load_skill", r#"{"name": "fix-issue"}"#),
            Some(("read_skill_file", r#"{"skill": "fix-issue", "path": "reference.md"}"#)),
            "$0",
        ),
    ] {
        let directories = Directories::new().root("~/.claude/skills").home(folder.path("home"));
        let builder = AsyncToolbox::builder(directories).profile(profile);
        let builder = builder.shell(SystemShell::new()).scripts(ScriptRunner::new());
        let toolbox = wait(builder.build()).unwrap();
        // Claude Code's own documentation writes `[issue] [priority]` without quotes.
        let warnings: Vec<_> = toolbox.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].ends_with("needs quotes to be valid YAML (unquoted-value)"));
        let tools = toolbox.tools([]).unwrap();
        let listed = format!("{}{}", toolbox.catalog(), tools[0].description);
        assert!(listed.contains("Fixes an issue. Use when an issue is named."), "{listed}");

        let call = |(tool, arguments): (&str, &str)| -> Reply<'static> {
            assert!(tools.iter().any(|offered| offered.name == tool), "{profile:?} {tool}");
            wait(toolbox.call(tool, arguments)).unwrap()
        };
        let loaded = call(load);
        let body =
            loaded.message().map_or_else(|| loaded.to_string(), |message| message.to_string());
        assert!(!loaded.is_error() && body.contains(&filled(issue)), "{profile:?} {body}");
        // In the others, agents read files below `${SKILL_DIR}` with their own tools.
        if let Some(read) = read {
            let file = call(read);
            assert!(!file.is_error() && file.to_string().contains("Small commits."), "{file}");
        }
        let script = match profile {
            Profile::SkillUse => {
                r#"{"skill_name": "fix-issue", "script_name": "check.sh", "script_args": "42"}"#
            }
            _ => r#"{"skill": "fix-issue", "path": "check.sh", "arguments": ["42"]}"#,
        };
        let ran = call(("skill_run_script", script));
        assert!(ran.to_string().contains("\nchecked 42\n"), "{profile:?} {ran}");
    }
}
