//! A store, and files next to it, written by another user.

use super::within;
#[cfg(unix)]
use super::{SPARSE, pipe, sparse};
use crate::project::{Project, project_in};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

/// Memory limit of a run in MiB.
const MEBIBYTES: u64 = 96;

fn synced() -> Project {
    let project = project_in(
        Sandbox::in_memory(),
        Change::new().skill("a").text("skills/a/docs/x.md", "x\n"),
    );
    project.upstream.tag("v1.0.0");
    project.select(json!({"version": "1.0.0"}));
    project.sandbox.skills(["sync"]).succeeds();
    project
}

/// Longer than any file of the skill, and longer than the read buffer.
#[test]
fn t18_enlarged_file_is_not_read_into_memory() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let file = std::fs::File::options()
        .write(true)
        .open(sandbox.project("helix.skills/a/docs/x.md"))
        .unwrap();
    file.set_len(160 << 20).unwrap();
    for command in [&["sync", "--check"][..], &["catalog"], &["sync"]] {
        let run = within(sandbox.command(command.iter().copied()), MEBIBYTES).run().exits(5);
        run.says(["helix.skills/a/docs/x.md", "it has 167772160 bytes, expected at most 67108864"]);
    }
}

/// The files of a project, and names that a sync uses temporarily.
#[cfg(unix)]
const FILES: [&str; 10] = [
    "helix.skills.json",
    "helix.skills.lock",
    "helix.skills/.gitattributes",
    "helix.skills/a.sha256",
    "helix.skills/a/SKILL.md",
    "helix.skills/a/docs/x.md",
    "helix.skills/.staging",
    "helix.skills/.staging/listings.json",
    ".helix.skills.lock.new",
    ".helix.skills.json.new",
];

/// Every command ends with one of its exit codes and reads no such file.
#[cfg(unix)]
#[test]
fn t18_pipes_and_sparse_files_block_no_command() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    let before = sandbox.snapshot("project");
    for path in FILES {
        for plant in [pipe, sparse] {
            let saved = sandbox
                .exists(format!("project/{path}"))
                .then(|| sandbox.read_bytes(format!("project/{path}")));
            let planted = sandbox.project(path);
            sandbox.remove(format!("project/{path}"));
            std::fs::create_dir_all(planted.parent().unwrap()).unwrap();
            plant(&planted);
            for arguments in [
                &["sync", "--check"][..],
                &["list"],
                &["show", "a"],
                &["diff"],
                &["sync", "--restore"],
            ] {
                let run = within(sandbox.command(arguments.iter().copied()), 2 * MEBIBYTES).run();
                assert!(run.code.is_some_and(|code| code <= 7), "{path}: {run}");
            }
            sandbox.remove(format!("project/{path}"));
            saved.into_iter().for_each(|bytes| sandbox.write(format!("project/{path}"), bytes));
            sandbox.skills(["sync", "--restore"]).succeeds();
            assert_eq!(sandbox.snapshot("project").contents(), before.contents(), "{path}");
        }
    }
}

#[cfg(unix)]
#[test]
fn t18_sparse_files_in_the_store_are_not_read() {
    let Project { sandbox, upstream: _upstream, server: _server } = synced();
    for path in
        ["helix.skills/a/SKILL.md", "helix.skills/a/docs/x.md", "helix.skills/a/unlisted.md"]
    {
        sparse(&sandbox.project(path));
        let says = format!("it has {SPARSE} bytes");
        let run =
            within(sandbox.command(["sync", "--check"]), MEBIBYTES).run().exits(5).says([path]);
        assert!(path.ends_with("unlisted.md") || run.stderr.contains(&says), "{run}");
        within(sandbox.command(["diff"]), MEBIBYTES).run().succeeds().prints([path]);
        within(sandbox.command(["sync"]), MEBIBYTES).run().exits(5).says([path]);
        within(sandbox.command(["sync", "--restore"]), MEBIBYTES).run().succeeds();
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}
