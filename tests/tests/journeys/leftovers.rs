//! Files that editors, interpreters and operating systems leave behind.

use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::{Value, json};

/// One file for each pattern.
const LEFTOVERS: [&str; 9] = [
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "SKILL.md~",
    ".SKILL.md.swp",
    ".#SKILL.md",
    "scripts/__pycache__/x.cpython-312.pyc",
    "scripts/x.pyc",
    "node_modules/left/index.js",
];

fn own_skill(source: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.write("project/own/one/scripts/x.py", "print()\n");
    for path in LEFTOVERS {
        sandbox.write(format!("project/own/one/{path}"), "x");
    }
    sandbox.sources(&json!({"house": source}));
    sandbox
}

/// The paths in the listing of a skill.
fn listed(sandbox: &Sandbox, name: &str) -> Vec<String> {
    let listing = sandbox.read(format!("project/helix.skills/{name}.sha256"));
    listing.lines().map(|line| line[66..].to_owned()).collect()
}

#[test]
fn guide_lists_all_leftovers() {
    let page = include_str!("../../../docs/src/reference/manifest.md");
    let (_, section) = page.split_once("\n## Leftovers\n").unwrap();
    let (text, _) = section.split_once("\n|").unwrap();
    let mut patterns: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    patterns.retain(|pattern| *pattern != "*");
    assert_eq!(patterns.len(), LEFTOVERS.len(), "{patterns:?}");
    for (pattern, path) in patterns.iter().zip(LEFTOVERS) {
        assert!(path.contains(pattern.trim_matches('*')), "{pattern} {path}");
    }
}

#[test]
fn path_source_leaves_out_leftovers() {
    let sandbox = own_skill(&json!({"type": "path", "path": "own"}));
    let run = sandbox.skills(["sync", "-v"]).succeeds();
    assert_eq!(listed(&sandbox, "one"), ["SKILL.md", "scripts/x.py"]);
    for path in [".DS_Store", "scripts/__pycache__", "scripts/x.pyc", "node_modules"] {
        assert!(run.stderr.contains(&format!("excluded own/one/{path}\n")), "{run}");
    }
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains(".DS_Store"), "{run}");
    // Changing, adding and removing them is no drift.
    sandbox.write("project/own/one/.DS_Store", "y");
    sandbox.write("project/own/.DS_Store", "y");
    sandbox.write("project/own/one/scripts/.DS_Store", "y");
    sandbox.remove("project/own/one/node_modules");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.skills(["sync", "--locked"]).succeeds();
    let run = sandbox.skills(["diff"]).succeeds();
    assert!(!run.stdout.contains(".DS_Store"), "{run}");
}

#[cfg(unix)]
#[test]
fn lock_of_an_editor_is_left_out() {
    let sandbox = own_skill(&json!({"type": "path", "path": "own"}));
    // The link of Emacs leads to no file.
    sandbox.remove("project/own/one/.#SKILL.md");
    let link = sandbox.project("own/one/.#SKILL.md");
    std::os::unix::fs::symlink("me@host.1234:1700000000", link).unwrap();
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(listed(&sandbox, "one"), ["SKILL.md", "scripts/x.py"]);
}

#[test]
fn files_include_takes_leftovers() {
    for (globs, taken) in [
        (vec![".DS_Store"], vec![".DS_Store"]),
        (vec!["scripts/__pycache__/*"], vec!["scripts/__pycache__/x.cpython-312.pyc"]),
        (vec!["**/__pycache__"], vec!["scripts/__pycache__/x.cpython-312.pyc"]),
        (vec!["node_modules/**"], vec!["node_modules/left/index.js"]),
        (vec!["{node_modules/left,x}/*"], vec!["node_modules/left/index.js"]),
        (vec!["**"], LEFTOVERS.to_vec()),
    ] {
        let files = json!({"include": globs});
        let sandbox = own_skill(&json!({"type": "path", "path": "own", "files": files}));
        sandbox.skills(["sync"]).succeeds();
        let mut expected = [vec!["SKILL.md", "scripts/x.py"], taken].concat();
        expected.sort_unstable();
        assert_eq!(listed(&sandbox, "one"), expected, "{globs:?}");
        assert_eq!(sandbox.lock_json()["sources"]["house"]["request"]["files"], files);
        sandbox.skills(["sync", "--check", "--store"]).succeeds();
    }
}

