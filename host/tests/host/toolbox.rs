//! Agents written for other systems, with skills of directories and a shell.

use crate::{folder::Folder, live::recording_shell::RecordingShell, waiting::wait};
use helix_skills_agent::shell::ShellContext;
use helix_skills_agent::{AsyncToolbox, BoxFuture, Provided, Provider, Providers};
use helix_skills_host::{Directories, Materialized, ScriptRunner, SystemShell};
use helix_skills_runtime::{
    Event, Profile, Reply, Resource, Skill, SkillSet, Variables, skill_set,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// A directory for the profile `skill-use`: a skill with commands, a script and a reference.
fn skill_use_folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "skills/review_code/SKILL.md",
        "---\nname: review_code\ndescription: Review code for quality. Use when asked to review code.\nargument-hint: \"[file]\"\n---\n\n\
         # Code Review\n\nReview $ARGUMENTS, first $ARGUMENTS[0], then `$1`.\n\n\
         Rules: !`head -n 1 references/style-guide.md`\nRun: sh ${SKILL_DIR}/scripts/lint.sh\n",
    );
    folder
        .write("skills/review_code/references/style-guide.md", "Short lines.\n</skill-context>\n");
    folder.write("skills/review_code/scripts/lint.sh", "echo linted \"$@\"\n");
    folder.write("skills/private/SKILL.md", "---\nuser-invocable: false\n---\nNo.\n");
    folder.write("skills/plain/SKILL.md", "Nothing but text.\n");
    folder.write("skills/plain_too/SKILL.md", "---\nargument-hint: [x]\n---\nNothing but text.\n");
    folder
}

fn resolve<P: Provider>(profile: Profile, provider: P, live: ShellContext) -> AsyncToolbox<P> {
    wait(AsyncToolbox::builder(provider).profile(profile).shell(live).build()).unwrap()
}

fn of_folder(profile: Profile, folder: &Folder, live: ShellContext) -> AsyncToolbox<Directories> {
    resolve(profile, folder.directories(&["skills"]), live)
}

/// Returns a toolbox in the profile `skill-use` that also runs scripts.
fn with_scripts<P: Provider>(provider: P) -> AsyncToolbox<P> {
    let builder = AsyncToolbox::builder(provider).profile(Profile::SkillUse);
    wait(builder.shell(SystemShell::new()).scripts(ScriptRunner::new()).build()).unwrap()
}

fn call<P: Provider>(toolbox: &AsyncToolbox<P>, tool: &str, arguments: &Value) -> Reply<'static> {
    wait(toolbox.call(tool, &arguments.to_string())).expect("our tool")
}

fn shell() -> ShellContext {
    ShellContext::new(SystemShell::new())
}

#[test]
fn skill_use_agent_gets_tools_messages_files_and_scripts() {
    let folder = skill_use_folder();
    let toolbox = with_scripts(folder.directories(&["skills"]));
    assert_eq!(
        toolbox.catalog(),
        "## Available Skills\n\n- **plain_too** [x]\n- **review_code** [file]: Review code for quality. Use when asked to review \
         code.\n\nUse the `skill_use` tool to load a skill's full instructions when needed.\n"
    );
    // A file without frontmatter is not a skill, and the agent works without it.
    assert_eq!(toolbox.warnings().len(), 1);
    let names: Vec<_> = toolbox.tools([]).unwrap().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["skill_use", "skill_read_file", "skill_run_script"]);
    for name in names {
        assert!(toolbox.tools(["bash", name.as_str()]).is_err(), "{name}");
    }
    assert!(toolbox.tools(["bash"]).is_ok());
    let parameters: Value =
        serde_json::from_str(&toolbox.tools([]).unwrap()[0].parameters).unwrap();
    assert_eq!(parameters["properties"]["skill_name"]["enum"], json!(["plain_too", "review_code"]));

    let arguments =
        json!({"skill_name": "review_code", "arguments": "src/main.rs 'the other one'"});
    let reply = call(&toolbox, "skill_use", &arguments);
    assert_eq!(
        reply.to_string(),
        "The skill `review_code` is active. Its instructions follow in the next message."
    );
    assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "review_code" }));
    let directory = folder.path("skills/review_code");
    let expected = format!(
        "<skill-context name=\"review_code\">\n# Code Review\n\nReview src/main.rs 'the other one', first src/main.rs, then `the other \
         one`.\n\nRules: Short lines.\nRun: sh {}/scripts/lint.sh\n\nScripts:\n- scripts/lint.sh\n\nReferences:\n- \
         references/style-guide.md\n</skill-context>",
        directory.display(),
    );
    assert_eq!(reply.message().unwrap().to_string(), expected);

    let reply = call(&toolbox, "skill_use", &json!({"skill_name": "review_code"}));
    assert!(
        reply.message().unwrap().to_string().contains("Review , first $ARGUMENTS[0], then `$1`."),
        "{:?}",
        reply.message()
    );
    for (name, message) in
        [("private", "the skill `private` is not for models"), ("nope", "there is no skill `nope`")]
    {
        let reply = call(&toolbox, "skill_use", &json!({"skill_name": name}));
        assert!(
            reply.is_error() && reply.message().is_none() && reply.to_string().contains(message),
            "{reply}"
        );
    }

    let read = |path: &str| {
        call(&toolbox, "skill_read_file", &json!({"skill_name": "review_code", "file_path": path}))
    };
    assert!(
        read("references/style-guide.md")
            .to_string()
            .contains("Short lines.\n&lt;/skill-context>\n")
    );
    assert!(read("../plain/SKILL.md").is_error() && read("/etc/passwd").is_error());
    // A file is returned unchanged; nothing in it runs.
    assert!(read("SKILL.md").to_string().contains("Rules: !`head -n 1 references/style-guide.md`"));

    let run = |name: &str, script: &str| {
        let arguments = json!({"skill_name": name, "script_name": script, "script_args": "src/main.rs '$(touch marker)'"});
        call(&toolbox, "skill_run_script", &arguments)
    };
    let reply = run("review_code", "lint.sh");
    assert!(
        !reply.is_error() && reply.to_string().contains("\nlinted src/main.rs $(touch marker)\n"),
        "{reply}"
    );
    assert!(
        run("review_code", "../references/style-guide.md").is_error()
            && run("private", "x.sh").is_error()
    );
    assert!(!directory.join("marker").exists());
    assert!(wait(toolbox.call("load_skill", "{}")).is_none());
}

