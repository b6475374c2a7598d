//! Contents of the lockfile beyond digests: the directories of each source, the executable files,
//! and compatibility with earlier lockfiles of version 1.

use crate::{
    market::{Market, index, plugin_json},
    project::{Project, project},
};
use helix_skills_tests::{Change, Sandbox};
use serde_json::{Value, json};
use std::{fs, path::Path};

const LOCK: &str = "project/helix.skills.lock";

fn synced() -> Project {
    let script = "#!/bin/sh\n";
    let project = project(
        Change::new()
            .skill("a")
            .executable("skills/a/scripts/run.sh", script)
            .text("skills/a/plain.sh", script)
            .skill("b"),
    );
    project.upstream.tag("v1.0.0");
    project.select(json!({"version": "^1"}));
    project.sandbox.skills(["sync"]).succeeds();
    project
}

/// Writes the lockfile after a change.
fn edit(sandbox: &Sandbox, lock: &str, change: impl FnOnce(&mut Value)) {
    let mut edited: Value = serde_json::from_str(lock).unwrap();
    change(&mut edited);
    sandbox.write(LOCK, format!("{edited:#}\n"));
}

/// Writes the lockfile as earlier programs did, without `directories` and `executable`.
fn without_new_fields(sandbox: &Sandbox) {
    edit(sandbox, &sandbox.lock(), |lock| {
        let without = |entries: &mut Value, key: &str| {
            entries.as_object_mut().unwrap().values_mut().for_each(|entry| {
                assert!(entry.as_object_mut().unwrap().remove(key).is_some(), "{entry}");
            });
        };
        without(&mut lock["sources"], "directories");
        without(&mut lock["skills"], "executable");
    });
}

fn copy(from: &Path, sandbox: &Sandbox, to: &str) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = format!("{to}/{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), sandbox, &to),
            false => sandbox.write(to, fs::read(entry.path()).unwrap()),
        }
    }
}

/// The fixture is a project written before `directories` and `executable` were added: a git source
/// with a link, a plugin in its marketplace, one in another repository, and a path.
#[test]
fn first_lockfiles_of_version_1_pass_every_check() {
    let sandbox = Sandbox::new();
    copy(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/lockfile-v1")),
        &sandbox,
        "project",
    );
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["sync", "--check"]).succeeds().never_prints("executable");
    // Nor did these versions write origin files.
    let lacks = "`helix.skills` lacks the `.origin` files of `documents`, `notes`, `review`";
    run.says([&*format!("origin not proved: {lacks}; run `skills sync` with a network")]);
    sandbox.skills(["sync", "--check", "--store"]).exits(1).says([lacks]);
    for arguments in [&["sync", "--locked", "--offline"][..], &["diff", "--exit-code"]] {
        sandbox.skills(arguments).succeeds();
    }
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    // Earlier versions wrote other attributes of the store.
    sandbox.skills(["sync", "--offline"]).succeeds().says(["`helix.skills/.gitattributes`"]);
    sandbox.skills(["sync", "--check"]).succeeds();
    let changes = sandbox.snapshot("project").changes_since(&before);
    assert_eq!(changes, ["touched helix.skills", "changed helix.skills/.gitattributes"]);

    // A removed skill is drift only if the lockfile lists the directories.
    let lock = sandbox.lock();
    edit(&sandbox, &lock, |lock| {
        drop(lock["skills"].as_object_mut().unwrap().remove("spreadsheets"))
    });
    sandbox.skills(["sync", "--check"]).succeeds();
    edit(&sandbox, &lock, |lock| {
        lock["skills"].as_object_mut().unwrap().remove("spreadsheets");
        lock["sources"]["documents"]["directories"] = json!(["skills/pdf", "skills/xlsx"]);
    });
    sandbox.skills(["sync", "--check"]).exits(1).says(["skills/xlsx", "`documents`"]);
}

#[test]
fn skill_dropped_by_a_merge_is_drift_and_comes_back() {
    let Project { sandbox, server: _server, .. } = synced();
    let lock = sandbox.lock();
    assert_eq!(
        sandbox.lock_json()["sources"]["repo"]["directories"],
        json!(["skills/a", "skills/b"])
    );
    edit(&sandbox, &lock, |lock| drop(lock["skills"].as_object_mut().unwrap().remove("b")));
    sandbox.skills(["sync", "--check"]).exits(1).says(["`skills/b`", "`repo`", "skills sync"]);
    sandbox.skills(["sync", "--locked"]).exits(1).says(["`skills/b`"]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock);

    edit(&sandbox, &lock, |lock| lock["sources"]["repo"]["directories"] = json!(["skills/a"]));
    sandbox.skills(["sync", "--check"]).exits(1).says(["`skills/b`", "`repo`"]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock);
}

