//! The global options: `--json`, `-C`, `--quiet`.

use super::{manifest, upstream};
use helix_skills_tests::{Sandbox, skill_md};
use serde_json::json;

#[test]
fn json_is_one_document_for_every_command() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    for arguments in [
        &["init", "--json"][..],
        &["add", &url, "--json"],
        &["sync", "--json"],
        &["sync", "--check", "--json"],
        &["list", "--json"],
        &["show", "alpha", "--json"],
        &["catalog", "--json"],
        &["search", "alpha", "--json"],
        &["cache", "dir", "--json"],
        &["remove", "tools", "--json"],
        &["cache", "clean", "--json"],
    ] {
        drop(sandbox.skills(arguments).succeeds().json());
    }
    for arguments in [
        &["remove", "tools", "--json"][..],
        &["show", "unknown", "--json"],
        &["add", "./nowhere", "--json"],
    ] {
        let run = sandbox.skills(arguments).fails();
        let document = run.json();
        let errors = document["errors"].as_array().unwrap_or_else(|| panic!("no `errors`: {run}"));
        assert!(
            errors.iter().all(|error| error["code"].is_string() && error["message"].is_string()),
            "{run}"
        );
    }
}

#[test]
fn usage_errors_are_json_documents_too() {
    let sandbox = Sandbox::new();
    for (arguments, command, message, hint) in [
        (
            &["snyc", "--json"][..],
            "usage",
            "unrecognized subcommand `snyc`",
            "a similar subcommand exists: `sync`",
        ),
        (
            &["sync", "--json", "--chekc"],
            "sync",
            "unexpected argument `--chekc` found",
            "`--check`",
        ),
        (
            &["--json", "-C", ".", "list", "x", "y"],
            "list",
            "unexpected argument `y` found",
            "run `skills list --help` for usage",
        ),
        (
            &["--json", "show"],
            "show",
            "the following required arguments were not provided: <NAME|./PATH>",
            "run `skills show --help` for usage",
        ),
        (
            &["--json", "cache"],
            "cache",
            "`skills cache` needs a command",
            "run `skills cache --help` for usage",
        ),
        (
            &["cache", "--json"],
            "cache",
            "`skills cache` needs a command",
            "run `skills cache --help` for usage",
        ),
        (&["--json"], "usage", "`skills` needs a command", "run `skills --help` for usage"),
    ] {
        let run = sandbox.skills(arguments).exits(2);
        let document = run.json();
        assert_eq!(
            (&document["command"], &document["errors"][0]["message"]),
            (&json!(command), &json!(message)),
            "{run}"
        );
        assert!(document["errors"][0]["hint"].as_str().unwrap().contains(hint), "{run}");
    }
}

#[test]
fn commands_of_other_package_managers_are_aliases() {
    let sandbox = Sandbox::new();
    sandbox.skills(["init"]).succeeds();
    sandbox.write("project/own/pdf/SKILL.md", skill_md("pdf"));
    let document = sandbox.skills(["i", "./own", "--json"]).succeeds().json();
    assert_eq!((&document["command"], &document["change"]), (&json!("add"), &json!("added")));
    assert_eq!(sandbox.locked_skills(), ["pdf"]);
    let document = sandbox.skills(["upgrade", "own", "--json"]).succeeds().json();
    assert_eq!(document["command"], "update");
    // Usage errors are those of the command.
    let document = sandbox.skills(["i", "--json"]).exits(2).json();
    assert_eq!(document["command"], "add");
    for unknown in ["info", "fetch"] {
        let run = sandbox.skills([unknown, "pdf"]).exits(2);
        run.says([&format!("unrecognized subcommand `{unknown}`"), "Usage: skills"]);
    }
    sandbox.skills(["cache", "install"]).exits(2).says(["unrecognized subcommand"]);
}

