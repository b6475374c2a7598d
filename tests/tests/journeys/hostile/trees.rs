//! Trees that are too large, too deep, or that git would not write.

use super::{Forge, within};
use helix_skills_tests::{Pack, Sandbox, Script, ScriptedAnswer, forged, skill_md};
use serde_json::json;

/// Returns `count` names of entries, such as `prefix0012f`.
fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number:05x}")).collect()
}

/// Returns entries for the same object under each of these names.
fn repeated<'a>(
    mode: &'a str,
    names: &'a [String],
    id: &'a str,
) -> Vec<(&'a str, &'a [u8], &'a str)> {
    names.iter().map(|name| (mode, name.as_bytes(), id)).collect()
}

#[test]
fn t17_each_limit_stops_a_tree_of_a_million_entries() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let blob = pack.blob(b"x\n");
    let million = names("", 1_000_000);
    let tree = pack.tree(&repeated("100644", &million, &blob));
    let (as_skill, as_root) = (pack.commit_skill("a", &tree), pack.commit(&tree));
    let pack = Script::pack(&pack.finish());
    // As a directory of a skill; then as the root, which has to be read to find the skills.
    forge.answer(&as_skill, ScriptedAnswer::Body(pack.clone()));
    forge.is_refused(
        6,
        &["more than 16777216 bytes in the entries of one directory", "limits.bytesPerFile"],
    );
    forge.limits(json!({"bytesPerFetch": 1 << 20}));
    forge.is_refused(6, &["more than 1048576 bytes in one fetch", "limits.bytesPerFetch"]);
    forge.answer(&as_root, ScriptedAnswer::Body(pack));
    forge.is_refused(6, &["limits.bytesPerFetch"]);
}

#[test]
fn t17_entries_of_every_type_count_toward_the_limit() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let x = pack.blob(b"x\n");
    let inner = pack.tree(&[("100644", b"x.md", &x)]);
    for (mode, prefix, id) in [
        ("100644", "file", &x),
        ("40000", "directory", &inner),
        ("120000", "link", &x),
        ("160000", "submodule", &x),
        ("100644", ".git", &x),
        ("100644", "c:", &x),
        ("100644", "\u{fffd}", &x),
    ] {
        let many = names(prefix, 20_000);
        let mut entries = repeated(mode, &many, id);
        entries.insert(0, ("100644", b"SKILL.md", &md));
        let tree = pack.tree(&entries);
        // Twenty times the same directory: entries counted too late are counted twenty times.
        let top = names("d", 20);
        let mut entries = repeated("40000", &top, &tree);
        entries.insert(0, ("100644", b"SKILL.md", &md));
        let tree = pack.tree(&entries);
        forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
        let run = within(forge.sandbox.command(["sync", "-v"]), super::MEBIBYTES).run();
        assert!(matches!(run.code, Some(1 | 6)), "{prefix}: {run}");
        assert!(run.stderr.lines().count() < 200, "{prefix}: {} lines", run.stderr.lines().count());
        assert_eq!(forge.sandbox.files("project"), ["helix.skills.json"], "{prefix}");
    }
}

/// Many directories are the same large one. Reading it again and again is bounded.
#[test]
fn t17_reading_shared_directories_is_bounded() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let x = pack.blob(b"x\n");
    let wide = names("f", 20_000);
    let wide = pack.tree(&repeated("100644", &wide, &x));
    let many = names("d", 5_000);
    let many = pack.tree(&repeated("40000", &many, &wide));
    // As the skills directory, without any skill in it, and as another one.
    for name in ["skills", "elsewhere"] {
        let root = pack.tree(&[("40000", name.as_bytes(), &many)]);
        forge.serve(&pack.commit(&root), &pack.finish());
        forge.is_refused(6, &["cannot read more than 3200000 directory entries"]);
    }
}

