//! Links within a root and out of it.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::{AsyncToolbox, Provider};
use helix_skills_host::{ErrorKind, load_skill};
use helix_skills_runtime::{Call, Profile};
use std::process::Command;

/// A root, and next to it files that no agent may read.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.skill("outside/secret", "secret", "Secret.");
    folder.write("outside/key", "PRIVATE KEY");
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/notes.md", "Notes.\n");
    folder
}

#[test]
fn link_out_of_the_root_is_refused() {
    let folder = folder();
    folder.link("skills/relative", "../outside/secret");
    folder.link("skills/absolute", folder.path("outside/secret"));
    folder.link("skills/file/SKILL.md", "../../outside/secret/SKILL.md");
    folder.link("skills/chain", "relative");
    let found = folder.directories(&["skills"]).discover().unwrap();
    assert_eq!(names(&found), ["pdf"]);
    assert_eq!(
        folder.problems(&found),
        ["absolute", "chain", "file", "relative"].map(|name| format!(
            "`skills/{name}/SKILL.md` leads out of `skills` by a symbolic link"
        ))
    );
    let outside = found.problems().first().unwrap();
    assert!(outside.hint().unwrap().contains("`follow_links_into`"));
    let toolbox = AsyncToolbox::builder(folder.directories(&["skills"])).build();
    let toolbox = block_on(toolbox).unwrap();
    let warning = toolbox.warnings()[0].to_string();
    assert!(warning.contains("symbolic link") && warning.contains("copy the files"), "{warning}");
    // A root itself may be a link.
    assert_eq!(names(&folder.directories(&["skills/relative/.."]).discover().unwrap()), ["secret"]);
}

