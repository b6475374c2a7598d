//! Skills that change while an agent runs.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::{AsyncToolbox, Provider};
use helix_skills_runtime::{Call, Profile};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};

#[test]
fn notices_added_removed_and_edited_skills() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    let directories = folder.directories(&["skills"]);
    let listed = || {
        let found = directories.discover().unwrap();
        found
            .iter()
            .map(|skill| format!("{}: {}", skill.name(), skill.metadata().description()))
            .collect::<Vec<_>>()
    };
    assert_eq!(listed(), ["pdf: One."]);
    folder.skill("skills/pdf", "pdf", "Two."); // in place, same length, maybe in the same tick
    assert_eq!(listed(), ["pdf: Two."]);
    folder.skill("skills/csv", "csv", "New.");
    assert_eq!(listed(), ["csv: New.", "pdf: Two."]);
    folder.skill("skills/pdf", "pdf-tools", "Renamed.");
    assert_eq!(listed(), ["csv: New.", "pdf-tools: Renamed."]);
    folder.write("skills/csv/SKILL.md", "no more");
    assert_eq!(listed(), ["pdf-tools: Renamed."]);
    folder.skill("skills/csv", "csv", "Fixed.");
    folder.remove("skills/pdf");
    assert_eq!(listed(), ["csv: Fixed."]);
    fs::rename(folder.path("skills/csv/SKILL.md"), folder.path("skills/csv/skill.md")).unwrap();
    assert_eq!(listed(), ["csv: Fixed."]);
    assert!(block_on(directories.load("csv", Profile::Helix)).unwrap().is_some());
    folder.remove("skills");
    assert_eq!(listed(), [""; 0]);
    fs::create_dir_all(folder.path("skills/late")).unwrap();
    assert_eq!(listed(), [""; 0]);
    folder.skill("skills/late", "late", "A file in a directory that was there.");
    assert_eq!(listed(), ["late: A file in a directory that was there."]);
}

/// The modification time may be set back, as `cp -p` and archives do.
#[test]
fn notices_an_edit_that_keeps_the_modification_time() {
    let folder = Folder::new();
    let long_ago = SystemTime::now() - Duration::from_secs(86_400);
    let write = |description| {
        folder.skill("skills/pdf", "pdf", description);
        fs::File::options()
            .write(true)
            .open(folder.path("skills/pdf/SKILL.md"))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    };
    write("One.");
    let directories = folder.directories(&["skills"]);
    let description =
        || directories.discover().unwrap().get("pdf").unwrap().metadata().description().to_owned();
    assert_eq!(description(), "One.");
    assert_eq!(description(), "One.");
    if cfg!(unix) {
        write("Two.");
        assert_eq!(description(), "Two.");
    }
    write("Longer.");
    assert_eq!(description(), "Longer.");
}

#[test]
fn scans_only_after_the_cool_down() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    let (start, passed) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let clock = Arc::clone(&passed);
    let directories = folder
        .directories(&["skills"])
        .cool_down(Duration::from_secs(2))
        .clock(move || start + Duration::from_millis(clock.load(Ordering::SeqCst)));
    let description =
        || directories.discover().unwrap().get("pdf").unwrap().metadata().description().to_owned();
    assert_eq!(description(), "One.");
    folder.skill("skills/pdf", "pdf", "Two.");
    folder.skill("skills/csv", "csv", "New.");
    passed.store(1_999, Ordering::SeqCst);
    assert_eq!(description(), "One.");
    assert!(block_on(directories.load("csv", Profile::Helix)).unwrap().is_none());
    passed.store(2_000, Ordering::SeqCst);
    assert_eq!(description(), "Two.");
    assert!(block_on(directories.load("csv", Profile::Helix)).unwrap().is_some());
    passed.store(0, Ordering::SeqCst); // a clock that goes backwards is harmless
    assert_eq!(description(), "Two.");
}

#[test]
fn catalog_stays_and_loads_return_the_current_text() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "One.");
    folder.write("skills/pdf/a.md", "old");
    folder.skill("skills/csv", "csv", "Table.");
    let toolbox = block_on(
        AsyncToolbox::builder(folder.directories(&["skills"]).cool_down(Duration::MAX)).build(),
    )
    .unwrap();
    let (catalog, list) =
        (toolbox.catalog().to_owned(), folder.directories(&["skills"]).discover().unwrap());
    let load =
        |name| block_on(toolbox.answer(Call::LoadSkill { name, arguments: None })).to_string();
    let read = || {
        let call =
            Call::ReadSkillFile { skill: "pdf", path: "a.md", start_line: None, end_line: None };
        block_on(toolbox.answer(call)).to_string()
    };
    folder.write("skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Two.\n---\nEdited.\n");
    folder.write("skills/pdf/a.md", "new");
    assert!(load("pdf").contains("Edited.") && read().contains("new"));
    folder.remove("skills/pdf/a.md");
    assert!(read().starts_with("the skill `pdf` has no file `a.md`"), "{}", read());
    folder.remove("skills/csv");
    assert_eq!(load("csv"), "cannot load the skill `csv`: it is no longer available");
    folder.write("skills/pdf/SKILL.md", "---\nname: pdf\n---\nBroken.\n");
    assert!(
        folder
            .message(&load("pdf"))
            .contains("`skills/pdf/SKILL.md:1:1`: `description` is missing"),
        "{}",
        load("pdf")
    );
    assert_eq!((toolbox.catalog(), names(&list)), (&*catalog, vec!["csv", "pdf"]));
    assert_eq!(list.get("pdf").unwrap().metadata().description(), "One.");
}

#[test]
fn finds_a_skill_that_was_moved_or_renamed() {
    let folder = Folder::new();
    folder.skill("skills/a", "pdf", "One.");
    let directories = folder.directories(&["skills"]).cool_down(Duration::MAX);
    assert_eq!(names(&directories.discover().unwrap()), ["pdf"]);
    fs::rename(folder.path("skills/a"), folder.path("skills/b")).unwrap();
    assert!(block_on(directories.load("pdf", Profile::Helix)).unwrap().is_some());
    folder.skill("skills/b", "csv", "Another one.");
    assert!(block_on(directories.load("pdf", Profile::Helix)).unwrap().is_none());
    assert!(block_on(directories.load("csv", Profile::Helix)).unwrap().is_some());
    assert!(block_on(directories.read("csv", "../b/SKILL.md", Profile::Helix)).is_err());
}