/// One skill under very many names is as many skills.
#[test]
fn t17_one_skill_under_many_names_is_limited() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let skill = pack.tree(&[("100644", b"SKILL.md", &md)]);
    let many = names("s", 100_000);
    let skills = pack.tree(&repeated("40000", &many, &skill));
    let root = pack.tree(&[("40000", b"skills", &skills)]);
    forge.serve(&pack.commit(&root), &pack.finish());
    let run = forge.is_refused(
        6,
        &[
            "the number of skill directories in the source `evil` is over the limit of 10000",
            "skillsDir",
        ],
    );
    assert!(run.stderr.lines().count() < 200, "{} lines", run.stderr.lines().count());
}

#[test]
fn t17_deep_tree_is_limited() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let mut deep = pack.tree(&[("100644", b"x.md", &md)]);
    for _ in 0..5_000 {
        deep = pack.tree(&[("40000", b"d", &deep)]);
    }
    let skill = pack.tree(&[("100644", b"SKILL.md", &md), ("40000", b"d", &deep)]);
    forge.serve(&pack.commit_skill("a", &skill), &pack.finish());
    forge.is_refused(6, &["depth 17", "limits.treeDepth"]);
    // And where only depth exceeds a limit.
    forge.serve(&pack.commit(&deep), &pack.finish());
    forge.is_refused(2, &["the repository has no SKILL.md"]);
}

/// A skill that is gone is searched for in the whole commit.
#[test]
fn t17_comparing_expanding_directories_is_bounded() {
    let forge = Forge::new();
    let mut before = Pack::new();
    let md = before.blob(skill_md("a").as_bytes());
    let x = before.blob(b"x\n");
    let tree = before.tree(&[("100644", b"SKILL.md", &md), ("100644", b"x.md", &x)]);
    let tip = before.commit_skill("a", &tree);
    forge.serve(&tip, &before.finish());
    forge.sandbox.skills(["sync"]).succeeds();
    let store = forge.sandbox.snapshot("project");

    let mut after = before.clone();
    let mut bomb = after.tree(&[]);
    for _ in 0..12 {
        let ten = names("", 10);
        bomb = after.tree(&repeated("40000", &ten, &bomb));
    }
    let renamed = after.tree(&[("100644", b"SKILL.md", &md), ("40000", b"wide", &bomb)]);
    let moved = after.commit_skill("b", &renamed);
    forge.serve(&moved, &after.finish());
    let run = within(forge.sandbox.command(["outdated"]), super::MEBIBYTES).run();
    assert!(run.code.is_some_and(|code| code < 7), "{run}");
    within(forge.sandbox.command(["update"]), super::MEBIBYTES)
        .run()
        .exits(6)
        .says(["limits.objectsPerFetch"]);
    assert_eq!(forge.sandbox.snapshot("project").contents(), store.contents());
}

#[test]
fn t05_invalid_trees_are_refused_or_read_as_plain_files() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let x = pack.blob(b"x\n");
    let inner = pack.tree(&[("100644", b"x.md", &x)]);
    // An object of another type than its mode says.
    for (mode, id, says) in [
        ("100644", &inner, "is a tree, not a blob"),
        ("40000", &x, "is a blob, not a tree"),
        ("120000", &inner, "is a tree, not a blob"),
        ("160000", &x, "submodule"),
    ] {
        let tree = pack.tree(&[("100644", b"SKILL.md", &md), (mode, b"odd", id)]);
        forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
        let code = if mode == "160000" { 1 } else { 5 };
        forge.is_refused(code, &[says]);
    }
    // Unusual modes: the sync ends with an exit code, and writes only regular files.
    for mode in [
        "0", "644", "100000", "100600", "100664", "104755", "106666", "107777", "010644", "020644",
        "060644",
    ] {
        let tree = pack.tree(&[("100644", b"SKILL.md", &md), (mode, b"odd", &x)]);
        forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
        forge.sandbox.forget();
        let run = forge.sandbox.skills(["sync"]);
        if run.code == Some(0) {
            let data = forge.sandbox.project("helix.skills/a/odd").symlink_metadata().unwrap();
            assert!(data.is_file(), "{mode}");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let bits = data.permissions().mode();
                assert_eq!(
                    bits & 0o7022,
                    0,
                    "{mode}: {bits:o}: neither set-user-id nor writable by others"
                );
            }
        } else {
            run.fails();
            assert_eq!(forge.sandbox.files("project"), ["helix.skills.json"], "{mode}");
        }
    }
    forge.sandbox.forget();
    // No mode, letters, numbers out of range; a truncated entry.
    for mode in ["", "x", "99999999999999999999999", "-1"] {
        let tree = pack.tree(&[("100644", b"SKILL.md", &md), (mode, b"odd", &x)]);
        forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
        let run = forge.sandbox.skills(["sync"]).fails();
        assert_eq!(forge.sandbox.files("project"), ["helix.skills.json"], "{mode}: {run}");
    }
    let mut bytes = forged::tree(&[("100644", b"SKILL.md", &md), ("100644", b"x.md", &x)]);
    bytes.truncate(bytes.len() - 1);
    pack.entry(2, bytes.len() as u64, &[], &bytes);
    let tree = forged::id(gix::objs::Kind::Tree, &bytes);
    forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
    forge.is_refused(5, &["cannot be parsed"]);
}