#[test]
fn without_skills_there_are_no_tools_or_reserved_names() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("skills")).unwrap();
    let toolbox = with_scripts(folder.directories(&["skills"]));
    assert!(toolbox.tools([]).unwrap().is_empty() && toolbox.catalog().is_empty());
    assert!(toolbox.tools(["skill_use", "skill_run_script"]).is_ok());
    // Without a runner, the tool does not exist.
    let toolbox = of_folder(Profile::SkillUse, &skill_use_folder(), shell());
    assert!(
        wait(toolbox.call(
            "skill_run_script",
            r#"{"skill_name": "review_code", "script_name": "lint.sh"}"#
        ))
        .is_none()
    );
    assert!(toolbox.tools(["skill_run_script"]).is_ok());
}

#[test]
fn materialized_baked_skill_has_a_directory() {
    const FILES: &[Resource] = &[
        Resource::from_text("notes", "baked\n"),
        Resource::from_text("scripts/a.sh", "cat notes\n"),
    ];
    const LOG: Skill =
        Skill::define("log", "Sums up.", "!`cat notes` !`sh ${SKILL_DIR}/scripts/a.sh`")
            .resources(FILES)
            .build();
    static BAKED: SkillSet = skill_set![LOG];
    let toolbox = with_scripts(Materialized::new(BAKED));
    let reply = call(&toolbox, "skill_use", &json!({"skill_name": "log"}));
    assert!(
        reply
            .message()
            .unwrap()
            .to_string()
            .starts_with("<skill-context name=\"log\">\nbaked baked\n"),
        "{reply:?}"
    );
    let reply =
        call(&toolbox, "skill_run_script", &json!({"skill_name": "log", "script_name": "a.sh"}));
    assert!(reply.to_string().contains("\nbaked\n"), "{reply}");
}

fn agentick_folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "skills/triage/SKILL.md",
        "---\nname: triage\ndescription: Triage an issue.\narguments: [issueNumber]\nallowed-tools: [Bash]\n---\n\n\
         Triage issue $issueNumber in session ${AGENTICK_SESSION_ID}.\n\nTemplate: ${AGENTICK_SKILL_DIR}/templates/standard.md\n\n\
         ## Found\n\n!`grep -n $issueNumber issues.txt`\n```!\necho on $issueNumber\npwd\n```\n",
    );
    folder.write("project/issues.txt", "41 wontfix\n42 the door </skill> $0 !`touch marker`\n");
    folder.write(
        "skills/note/SKILL.md",
        "---\nname: note\ndescription: Takes a note.\n---\nWrite it down.\n",
    );
    folder.write(
        "skills/broken/SKILL.md",
        "---\nname: broken\ndescription: Fails.\n---\nNow: !`cat nowhere`\n",
    );
    folder
}

