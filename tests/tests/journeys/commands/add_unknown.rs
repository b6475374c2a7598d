//! `skills add` with names of directories that the source does not have.

use super::{manifest, upstream};
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::{Value, json};

#[test]
fn unknown_skill_of_a_source_that_is_one_skill_is_an_error() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("one");
    upstream.commit(Change::new().text("SKILL.md", &skill_md("one")));
    let server = sandbox.serve();
    sandbox.write("project/own/SKILL.md", skill_md("own"));
    sandbox.skills(["init"]).succeeds();
    let url = server.url("one");
    let list = format!(
        "the source `one` has no skill `zzz`\nhelp: it has `one`; or run `skills add {url} --list`; \
         or run `skills update one` if it is newer than the locked commit\n"
    );
    let known =
        "the source `own` has no skill `zzz`\nhelp: it has `own`; or run `skills add ./own --list`";
    for (source, name, says) in [(&*url, "one", &*list), ("./own", "own", known)] {
        sandbox.skills(["add", source]).succeeds();
        let before = sandbox.snapshot("project");
        sandbox.skills(["add", source, "--include", "zzz"]).exits(2).says([says]);
        sandbox.skills(["add", source, "--include", "zzz", "--dry-run"]).exits(2);
        sandbox.skills(["add", source, "--include", name]).succeeds().says(["unchanged"]);
        assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    }
}

#[test]
fn skill_newer_than_the_locked_commit_is_answered_with_update() {
    for select in [json!({}), json!({"include": ["alpha"]})] {
        let sandbox = Sandbox::new();
        let upstream = sandbox.upstream("tools");
        upstream.commit(Change::new().skill("alpha"));
        let server = sandbox.serve();
        let url = server.url("tools");
        let mut source = json!({"type": "git", "url": url});
        source.as_object_mut().unwrap().extend(select.as_object().unwrap().clone());
        sandbox.sources(&json!({"tools": source}));
        sandbox.skills(["sync"]).succeeds();
        upstream.commit(Change::new().skill("newest"));
        let add = ["add", &url, "--include", "newest"];
        let help = "or run `skills update tools` if it is newer than the locked commit\n";
        sandbox.skills(add).exits(2).says(["the source `tools` has no skill `newest`\n", help]);
        sandbox.skills(["update", "tools"]).succeeds();
        sandbox.skills(add).succeeds();
        assert_eq!(sandbox.locked_skills(), ["alpha", "newest"]);
    }
}

#[test]
fn unknown_directory_to_rename_is_an_error() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    let rename = ["add", &url, "--rename", "alpa=x"];
    let says = ["error: the source `tools` has no skill `alpa`\nhelp: did you mean `alpha`? "];
    let run = sandbox.skills(rename).exits(2).says(says);
    assert!(!run.stderr.contains("renamed"), "{run}");
    assert_eq!(manifest(&sandbox)["skills"], json!({}));
    sandbox.skills(["add", &url, "--include", "alpha"]).succeeds();
    sandbox.skills(rename).exits(2).says(says);
    assert_eq!(manifest(&sandbox)["skills"]["tools"]["rename"], Value::Null);
    sandbox
        .skills(["add", &url, "--rename", "alpha=x"])
        .succeeds()
        .says(["changed the source tools, version 1.2.0: rename {\"alpha\":\"x\"}"]);
    let run = sandbox.skills(["add", &url, "--prefix", "y-"]).succeeds();
    run.says(["changed the source tools, version 1.2.0: prefix y-"]);
}

#[test]
fn unknown_directory_to_exclude_is_an_error() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.write("project/own/two/SKILL.md", skill_md("two"));
    sandbox.skills(["init"]).succeeds();
    let refuse = |source: &str, key: &str, [name, near]: [&str; 2]| {
        let before = sandbox.snapshot("project");
        for more in [&[][..], &["--dry-run"]] {
            let arguments = [&["add", source, "--exclude", name], more].concat();
            let run = sandbox.skills(arguments).exits(2).says([format!(
                "error: the source `{key}` has no skill `{name}`\nhelp: did you mean `{near}`? "
            )]);
            run.never_prints("note: for all skills");
        }
        assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    };
    // Of a new source, of one with all skills, and of one with `include`.
    refuse(&url, "tools", ["alpa", "alpha"]);
    refuse("./own", "own", ["tow", "two"]);
    sandbox.skills(["add", &url]).succeeds();
    sandbox.skills(["add", "./own"]).succeeds();
    refuse(&url, "tools", ["alpa", "alpha"]);
    refuse("./own", "own", ["tow", "two"]);
    sandbox.skills(["add", "./own", "--exclude", "two"]).succeeds();
    sandbox.skills(["add", "./own", "--exclude", "two"]).succeeds().says(["unchanged"]);
    sandbox.skills(["remove", "tools"]).succeeds();
    sandbox.skills(["add", &url, "--include", "alpha"]).succeeds();
    refuse(&url, "tools", ["alpa", "alpha"]);
    sandbox
        .skills(["add", &url, "--exclude", "nope"])
        .exits(2)
        .says(["the source `tools` has no skill `nope`\nhelp: it has `alpha`, `beta`; "]);
    // No option takes the others, too.
    let run = sandbox.skills(["add", &url]).succeeds();
    run.says(["already has alpha; for all skills, remove its `include`\n"]);
}

#[test]
fn excluding_all_skills_of_a_new_source_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.skills(["init"]).succeeds();
    let before = sandbox.snapshot("project");
    let add = ["add", "./own", "--exclude", "one"];
    sandbox.skills(add).exits(2).says(["no skill of the source `own` would be left"]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
}

#[test]
fn file_in_the_place_of_a_new_skill_is_kept() {
    let (sandbox, _upstream, server) = super::super::requests::served();
    sandbox.skills(["init"]).succeeds();
    sandbox.write("project/helix.skills/alpha/SKILL.md", "mine\n");
    let before = sandbox.snapshot("project");
    let add = ["add", &server.url("mono"), "--include", "alpha"];
    sandbox.skills(add).exits(5).says([
        "`helix.skills/alpha/SKILL.md` is in its place, and belongs to no locked skill",
        "help: move it elsewhere, then run this command again",
    ]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    sandbox.remove("project/helix.skills/alpha");
    sandbox.skills(add).succeeds();
}
