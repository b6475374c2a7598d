//! What strangers may try: names of tests begin with the number of the threat. Repositories and answers are written byte by byte where
//! git would refuse to make them; every run ends with an exit code of its own, and leaves the project as it was.

mod answers;
mod bounds;
mod cache;
mod commands;
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

/// So much memory a sync may take, whatever a server sends. Deliberately far below what hostile input could ask for.
const MEBIBYTES: u64 = 256;

/// A server whose answers are made here, and a project that trusts it.
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

    /// Lets the manifest ask for everything of the repository, within these limits.
    fn limits(&self, limits: Value) {
        let source = json!({"evil": {"type": "git", "url": self.server.url("evil")}});
        self.sandbox.manifest(&json!({"skills": source, "limits": limits}).to_string());
    }

    /// Answers with a repository whose default branch is `tip`; every fetch gets this pack.
    fn serve(&self, tip: &str, pack: &[u8]) {
        self.answer(tip, ScriptedAnswer::Body(Script::pack(pack)));
    }

    /// Answers with a repository whose default branch is `tip`; every fetch gets this answer.
    fn answer(&self, tip: &str, answer: ScriptedAnswer) {
        self.script(Script::repository(tip, move |_| answer.clone()));
    }

    fn script(&self, script: Script) {
        self.server.behave(Behavior { script: Some(script), ..Behavior::default() });
    }

    /// A sync that fails with an exit code and these words, in so much memory, and leaves nothing.
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

/// A run that is ended by the system when it takes more memory of its own than this.
fn within(command: Command<'_>, mebibytes: u64) -> Command<'_> {
    if cfg!(target_os = "linux") {
        let limit = format!("ulimit -d {} && exec \"$0\" \"$@\"", mebibytes << 10);
        return command.under("sh", ["-c", &limit]);
    }
    command
}

/// Length in bytes of a [`sparse`] file: too many to be read while a test runs.
#[cfg(unix)]
const SPARSE: u64 = 1 << 40;

/// Replaces a file by one of [`SPARSE`] bytes that takes no space on the disk.
#[cfg(unix)]
fn sparse(path: &std::path::Path) {
    drop(std::fs::remove_file(path));
    std::fs::File::create(path).unwrap().set_len(SPARSE).unwrap();
}

/// Makes a named pipe that no process has open: to open it for reading would wait forever.
#[cfg(unix)]
fn pipe(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A pack with a skill `a` of a SKILL.md and `x.md`, and the id of its commit.
fn honest() -> (Pack, String) {
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let x = pack.blob(b"some text\n");
    let tree = pack.tree(&[("100644", b"SKILL.md", &md), ("100644", b"x.md", &x)]);
    let tip = pack.commit_skill("a", &tree);
    (pack, tip)
}

#[test]
fn t17_what_is_forged_honestly_is_taken() {
    let forge = Forge::new();
    let (pack, tip) = honest();
    forge.serve(&tip, &pack.finish());
    within(forge.sandbox.command(["sync"]), MEBIBYTES).run().succeeds();
    assert_eq!(forge.sandbox.read("project/helix.skills/a/x.md"), "some text\n");
}
