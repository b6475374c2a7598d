//! Commands in bodies, run by a real shell.

use super::{fill, fill_with, recording_shell::RecordingShell, skill};
use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::shell::ShellContext;
use helix_skills_host::{SystemShell, load_skill};
use helix_skills_runtime::{Arguments, Profile, Variables};
use std::{sync::Arc, time::Duration};

#[test]
fn command_runs_in_the_skills_directory_for_10_seconds() {
    let folder = Folder::new();
    folder.write("skills/log/VERSION", "1.2.3\n");
    let filled = fill(
        &ShellContext::new(SystemShell::new()),
        "Version !`cat VERSION`.",
        &folder.path("skills/log"),
    );
    assert_eq!(filled.unwrap(), "Version 1.2.3.");
    let shell = RecordingShell::echo();
    fill(&ShellContext::new(Arc::clone(&shell)), "!`date`", &folder.path("skills/log")).unwrap();
    let recorded = &shell.recorded()[0];
    assert_eq!((recorded.time_limit, recorded.output_limit), (Duration::from_secs(10), 30_000));
    assert_eq!(recorded.directory.as_deref(), Some(&*folder.text("skills/log")));
}

#[test]
fn working_directory_follows_the_profile() {
    let folder = Folder::new();
    let directory = folder.text("");
    let shell = RecordingShell::echo();
    let where_it_runs = |live: ShellContext| {
        Profile::ALL.map(|profile| {
            let skill = skill("log", "!`pwd`");
            wait(live.fill(&skill, profile, Arguments::NONE, Some(&directory))).unwrap();
            shell.recorded().pop().unwrap().directory
        })
    };
    let live = || ShellContext::new(Arc::clone(&shell));
    let of_skill = Some(directory.clone());
    let [helix, skill_use, agentick, deer_flow, deep_agents, claude_code] = where_it_runs(live());
    assert_eq!([helix, skill_use, deer_flow, deep_agents], [(); 4].map(|()| of_skill.clone()));
    assert_eq!([agentick, claude_code], [None, None]);
    assert_eq!(where_it_runs(live().directory_of_shell()), [const { None }; 6]);
    let project = Some("/project".to_owned());
    assert_eq!(where_it_runs(live().directory("/project")), [(); 6].map(|()| project.clone()));
    // The system's shell runs in the directory of the process, and knows that of the skill.
    let live = ShellContext::new(SystemShell::new());
    let body = "!`pwd -P` ${SKILL_DIR} !`echo $SKILL_DIR`";
    let filled = wait(live.fill(
        &skill("log", body),
        Profile::ClaudeCode,
        Arguments::NONE,
        Some(&directory),
    ));
    let session = std::env::current_dir().unwrap().canonicalize().unwrap();
    assert_eq!(filled.unwrap(), format!("{} {directory} {directory}", session.display()));
}

#[test]
fn inline_command_is_replaced_by_its_output() {
    let folder = Folder::new();
    let live = ShellContext::new(SystemShell::new());
    let body = "!`echo one`, (!`touch a`) KEY=!`touch b` `` !`echo three` `` \\!`touch c`\n\t!`printf four`!`touch d`";
    let filled = fill(&live, body, &folder.path("")).unwrap();
    assert_eq!(
        filled,
        "one, (!`touch a`) KEY=!`touch b` `` three `` \\!`touch c`\n\tfour!`touch d`"
    );
    for name in ["a", "b", "c", "d"] {
        assert!(!folder.path(name).exists(), "{name}");
    }
}

#[test]
fn block_of_several_lines_is_one_command() {
    let folder = Folder::new();
    let live = ShellContext::new(SystemShell::new());
    let body = "Before\n```!\nx=1\nif true; then\n  echo \"x is $x\"\nfi\n```\nAfter";
    assert_eq!(fill(&live, body, &folder.path("")).unwrap(), "Before\nx is 1\n\nAfter");
    let body = "```!\r\nprintf a\r\n```\r\nAfter\n```!bash\ntouch no\n```";
    assert_eq!(fill(&live, body, &folder.path("")).unwrap(), "a\r\nAfter\n```!bash\ntouch no\n```");
    assert!(!folder.path("no").exists());
}

#[test]
fn file_with_crlf_runs_the_same_commands() {
    let folder = Folder::new();
    let text = "---\nname: log\ndescription: Logs.\n---\n!`echo one`\n```!\nvalue=$0\n\ntest -n \"$value\" &&\n  \
                echo \"$value\"\n```\n";
    folder.write("skills/log/SKILL.md", text.replace('\n', "\r\n"));
    let skill = load_skill(folder.path("skills/log")).unwrap().value;
    let live = ShellContext::new(SystemShell::new());
    for profile in Profile::ALL {
        let filled = wait(live.fill(&skill, profile, Arguments::text("two"), None)).unwrap();
        let lines: Vec<_> = filled.lines().filter(|line| !line.is_empty()).take(2).collect();
        assert_eq!(lines, ["one", "two"], "{profile:?}");
    }
}

