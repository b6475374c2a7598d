//! Names that collide: of sources, and of skills.

use super::{manifest, upstream};
use helix_skills_tests::{Change, GitServer, Sandbox, skill_md};
use serde_json::json;

/// Two repositories with the same name and a skill of the same name.
fn two(sandbox: &Sandbox) -> GitServer {
    for owner in ["anna", "bert"] {
        let upstream = sandbox.upstream(&format!("{owner}/kit"));
        upstream.commit(Change::new().skill("pdf").skill(&format!("of-{owner}")));
        upstream.tag("v1.0.0");
    }
    sandbox.skills(["init"]).succeeds();
    sandbox.serve()
}

#[test]
fn taken_default_name_is_extended_by_the_owner() {
    let sandbox = Sandbox::new();
    let server = two(&sandbox);
    let (anna, bert) = (server.url("anna/kit"), server.url("bert/kit"));
    sandbox.skills(["add", &anna, "--include", "pdf"]).succeeds();
    sandbox
        .skills(["add", &bert, "--include", "of-bert"])
        .succeeds()
        .says(["added the source bert-kit, version 1.0.0\n"]);
    // Later commands find the source by its URL.
    sandbox.skills(["add", &bert, "--include", "pdf", "--rename", "pdf=bert-pdf"]).succeeds();
    let skills = &manifest(&sandbox)["skills"];
    assert_eq!(skills["kit"]["include"], json!(["pdf"]));
    assert_eq!(
        skills["bert-kit"],
        json!({
            "type": "git", "url": bert, "version": "1.0.0", "include": ["of-bert", "pdf"],
            "rename": {"pdf": "bert-pdf"},
        })
    );
    assert_eq!(sandbox.locked_skills(), ["bert-pdf", "of-bert", "pdf"]);
}

/// Many owners have a repository of that name.
#[test]
fn source_of_a_repository_called_skills_has_its_owners_name() {
    let sandbox = Sandbox::new();
    for owner in ["anna", "group/bert"] {
        let upstream = sandbox.upstream(&format!("{owner}/skills"));
        upstream.commit(Change::new().skill("pdf").skill("docx"));
        upstream.tag("v1.0.0");
        upstream.commit(Change::new().text("skills/pdf/more.md", "more\n"));
        upstream.tag("v1.1.0");
    }
    let server = sandbox.serve();
    let (anna, bert) = (server.url("anna/skills"), server.url("group/bert/skills"));
    sandbox.skills(["add", &anna, "--include", "pdf", "--version", "1.0.0"]).succeeds();
    sandbox.skills(["add", &bert, "--include", "docx"]).succeeds();
    let keys = |sandbox: &Sandbox| -> Vec<String> {
        manifest(sandbox)["skills"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(keys(&sandbox), ["anna", "bert"]);
    // The command of `outdated` needs no name.
    let run = sandbox.skills(["outdated"]).succeeds();
    let command = format!("skills add {anna} --version 1.1.0");
    let run = run.says([format!("run `{command}`")]);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    drop(run);
    sandbox.skills(words).succeeds();
    assert_eq!(manifest(&sandbox)["skills"]["anna"]["version"], "1.1.0");
    // A server without owners has none to name.
    sandbox.upstream("skills").commit(Change::new().skill("xlsx"));
    sandbox.skills(["add", &server.url("skills")]).succeeds();
    assert_eq!(keys(&sandbox), ["anna", "bert", "skills"]);
}

#[test]
fn taken_name_is_an_error_with_a_command() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let (tools, kit) = (server.url("tools"), server.url("kit"));
    sandbox.sources(&json!({"kit": {"type": "git", "url": kit, "version": "1.0.0"}}));
    let before = sandbox.snapshot("project");
    sandbox.skills(["add", &tools, "--name", "kit", "--version", "^1"]).exits(2).says([format!(
        "error: the manifest already has a source `kit`, with another location\nhelp: run `skills add {tools} --version '^1' --name tools`\n"
    )]);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    // The name of a source with the same URL extends it.
    sandbox.skills(["add", &kit, "--name", "kit", "--include", "x", "--no-sync"]).succeeds();
    // Two sources have the URL, and none has the default name.
    sandbox.sources(&json!({
        "a": {"type": "git", "url": kit, "ref": "main"},
        "b": {"type": "git", "url": kit, "ref": "dev"},
    }));
    sandbox.skills(["add", &kit, "--include", "x"]).exits(2).says([format!(
        "error: several sources have this location: `a`, `b`\nhelp: run `skills add {kit} --name a --include x`\n"
    )]);
}

#[test]
fn rename_and_prefix_are_written_to_the_manifest() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &url, "--rename", "alpha=first", "--prefix", "t-"]).succeeds();
    let source = &manifest(&sandbox)["skills"]["tools"];
    assert_eq!((&source["rename"], &source["prefix"]), (&json!({"alpha": "first"}), &json!("t-")));
    assert_eq!(sandbox.locked_skills(), ["first", "t-beta"]);
    sandbox
        .skills(["add", &url, "--rename", "beta=second", "--prefix", "u-"])
        .succeeds()
        .says(["rename {\"alpha\":\"first\",\"beta\":\"second\"}\n", ": prefix u-\n"]);
    assert_eq!(
        manifest(&sandbox)["skills"]["tools"]["rename"],
        json!({"alpha": "first", "beta": "second"})
    );
    assert_eq!(sandbox.locked_skills(), ["first", "second"]);
    for bad in ["alpha", "alpha=No Good", "a/b=c"] {
        sandbox.skills(["add", &url, "--rename", bad]).exits(2);
    }
}

