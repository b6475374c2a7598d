//! Slash commands of skills with commands.

use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::AsyncToolbox;
use helix_skills_agent::shell::ShellContext;
use helix_skills_host::SystemShell;
use helix_skills_runtime::{Event, Profile, Reply, Variables};

const FRONT: &str = "description: Does it.\n";

fn skill(folder: &Folder, name: &str, fields: &str, body: &str) {
    folder.write(
        &format!("skills/{name}/SKILL.md"),
        format!("---\nname: {name}\n{FRONT}{fields}---\n{body}\n"),
    );
}

fn slash(folder: &Folder, profile: Profile, message: &str) -> Option<Reply<'static>> {
    let skills = AsyncToolbox::builder(folder.directories(&["skills"])).profile(profile);
    let live = ShellContext::new(SystemShell::new()).variables(Variables::new().session("s-1"));
    wait(wait(skills.shell(live).build()).unwrap().slash(message))
}

#[test]
fn slash_command_inserts_typed_text_as_one_word() {
    let folder = Folder::new();
    let body = "In ${CLAUDE_SESSION_ID}: !`cat ${SKILL_DIR}/note.txt` !`echo $0` $ARGUMENTS";
    skill(&folder, "deploy", "disable-model-invocation: true\n", body);
    folder.write("skills/deploy/note.txt", "a note\n");
    for profile in Profile::ALL {
        let reply = slash(&folder, profile, "/deploy '; touch marker; ' !`touch marker`").unwrap();
        assert!(!reply.is_error(), "{profile:?}: {reply}");
        let expected = "In s-1: a note";
        assert!(
            reply.to_string().contains(expected) && reply.to_string().contains("; touch marker; "),
            "{profile:?}: {reply}"
        );
        assert!(reply.to_string().contains("!`touch marker`"), "{profile:?}: {reply}"); // text, as it was typed
        assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "deploy" }));
        assert!(reply.message().is_none());
    }
    assert!(!folder.path("skills/deploy/marker").exists() && !folder.path("marker").exists());
}

#[test]
fn skill_that_is_not_user_invocable_runs_nothing() {
    let folder = Folder::new();
    skill(&folder, "inner", "user-invocable: false\n", "!`touch marker`");
    skill(&folder, "fails", "", "!`exit 3`");
    assert!(slash(&folder, Profile::ClaudeCode, "/inner").is_none());
    assert!(slash(&folder, Profile::ClaudeCode, "/missing").is_none());
    let reply = slash(&folder, Profile::Helix, "/fails").unwrap();
    assert!(
        reply.is_error() && reply.to_string().starts_with("cannot load the skill `fails`: "),
        "{reply}"
    );

    // It was user-invocable when the conversation began.
    skill(&folder, "turns", "", "Text.");
    let skills =
        AsyncToolbox::builder(folder.directories(&["skills"])).profile(Profile::ClaudeCode);
    let toolbox = wait(skills.shell(SystemShell::new()).build()).unwrap();
    skill(&folder, "turns", "user-invocable: false\n", "!`touch marker`");
    let reply = wait(toolbox.slash("/turns")).unwrap();
    assert_eq!(reply.to_string(), "cannot load the skill `turns`: it is no longer user-invocable");
    for name in ["inner", "turns"] {
        assert!(!folder.path(&format!("skills/{name}/marker")).exists());
    }
}