#[test]
fn link_out_of_the_root_is_not_listed_and_reading_it_fails() {
    let folder = folder();
    folder.link("skills/pdf/key", "../../outside/key");
    folder.link("skills/pdf/passwd", "/etc/passwd");
    folder.link("skills/pdf/all", "../../outside");
    folder.link("skills/pdf/nothing", "nowhere");
    folder.link("skills/pdf/loop", "loop");
    let directories = folder.directories(&["skills"]);
    let skill = block_on(directories.load("pdf", Profile::Helix)).unwrap().unwrap();
    let files = { skill.resources().iter().map(|file| file.path().to_owned()).collect::<Vec<_>>() };
    assert_eq!(files, ["notes.md"]);
    for path in ["all", "key", "passwd", "all/key"] {
        let error = block_on(directories.read("pdf", path, Profile::Helix)).unwrap_err();
        let expected = format!("`skills/pdf/{path}` leads out of `skills` by a symbolic link");
        assert_eq!(folder.message(&error), expected);
    }
    assert!(block_on(directories.read("pdf", "nothing", Profile::Helix)).unwrap().is_none());
    assert!(block_on(directories.read("pdf", "loop", Profile::Helix)).is_err());
    let error = load_skill(folder.path("skills/pdf")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(
        error.to_string().contains("`: it leads out of its root by a symbolic link"),
        "{error}"
    );
}

#[test]
fn scripts_and_directories_out_of_the_root_are_not_listed() {
    let folder = folder();
    folder.link("skills/pdf/scripts/run.sh", "../../../outside/key");
    folder.link("skills/pdf/references", "../../outside");
    for profile in [Profile::Helix, Profile::SkillUse] {
        let builder = AsyncToolbox::builder(folder.directories(&["skills"])).profile(profile);
        let toolbox = block_on(builder.build()).unwrap();
        let call = Call::LoadSkill { name: "pdf", arguments: None };
        let reply = block_on(toolbox.answer(call));
        let text = reply.message().as_ref().unwrap_or(&reply).to_string();
        assert!(text.contains("notes.md"), "{text}");
        assert!(!text.contains("run.sh") && !text.contains("references"), "{text}");
    }
}

#[test]
fn link_inside_the_root_is_followed() {
    let folder = folder();
    folder.link("skills/another-name", "pdf");
    folder.write("skills/shared/common.md", "Common.\n");
    folder.link("skills/pdf/common.md", "../shared/common.md");
    folder.link("skills/pdf/shared", "../shared");
    folder.link("skills/linked/SKILL.md", "../shared/text.md");
    folder.write("skills/shared/text.md", "---\nname: linked\ndescription: x\n---\n");
    let directories = folder.directories(&["skills"]);
    let found = directories.discover().unwrap();
    assert_eq!((names(&found), folder.problems(&found)), (vec!["linked", "pdf"], Vec::new()));
    assert_eq!(found.get("pdf").unwrap().path(), folder.path("skills/pdf"));
    let skill = block_on(directories.load("pdf", Profile::Helix)).unwrap().unwrap();
    let files = { skill.resources().iter().map(|file| file.path().to_owned()).collect::<Vec<_>>() };
    assert_eq!(files, ["common.md", "notes.md", "shared/common.md", "shared/text.md"]);
    for path in ["common.md", "shared/common.md"] {
        assert_eq!(
            block_on(directories.read("pdf", path, Profile::Helix)).unwrap().unwrap(),
            b"Common.\n"
        );
    }
    // A cycle of directories exceeds a limit instead of looping.
    folder.link("skills/pdf/shared-too/up", "..");
    let error = block_on(directories.load("pdf", Profile::Helix)).unwrap_err();
    assert!(error.to_string().contains("the limit is "), "{error}");
}

/// Coding agents keep skills in one directory, and link to them from the others.
#[test]
fn links_to_skills_in_known_directories_are_followed() {
    let folder = folder();
    folder.skill(".agents/skills/docx", "docx", "Reads Word files.");
    folder.write(".agents/skills/docx/notes.md", "Notes.\n");
    folder.link(".claude/skills/docx", "../../.agents/skills/docx");
    folder.link(".claude/skills/pdf", folder.path("skills/pdf"));
    folder.link(".claude/skills/secret", "../../outside/secret");
    folder.link(".agents/skills/docx/key", "../../../outside/key");
    let roots = || folder.directories(&["skills", ".claude/skills"]);
    assert_eq!(names(&roots().discover().unwrap()), ["pdf"]);

    let directories = roots().follow_links_into(folder.path(".agents/skills"));
    let found = directories.discover().unwrap();
    assert_eq!(names(&found), ["docx", "pdf"]);
    let docx = found.get("docx").unwrap();
    assert_eq!(docx.path(), folder.path(".claude/skills/docx"));
    assert_eq!(
        folder.problems(&found),
        ["`.claude/skills/secret/SKILL.md` leads out of `.claude/skills` by a symbolic link"]
    );
    let profile = Profile::Helix;
    let read = |path| block_on(directories.read("docx", path, profile));
    assert_eq!(read("notes.md").unwrap().unwrap(), b"Notes.\n");
    assert!(read("key").unwrap_err().to_string().contains("leads out of"));
    let skill = block_on(directories.load("docx", profile)).unwrap().unwrap();
    assert_eq!(skill.body().trim(), "I am in .agents/skills/docx.");
    folder.remove(".agents/skills/docx/key");
    assert_eq!(docx.load().unwrap().value.name(), "docx");
}

#[test]
fn pipe_is_refused_without_waiting() {
    let folder = folder();
    std::fs::create_dir(folder.path("skills/pipe")).unwrap();
    for path in ["skills/pipe/SKILL.md", "skills/pdf/pipe"] {
        assert!(Command::new("mkfifo").arg(folder.path(path)).status().unwrap().success());
    }
    let directories = folder.directories(&["skills"]);
    let found = directories.discover().unwrap();
    assert_eq!(names(&found), ["pdf"]);
    assert_eq!(folder.problems(&found), ["`skills/pipe/SKILL.md` is not a regular file"]);
    let error = block_on(directories.read("pdf", "pipe", Profile::Helix)).unwrap_err();
    assert_eq!(folder.message(&error), "`skills/pdf/pipe` is not a regular file");
    assert_eq!(
        block_on(directories.load("pdf", Profile::Helix)).unwrap().unwrap().resources().len(),
        1
    );
}
