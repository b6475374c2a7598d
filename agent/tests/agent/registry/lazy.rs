//! Lazy files.

use crate::{run::elsewhere, wait};
use helix_skills_agent::{AsyncToolbox, BoxFuture, Registry, RegistryEntry};
use helix_skills_runtime::{ErrorKind, Profile, Resource, Skill, Toolbox};
use serde_json::{Value, json};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

const FILES: &[Resource] =
    &[Resource::from_text("labels.txt", "old\n"), Resource::from_text("notes.md", "A note.\n")];
const TRIAGE: Skill =
    Skill::define("triage", "Sorts issues.", "See `labels.txt`.").resources(FILES).build();

/// Returns a registry whose skill has one lazy file, and the number of reads of that file.
fn registry(content: Result<&'static [u8], &'static str>) -> (Registry, Arc<AtomicUsize>) {
    let reads = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&reads);
    let read = move || -> BoxFuture<'static, Vec<u8>> {
        let counted = Arc::clone(&counted);
        Box::pin(async move {
            elsewhere().await;
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(content?.to_vec())
        })
    };
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(TRIAGE).resource("labels.txt", read).unwrap()).unwrap();
    (skills, reads)
}

fn read(toolbox: &AsyncToolbox<Registry>, path: &str, more: Value) -> (bool, String) {
    let mut arguments = json!({"skill": "triage", "path": path});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let reply = wait(toolbox.call("read_skill_file", &arguments.to_string())).unwrap();
    (reply.is_error(), reply.to_string())
}

#[test]
fn lazy_loader_may_capture_fail_and_return_text() {
    let labels = Arc::new(Mutex::new(Some("bug".to_owned())));
    let shared = Arc::clone(&labels);
    let load = move || -> BoxFuture<'static, Vec<u8>> {
        let labels = shared.lock().unwrap().clone();
        Box::pin(async { Ok(labels.ok_or("the labels are not loaded yet")?.into()) })
    };
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(TRIAGE).resource("labels.txt", load).unwrap()).unwrap();
    let toolbox = wait(AsyncToolbox::builder(skills).build()).unwrap();
    assert!(read(&toolbox, "labels.txt", json!({})).1.contains("\nbug\n"));
    *labels.lock().unwrap() = Some("docs".to_owned());
    assert!(read(&toolbox, "labels.txt", json!({})).1.contains("\ndocs\n"));
    *labels.lock().unwrap() = None;
    let (is_error, text) = read(&toolbox, "labels.txt", json!({}));
    assert!(is_error && text.contains("`labels.txt`") && text.contains("not loaded yet"), "{text}");
}

#[test]
fn lazy_file_is_awaited_once_for_each_read() {
    let (skills, reads) = registry(Ok(b"bug\nui </skill_file>\ndocs\n"));
    let toolbox = wait(AsyncToolbox::builder(skills).build()).unwrap();
    let loaded = wait(toolbox.call("load_skill", r#"{"name": "triage"}"#)).unwrap();
    assert!(loaded.to_string().contains("\nlabels.txt\nnotes.md\n"), "{loaded}");
    assert_eq!(reads.load(Ordering::Relaxed), 0);

    let (is_error, whole) = read(&toolbox, "labels.txt", json!({}));
    assert!(!is_error && whole.contains("\nbug\nui &lt;/skill_file>\ndocs\n"), "{whole}");
    assert_eq!(reads.load(Ordering::Relaxed), 1);
    let (_, line) = read(&toolbox, "./labels.txt", json!({"startLine": 3, "endLine": 3}));
    assert!(line.contains("\ndocs\n") && !line.contains("bug"), "{line}");
    assert_eq!(reads.load(Ordering::Relaxed), 2);

    let (_, note) = read(&toolbox, "notes.md", json!({}));
    assert!(note.contains("A note."), "{note}");
    assert!(read(&toolbox, "missing.md", json!({})).0);
    assert_eq!(reads.load(Ordering::Relaxed), 2);
}

#[test]
fn failing_read_names_file_and_cause() {
    let (skills, reads) = registry(Err("the database\nis down </skill>"));
    let toolbox = wait(AsyncToolbox::builder(skills).build()).unwrap();
    let (is_error, answer) = read(&toolbox, "labels.txt", json!({}));
    assert!(is_error);
    assert_eq!(
        answer,
        "cannot read `labels.txt` of the skill `triage`: the database is down &lt;/skill>"
    );
    assert_eq!(reads.load(Ordering::Relaxed), 1);
}

/// In this profile, a toolbox only has the tool if there are files to read.
#[test]
fn lazy_file_is_a_reason_to_offer_the_tool() {
    let (skills, _) = registry(Ok(b"bug\n"));
    let toolbox = wait(AsyncToolbox::builder(skills).profile(Profile::ClaudeCode).build()).unwrap();
    let names: Vec<_> = toolbox.tools([]).unwrap().into_iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["Skill", "read_skill_file"]);
    assert!(read(&toolbox, "labels.txt", json!({})).1.contains("\nbug\n"));
}

#[test]
fn binary_lazy_file_is_refused_like_any_other() {
    let (skills, _) = registry(Ok(b"\x89PNG\xff"));
    let toolbox = wait(AsyncToolbox::builder(skills).build()).unwrap();
    assert!(read(&toolbox, "labels.txt", json!({})).0);
}

#[test]
fn lazy_paths_are_checked_and_listed_in_runs() {
    let wrong = |path| {
        RegistryEntry::new(TRIAGE)
            .resource(path, || Box::pin(async { Ok(Vec::new()) }))
            .unwrap_err()
    };
    assert_eq!(wrong("labels.txt/more").kind(), ErrorKind::InvalidPath);
    let traversal = "a path cannot have empty parts, `.` or `..`";
    assert_eq!(wrong("../labels.txt").to_string(), traversal);
    assert_eq!(wrong("skill.md").to_string(), "it is reserved for the skill itself");

    let entry = RegistryEntry::new(TRIAGE)
        .resource("data/today.csv", || Box::pin(async { Ok(Vec::new()) }))
        .unwrap();
    let nested = entry.clone().resource("data", || Box::pin(async { Ok(Vec::new()) }));
    let why = "a file and a directory of the skill would have the same path";
    assert_eq!(nested.unwrap_err().to_string(), why);
    let mut skills = Registry::new();
    skills.register(entry).unwrap();
    let run = skills.run("triage").unwrap();
    let paths: Vec<_> = run.skill().resources().iter().map(|file| file.path()).collect();
    assert_eq!(paths, ["data/today.csv", "labels.txt", "notes.md"]);
    // A toolbox over the set cannot await, so it does not have the file.
    let toolbox = Toolbox::new(skills.set());
    let error = toolbox.read_skill_file("triage", "data/today.csv").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownFile, "{error}");
}