#[test]
fn add_options_of_other_package_managers_are_aliases() {
    let sandbox = Sandbox::new();
    let (upstream, server) = upstream(&sandbox);
    let url = server.url("tools");
    let commit = upstream.id("main");
    for (alias, option, value) in
        [("--tag", "ref", "v0.9.0"), ("--branch", "ref", "main"), ("--rev", "sha", commit.as_str())]
    {
        let assigned = format!("{alias}={value}");
        for arguments in [&["add", &url, alias, value][..], &["add", &assigned, &url]] {
            sandbox.forget();
            sandbox.manifest("{\"skills\": {}}");
            sandbox.skills(arguments.iter().chain(&["--skill", "alpha"])).succeeds();
            let expected =
                json!({"tools": {"type": "git", "url": url, option: value, "include": ["alpha"]}});
            assert_eq!(manifest(&sandbox)["skills"], expected);
        }
        let needs_a_value = format!("a value is required for `--{option} ");
        sandbox.skills(["add", &url, alias]).exits(2).says([&needs_a_value]);
    }
    sandbox.skills(["sync", "--tag", "x"]).exits(2).says(["unexpected argument `--tag`"]);
}

#[test]
fn directory_option_changes_the_project() {
    let sandbox = Sandbox::new();
    sandbox.write("project/inner/own/one/SKILL.md", skill_md("one"));
    sandbox.write(
        "project/inner/helix.skills.json",
        "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}",
    );
    sandbox.skills(["-C", "inner", "sync"]).succeeds();
    assert!(
        sandbox.exists("project/inner/helix.skills.lock")
            && !sandbox.exists("project/helix.skills.lock")
    );
    sandbox.skills(["-C", "nowhere", "sync"]).exits(2).says(["nowhere"]);
    // `project`, which has a manifest, is no parent directory of `project/../other`.
    sandbox.write("project/helix.skills.json", "{\"skills\": {}}");
    sandbox.write("other/inner/notes.md", "no project\n");
    let none = ["cannot find `helix.skills.json`", "../other/inner"];
    sandbox.skills(["-C", "../other/inner", "list"]).exits(2).says(none);
    sandbox.write("other/helix.skills.json", "{\"skills\": {}}");
    sandbox.skills(["-C", "../other/inner", "sync", "--check"]).exits(1).says(["no sources"]);
    sandbox.skills(["-C", "inner/../inner", "sync", "--check"]).succeeds();
}

#[test]
fn quiet_prints_errors_only() {
    let sandbox = Sandbox::new();
    let (_upstream, server) = upstream(&sandbox);
    sandbox.sources(
        &json!({"tools": {"type": "git", "url": server.url("tools"), "version": "1.2.0"}}),
    );
    let run = sandbox.skills(["sync", "--quiet"]).succeeds();
    assert!(run.stdout.is_empty() && run.stderr.is_empty(), "{run}");
    sandbox.remove("project/helix.skills.lock");
    sandbox.skills(["sync", "--check", "-q"]).exits(1).says(["helix.skills.lock"]);
}

#[test]
fn commands_of_other_programs_are_answered() {
    let sandbox = Sandbox::new();
    for (typed, command) in [
        ("audit", "skills show NAME"),
        ("check", "skills sync --check"),
        ("find", "skills add OWNER/REPO --list WORD"),
        ("lint", "skills validate"),
        ("lock", "skills sync"),
        ("publish", "skills add OWNER/REPO"),
        ("restore", "skills sync"),
        ("status", "skills sync --check"),
        ("use", "skills add OWNER/REPO --list"),
        ("verify", "skills sync --check"),
    ] {
        let run = sandbox.skills([typed, "pdf"]).exits(2);
        assert_eq!(run.offered()[0], command, "{run}");
        let document = sandbox.skills([typed, "--json"]).exits(2).json();
        let error = &document["errors"][0];
        assert_eq!(error["message"], format!("unrecognized subcommand `{typed}`"));
        assert!(error["hint"].as_str().unwrap().contains(command), "{document}");
    }
    for (typed, command) in [
        (["sync", "--force"], "skills sync --restore"),
        (["update", "--latest"], "skills outdated"),
    ] {
        let run = sandbox.skills(typed).exits(2).says(["unexpected argument `--"]);
        assert_eq!(run.offered()[0], command, "{run}");
    }
    sandbox.write("project/skills/pdf/SKILL.md", skill_md("pdf"));
    let document = sandbox.skills(["tree", "skills", "--json"]).succeeds().json();
    assert_eq!(document["command"], "list");
}
