//! The commands that change the disk, and a project to run them in.

use helix_skills_tests::{Change, Run, Sandbox, Snapshot, Upstream, skill_md};
use serde_json::json;
use std::{collections::BTreeMap, fs};

/// A command with its starting state.
pub(super) struct DiskCommand {
    pub(super) arguments: &'static [&'static str],
    prepare: fn(&Sandbox),
    /// Exit code if the command has nothing left to do.
    exit_code_if_done: i32,
}

pub(super) const SYNC: DiskCommand = command(&["sync"], |sandbox| sources(sandbox, "2.0.0"));

pub(super) const ADD: DiskCommand = DiskCommand {
    exit_code_if_done: 2,
    ..command(&["add", "../upstream/other.git", "--ref", "main"], |_| {})
};

/// `add` in a directory without a project.
pub(super) const FIRST_ADD: DiskCommand = DiskCommand {
    prepare: |sandbox| {
        sandbox.forget();
        sandbox.remove("project/helix.skills.json");
    },
    ..ADD
};

/// All commands that change files read by other commands, so not `completions`.
pub(super) const COMMANDS: [DiskCommand; 8] = [
    SYNC,
    // The first sync of a project, with an empty cache.
    command(&["sync", "-q"], |sandbox| {
        sandbox.forget();
        sandbox.sources(
            &json!({"repo": {"type": "git", "url": "../upstream/repo.git", "version": "2.0.0"}}),
        );
    }),
    command(&["sync", "--restore"], |sandbox| {
        sandbox.write("project/helix.skills/a/docs/x.md", "edited\n");
        sandbox.write("project/helix.skills/a/mine.md", "unknown\n");
    }),
    command(&["update", "moving"], |_| {}),
    ADD,
    DiskCommand { exit_code_if_done: 2, ..command(&["remove", "moving"], |_| {}) },
    DiskCommand {
        exit_code_if_done: 2,
        ..command(&["init", "--ignore-store"], |sandbox| {
            sandbox.remove("project");
            sandbox.write("project/.gitignore", "target");
        })
    },
    command(&["cache", "clean"], |_| {}),
];

const fn command(arguments: &'static [&'static str], prepare: fn(&Sandbox)) -> DiskCommand {
    DiskCommand { arguments, prepare, exit_code_if_done: 0 }
}

fn sources(sandbox: &Sandbox, version: &str) {
    sandbox.sources(&json!({
        "repo": {"type": "git", "url": "../upstream/repo.git", "version": version},
        "moving": {"type": "git", "url": "../upstream/moving.git", "ref": "main"},
    }));
}

/// A project that is locked at version 1.0.0 of one source, and at a branch of another that has
/// moved since.
pub(super) struct DiskProject {
    pub(super) sandbox: Sandbox,
    _upstreams: [Upstream; 3],
    initial_files: BTreeMap<String, Vec<u8>>,
}

impl DiskProject {
    pub(super) fn new() -> Self {
        Self::in_sandbox(Sandbox::new())
    }

    /// Creates the project in memory, where fsync is fast.
    pub(super) fn in_memory() -> Self {
        Self::in_sandbox(Sandbox::in_memory())
    }

    fn in_sandbox(sandbox: Sandbox) -> Self {
        let upstreams = ["repo", "moving", "other"].map(|name| sandbox.upstream(name));
        let [repo, moving, other] = &upstreams;
        repo.commit(Change::new().skill("a").text("skills/a/docs/x.md", "one\n").skill("leaves"));
        repo.tag("v1.0.0");
        repo.commit(
            Change::new()
                .text("skills/a/docs/x.md", "two\n")
                .executable("skills/a/new/run.sh", "#!/bin/sh\n")
                .remove("skills/leaves")
                .skill("comes"),
        );
        repo.tag("v2.0.0");
        moving.commit(Change::new().skill("m").text("skills/m/x.md", "one\n"));
        other.commit(Change::new().text("skills/o/SKILL.md", &skill_md("o")));
        sources(&sandbox, "1.0.0");
        sandbox.skills(["sync"]).succeeds();
        moving.commit(Change::new().text("skills/m/x.md", "two\n").text("skills/m/y.md", "new\n"));
        let mut initial_files = BTreeMap::new();
        for place in ["project", "cache"] {
            for (path, bytes) in sandbox.snapshot(place).contents() {
                initial_files.insert(format!("{place}/{path}"), bytes.to_vec());
            }
        }
        Self { sandbox, _upstreams: upstreams, initial_files }
    }

    /// Restores the state before the command.
    pub(super) fn set_up(&self, command: &DiskCommand) {
        for place in ["project", "cache", "tmp"] {
            self.sandbox.remove(place);
            fs::create_dir(self.sandbox.path(place)).unwrap();
        }
        self.initial_files.iter().for_each(|(path, bytes)| self.sandbox.write(path, bytes));
        (command.prepare)(&self.sandbox);
    }

    /// Runs the command without failures and records the states of project and cache.
    pub(super) fn run_without_failures(&self, command: &DiskCommand) -> Outcome {
        self.set_up(command);
        let old = self.sandbox.snapshot("project");
        let run = self.sandbox.skills(command.arguments);
        let code = run.code.unwrap();
        assert!(code <= 1, "{run}");
        let (new, cache) = (self.sandbox.snapshot("project"), self.sandbox.snapshot("cache"));
        assert_eq!(command.arguments[0] == "cache", old.contents() == new.contents(), "{run}");
        Outcome {
            old,
            new,
            cache,
            code,
            exit_code_if_done: command.exit_code_if_done,
            arguments: command.arguments,
        }
    }
}

/// The result of a command without failures.
pub(super) struct Outcome {
    pub(super) old: Snapshot,
    pub(super) new: Snapshot,
    cache: Snapshot,
    pub(super) code: i32,
    exit_code_if_done: i32,
    arguments: &'static [&'static str],
}

impl Outcome {
    /// Checks that the same command finishes the work and leaves no temporary files.
    #[track_caller]
    pub(super) fn is_completed_by_a_retry(&self, sandbox: &Sandbox, what: &str) {
        let again = sandbox.skills(self.arguments);
        assert!(
            again.code.is_some_and(|code| code == self.code || code == self.exit_code_if_done),
            "{what}: {again}"
        );
        let now = sandbox.snapshot("project");
        assert_eq!(now.contents(), self.new.contents(), "{what}: unexpected files\n{again}");
        // Trees that are missing from the cache are fetched when they are needed.
        let expected = self.cache.contents();
        for (path, bytes) in sandbox.snapshot("cache").contents() {
            assert_eq!(
                expected.get(path),
                Some(&bytes),
                "{what}: `{path}` is left in the cache\n{again}"
            );
        }
    }

    /// Returns whether the run ended as it does without failures.
    pub(super) fn is_expected_end(&self, run: &Run) -> bool {
        run.code == Some(self.code)
    }
}