/// Two entries of one name: a reader that takes the first and one that takes the last would see
/// different skills.
#[test]
fn t05_duplicate_tree_entries_are_refused() {
    let forge = Forge::new();
    let mut pack = Pack::new();
    let (md, other) =
        (pack.blob(skill_md("a").as_bytes()), pack.blob(skill_md("other").as_bytes()));
    let inner = pack.tree(&[("100644", b"x.md", &md)]);
    let outer = pack.tree(&[("100644", b"y.md", &md)]);
    for entries in [
        [("100644", &b"SKILL.md"[..], md.as_str()), ("100644", b"SKILL.md", &other)],
        [("100644", b"SKILL.md", &md), ("40000", b"SKILL.md", &inner)],
        [("100644", b"SKILL.md", &md), ("120000", b"SKILL.md", &other)],
    ] {
        let tree = pack.tree(&entries);
        forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
        forge.is_refused(1, &["skills/a", "SKILL.md"]);
    }
    let tree = pack.tree(&[
        ("100644", b"SKILL.md", &md),
        ("40000", b"docs", &inner),
        ("40000", b"docs", &outer),
    ]);
    forge.serve(&pack.commit_skill("a", &tree), &pack.finish());
    forge.is_refused(1, &["skills/a", "docs"]);
    // Two directories of one name are two skills at one path.
    let (one, two) =
        (pack.tree(&[("100644", b"SKILL.md", &md)]), pack.tree(&[("100644", b"SKILL.md", &other)]));
    let skills = pack.tree(&[("40000", b"a", &one), ("40000", b"a", &two)]);
    let root = pack.tree(&[("40000", b"skills", &skills)]);
    forge.serve(&pack.commit(&root), &pack.finish());
    forge.is_refused(1, &["skills/a"]);
}

/// Only an invalid repository can have such a tree: an id that is part of its own content cannot be
/// its hash.
#[test]
fn t17_tree_that_contains_itself_is_refused() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("evil");
    let md = upstream.write_blob(skill_md("a").as_bytes());
    let honest = upstream.write_tree(&[("100644", b"SKILL.md", &md)]);
    let (directory, file) = honest.split_at(2);
    let looped = upstream.write_tree(&[("100644", b"SKILL.md", &md), ("40000", b"again", &honest)]);
    let skills = upstream.write_tree(&[("40000", b"a", &honest)]);
    let root = upstream.write_tree(&[("40000", b"skills", &skills)]);
    upstream.commit_tree("main", &root);
    let object = |id: &str| format!("upstream/evil.git/objects/{}/{}", &id[..2], &id[2..]);
    let bytes = sandbox.read_bytes(object(&looped));
    sandbox.remove(format!("upstream/evil.git/objects/{directory}/{file}"));
    sandbox.write(object(&honest), bytes);
    let server = sandbox.serve();
    for url in ["../upstream/evil.git".to_owned(), server.url("evil")] {
        sandbox.sources(&json!({"evil": {"type": "git", "url": url}}));
        sandbox.skills(["sync"]).fails();
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{url}");
    }
}