/// Directories of one name at several paths of a plugin are distinguished by their paths.
#[test]
fn skill_of_a_plugin_dropped_by_a_merge_is_drift() {
    let files = plugin_json(
        Change::new(),
        "plugins/p/",
        &json!({"name": "p", "skills": ["./skills", "./more"]}),
    );
    let files = files.skill_at("plugins/p/skills/a", "a").skill_at("plugins/p/more/a", "c");
    let market =
        Market::with_index(&index(&json!([{"name": "p", "source": "./plugins/p"}])), files);
    market.sync().succeeds();
    let lock = market.sandbox.lock();
    let directories = json!(["plugins/p/more/a", "plugins/p/skills/a"]);
    assert_eq!(market.sandbox.lock_json()["sources"]["team"]["directories"], directories);
    market.sandbox.skills(["sync", "--check"]).succeeds();
    edit(&market.sandbox, &lock, |lock| drop(lock["skills"].as_object_mut().unwrap().remove("c")));
    market.sandbox.skills(["sync", "--check"]).exits(1).says(["`plugins/p/more/a`", "`team`"]);
    market.sandbox.skills(["sync"]).succeeds();
    assert_eq!(market.sandbox.lock(), lock);
}

#[test]
fn path_sources_have_no_new_fields() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/c/SKILL.md", helix_skills_tests::skill_md("c"));
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    let lock = sandbox.lock_json();
    assert_eq!(lock["sources"]["own"].as_object().unwrap().len(), 1, "{lock}");
    assert!(lock["skills"]["c"].get("executable").is_none(), "{lock}");
}

#[test]
fn new_fields_are_added_only_when_a_source_is_resolved() {
    let Project { sandbox, server: _server, .. } = synced();
    let lock = sandbox.lock();
    without_new_fields(&sandbox);
    let first = sandbox.lock();
    for arguments in [
        &["sync", "--check", "--store"][..],
        &["sync", "--locked"],
        &["sync"],
        &["sync", "--frozen"],
    ] {
        sandbox.skills(arguments).succeeds();
        assert_eq!(sandbox.lock(), first);
    }
    // Also if everything is fetched again.
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync", "--locked"]).succeeds();
    assert_eq!(sandbox.lock(), first);
    sandbox.write("first.lock", &first);
    sandbox.skills(["update"]).succeeds();
    assert_eq!(sandbox.lock(), lock);
    sandbox.skills(["diff", "--exit-code", "../first.lock"]).succeeds();
}

#[test]
fn executable_file_outside_the_listing_is_drift() {
    let Project { sandbox, server: _server, .. } = synced();
    let lock = sandbox.lock();
    edit(&sandbox, &lock, |lock| {
        lock["skills"]["a"]["executable"] = json!(["scripts/gone.sh", "scripts/run.sh"])
    });
    sandbox.skills(["sync", "--check"]).exits(1).says(["scripts/gone.sh", "`a`"]);
    sandbox.skills(["sync", "--locked"]).exits(1);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock(), lock);
}

#[test]
fn diff_shows_changed_executable_bits() {
    let Project { sandbox, upstream, server: _server } = synced();
    sandbox.write("old.lock", sandbox.lock());
    upstream.commit(
        Change::new()
            .executable("skills/a/plain.sh", "#!/bin/sh\n")
            .text("skills/a/scripts/run.sh", "#!/bin/sh\n"),
    );
    upstream.tag("v1.1.0");
    sandbox.skills(["update"]).succeeds().says(["updated a"]);
    assert_eq!(sandbox.lock_json()["skills"]["a"]["executable"], json!(["plain.sh"]));
    let run = sandbox.skills(["diff", "--exit-code", "../old.lock"]).exits(1).prints([
        "changed skill a (repo: skills/a)\n",
        "  helix.skills/a/plain.sh: is now executable\n",
        "  helix.skills/a/scripts/run.sh: is no longer executable\n",
    ]);
    assert!(!run.stdout.contains("skill b"), "{run}");
    let document = sandbox.skills(["diff", "--json", "../old.lock"]).succeeds().json();
    let skill = &document["skills"][0];
    assert_eq!(
        (&skill["before"]["executable"], &skill["after"]["executable"], &skill["files"]),
        (&json!(["scripts/run.sh"]), &json!(["plain.sh"]), &json!([]))
    );

    // For a new skill, every executable file is shown.
    sandbox.write("empty.lock", "{\"version\": 1, \"sources\": {}, \"skills\": {}}");
    let run = sandbox.skills(["diff", "--stat", "../empty.lock"]).succeeds();
    run.prints(["  helix.skills/a/plain.sh: is now executable\n"]).never_prints("run.sh: is");
}