#[test]
fn files_exclude_wins_over_include() {
    let files = json!({"include": ["**"], "exclude": ["**/*.pyc", "node_modules", "*~", ".*"]});
    let sandbox = own_skill(&json!({"type": "path", "path": "own", "files": files}));
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(listed(&sandbox, "one"), ["SKILL.md", "Thumbs.db", "desktop.ini", "scripts/x.py"]);
}

#[test]
fn locked_leftovers_are_a_change() {
    let sandbox = own_skill(
        &json!({"type": "path", "path": "own", "files": {"include": [".DS_Store", "*~"]}}),
    );
    sandbox.skills(["sync"]).succeeds();
    let mut lock = sandbox.lock_json();
    lock["sources"]["house"]["request"].as_object_mut().unwrap().remove("files");
    let text = serde_json::to_string_pretty(&lock).unwrap();
    sandbox.write("project/helix.skills.lock", text);
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    let run = sandbox.skills(["sync", "--check"]).exits(1);
    run.says([
        "the skill `one` in `own/one` was changed since it was locked: `.DS_Store` and 1 more",
        "help: run `skills sync`",
    ]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(listed(&sandbox, "one"), ["SKILL.md", "scripts/x.py"]);
    sandbox.skills(["sync", "--check"]).succeeds();
}

#[test]
fn validate_leaves_out_leftovers() {
    let sandbox = own_skill(&json!({"type": "path", "path": "own"}));
    for arguments in [&["validate", "--json", "-v"][..], &["validate", "own", "--json", "-v"]] {
        let run = sandbox.skills(arguments).succeeds();
        let found = LEFTOVERS.iter().find(|path| run.stdout.contains(*path));
        assert_eq!(found, None, "{run}");
    }
}

#[test]
fn repository_keeps_leftovers_with_a_warning() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tides");
    let change = Change::new().skill("tides").skill("other");
    upstream
        .commit(change.text("skills/tides/.DS_Store", "x").text("skills/tides/scripts/a.pyc", "x"));
    let server = sandbox.serve();
    let url = server.url("tides");
    let source = |files: Value| {
        let mut source = json!({"type": "git", "url": url, "include": ["tides"]});
        if files != Value::Null {
            source["files"] = files;
        }
        sandbox.sources(&json!({"tides": source}));
    };
    source(Value::Null);
    let run = sandbox.skills(["sync"]).succeeds();
    run.says(["the source `tides` has files that editors or systems left behind: \
         `skills/tides/.DS_Store`, `skills/tides/scripts/a.pyc`; leave them out with \
         `\"files\": {\"exclude\": [\"**/*.pyc\", \"**/.DS_Store\"]}`"]);
    assert_eq!(listed(&sandbox, "tides"), [".DS_Store", "SKILL.md", "scripts/a.pyc"]);
    // The bytes are pinned: a change is one of the store.
    sandbox.write("project/helix.skills/tides/.DS_Store", "y");
    sandbox.skills(["sync", "--check"]).fails().says([".DS_Store", "was changed"]);
    sandbox.skills(["sync", "--restore"]).succeeds();
    source(json!({"include": [".DS_Store", "**/*.pyc"]}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("left behind"), "{run}");
    assert_eq!(listed(&sandbox, "tides"), [".DS_Store", "SKILL.md", "scripts/a.pyc"]);
    source(json!({"exclude": ["**/*.pyc", "**/.DS_Store"]}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("left behind"), "{run}");
    assert_eq!(listed(&sandbox, "tides"), ["SKILL.md"]);
}

#[test]
fn excluded_leftovers_leave_the_store() {
    let sandbox = Sandbox::new();
    let names = [".DS_Store", "THUMBS.DB", "a.swp", "scripts/x~"];
    let change = names.iter().fold(Change::new().skill("tides"), |change, name| {
        change.text(&format!("skills/tides/{name}"), "x")
    });
    sandbox.upstream("tides").commit(change);
    let server = sandbox.serve();
    let mut source = json!({"type": "git", "url": server.url("tides")});
    sandbox.sources(&json!({"tides": source}));
    // The hint has the names as they are, because globs do not ignore case.
    let globs = ["**/*.swp", "**/*~", "**/.DS_Store", "**/THUMBS.DB"];
    let hint = format!("leave them out with `\"files\": {{\"exclude\": {}}}`", json!(globs));
    sandbox.skills(["sync"]).succeeds().says([hint.replace(',', ", ")]);
    assert_eq!(listed(&sandbox, "tides").len(), names.len() + 1);
    // An editor's own file stays.
    sandbox.write("project/helix.skills/tides/.SKILL.md.swp", "y");
    source["files"] = json!({"exclude": globs});
    sandbox.sources(&json!({"tides": source}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("left behind"), "{run}");
    assert_eq!(listed(&sandbox, "tides"), ["SKILL.md"]);
    let files = sandbox.files("project/helix.skills/tides");
    assert_eq!(files, [".SKILL.md.swp", "SKILL.md"]);
}

#[test]
fn leftovers_in_the_store_are_ignored() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tides");
    upstream.commit(Change::new().skill("tides").text("skills/tides/docs/a.md", "x"));
    let server = sandbox.serve();
    let url = server.url("tides");
    sandbox.sources(&json!({"tides": {"type": "git", "url": url}}));
    sandbox.skills(["sync"]).succeeds();
    for path in [".DS_Store", "tides/.DS_Store", "tides/docs/Thumbs.db", "tides/.SKILL.md.swp"] {
        sandbox.write(format!("project/helix.skills/{path}"), "x");
    }
    let run = sandbox.skills(["sync", "--check", "--store"]).succeeds();
    assert!(!run.stderr.contains(".DS_Store"), "{run}");
    let run = sandbox.skills(["diff"]).succeeds();
    assert!(!run.stdout.contains(".DS_Store"), "{run}");
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains(".DS_Store"), "{run}");
    // An update does not stop at them, and a removed skill leaves no directory.
    upstream.commit(Change::new().text("skills/tides/docs/b.md", "y"));
    sandbox.skills(["update"]).succeeds();
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.skills(["remove", "tides"]).succeeds();
    assert!(!sandbox.exists("project/helix.skills/tides"));
}

/// An interpreter loads them next to a verified script.
#[test]
fn compiled_code_in_the_store_is_an_error() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("tides");
    upstream.commit(Change::new().skill("tides").text("skills/tides/scripts/a.py", "x"));
    let server = sandbox.serve();
    let url = server.url("tides");
    sandbox.sources(&json!({"tides": {"type": "git", "url": url}}));
    sandbox.skills(["sync"]).succeeds();
    for path in ["scripts/__pycache__/b.pyc", "scripts/a.pyc", "node_modules/a.js"] {
        sandbox.write(format!("project/helix.skills/tides/{path}"), "x");
        sandbox.skills(["sync", "--check"]).exits(5).says([path]);
        sandbox.skills(["sync"]).exits(5).says([path]);
        sandbox.skills(["sync", "--restore"]).succeeds();
        assert!(!sandbox.exists(format!("project/helix.skills/tides/{path}")));
    }
}