#[test]
fn commands_run_in_the_agents_shell() {
    let folder = Folder::new();
    let shell = RecordingShell::echo();
    let live = ShellContext::new(Arc::clone(&shell))
        .directory_of_shell()
        .variables(Variables::new().set("AGENT", "one"));
    assert_eq!(fill(&live, "!`pwd`", &folder.path("")).unwrap(), "<pwd>");
    let recorded = &shell.recorded()[0];
    assert_eq!(recorded.directory.as_deref(), None);
    assert_eq!(recorded.environment.last(), Some(&("AGENT".to_owned(), "one".to_owned())));
    let live =
        ShellContext::new(SystemShell::new()).variables(Variables::new().set("AGENT", "it's one"));
    assert_eq!(fill(&live, "!`echo $AGENT`", &folder.path("")).unwrap(), "it's one");
}

#[test]
fn values_are_inserted_before_commands_run_in_order() {
    let folder = Folder::new();
    let live = ShellContext::new(SystemShell::new());
    let body = "$0: !`echo $0 >> log; cat log`\n```!\necho $1 >> log; cat log\n```\n$1: !`echo third >> log; wc -l < log | tr -d ' '`";
    let filled =
        fill_with(&live, body, Arguments::text("first 'the second'"), &folder.path("")).unwrap();
    assert_eq!(filled, "first: first\nfirst\nthe second\n\nthe second: 3");
    assert_eq!(std::fs::read_to_string(folder.path("log")).unwrap(), "first\nthe second\nthird\n");
    // Agentick keeps the line feed.
    let directory = folder.path("");
    let agentick = wait(live.fill(
        &skill("log", "!`echo a`."),
        Profile::Agentick,
        Arguments::NONE,
        directory.to_str(),
    ));
    assert_eq!(agentick.unwrap(), "a\n.");
}

#[test]
fn command_without_a_shell_is_an_error_with_a_hint() {
    let folder = Folder::new();
    let error =
        fill(&ShellContext::without_shell(), "Now:\n!`git log -- $0` !`date`", &folder.path(""))
            .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot load the skill `log`: it runs `git log -- $0` (line 2), and this agent has no shell; give it one, \
         or turn commands off"
    );
    assert!(
        error.hint().unwrap().contains("SystemShell")
            && error.hint().unwrap().contains("ShellContext::disabled()")
    );
}

#[test]
fn commands_can_be_disabled() {
    let folder = Folder::new();
    let body = "$0 !`touch marker`, ${CLAUDE_SESSION_ID}:\n```!\ntouch marker\ncat <<$0\n```";
    let live = ShellContext::disabled().variables(Variables::new().session("s-1"));
    let filled = fill_with(&live, body, Arguments::text("x"), &folder.path("")).unwrap();
    let off = "[shell command execution disabled by policy]";
    assert_eq!(filled, format!("x {off}, s-1:\n{off}"));
    assert!(!folder.path("marker").exists());
}

#[test]
fn host_variables_are_inserted_everywhere() {
    let folder = Folder::new();
    let known = Variables::new().session("s 1").project_directory("/the project");
    let live = ShellContext::new(SystemShell::new()).variables(known.set("CLAUDE_EFFORT", "high"));
    let body = "${CLAUDE_SESSION_ID} ${AGENTICK_SESSION_ID} ${CLAUDE_PROJECT_DIR} ${CLAUDE_EFFORT} ${OTHER}\n\
                !`printf '%s|' ${SKILL_DIR} ${CLAUDE_PROJECT_DIR} '${CLAUDE_EFFORT}' \"${OTHER}\"`\n\
                !`printf '%s|' \"${SKILL_DIR}\" ${CLAUDE_EFFORT} \"${OTHER:-none}\"`\n\
                !`printf '%s|' \"$SKILL_DIR\" \"$CLAUDE_SKILL_DIR\" \"$CLAUDE_SESSION_ID\" \"$CLAUDE_EFFORT\"`";
    let directory = folder.path("a skill");
    std::fs::create_dir(&directory).unwrap();
    let filled = fill(&live, body, &directory).unwrap();
    let expected = format!(
        "s 1 s 1 /the project high ${{OTHER}}\n{0}|/the project|high||\n{0}|high|none|\n{0}|{0}|s 1|high|",
        directory.display()
    );
    assert_eq!(filled, expected);
}
