//! `skills list` and `skills show`.

use super::upstream;
use helix_skills_tests::{Sandbox, skill_md};
use serde_json::json;

#[test]
fn list_names_every_skill_with_its_source() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    let empty = sandbox.skills(["list"]);
    assert!(empty.code.is_some_and(|code| code <= 1), "{empty}");
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    sandbox.remove_cache();
    server.take_traffic();
    let run = sandbox.skills(["list"]).succeeds().prints(["alpha", "beta", "tools   v1.2.0@"]);
    let titles: Vec<_> = run.stdout.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(titles, ["skill", "source", "locked", "size", "tokens", "license"], "{run}");
    assert!(run.stdout.find("alpha") < run.stdout.find("beta"), "{run}");
    let run = sandbox.skills(["list", "--json"]).succeeds();
    let document = run.json();
    let names: Vec<_> = document["skills"]
        .as_array()
        .expect("`skills` is a list")
        .iter()
        .map(|s| s["name"].clone())
        .collect();
    assert_eq!(names, ["alpha", "beta"], "{run}");
    assert_eq!(document["skills"][0]["source"], "tools", "{run}");
    assert_eq!(server.traffic().requests, 0);
    run.never_prints("note:");
    sandbox.sources(
        &json!({"tools": {"type": "git", "url": server.url("tools"), "version": "0.9.0"}}),
    );
    let run = sandbox.skills(["list"]).succeeds();
    run.says(["note: the manifest was changed since it was locked; run `skills sync`"]);
}

#[test]
fn show_prints_origin_and_contents() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("tools")]).succeeds();
    let run = sandbox.skills(["show", "beta"]).succeeds();
    run.prints(["beta", "Does beta things.", "references/x.md", &server.url("tools")]);
    let run = sandbox.skills(["show", "beta", "--json"]).succeeds();
    let document = run.json();
    let text = document.to_string();
    for part in
        ["beta", "Does beta things.", "references/x.md", &upstream.id("v1.2.0^{commit}"), "sha256:"]
    {
        assert!(text.contains(part), "no `{part}`: {run}");
    }
    let run = sandbox.skills(["show", "bata"]).fails().says(["bata", "beta"]);
    assert!(run.stdout.is_empty(), "{run}");
    let run = sandbox.skills(["show", "bata", "--json"]).fails();
    assert!(run.json()["errors"].is_array(), "{run}");
    sandbox.skills(["show", "../../etc"]).fails();
}

#[test]
fn show_and_list_include_path_sources() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.skills(["list"]).succeeds().prints(["one", "house", "path own"]);
    sandbox.skills(["show", "one"]).succeeds().prints(["own/one", "SKILL.md"]);
    // They are listed even if their files are missing.
    sandbox.remove("project/own");
    sandbox.skills(["list"]).succeeds().prints(["one"]);
    sandbox.skills(["show", "one"]).fails();
}

/// The command shows the locked text, never an edited one.
#[test]
fn show_rejects_edited_skills() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    let tools = json!({"type": "git", "url": server.url("tools"), "version": "1.2.0"});
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}, "tools": tools}));
    sandbox.skills(["sync"]).succeeds();
    let evil = |name: &str| format!("---\nname: {name}\ndescription: Evil.\n---\nEvil.\n");
    sandbox.write("project/helix.skills/beta/SKILL.md", evil("beta"));
    sandbox.write("project/own/one/SKILL.md", evil("one"));
    for (name, code, message) in [
        ("beta", 5, "the file was changed"),
        ("one", 1, "`own/one/SKILL.md` of the skill `one` was changed"),
    ] {
        let run = sandbox.skills(["show", name]).exits(code).says([message]).never_prints("Evil");
        assert!(run.stdout.is_empty(), "{run}");
    }
    sandbox.skills(["show", "alpha"]).succeeds().prints(["alpha"]);
}