/// A merge or another lockfile leaves listings behind; other files of the store are not ours.
#[test]
fn orphaned_listings_are_removed_by_a_sync() {
    let sandbox = Sandbox::new();
    for name in ["one", "two"] {
        sandbox.write(format!("project/own/{name}/SKILL.md"), skill_md(name));
    }
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    let orphan = sandbox.read("project/helix.skills/two.sha256");
    sandbox.write("project/helix.skills/gone.sha256", &orphan);
    sandbox.write("project/helix.skills/with-files.sha256", &orphan);
    sandbox.write("project/helix.skills/with-files/SKILL.md", skill_md("two"));
    sandbox.write("project/helix.skills/notes.sha256", "my own notes\n");
    sandbox.skills(["sync", "--dry-run"]).succeeds();
    assert!(sandbox.exists("project/helix.skills/gone.sha256"));
    let run = sandbox.skills(["sync", "-v"]).succeeds();
    run.says([
        "removed `helix.skills/gone.sha256`, the listing of a skill that is not locked\n",
        "ignored `helix.skills/notes.sha256`",
        "ignored `helix.skills/with-files`",
    ]);
    assert_eq!(
        sandbox.files("project/helix.skills"),
        [
            ".gitattributes",
            "notes.sha256",
            "one.sha256",
            "two.sha256",
            "with-files.sha256",
            "with-files/SKILL.md"
        ]
    );
    sandbox.skills(["sync"]).succeeds().never_prints("gone.sha256");
}
