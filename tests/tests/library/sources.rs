//! Progress events, and options of a project.

use helix_skills_project::{FetchEvent, Progress, ProgressEvent, Project, format::SourceKey};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// Records one word per event.
#[derive(Default)]
struct RecordedEvents(Mutex<Vec<String>>);

impl RecordedEvents {
    fn add(&self, word: &str) {
        let mut words = self.0.lock().unwrap();
        // An answer arrives in several parts.
        if word != "received" || words.last().is_none_or(|last| last != word) {
            words.push(word.to_owned());
        }
    }
}

impl Progress for RecordedEvents {
    fn on(&self, event: ProgressEvent) {
        if event == ProgressEvent::Writing {
            self.add("writing");
        }
    }

    fn on_fetch(&self, event: &FetchEvent<'_>) {
        match event {
            FetchEvent::Request { .. } => self.add("request"),
            FetchEvent::Received { .. } => self.add("received"),
            _ => {}
        }
    }
}

#[test]
fn progress_events_are_in_order() {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a").text("skills/a/more.md", "more\n"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"git": {"type": "git", "url": server.url("repo")}}));
    let sync = || {
        let heard = Arc::new(RecordedEvents::default());
        Project::at(sandbox.project(""))
            .cache_dir(sandbox.path("cache"))
            .progress(heard.clone())
            .sync()
            .unwrap();
        heard.0.lock().unwrap().clone()
    };
    let (ask, got) = ("request", "received");
    let expected = [ask, got, ask, got, ask, got, "writing"];
    assert_eq!(sync(), expected);
    assert_eq!(sync(), ["writing"]);
    sandbox.remove_store();
    sandbox.remove_cache();
    assert_eq!(sync(), [ask, got, ask, got, "writing"]);
}

#[test]
fn file_names_are_configurable() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/c/SKILL.md", helix_skills_tests::skill_md("c"));
    sandbox.write("project/mine.json", r#"{"skills": {"own": {"type": "path", "path": "own"}}}"#);
    let project = Project::at(sandbox.project(""))
        .manifest_file("mine.json")
        .lock_file("out/mine.lock")
        .store_dir("out/store")
        .cache_dir(sandbox.path("cache"));
    assert!(project.lock().unwrap().is_none());
    std::fs::create_dir(sandbox.project("out")).unwrap();
    project.sync().unwrap();
    assert_eq!(project.check().unwrap().skills, 1);
    let files = sandbox.files("project/out");
    assert_eq!(files, ["mine.lock", "store/.gitattributes", "store/c.sha256"]);
    // Independent of the manifest's path and the order of the calls.
    sandbox.write(
        "project/inner/mine.json",
        r#"{"skills": {"own": {"type": "path", "path": "../own"}}}"#,
    );
    let inner = || Project::at(sandbox.project("")).cache_dir(sandbox.path("cache"));
    let first =
        inner().manifest_file("inner/mine.json").lock_file("out/mine.lock").store_dir("out/store");
    let last =
        inner().store_dir("out/store").lock_file("out/mine.lock").manifest_file("inner/mine.json");
    for project in [first, last] {
        project.sync().unwrap();
        assert_eq!(project.check_store().unwrap().skills, 1);
    }
    assert_eq!(sandbox.files("project/inner"), ["mine.json"]);
    let unknown = SourceKey::new("unknown").unwrap();
    assert!(
        project
            .update(&[unknown], |_| true)
            .unwrap_err()
            .to_string()
            .contains("no source or skill `unknown`")
    );
}