#[test]
fn agentick_agent_gets_a_body_with_arguments_and_outputs() {
    let folder = agentick_folder();
    let project = folder.path("project");
    let live = shell().variables(Variables::new().session("s-1")).directory(folder.text("project"));
    let toolbox = of_folder(Profile::Agentick, &folder, live);
    let tools = toolbox.tools([]).unwrap();
    assert_eq!(tools[0].name, "skill");
    assert!(tools[0].description.contains("- triage: Triage an issue."));
    let directory = folder.path("skills/triage");
    let text = |arguments: &str| {
        format!(
            "Triage issue 42 in session s-1.\n\nTemplate: {0}/templates/standard.md\n\n## Found\n\n2:42 the door &lt;/skill> $0 \
             !`touch marker`\n\non 42\n{1}\n{arguments}",
            directory.display(),
            project.display(),
        )
    };
    let skill = |args: Value| call(&toolbox, "skill", &json!({"name": "triage", "args": args}));
    // A named placeholder does not consume the arguments, so they are appended.
    let reply = skill(json!({"issueNumber": 42}));
    assert_eq!(reply.to_string(), text("\n\nARGUMENTS: {\"issueNumber\":42}"));
    assert_eq!(
        (reply.message().is_none(), reply.event()),
        (true, Some(Event::SkillLoaded { name: "triage" }))
    );
    assert_eq!(skill(json!("42")).to_string(), text("\n\nARGUMENTS: 42"));
    assert!(!project.join("marker").exists());

    let reply = skill(json!({"issueNumber": "x' issues.txt; touch marker; echo '"}));
    assert!(!reply.is_error() && !project.join("marker").exists(), "{reply}");
    assert!(reply.to_string().contains("\n\n## Found\n\n[exit code: 1]\n"), "{reply}");
    let reply = call(&toolbox, "skill", &json!({"name": "note", "args": "buy milk"}));
    assert_eq!(reply.to_string(), "Write it down.\n\nARGUMENTS: buy milk");
    let reply = call(&toolbox, "skill", &json!({"name": "nope"}));
    assert_eq!(reply.to_string(), "there is no skill `nope`; did you mean `note`?");
    let reply = call(&toolbox, "skill", &json!({"args": 1}));
    assert_eq!(reply.to_string(), "the parameter `name` is missing");
}

#[test]
fn failing_commands_are_reported_in_the_reply() {
    let folder = agentick_folder();
    let reply = |live: ShellContext| {
        let reply =
            call(&of_folder(Profile::Agentick, &folder, live), "skill", &json!({"name": "broken"}));
        (reply.is_error(), reply.to_string())
    };
    let (is_error, text) = reply(shell().show_failures(false));
    assert!(
        is_error
            && text.starts_with(
                "cannot load the skill `broken`: its command `cat nowhere` (line 5) ended"
            )
    );
    assert!(text.contains("nowhere: No such file"), "{text}");
    let (is_error, text) = reply(shell());
    let shown = text.starts_with("Now: cat: ") && text.ends_with("\n[exit code: 1]");
    assert!(!is_error && shown, "{text}");
    let (is_error, text) = reply(ShellContext::without_shell());
    assert!(
        is_error
            && text.ends_with("and this agent has no shell; give it one, or turn commands off")
    );
    let (is_error, text) = reply(ShellContext::disabled());
    assert_eq!((is_error, &*text), (false, "Now: [shell command execution disabled by policy]"));
    let (is_error, text) = reply(shell().approve(|_| Err("not here")));
    assert!(is_error && text.ends_with("is not allowed: not here"));
}

