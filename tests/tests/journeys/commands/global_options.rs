//! The global options: `--json`, `-C`, `--quiet`.

use super::upstream;
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
            "unrecognized subcommand 'snyc'",
            "a similar subcommand exists: 'sync'",
        ),
        (
            &["sync", "--json", "--chekc"],
            "sync",
            "unexpected argument '--chekc' found",
            "'--check'",
        ),
        (
            &["--json", "-C", ".", "list", "x"],
            "list",
            "unexpected argument 'x' found",
            "run `skills list --help` for usage",
        ),
        (
            &["--json", "show"],
            "show",
            "the following required arguments were not provided: <NAME>",
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
fn commands_of_other_programs_get_hints() {
    let sandbox = Sandbox::new();
    for (typed, instead) in [
        ("install", "`skills add SOURCE`"),
        ("install", "`skills sync`"),
        ("i", "`skills add SOURCE`"),
        ("upgrade", "`skills update`"),
        ("uninstall", "`skills remove SOURCE`"),
        ("info", "`skills show NAME`"),
        ("find", "`skills search QUERY`"),
        ("check", "`skills sync --check`"),
        ("new", "`skills init`"),
    ] {
        let message = format!("unknown command `{typed}`");
        sandbox
            .skills([typed, "pdf"])
            .exits(2)
            .says([&format!("error: {message}\nhelp: run "), instead]);
        let run = sandbox.skills([typed, "--json"]).exits(2);
        let error = &run.json()["errors"][0];
        assert_eq!(error["message"], message, "{run}");
        assert!(error["hint"].as_str().unwrap().contains(instead), "{run}");
    }
    sandbox.skills(["cache", "install"]).exits(2).says(["unrecognized subcommand"]);
}

#[test]
fn add_options_of_other_programs_get_hints() {
    let sandbox = Sandbox::new();
    for (typed, instead) in [
        ("--tag", "pin a tag with `--ref TAG`"),
        ("--branch", "pin a branch with `--ref BRANCH`"),
        ("--rev", "pin a commit with `--sha COMMIT`"),
        ("--skill", "select skills with `--include DIR`"),
    ] {
        let message = format!("unknown option `{typed}`");
        let text = format!("error: {message}\nhelp: {instead}\n");
        let assigned = format!("{typed}=x");
        for arguments in [&["add", "o/r", typed, "x"][..], &["add", &assigned, "o/r"]] {
            sandbox.skills(arguments).exits(2).says([&text]);
        }
        let document = sandbox.skills(["add", "o/r", typed, "--json"]).exits(2).json();
        assert_eq!(
            (&document["command"], &document["errors"][0]["hint"]),
            (&json!("add"), &json!(instead))
        );
    }
    sandbox.skills(["sync", "--tag", "x"]).exits(2).says(["unexpected argument '--tag'"]);
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
    sandbox.skills(["-C", "../other/inner", "sync", "--check"]).exits(1).says(["lockfile"]);
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