#[test]
fn add_answers_a_taken_skill_name_with_the_command() {
    let sandbox = Sandbox::new();
    let server = two(&sandbox);
    let (anna, bert) = (server.url("anna/kit"), server.url("bert/kit"));
    sandbox.skills(["add", &anna]).succeeds();
    let before = sandbox.snapshot("project");
    let error = "error: 2 skills have the name `pdf`: kit: skills/pdf, bert-kit: skills/pdf\n";
    let hint = format!("help: run `skills add {bert} --rename pdf=bert-kit-pdf`\n");
    sandbox.skills(["add", &bert]).exits(2).says([format!("{error}{hint}")]);
    let run = sandbox.skills(["--json", "add", &bert]).exits(2);
    let found = &run.json()["errors"][0];
    assert_eq!(found["code"], "same-name", "{run}");
    assert!(found["hint"].as_str().unwrap().contains("--rename pdf=bert-kit-pdf"), "{run}");
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    // The suggested name replaces the one that was typed.
    let run = sandbox.skills(["add", &bert, "--rename", "pdf=pdf"]).exits(2);
    assert!(run.stderr.contains(&hint), "{run}");
    sandbox.skills(["add", &bert, "--rename", "pdf=bert-kit-pdf"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["bert-kit-pdf", "of-anna", "of-bert", "pdf"]);
}

/// In one source, the directory that differs is the new name, or a part of it.
#[test]
fn equal_names_in_a_source_are_renamed_by_one_command() {
    for (taken, paths, renamed, names) in [
        (
            false,
            ["skills/x/brand", "skills/x/brand-anthropic"],
            "skills/x/brand-anthropic=brand-anthropic",
            ["brand", "brand-anthropic"],
        ),
        (
            false,
            [".claude/skills/brand", ".codex/skills/brand"],
            ".claude/skills/brand=claude-brand --rename .codex/skills/brand=codex-brand",
            ["claude-brand", "codex-brand"],
        ),
        (
            false,
            ["skills/x/brand", "skills/y/brand"],
            "skills/x/brand=x-brand --rename skills/y/brand=y-brand",
            ["x-brand", "y-brand"],
        ),
        // Another source has the name.
        (
            true,
            ["skills/x/brand", "skills/y/other-brand"],
            "skills/x/brand=x-brand --rename skills/y/other-brand=other-brand",
            ["other-brand", "x-brand"],
        ),
    ] {
        let sandbox = Sandbox::new();
        let other = Change::new().skill_at(&paths[0].replace("brand", "other"), "other");
        let change = paths.iter().fold(other, |change, path| {
            change.skill_at(path, "brand").text(&format!("{path}/notes.md"), path)
        });
        sandbox.upstream("kit").commit(change);
        let server = sandbox.serve();
        sandbox.skills(["init"]).succeeds();
        if taken {
            sandbox.write("project/own/brand/SKILL.md", skill_md("brand"));
            sandbox.skills(["add", "./own"]).succeeds();
        }
        let url = server.url("kit");
        let run = sandbox.skills(["add", &url, "--all"]).exits(2);
        let [command] = run.offered().try_into().unwrap();
        assert_eq!(command, format!("skills add {url} --rename {renamed} --all"));
        sandbox.skills(command.split(' ').skip(1)).succeeds();
        let locked = sandbox.locked_skills();
        assert!(names.iter().all(|name| locked.contains(&(*name).to_owned())), "{locked:?}");
    }
}

/// Without other skills, these are copies for several coding agents.
#[test]
fn source_with_one_name_is_added_from_one_directory() {
    let sandbox = Sandbox::new();
    let paths = [".claude/skills/brand", ".codex/skills/brand"];
    let change = paths.iter().fold(Change::new(), |change, path| {
        change.skill_at(path, "brand").text(&format!("{path}/notes.md"), path)
    });
    sandbox.upstream("kit").commit(change);
    let url = sandbox.serve();
    let url = url.url("kit");
    sandbox.skills(["init"]).succeeds();
    let run = sandbox.skills(["add", &url]).exits(2);
    let [command] = run.offered().try_into().unwrap();
    assert_eq!(command, format!("skills add {url} --include .claude/skills/brand"));
    sandbox.skills(command.split(' ').skip(1)).succeeds();
    assert_eq!(sandbox.locked_skills(), ["brand"]);
}

#[test]
fn many_taken_skill_names_are_answered_with_a_prefix() {
    let sandbox = Sandbox::new();
    for name in ["one", "two", "three", "four"] {
        sandbox.write(format!("project/a/{name}/SKILL.md"), skill_md(name));
        sandbox.write(format!("project/b/{name}/SKILL.md"), skill_md(name));
    }
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", "./a"]).succeeds();
    sandbox.skills(["add", "./b"]).exits(2).says(["help: run `skills add ./b --prefix b-`\n"]);
    sandbox.skills(["add", "./b", "--prefix", "b-"]).succeeds();
    assert_eq!(sandbox.locked_skills().len(), 8);
}

#[test]
fn sync_answers_a_taken_skill_name_with_the_field() {
    let sandbox = Sandbox::new();
    sandbox.write("project/a/pdf/SKILL.md", skill_md("pdf"));
    sandbox.write("project/b/pdf/SKILL.md", skill_md("pdf"));
    let mut sources =
        json!({"a": {"type": "path", "path": "a"}, "b": {"type": "path", "path": "b"}});
    sandbox.sources(&sources);
    sandbox.skills(["sync"]).exits(2).says([
        "error: 2 skills have the name `pdf`: a: pdf, b: pdf\n",
        "help: write `\"rename\": {\"pdf\":\"b-pdf\"}` in the source `b` of the manifest, or exclude it with `exclude`\n",
    ]);
    sources["b"]["rename"] = json!({"pdf": "b-pdf"});
    sandbox.sources(&sources);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["b-pdf", "pdf"]);
}

