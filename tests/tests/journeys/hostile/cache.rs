//! A shared cache with files written by another user.
#![cfg(unix)]

use super::{SPARSE, pipe, sparse, within};
use crate::project::{Project, project_in};
use helix_skills_tests::{Change, Run, Sandbox};
use std::os::unix::fs::symlink;

/// Memory limit of a run in MiB, far less than the size of the sparse files.
const MEBIBYTES: u64 = 96;

fn synced() -> Project {
    let project = project_in(
        Sandbox::in_memory(),
        Change::new().skill("a").text("skills/a/docs/x.md", "x\n"),
    );
    project.sandbox.skills(["sync"]).succeeds();
    project
}

/// Returns the directories and files of the cache that a sync uses.
fn parts(project: &Project) -> [String; 4] {
    let files = project.sandbox.files("cache");
    let skill = files.into_iter().find(|file| file.starts_with("skills-v1/")).unwrap();
    ["CACHEDIR.TAG".to_owned(), "skills-v1".to_owned(), skill, "staging-v1".to_owned()]
}

/// Syncs again from the cache, within the memory limit.
fn sync_again(project: &Project) -> Run {
    project.sandbox.remove_store();
    let run = within(project.sandbox.command(["sync"]), MEBIBYTES).run().succeeds();
    project.sandbox.skills(["sync", "--check", "--store"]).succeeds();
    run
}

/// The sandbox fails each run that writes outside project and cache.
#[test]
fn t18_cache_links_are_not_written_through() {
    let project = synced();
    let sandbox = &project.sandbox;
    for part in parts(&project) {
        sandbox.write("outside/precious.md", "mine\n");
        for target in ["outside", "outside/precious.md", "outside/none"] {
            sandbox.remove(format!("cache/{part}"));
            let planted = sandbox.path(format!("cache/{part}"));
            std::fs::create_dir_all(planted.parent().unwrap()).unwrap();
            symlink(sandbox.path(target), &planted).unwrap();
            drop(sync_again(&project));
            // A linked tag does not mark a cache.
            sandbox.skills(["cache", "clean"]).exits(if part == "CACHEDIR.TAG" { 2 } else { 0 });
            assert_eq!(sandbox.files("outside"), ["precious.md"], "{part} -> {target}");
            sandbox.remove_cache();
            drop(sync_again(&project));
        }
    }
}

#[test]
fn t18_linked_cache_directories_are_ignored() {
    let project = synced();
    let sandbox = &project.sandbox;
    // The skills behind the link are what was locked, but are not read.
    std::fs::rename(sandbox.path("cache/skills-v1"), sandbox.path("outside/skills")).unwrap();
    symlink(sandbox.path("outside/skills"), sandbox.path("cache/skills-v1")).unwrap();
    project.server.take_traffic();
    let run = sync_again(&project);
    assert!(project.server.traffic().requests > 0, "{run}");
    let run = run.says([
        "the cache is ignored",
        "cache/skills-v1`: it is a link or a file, expected a directory",
    ]);
    run.says([
        "cannot add the skills to the cache",
        "remove it, or set HELIX_SKILLS_CACHE to another directory",
    ]);
    // The root is configured by the user, so it may be a link.
    sandbox.remove("cache/skills-v1");
    std::fs::rename(sandbox.path("cache"), sandbox.path("project/cache")).unwrap();
    symlink(sandbox.path("project/cache"), sandbox.path("cache")).unwrap();
    sync_again(&project).never_prints("warning");
    sandbox.remove("cache");
}

#[test]
fn t18_pipes_in_the_cache_do_not_block() {
    let project = synced();
    let sandbox = &project.sandbox;
    for part in parts(&project) {
        sandbox.remove(format!("cache/{part}"));
        pipe(&sandbox.path(format!("cache/{part}")));
        let run = sync_again(&project);
        assert!(sandbox.skills(["diff"]).code.is_some(), "{run}");
        sandbox.remove_cache();
        drop(sync_again(&project));
    }
    // A tag that is not a regular file is replaced.
    sandbox.remove("cache/CACHEDIR.TAG");
    pipe(&sandbox.path("cache/CACHEDIR.TAG"));
    sandbox.remove("cache/skills-v1");
    drop(sync_again(&project));
    assert!(sandbox.read("cache/CACHEDIR.TAG").starts_with("Signature: "));
}

#[test]
fn t18_files_in_the_cache_are_read_up_to_their_locked_size() {
    let project = synced();
    let sandbox = &project.sandbox;
    for part in
        parts(&project).iter().filter(|part| sandbox.path(format!("cache/{part}")).is_file())
    {
        sparse(&sandbox.path(format!("cache/{part}")));
        project.server.take_traffic();
        let run = sync_again(&project);
        // With the cached files, only the commit is fetched.
        let is_tag = part.ends_with(".TAG");
        assert_eq!(project.server.traffic().requests == 1, is_tag, "{part}: {run}");
        assert_eq!(
            sandbox.path(format!("cache/{part}")).metadata().unwrap().len() == SPARSE,
            is_tag,
            "{part}"
        );
    }
    // A tag of another program, of any length, does not allow removing anything.
    within(sandbox.command(["cache", "clean"]), MEBIBYTES).run().exits(2).says(["CACHEDIR.TAG"]);
}
