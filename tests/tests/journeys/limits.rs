//! Size limits.

use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

/// Three files (one of them two levels down) with a little more than 1,100 bytes.
fn change() -> Change {
    Change::new()
        .skill("a")
        .text("skills/a/big.txt", &"x".repeat(1_000))
        .text("skills/a/one/two/deep.md", "deep\n")
}

fn sync_with(limits: serde_json::Value) -> (Sandbox, helix_skills_tests::Run) {
    let sandbox = Sandbox::new();
    sandbox.upstream("repo").commit(change());
    let server = sandbox.serve();
    let source = json!({"type": "git", "url": server.url("repo")});
    sandbox.manifest(&json!({"skills": {"repo": source}, "limits": limits}).to_string());
    let run = sandbox.skills(["sync"]);
    (sandbox, run)
}

#[test]
fn t17_each_limit_exits_6_with_its_name() {
    for (field, limit) in [
        ("filesPerSkill", 2),
        ("bytesPerSkill", 1_000),
        ("bytesPerFile", 999),
        ("treeDepth", 1),
        ("objectsPerFetch", 3),
        ("bytesPerFetch", 200),
    ] {
        let (sandbox, run) = sync_with(json!({field: limit}));
        run.exits(6).says([field, &limit.to_string()]);
        assert_eq!(sandbox.files("project"), ["helix.skills.json"], "{field}");
    }
}

#[test]
fn values_at_the_limit_are_accepted() {
    let bytes = helix_skills_tests::skill_md("a").len() + 1_000 + "deep\n".len();
    for limits in [
        json!({"filesPerSkill": 3}),
        json!({"bytesPerSkill": bytes}),
        json!({"bytesPerFile": 1_000}),
        json!({"treeDepth": 2}),
        json!({"objectsPerFetch": 100}),
        json!({"bytesPerFetch": 100_000}),
    ] {
        let (_, run) = sync_with(limits);
        run.succeeds();
    }
}

#[test]
fn limits_apply_to_path_sources() {
    for (field, limit) in
        [("filesPerSkill", 1), ("bytesPerSkill", 100), ("bytesPerFile", 99), ("treeDepth", 1)]
    {
        let sandbox = Sandbox::new();
        sandbox.write("project/own/a/SKILL.md", helix_skills_tests::skill_md("a"));
        sandbox.write("project/own/a/one/two/x.md", "x".repeat(100));
        let manifest =
            json!({"skills": {"own": {"type": "path", "path": "own"}}, "limits": {field: limit}});
        sandbox.manifest(&manifest.to_string());
        sandbox.skills(["sync"]).exits(6).says([field]);
    }
}

/// Nine megabytes of zeros are a few kilobytes when compressed.
#[test]
fn t17_limit_applies_to_uncompressed_files() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a").bytes("skills/a/zeros.bin", &vec![0; 9 << 20]));
    let server = sandbox.serve();
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo")}}));
    sandbox.skills(["sync"]).exits(6).says(["zeros.bin", "bytesPerFile"]);
    assert!(server.traffic().sent < 100_000, "{:?}", server.traffic());
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    // The same applies to a locked sync, where the whole tree is in one pack.
    sandbox.sources(&json!({"repo": {"type": "git", "url": server.url("repo"), "files": {"exclude": ["*.bin"]}}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync"]).succeeds();
}

/// A few objects that reference each other many times expand to a tree of any size with hardly a
/// file in it.
#[test]
fn t17_expanding_directories_are_limited() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("bomb");
    upstream.commit(Change::new().skill("good"));
    let mut tree = upstream.write_tree(&[]);
    for _ in 0..12 {
        let names: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let entries: Vec<_> =
            names.iter().map(|name| ("40000", name.as_bytes(), tree.as_str())).collect();
        tree = upstream.write_tree(&entries);
    }
    let md = upstream.write_blob(helix_skills_tests::skill_md("a").as_bytes());
    let skill = upstream.write_tree(&[("100644", b"SKILL.md", &md), ("40000", b"wide", &tree)]);
    let skills = upstream.write_tree(&[("40000", b"a", &skill)]);
    let root = upstream.write_tree(&[("40000", b"skills", &skills)]);
    upstream.commit_tree("evil", &root);
    let server = sandbox.serve();
    sandbox.sources(&json!({"bomb": {"type": "git", "url": server.url("bomb"), "ref": "evil"}}));
    sandbox.skills(["sync"]).exits(6).says(["limits.filesPerSkill"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
}

/// Skills that share a file are small in transfer, and each of them is within its limits.
#[test]
fn t17_skills_with_shared_files_are_limited_together() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..20).map(|n| format!("s{n}")).collect();
    let zeros = vec![0; 50_000];
    let change = names.iter().fold(Change::new(), |change, name| {
        change.skill(name).bytes(&format!("skills/{name}/zeros.bin"), &zeros)
    });
    sandbox.upstream("repo").commit(change);
    let server = sandbox.serve();
    let source = json!({"repo": {"type": "git", "url": server.url("repo")}});
    sandbox.manifest(&json!({"skills": source, "limits": {"bytesPerFetch": 100_000}}).to_string());
    sandbox.skills(["sync"]).exits(6).says(["the source `repo`", "limits.bytesPerFetch"]);
    assert_eq!(sandbox.files("project"), ["helix.skills.json"]);
    sandbox.manifest(&json!({"skills": source, "limits": {"bytesPerFetch": 600_000}}).to_string());
    sandbox.skills(["sync"]).succeeds();
}