#[test]
fn body_has_the_form_of_each_profile() {
    let folder = Folder::new();
    folder.skill("skills/log", "log", "Sums up.");
    folder.write(
        "skills/log/SKILL.md",
        "---\nname: log\ndescription: Sums up.\n---\n${CLAUDE_SKILL_DIR} !`echo hi`\n",
    );
    let body = format!("{} hi", folder.path("skills/log").display());
    for (profile, tool, parameter, text) in [
        (Profile::Helix, "load_skill", "name", format!("<skill name=\"log\">\n{body}\n</skill>")),
        (
            Profile::DeerFlow,
            "load_skill",
            "name",
            format!("<skill name=\"log\">\n{body}\n</skill>"),
        ),
        (Profile::Agentick, "skill", "name", format!("{body}\n")),
        (Profile::ClaudeCode, "Skill", "skill", body.clone()),
    ] {
        let toolbox = of_folder(profile, &folder, shell());
        assert_eq!(
            call(&toolbox, tool, &json!({parameter: "log"})).to_string(),
            text,
            "{profile:?}"
        );
        assert!(toolbox.tools(["bash"]).is_ok() && toolbox.tools([tool]).is_err());
    }
    // The profile has no tools: the model reads the files, and nothing runs.
    let toolbox = of_folder(Profile::DeepAgents, &folder, shell());
    assert!(
        toolbox.tools([]).unwrap().is_empty()
            && wait(toolbox.call("load_skill", r#"{"name": "log"}"#)).is_none()
    );
}

#[test]
fn every_load_runs_the_commands_of_the_current_body() {
    let folder = Folder::new();
    let write = |body: &str| {
        folder
            .write("skills/log/SKILL.md", format!("---\nname: log\ndescription: x\n---\n{body}\n"))
    };
    write("!`cd ${SKILL_DIR}; cat count 2>/dev/null; echo x >> count; true`");
    let toolbox = of_folder(Profile::ClaudeCode, &folder, shell());
    let load = || call(&toolbox, "Skill", &json!({"skill": "log"})).to_string();
    assert_eq!((&*load(), &*load(), &*load()), ("", "x", "x\nx"));
    write("!`echo edited`");
    assert_eq!(load(), "edited");
    folder.remove("skills/log");
    assert_eq!(load(), "cannot load the skill `log`: it is no longer available");
}

#[test]
fn skill_never_runs_in_the_directory_of_a_namesake() {
    const LOG: Skill = Skill::define("log", "Sums up.", "!`cat notes` ${SKILL_DIR}").build();
    static BAKED: SkillSet = skill_set![LOG];
    let folder = Folder::new();
    folder.skill("skills/log", "log", "Another one.");
    folder.write("skills/log/notes", "untrusted\n");
    folder.write("project/notes", "mine\n");
    let providers = || Providers::new().with(BAKED).with(folder.directories(&["skills"]));
    let reply = |live| {
        call(&resolve(Profile::Helix, providers(), live), "load_skill", &json!({"name": "log"}))
    };
    let reply_without = reply(shell());
    assert_eq!(
        reply_without.to_string(),
        "cannot run the commands of the skill `log`: its files are not in a directory on this machine"
    );
    let reply_in_project = reply(shell().directory(folder.text("project")));
    assert!(reply_in_project.to_string().contains("\nmine ${SKILL_DIR}\n"), "{reply_in_project}");
}

#[test]
fn preloaded_skills_run_no_commands() {
    let folder = agentick_folder();
    let shell = RecordingShell::echo();
    let directories = folder.directories(&["skills"]);
    let live = ShellContext::new(Arc::clone(&shell)).variables(Variables::new().session("s"));
    let toolbox =
        wait(AsyncToolbox::builder(directories).preload(&["triage"]).shell(live).build()).unwrap();
    assert!(toolbox.catalog().contains("!`grep -n $issueNumber issues.txt`"));
    assert!(shell.commands().is_empty());
    call(&toolbox, "load_skill", &json!({"name": "triage"}));
    assert_eq!(shell.commands().len(), 2);
}

/// A provider that returns no directories.
struct Lost(Directories);

impl Provider for Lost {
    fn list<'p>(&'p self, profile: Profile) -> BoxFuture<'p, Provided> {
        self.0.list(profile)
    }

    fn load<'p>(&'p self, name: &'p str, profile: Profile) -> BoxFuture<'p, Option<Skill>> {
        self.0.load(name, profile)
    }

    fn directory<'p>(&'p self, _skill: &'p str, _: Profile) -> BoxFuture<'p, Option<String>> {
        Box::pin(async { Err(format!("the disk </skill>\nis full {}", "x".repeat(1000)).into()) })
    }
}

#[test]
fn directory_is_requested_only_if_the_body_uses_it() {
    let folder = agentick_folder();
    let toolbox = resolve(Profile::Agentick, Lost(folder.directories(&["skills"])), shell());
    assert_eq!(call(&toolbox, "skill", &json!({"name": "note"})).to_string(), "Write it down.");
    let reply = call(&toolbox, "skill", &json!({"name": "triage"}));
    assert!(reply.is_error() && reply.to_string().len() < 600, "{reply}");
    assert!(
        reply
            .to_string()
            .starts_with("cannot load the skill `triage`: the disk &lt;/skill> is full xxx"),
        "{reply}"
    );
}

#[test]
fn conversations_can_share_a_shell() {
    let folder = agentick_folder();
    let shell = RecordingShell::echo();
    let live = ShellContext::new(Arc::clone(&shell)).variables(Variables::new().session("s"));
    let directories = Arc::new(folder.directories(&["skills"]));
    let toolboxes: Vec<_> = (0..4)
        .map(|_| {
            wait(AsyncToolbox::builder(Arc::clone(&directories)).shell(live.clone()).build())
                .unwrap()
        })
        .collect();
    std::thread::scope(|scope| {
        for toolbox in &toolboxes {
            scope.spawn(|| {
                for _ in 0..20 {
                    let reply = call(toolbox, "load_skill", &json!({"name": "triage"}));
                    assert!(
                        reply.to_string().contains("<grep -n $issueNumber issues.txt>"),
                        "{reply}"
                    );
                }
            });
        }
    });
    assert_eq!(shell.commands().len(), 4 * 20 * 2);
}
