//! Attacks of upstream authors, servers and other users. The names of tests start with the number
//! of the threat.
//!
//! Repositories and answers are written byte by byte where git would refuse to create them. Every
//! run ends with one of the program's exit codes and leaves the project unchanged.

mod answers;
mod bounds;
mod cache;
mod commands;
mod exchange;
mod frontmatter;
mod names;
mod packs;
mod refusals;
mod repositories;
mod store;
mod trees;

use helix_skills_tests::{
    Behavior, GitServer, Pack, Run, Sandbox, Script, ScriptedAnswer, sandbox::Command, skill_md,
};
use serde_json::{Value, json};

/// Memory limit of a sync in MiB, far below what hostile input could make it allocate.
const MEBIBYTES: u64 = 256;

/// A server with scripted answers, and a project that uses it.
struct Forge {
    sandbox: Sandbox,
    server: GitServer,
}

impl Forge {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let server = sandbox.serve();
        let forge = Self { sandbox, server };
        forge.limits(json!({}));
        forge
    }

    /// Writes a manifest with all skills of the repository and these limits.
    fn limits(&self, limits: Value) {
        let source = json!({"evil": {"type": "git", "url": self.server.url("evil")}});
        self.sandbox.manifest(&json!({"skills": source, "limits": limits}).to_string());
    }

    /// Serves a repository whose default branch is `tip`; every fetch is answered with this pack.
    fn serve(&self, tip: &str, pack: &[u8]) {
        self.answer(tip, ScriptedAnswer::Body(Script::pack(pack)));
    }

    /// Serves a repository whose default branch is `tip`; every fetch gets this answer.
    fn answer(&self, tip: &str, answer: ScriptedAnswer) {
        self.script(Script::repository(tip, move |_| answer.clone()));
    }

    fn script(&self, script: Script) {
        self.server.behave(Behavior { script: Some(script), ..Behavior::default() });
    }

    /// Checks that a sync fails with this exit code and these messages, within the memory limit,
    /// and writes nothing.
    #[track_caller]
    fn is_refused(&self, code: i32, says: &[&str]) -> Run {
        let run = within(self.sandbox.command(["sync"]), MEBIBYTES).run().exits(code).says(says);
        assert_eq!(self.sandbox.files("project"), ["helix.skills.json"], "{run}");
        assert!(
            !run.stderr.chars().any(|c| c.is_control() && c != '\n'),
            "raw control characters\n{run:?}"
        );
        run
    }
}

/// Limits the memory of a run; the system ends it if it allocates more.
fn within(command: Command<'_>, mebibytes: u64) -> Command<'_> {
    if cfg!(target_os = "linux") {
        let limit = format!("ulimit -d {} && exec \"$0\" \"$@\"", mebibytes << 10);
        return command.under("sh", ["-c", &limit]);
    }
    command
}

/// Length in bytes of a [`sparse`] file: too many to be read during a test.
#[cfg(unix)]
const SPARSE: u64 = 1 << 40;

/// Replaces a file with one of [`SPARSE`] bytes that takes no disk space.
#[cfg(unix)]
fn sparse(path: &std::path::Path) {
    drop(std::fs::remove_file(path));
    std::fs::File::create(path).unwrap().set_len(SPARSE).unwrap();
}

/// Makes a named pipe without a writer: opening it for reading would block forever.
#[cfg(unix)]
fn pipe(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Returns a pack with a skill `a` of a SKILL.md and `x.md`, and the id of its commit.
fn valid_pack() -> (Pack, String) {
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let x = pack.blob(b"some text\n");
    let tree = pack.tree(&[("100644", b"SKILL.md", &md), ("100644", b"x.md", &x)]);
    let tip = pack.commit_skill("a", &tree);
    (pack, tip)
}

#[test]
fn t17_valid_scripted_pack_is_accepted() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    forge.serve(&tip, &pack.finish());
    within(forge.sandbox.command(["sync"]), MEBIBYTES).run().succeeds();
    assert_eq!(forge.sandbox.read("project/helix.skills/a/x.md"), "some text\n");
}
