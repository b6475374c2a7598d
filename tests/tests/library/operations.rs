//! Operations of a project as a library user calls them.

use helix_skills_project::{
    Project,
    format::{GitUrl, ProjectPath, Repository, Source, SourceKey},
    manifest::Manifest,
    validate::{self, Rules},
};
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;
use std::{env, path::PathBuf};

fn project(sandbox: &Sandbox) -> Project {
    Project::at(sandbox.project("")).cache_dir(sandbox.path("cache"))
}

/// Creates a project with a `path` source that has the skill `a`.
fn own_skill() -> Sandbox {
    let sandbox = Sandbox::with_manifest("{\"skills\": {}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    sandbox
}

fn path_source(path: &str) -> Source {
    Source::path(ProjectPath::new(path).unwrap())
}

fn key(name: &str) -> SourceKey {
    SourceKey::new(name).unwrap()
}

#[test]
fn manifest_value_is_synced_without_a_file() {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.write("project/own/b/SKILL.md", skill_md("b"));
    let mut manifest = Manifest::default();
    let git = Repository::new(GitUrl::parse(&server.url("repo")).unwrap());
    manifest.sources.insert(key("git"), Source::git(git));
    manifest.sources.insert(key("own"), path_source("own"));

    let project = project(&sandbox);
    let planned = Project::at(sandbox.project("")).cache_dir(sandbox.path("cache")).dry_run(true);
    assert!(planned.sync_manifest(&manifest).unwrap().lock_changed);
    assert_eq!(sandbox.files("project"), ["own/b/SKILL.md"]);
    let synced = project.sync_manifest(&manifest).unwrap();
    assert_eq!(synced.lock.skills.keys().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b"]);
    assert!(
        sandbox.exists("project/helix.skills/a/SKILL.md")
            && !sandbox.exists("project/helix.skills.json")
    );
    assert_eq!(project.require_lock().unwrap(), synced.lock);
    // The lockfile has the pins, and the skills can be read without the manifest.
    assert!(!project.sync_manifest(&manifest).unwrap().lock_changed);
    let skills = project.read_skills(&synced.lock, |_| true).unwrap();
    assert_eq!(skills.iter().map(|skill| skill.name()).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn edit_that_is_not_saved_changes_nothing() {
    let sandbox = own_skill();
    let before = sandbox.read("project/helix.skills.json");
    let project = project(&sandbox);
    let mut edit = project.edit_manifest().unwrap();
    edit.set(&key("own"), &path_source("own"));
    assert_eq!(edit.parse().unwrap().sources.len(), 1);
    drop(edit);
    let dry = project.dry_run(true);
    let mut edit = dry.edit_manifest().unwrap();
    edit.set(&key("own"), &path_source("own"));
    assert_eq!(edit.save_and_sync().unwrap().lock.skills.len(), 1);
    assert_eq!(sandbox.read("project/helix.skills.json"), before);
    assert_eq!(sandbox.files("project"), ["helix.skills.json", "own/a/SKILL.md"]);
}

#[test]
fn edit_that_cannot_be_synced_keeps_the_manifest() {
    let sandbox = own_skill();
    let before = sandbox.read("project/helix.skills.json");
    let project = project(&sandbox);
    let mut edit = project.edit_manifest().unwrap();
    edit.set(&key("own"), &path_source("missing"));
    let failure = edit.save_and_sync().unwrap_err();
    assert!(failure.code() == "unresolved", "{failure}");
    assert_eq!(sandbox.read("project/helix.skills.json"), before);
    assert_eq!(sandbox.files("project"), ["helix.skills.json", "own/a/SKILL.md"]);
}

#[test]
fn edit_of_a_file_that_was_changed_is_refused() {
    let sandbox = own_skill();
    let project = project(&sandbox);
    let mut edit = project.edit_manifest().unwrap();
    edit.set(&key("own"), &path_source("own"));
    sandbox.write("project/helix.skills.json", "{\"skills\": {}} // edited");
    let failure = edit.save().unwrap_err();
    assert!(failure.to_string().contains("was changed by another process"), "{failure}");
    assert_eq!(sandbox.read("project/helix.skills.json"), "{\"skills\": {}} // edited");
    assert_eq!(sandbox.files("project"), ["helix.skills.json", "own/a/SKILL.md"]);
}

#[test]
fn diff_has_the_changed_lines_as_data() {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.sources(&serde_json::json!({"git": {"type": "git", "url": server.url("repo")}}));
    let project = project(&sandbox);
    let old = project.sync().unwrap().lock;
    assert!(project.diff(3).unwrap().is_empty());
    let text = sandbox.read("project/helix.skills/a/SKILL.md");
    sandbox.write("project/helix.skills/a/SKILL.md", format!("{text}More.\n"));
    let comparison = project.diff(3).unwrap();
    let file = &comparison.skills[0]["files"][0];
    assert_eq!((&file["path"], &file["change"]), (&json!("SKILL.md"), &json!("changed")));
    assert_eq!((&file["added"], &file["removed"]), (&json!(1), &json!(0)));
    assert!(file["diff"].as_str().is_some_and(|diff| diff.ends_with("+More.\n")), "{file}");
    assert!(project.diff_since(&old, None, 0).unwrap().is_empty());
}

#[test]
fn cleaned_cache_is_empty() {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    sandbox.sources(&serde_json::json!({"git": {"type": "git", "url": server.url("repo")}}));
    let project = project(&sandbox);
    project.sync().unwrap();
    let cache = project.cache().unwrap();
    assert_eq!(cache.directory(), sandbox.path("cache"));
    let size = || -> u64 {
        let files = sandbox.snapshot("cache").files().into_iter();
        files.map(|file| sandbox.read_bytes(format!("cache/{file}")).len() as u64).sum()
    };
    let before = size();
    let (files, bytes) = cache.clean().unwrap();
    assert!(bytes > skill_md("a").len() as u64);
    // The files of the skill, and the origin file of its commit.
    assert_eq!((files, bytes), (2, before - size()));
    assert_eq!(cache.clean().unwrap(), (0, 0));
}

#[test]
fn projects_and_skills_at_relative_paths_are_validated() {
    let sandbox = own_skill();
    sandbox.write(
        "project/helix.skills.json",
        "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"own\"}}}",
    );
    let up: PathBuf = env::current_dir().unwrap().components().skip(1).map(|_| "..").collect();
    let relative = up.join(sandbox.project("").strip_prefix("/").unwrap());
    let project = Project::at(&relative);
    let report = project.validate(&[], Rules::Authors).unwrap();
    let files = |report: &validate::Report| {
        report.skills.iter().map(|skill| skill.file.clone()).collect::<Vec<_>>()
    };
    assert_eq!(files(&report), ["own/a/SKILL.md"]);
    assert_eq!(
        files(&project.validate(&["own/a".into()], Rules::Authors).unwrap()),
        ["own/a/SKILL.md"]
    );
    assert_eq!(
        files(&validate::validate(&relative, &["own".into()], Rules::Authors).unwrap()),
        ["own/a/SKILL.md"]
    );
    let failure = validate::validate(&relative, &["none".into()], Rules::Authors).unwrap_err();
    assert!(failure.code() == "usage", "{failure}");
}

#[cfg(unix)]
#[test]
fn link_in_place_of_the_store_is_refused() {
    let sandbox = own_skill();
    sandbox.write(
        "project/helix.skills.json",
        "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"own\"}}}",
    );
    sandbox.write("elsewhere/file", "mine");
    std::os::unix::fs::symlink(sandbox.path("elsewhere"), sandbox.project("helix.skills")).unwrap();
    for failure in [
        project(&sandbox).sync().unwrap_err(),
        project(&sandbox).check().unwrap_err(),
        project(&sandbox).diff(3).unwrap_err(),
    ] {
        assert!(
            failure.to_string().contains("`helix.skills` is a link, expected a directory"),
            "{failure}"
        );
    }
    assert_eq!(sandbox.files("elsewhere"), ["file"]);
    // A store directory that was set explicitly may be a link.
    project(&sandbox).store_dir("helix.skills").sync().unwrap();
}