#[test]
fn locked_skill_keeps_its_taken_name() {
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"skills\"}}}",
    );
    sandbox.write("project/skills/tides/SKILL.md", skill_md("tides"));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/skills/t3/SKILL.md", skill_md("tides"));
    sandbox.skills(["sync"]).exits(2).says([
        "error: 2 skills have the name `tides`: own: tides, own: t3\n",
        "help: write `\"rename\": {\"t3\":\"own-tides\"}` in the source `own` of the manifest, or exclude it with `exclude`\n",
    ]);
    sandbox.sources(
        &json!({"own": {"type": "path", "path": "skills", "rename": {"t3": "own-tides"}}}),
    );
    sandbox.skills(["sync"]).succeeds().says(["added own-tides"]).never_prints("updated");
    assert_eq!(sandbox.lock_json()["skills"]["tides"]["path"], "tides");
}

/// The key of `exclude` and `rename` is the path then: the name would mean both.
#[test]
fn path_names_one_of_two_directories_of_a_name() {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("kit");
    let change = ["a", "b"].into_iter().fold(Change::new(), |change, place| {
        change.text(&format!("plugins/{place}/x/SKILL.md"), &skill_md(&format!("x-{place}")))
    });
    upstream.commit(change);
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    sandbox.skills(["add", &server.url("kit")]).succeeds();
    let add = |option, value| sandbox.skills(["add", &server.url("kit"), option, value]).succeeds();
    add("--rename", "plugins/a/x=new");
    assert_eq!(sandbox.locked_skills(), ["new", "x-b"]);
    add("--exclude", "plugins/b/x");
    assert_eq!(sandbox.locked_skills(), ["new"]);
    let source = &manifest(&sandbox)["skills"]["kit"];
    assert_eq!(source["rename"], json!({"plugins/a/x": "new"}));
    assert_eq!(source["exclude"], json!(["plugins/b/x"]));
}
