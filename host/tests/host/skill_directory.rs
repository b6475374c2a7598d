//! Skills that keep the directory they were loaded from.

use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::{
    AsyncToolbox, AsyncToolboxBuilder, Provider, Providers, Registry, shell::ShellContext,
};
use helix_skills_host::{Materialized, ScriptRunner, SharedRegistry, SystemShell, load_skill};
use helix_skills_runtime::{Arguments, Profile, Skill, SkillSet, Toolbox, skill_set};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "skills/log/SKILL.md",
        "---\nname: log\ndescription: Sums up.\n---\n${SKILL_DIR}: !`cat notes` !`cat \"${SKILL_DIR}/notes\"`\n",
    );
    folder.write("skills/log/notes", "noted\n");
    folder.write("skills/log/scripts/show.sh", "cat notes\n");
    folder
}

fn loaded(folder: &Folder) -> Skill {
    load_skill(folder.path("skills/log")).unwrap().value
}

/// Returns the replies to a load, a slash command and a script of `log`.
fn answers(provider: impl Provider) -> [String; 3] {
    let builder = AsyncToolbox::builder(provider).profile(Profile::SkillUse);
    let toolbox =
        wait(builder.shell(SystemShell::new()).scripts(ScriptRunner::new()).build()).unwrap();
    let script = r#"{"skill_name": "log", "script_name": "show.sh"}"#;
    let called = wait(toolbox.call("skill_use", r#"{"skill_name": "log"}"#)).unwrap();
    let typed = wait(toolbox.slash("/log")).unwrap();
    let script = wait(toolbox.call("skill_run_script", script)).unwrap();
    [called.message().unwrap().to_string(), typed.to_string(), script.to_string()]
}

#[test]
fn registered_skill_runs_in_its_directory() {
    let folder = folder();
    let mut registry = Registry::new();
    registry.register(loaded(&folder)).unwrap();
    let shared = SharedRegistry::new();
    shared.update(|all| all.register(loaded(&folder))).unwrap();
    let set = vec![loaded(&folder)];
    let filled = format!("{}: noted noted", folder.text("skills/log"));
    for answers in [
        answers(&registry),
        answers(&shared),
        answers(&set),
        answers(Providers::new().with(set.clone())),
    ] {
        let [called, typed, script] = answers;
        assert!(called.contains(&filled) && typed.contains(&filled), "{called} {typed}");
        assert!(script.contains("\nnoted\n"), "{script}");
    }
}

/// What stands in place of a command that is turned off.
const OFF: &str = "[shell command execution disabled by policy]";

#[test]
fn registered_skill_has_its_directory_without_a_shell() {
    let folder = folder();
    let directory = folder.text("skills/log");
    let mut registry = Registry::new();
    registry.register(loaded(&folder)).unwrap();
    // In Agentick, a command needs a shell, or has to be turned off.
    let off = || ShellContext::disabled();
    let builder = |profile| AsyncToolbox::builder(&registry).profile(profile);
    for (builder, tool, call, command) in [
        (builder(Profile::ClaudeCode), "Skill", r#"{"skill": "log"}"#, "!`cat notes`"),
        (builder(Profile::Agentick).shell(off()), "skill", r#"{"name": "log"}"#, OFF),
    ] {
        let toolbox = wait(builder.build()).unwrap();
        let reply = wait(toolbox.call(tool, call)).unwrap();
        assert!(reply.to_string().starts_with(&format!("{directory}: {command}")), "{reply}");
        let file = r#"{"skill": "log", "path": "notes"}"#;
        let reply = wait(toolbox.call("read_skill_file", file)).unwrap();
        assert!(reply.to_string().contains("noted"), "{reply}");
    }
    // A toolbox over a view, too.
    let text = {
        let toolbox =
            Toolbox::builder(registry.set()).profile(Profile::ClaudeCode).build().unwrap();
        toolbox.load_skill("log").unwrap().to_string()
    };
    assert!(text.starts_with(&format!("{directory}: ")), "{text}");
    // A host that runs the agent in a sandbox sets where the skills are there.
    let at = AsyncToolbox::builder(&registry).profile(Profile::ClaudeCode).at("/skills");
    let reply = wait(wait(at.build()).unwrap().call("Skill", r#"{"skill": "log"}"#)).unwrap();
    assert!(reply.to_string().starts_with("/skills/log: "), "{reply}");
}

#[test]
fn materialized_skill_has_a_directory_without_a_shell() {
    let folder = folder();
    let set = vec![loaded(&folder)];
    for (profile, tool, call, command) in [
        (Profile::SkillUse, "skill_use", r#"{"skill_name": "log"}"#, "!`cat notes`"),
        (Profile::ClaudeCode, "Skill", r#"{"skill": "log"}"#, "!`cat notes`"),
        (Profile::Agentick, "skill", r#"{"name": "log"}"#, OFF),
    ] {
        let copies = Materialized::new(&set);
        let mut builder = AsyncToolbox::builder(&copies).profile(profile);
        if command == OFF {
            builder = builder.shell(ShellContext::disabled());
        }
        let toolbox = wait(builder.build()).unwrap();
        let reply = wait(toolbox.call(tool, call)).unwrap();
        let typed = wait(toolbox.slash("/log")).unwrap();
        let copy = wait(toolbox.provider().directory("log", profile)).unwrap().unwrap();
        assert_ne!(copy, folder.text("skills/log"));
        let filled = format!("{copy}: {command}");
        let body = reply.message().map_or_else(|| reply.to_string(), |message| message.to_string());
        assert!(body.contains(&filled) && typed.to_string().contains(&filled), "{body} {typed}");
    }
    // In other profiles a body is the reviewed text, byte for byte.
    let toolbox = wait(AsyncToolbox::builder(Materialized::new(&set)).build()).unwrap();
    let reply = wait(toolbox.call("load_skill", r#"{"name": "log"}"#)).unwrap();
    assert!(reply.to_string().contains("${SKILL_DIR}: !`cat notes`"), "{reply}");
}

#[test]
fn loaded_skill_is_filled_with_its_directory() {
    let folder = folder();
    let live = ShellContext::new(SystemShell::new());
    let filled = wait(live.fill(&loaded(&folder), Profile::Helix, Arguments::NONE, None)).unwrap();
    assert_eq!(filled, format!("{}: noted noted", folder.text("skills/log")));
}

#[test]
fn directories_set_the_directory_of_loaded_skills() {
    let folder = folder();
    let profile = Profile::Helix;
    let directories = folder.directories(&["skills"]);
    let skill = wait(directories.load("log", profile)).unwrap().unwrap();
    assert_eq!(skill.directory(), Some(&*folder.text("skills/log")));
    // A single file has no directory, and that of a copy is only known on request.
    folder.write("note.md", "Takes notes.\n");
    assert_eq!(load_skill(folder.path("note.md")).unwrap().value.directory(), None);
    let copies = Materialized::new(&directories);
    assert_eq!(wait(copies.load("log", profile)).unwrap().unwrap().directory(), None);
    let copy = wait(copies.directory("log", profile)).unwrap().unwrap();
    assert_ne!(copy, folder.text("skills/log"));
}

#[test]
fn prompt_names_the_directory_that_a_skill_is_in() {
    let folder = Folder::new();
    folder.skill("skills/svc", "Deploy Service", "Deploys.");
    folder.skill("skills/log", "log", "Sums up.");
    const CODE: Skill = Skill::define("code", "Is in no directory.", "Do it.").build();
    static SET: SkillSet = skill_set![CODE];
    let paths = |builder: AsyncToolboxBuilder<Providers<'_>>| {
        let toolbox = wait(builder.profile(Profile::DeepAgents).build()).unwrap();
        let lines = toolbox.catalog().lines().filter_map(|line| line.strip_prefix("path: "));
        let paths: Vec<_> = lines.map(|path| folder.message(&path)).collect();
        let mistake =
            toolbox.listed().skill_as_tool("deploy-service", ["bash"]).unwrap().to_string();
        assert!(mistake.contains(&format!("{}`", paths[1])), "{mistake}");
        paths
    };
    let skills = || {
        let providers = Providers::new().with(SET);
        AsyncToolbox::builder(providers.with(folder.directories(&["skills"])))
    };
    assert_eq!(
        paths(skills()),
        ["/skills/code/SKILL.md", "skills/svc/SKILL.md", "skills/log/SKILL.md"]
    );
    // Elsewhere, such as in a sandbox, the directories have the same names.
    assert_eq!(
        paths(skills().at("/srv/")),
        ["/srv/code/SKILL.md", "/srv/svc/SKILL.md", "/srv/log/SKILL.md"]
    );
    let registry = SharedRegistry::new();
    let deep = folder.directories(&["skills"]).profile(Profile::DeepAgents);
    assert!(registry.load(&deep).unwrap().problems.is_empty());
    registry.update(|all| all.register(CODE)).unwrap();
    assert_eq!(
        paths(AsyncToolbox::builder(Providers::new().with(registry))),
        ["/skills/code/SKILL.md", "skills/svc/SKILL.md", "skills/log/SKILL.md"]
    );
}
