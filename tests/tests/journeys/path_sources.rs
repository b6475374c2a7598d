//! Skills of `path` sources, which are read in place.

use helix_skills_tests::{Sandbox, skill_md};
use serde_json::json;

fn container() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["one", "two"] {
        sandbox.write(format!("project/own/{name}/SKILL.md"), skill_md(name));
    }
    sandbox.write("project/own/one/docs/x.md", "x\n");
    sandbox.write("project/own/README.md", "about\n");
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    sandbox
}

#[test]
fn path_source_is_locked_and_listed_but_not_copied() {
    let sandbox = container();
    let originals = sandbox.snapshot("project/own");
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(
        sandbox.files("project/helix.skills"),
        [".gitattributes", "one.sha256", "two.sha256"]
    );
    assert_eq!(sandbox.snapshot("project/own"), originals);
    let lock = sandbox.lock_json();
    assert_eq!(lock["skills"]["one"]["path"], "one");
    assert_eq!(lock["skills"]["one"]["files"], 2);
    assert_eq!(lock["sources"]["house"]["commit"], serde_json::Value::Null);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn path_may_be_a_skill() {
    let sandbox = container();
    sandbox.sources(&json!({"house": {"type": "path", "path": "./own/one"}}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["one"]);
    assert_eq!(sandbox.lock_json()["skills"]["one"]["path"], ".");
    assert_eq!(sandbox.files("project/helix.skills"), [".gitattributes", "one.sha256"]);
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn path_may_be_outside_the_project() {
    let sandbox = Sandbox::new();
    sandbox.write("outside/shared/one/SKILL.md", skill_md("one"));
    sandbox.sources(&json!({"house": {"type": "path", "path": "../outside/shared"}}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["one"]);
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn path_source_supports_selection_and_exclusion() {
    let sandbox = container();
    sandbox.sources(&json!({"house": {
        "type": "path", "path": "own", "include": ["one"], "rename": {"one": "first"}, "files": {"exclude": ["docs/**"]},
    }}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["first"]);
    assert_eq!(sandbox.lock_json()["skills"]["first"]["files"], 1);
    // Excluded files may change.
    sandbox.write("project/own/one/docs/x.md", "another\n");
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn changed_original_fails_a_check_and_is_locked_by_a_sync() {
    let sandbox = container();
    sandbox.skills(["sync"]).succeeds();
    let integrity = |sandbox: &Sandbox| sandbox.lock_json()["skills"]["one"]["integrity"].clone();
    let mut last = integrity(&sandbox);
    let changes: [&dyn Fn(); 4] = [
        &|| sandbox.write("project/own/one/docs/x.md", "another\n"),
        &|| sandbox.write("project/own/one/docs/new.md", "new\n"),
        &|| sandbox.remove("project/own/one/docs/new.md"),
        &|| {
            sandbox
                .write("project/own/one/SKILL.md", skill_md("one").replace("Does", "Really does"))
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        change();
        let run = sandbox.skills(["sync", "--check"]).fails();
        assert!(run.stderr.contains("one"), "change {number}: {run}");
        sandbox.skills(["sync", "--locked"]).fails();
        assert_eq!(integrity(&sandbox), last, "change {number}");
        sandbox.skills(["sync"]).succeeds();
        assert_ne!(integrity(&sandbox), last, "change {number}");
        last = integrity(&sandbox);
        sandbox.skills(["sync", "--check"]).succeeds();
    }
}

#[test]
fn added_and_removed_skills_are_noticed() {
    let sandbox = container();
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/own/three/SKILL.md", skill_md("three"));
    let run = sandbox.skills(["sync", "--check"]).fails();
    assert!(run.stderr.contains("three"), "{run}");
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["one", "three", "two"]);
    sandbox.remove("project/own/two");
    sandbox.skills(["sync", "--check"]).fails();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["one", "three"]);
    assert!(!sandbox.exists("project/helix.skills/two.sha256"));
}

#[test]
fn path_without_skills_is_an_error_with_its_name() {
    let sandbox = Sandbox::new();
    for path in ["nowhere", "empty"] {
        std::fs::create_dir_all(sandbox.project("empty/sub")).unwrap();
        sandbox.sources(&json!({"house": {"type": "path", "path": path}}));
        sandbox.skills(["sync"]).fails().says(["house", path]);
        assert!(!sandbox.exists("project/helix.skills.lock"));
    }
}

#[cfg(unix)]
#[test]
fn path_source_links_stay_inside_the_source() {
    use std::os::unix::fs::symlink;
    let sandbox = container();
    sandbox.write("outside/secret.txt", "canary\n");
    symlink(sandbox.path("outside/secret.txt"), sandbox.project("own/one/secret.txt")).unwrap();
    sandbox.skills(["sync"]).fails().says(["secret.txt"]).never_prints("canary");
    std::fs::remove_file(sandbox.project("own/one/secret.txt")).unwrap();
    symlink(".", sandbox.project("own/one/loop")).unwrap();
    sandbox.skills(["sync"]).fails().says(["loop"]);
}

#[test]
fn path_source_ignores_git_files() {
    let sandbox = container();
    sandbox.write("project/own/one/.gitignore", "*\n");
    sandbox.write("project/own/one/.git/config", "[core]\n");
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.lock_json()["skills"]["one"]["files"], 2);
    let listing = sandbox.read("project/helix.skills/one.sha256");
    assert!(!listing.contains(".git"), "{listing}");
}

#[test]
fn lockfile_of_a_path_source_is_machine_independent() {
    let (first, second) = (container(), container());
    for sandbox in [&first, &second] {
        sandbox.skills(["sync"]).succeeds();
        assert!(!sandbox.lock().contains(sandbox.path("").to_str().unwrap()));
    }
    assert_eq!(first.lock(), second.lock());
}

#[cfg(unix)]
#[test]
fn special_files_are_refused_without_blocking() {
    let sandbox = container();
    let pipe = sandbox.project("own/one/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    sandbox.skills(["sync"]).fails().says(["pipe"]);
    std::fs::remove_file(&pipe).unwrap();
    sandbox.skills(["sync"]).succeeds();
    // Nor in the store.
    let listing = sandbox.project("helix.skills/one.sha256");
    std::fs::remove_file(&listing).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&listing).status().unwrap().success());
    sandbox.skills(["sync", "--check"]).fails();
}

#[cfg(target_os = "linux")]
#[test]
fn path_source_rejects_unportable_names() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    for names in [
        &[&b"a.md"[..], b"A.md"][..],
        &[b"con.md"],
        &[b"x\\y.md"],
        &[b"trailing."],
        &[b"\xff.md"],
        &[b"new\nline"],
    ] {
        let sandbox = container();
        for name in names {
            std::fs::write(sandbox.project("own/one").join(OsStr::from_bytes(name)), "x\n")
                .unwrap();
        }
        let run = sandbox.skills(["sync"]).exits(1);
        assert!(run.stderr.contains("one") && !run.stderr.contains("new\nline"), "{run}");
        assert!(!sandbox.exists("project/helix.skills.lock"));
    }
}

#[test]
fn directory_instead_of_manifest_or_lockfile_is_an_error() {
    for name in ["helix.skills.json", "helix.skills.lock"] {
        let sandbox = container();
        sandbox.remove(format!("project/{name}"));
        std::fs::create_dir(sandbox.project(name)).unwrap();
        sandbox.skills(["sync"]).fails();
        sandbox.skills(["sync", "--check"]).fails();
        sandbox.skills(["list"]).fails();
    }
}

/// Its lockfile and store would be files of the skill and change it with every sync.
#[test]
fn skill_cannot_contain_its_project() {
    let sandbox = Sandbox::new();
    sandbox.write("project/SKILL.md", skill_md("all"));
    for path in [".", ".."] {
        sandbox.write("SKILL.md", skill_md("more"));
        sandbox.sources(&json!({"all": {"type": "path", "path": path}}));
        sandbox.skills(["sync"]).exits(2).says(["`all`", "a directory of its own"]);
        assert!(!sandbox.exists("project/helix.skills.lock"));
    }
}

#[test]
fn renamed_directory_is_reported_with_both_names() {
    let sandbox = container();
    sandbox.skills(["sync"]).succeeds();
    std::fs::rename(sandbox.path("project/own/two"), sandbox.path("project/own/zwei")).unwrap();
    let run = sandbox.skills(["sync", "--check"]).exits(1);
    run.says(["the lockfile has the skill `two` in `two`, but it is in `zwei`", "skills sync"]);
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["sync", "--check"]).succeeds();
    let mut lock = sandbox.lock_json();
    lock["skills"]["one"]["files"] = json!(7);
    sandbox.write("project/helix.skills.lock", format!("{lock:#}\n"));
    let size = "the size of the skill `one` differs from the lockfile (files: 7,";
    let run = sandbox.skills(["sync", "--check"]).exits(1).says([size]);
    assert_eq!(run.stderr.matches("files: 7").count(), 1, "{run}");
}

/// Warnings repeat only where they are asked for.
#[test]
fn sync_warns_only_of_skills_that_changed() {
    let sandbox = Sandbox::new();
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills"}}));
    let write = |name: &str, text: &str| {
        let text = format!("---\nname: {name}\ndescription: Reads: all.\n---\n{text}\n");
        sandbox.write(format!("project/skills/{name}/SKILL.md"), text);
    };
    write("one", "a");
    write("two", "a");
    sandbox.skills(["sync"]).succeeds().says(["skills/one/SKILL.md:3", "skills/two/SKILL.md:3"]);
    let run = sandbox.skills(["sync"]).succeeds();
    run.never_prints("SKILL.md");
    write("two", "b");
    let run = sandbox.skills(["sync"]).succeeds().says(["skills/two/SKILL.md:3"]);
    run.never_prints("skills/one");
    let document = sandbox.skills(["sync", "--json"]).succeeds().json();
    assert_eq!(document["warnings"], json!([]));
    sandbox.skills(["sync", "--check"]).succeeds().never_prints("SKILL.md");
    let both = ["skills/one/SKILL.md:3", "skills/two/SKILL.md:3"];
    sandbox.skills(["sync", "-v"]).succeeds().says(both);
    sandbox.skills(["validate"]).prints(both);
}
