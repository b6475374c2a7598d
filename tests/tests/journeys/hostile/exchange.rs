//! A process that exchanges a directory with a link, again and again, while a command runs.
#![cfg(target_os = "linux")]

use helix_skills_tests::{Change, Sandbox, Upstream};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

/// Number of runs with each exchanged directory.
const RUNS: usize = 24;
/// Maximum number of exchanges during a run.
const EXCHANGES: usize = 1_000_000;

/// A synced project with skills of its own, and the files that it has before each run.
struct Victim {
    sandbox: Sandbox,
    _upstream: Upstream,
    files: BTreeMap<String, Vec<u8>>,
}

impl Victim {
    fn new() -> Self {
        let sandbox = Sandbox::in_memory();
        let upstream = sandbox.upstream("repo");
        upstream.commit(Change::new().skill("a").text("skills/a/docs/x.md", "one\n").skill("b"));
        upstream.tag("v1.0.0");
        upstream.commit(
            Change::new()
                .text("skills/a/docs/x.md", "two\n")
                .text("skills/a/docs/y.md", "two\n")
                .executable("skills/a/new/run.sh", "#!/bin/sh\n")
                .remove("skills/b"),
        );
        upstream.tag("v2.0.0");
        let mut victim = Self { sandbox, _upstream: upstream, files: BTreeMap::new() };
        victim.pin("1.0.0");
        victim.sandbox.skills(["sync"]).succeeds();
        for name in ["tides", "winds"] {
            let text =
                "\n---\ndescription: Reads tides: use when a harbor is named.\n---\n# Tides\n";
            victim.sandbox.write(format!("project/skills/{name}/SKILL.md"), text);
        }
        for place in ["project", "cache"] {
            for (path, bytes) in victim.sandbox.snapshot(place).contents() {
                victim.files.insert(format!("{place}/{path}"), bytes.to_vec());
            }
        }
        victim
    }

    fn pin(&self, version: &str) {
        let source = json!({"type": "git", "url": "../upstream/repo.git", "version": version});
        self.sandbox.sources(&json!({ "repo": source }));
    }

    /// Restores the files, and makes `project/swap` a link to a copy of the directory `exchanged`
    /// outside of the project.
    fn set_up(&self, exchanged: &str, prepare: fn(&Self)) {
        let sandbox = &self.sandbox;
        for place in ["project", "cache", "outside"] {
            sandbox.remove(place);
            fs::create_dir(sandbox.path(place)).unwrap();
        }
        self.files.iter().for_each(|(path, bytes)| sandbox.write(path, bytes));
        prepare(self);
        fs::create_dir_all(sandbox.path(exchanged)).unwrap();
        for (path, bytes) in sandbox.snapshot(exchanged).contents() {
            sandbox.write(format!("outside/copy/{path}"), bytes);
        }
        sandbox.write("outside/copy/precious.md", "mine\n");
        symlink(sandbox.path("outside/copy"), sandbox.project("swap")).unwrap();
    }

    /// Runs the command while each directory is exchanged. The sandbox fails a run after which a
    /// file outside of project and cache was added, changed or removed.
    fn attack(&self, arguments: &[&str], directories: &[&str], prepare: fn(&Self)) {
        let mut exchanges = 0;
        for exchanged in directories {
            for _ in 0..RUNS {
                self.set_up(exchanged, prepare);
                let (from, to) = (self.sandbox.path(exchanged), self.sandbox.project("swap"));
                let is_over = AtomicBool::new(false);
                let exchange = || {
                    let is_over = |_: &usize| !is_over.load(Relaxed);
                    let exchange = |_| renameat_with(CWD, &from, CWD, &to, RenameFlags::EXCHANGE);
                    (0..EXCHANGES).take_while(is_over).map(exchange).filter(Result::is_ok).count()
                };
                let (run, count) = thread::scope(|scope| {
                    let thread = scope.spawn(exchange);
                    let run = self.sandbox.command(arguments).alongside_others().run();
                    is_over.store(true, Relaxed);
                    (run, thread.join().unwrap())
                });
                assert!(run.code.is_some_and(|code| code <= 7), "{exchanged}: {run}");
                assert!(!run.stderr.contains("panicked"), "{exchanged}: {run}");
                exchanges += count;
            }
        }
        assert!(exchanges > RUNS, "the directories were not exchanged");
    }
}

#[test]
fn t18_exchanged_cache_is_cleaned_only_below_its_root() {
    let directories = ["cache/skills-v1", "cache/staging-v1"];
    Victim::new().attack(&["cache", "clean"], &directories, |_| {});
}

#[test]
fn t18_exchanged_store_is_restored_only_below_its_root() {
    let victim = Victim::new();
    let directories = ["project/helix.skills/a", "project/helix.skills/a/docs"];
    victim.attack(&["sync", "--restore"], &directories, |victim| {
        for path in ["a/docs/x.md", "a/docs/mine.md", "a/precious.md", "a/docs/precious.md"] {
            victim.sandbox.write(format!("project/helix.skills/{path}"), "edited\n");
        }
    });
}

#[test]
fn t18_exchanged_directories_are_not_written_through_by_sync() {
    let directories = [
        "project/helix.skills",
        "project/helix.skills/a",
        "project/helix.skills/a/docs",
        "project/helix.skills/.staging",
        "cache/staging-v1",
        "cache/skills-v1",
    ];
    Victim::new().attack(&["sync"], &directories, |victim| victim.pin("2.0.0"));
}

#[test]
fn t04_exchanged_skills_are_not_fixed_through_a_link() {
    let directories = ["project/skills/tides", "project/skills"];
    let victim = Victim::new();
    victim.attack(&["validate", "--fix", "skills"], &directories, |_| {});
    victim.attack(&["validate", "--fix", "skills/tides"], &directories, |_| {});
}
