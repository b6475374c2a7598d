//! Skills that keep the directory they were loaded from.

use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::{
    AsyncToolbox, Provider, ProviderRequest, Providers, Registry, live::LiveContext,
};
use helix_skills_host::{Materialized, ScriptRunner, SharedRegistry, SystemShell, load_skill};
use helix_skills_runtime::{Arguments, Profile, SkillBuf, SkillSetBuf};

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

fn loaded(folder: &Folder) -> SkillBuf {
    load_skill(folder.path("skills/log")).unwrap().skill
}

/// Returns the replies to a load, a slash command and a script of `log`.
fn answers(provider: impl Provider) -> [String; 3] {
    let builder = AsyncToolbox::builder(provider).profile(Profile::ClaudeCode);
    let toolbox =
        wait(builder.shell(SystemShell::new()).scripts(ScriptRunner::new()).build()).unwrap();
    let script = r#"{"skill_name": "log", "script_name": "show.sh"}"#;
    let called = wait(toolbox.call("Skill", r#"{"skill": "log"}"#)).unwrap();
    let typed = wait(toolbox.slash("/log")).unwrap();
    let script = wait(toolbox.call("skill_run_script", script)).unwrap();
    [called, typed, script].map(|reply| reply.into_string())
}

#[test]
fn registered_skill_runs_in_its_directory() {
    let folder = folder();
    let mut registry = Registry::new();
    registry.register(loaded(&folder)).unwrap();
    let shared = SharedRegistry::new();
    shared.register(loaded(&folder)).unwrap();
    let set = SkillSetBuf::try_from_iter([loaded(&folder)]).unwrap();
    let filled = format!("{}: noted noted", folder.text("skills/log"));
    for answers in [
        answers(&registry),
        answers(&shared),
        answers(&set),
        answers(Providers::new().with(set.clone())),
    ] {
        let [called, typed, script] = answers;
        assert_eq!((&*called, &*typed), (&*filled, &*filled));
        assert!(script.contains("\nnoted\n"), "{script}");
    }
}

#[test]
fn loaded_skill_is_filled_with_its_directory() {
    let folder = folder();
    let live = LiveContext::new(SystemShell::new());
    let filled = wait(live.fill(&loaded(&folder), Profile::Helix, Arguments::NONE, None)).unwrap();
    assert_eq!(filled, format!("{}: noted noted", folder.text("skills/log")));
}

#[test]
fn directories_set_the_directory_of_loaded_skills() {
    let folder = folder();
    let request = ProviderRequest::default();
    let directories = folder.directories(&["skills"]);
    let skill = wait(directories.load("log", &request)).unwrap().unwrap();
    assert_eq!(skill.directory(), Some(&*folder.text("skills/log")));
    // A single file has no directory, and that of a copy is only known on request.
    folder.write("note.md", "Takes notes.\n");
    assert_eq!(load_skill(folder.path("note.md")).unwrap().skill.directory(), None);
    let copies = Materialized::new(&directories);
    assert_eq!(wait(copies.load("log", &request)).unwrap().unwrap().directory(), None);
    let copy = wait(copies.directory("log", &request)).unwrap().unwrap();
    assert_ne!(copy, folder.text("skills/log"));
}