#[cfg(unix)]
mod bits {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    const SCRIPT: &str = "project/helix.skills/a/scripts/run.sh";
    const PLAIN: &str = "project/helix.skills/a/plain.sh";

    fn is_executable(sandbox: &Sandbox, path: &str) -> bool {
        sandbox.path(path).metadata().unwrap().permissions().mode() & 0o111 != 0
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn executable_bits_of_the_store_come_from_the_lockfile() {
        let Project { sandbox, server, .. } = synced();
        assert_eq!(sandbox.lock_json()["skills"]["a"]["executable"], json!(["scripts/run.sh"]));
        assert_eq!(sandbox.lock_json()["skills"]["b"]["executable"], json!([]));
        let lock = sandbox.lock();
        server.take_traffic();
        set(&sandbox.path(SCRIPT), 0o644);
        set(&sandbox.path(PLAIN), 0o755);
        // Not an error, because not every checkout keeps the bits.
        let run = sandbox.skills(["sync", "--check", "--store"]).succeeds();
        run.says(["helix.skills/a/plain.sh` and 1 more", "executable bit", "skills sync"]);
        let dry = sandbox.skills(["sync", "--dry-run"]).succeeds();
        assert!(!is_executable(&sandbox, SCRIPT), "{dry}");
        sandbox.skills(["sync", "--locked", "--offline"]).succeeds().says(["restored a"]);
        assert!(is_executable(&sandbox, SCRIPT) && !is_executable(&sandbox, PLAIN));
        let run = sandbox.skills(["sync", "--check"]).succeeds();
        assert!(!run.stderr.contains("executable"), "{run}");
        assert_eq!((sandbox.lock(), server.traffic().requests), (lock, 0));
    }

    #[test]
    fn executable_bits_of_the_cache_do_not_count() {
        let Project { sandbox, server: _server, .. } = synced();
        for file in sandbox.files("cache").iter().filter(|file| file.starts_with("skills-v1/")) {
            let path = format!("cache/{file}");
            let text = String::from_utf8(sandbox.read_bytes(&path)).unwrap();
            let (files, bytes) = text.split_once('\n').unwrap();
            let files =
                files.replace("true]", "?]").replace("false]", "true]").replace("?]", "false]");
            sandbox.write(&path, format!("{files}\n{bytes}"));
        }
        sandbox.remove_store();
        sandbox.skills(["sync", "--locked", "--offline"]).succeeds();
        assert!(is_executable(&sandbox, SCRIPT) && !is_executable(&sandbox, PLAIN));

        // For the same commit, the lockfile has to have those of upstream.
        edit(&sandbox, &sandbox.lock(), |lock| {
            lock["skills"]["a"]["executable"] = json!(["plain.sh"])
        });
        sandbox.remove_store();
        sandbox.remove_cache();
        let run = sandbox.skills(["sync", "--locked"]).exits(5);
        run.says(["other `executable` for the skill `a` than `skills/a` of the commit"]);
    }

    #[test]
    fn lockfile_without_executable_files_keeps_the_bits() {
        let Project { sandbox, server: _server, .. } = synced();
        without_new_fields(&sandbox);
        set(&sandbox.path(SCRIPT), 0o644);
        let run = sandbox.skills(["sync", "--check", "--store"]).succeeds();
        assert!(!run.stderr.contains("executable"), "{run}");
        sandbox.skills(["sync"]).succeeds();
        assert!(!is_executable(&sandbox, SCRIPT));
        sandbox.remove_store();
        sandbox.skills(["sync"]).succeeds();
        assert!(is_executable(&sandbox, SCRIPT));
    }
}
