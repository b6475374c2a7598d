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
    let install =
        "run `skills add SOURCE` for new skills, or `skills sync` for those of the manifest";
    let add = "run `skills add o/r --include pdf`";
    for (typed, alone, arguments, instead) in [
        ("install", install, "o/r --include pdf", add),
        ("i", install, "o/r --include pdf", add),
        ("upgrade", "run `skills update`", "pdf", "run `skills update pdf`"),
        ("uninstall", "run `skills remove NAME`", "pdf docx", "run `skills remove pdf docx`"),
        ("info", "run `skills show NAME`", "pdf", "run `skills show pdf`"),
        ("find", "run `skills search QUERY`", "a form", "run `skills search a form`"),
        ("check", "run `skills sync --check`", "pdf", "run `skills sync --check`"),
        (
            "new",
            "write `skills/NAME/SKILL.md`, then run `skills add ./skills`",
            "pdf",
            "write `skills/pdf/SKILL.md`, then run `skills add ./skills`",
        ),
    ] {
        let message = format!("unknown command `{typed}`");
        let line = || [typed].into_iter().chain(arguments.split(' '));
        for (run, help) in [(sandbox.skills([typed]), alone), (sandbox.skills(line()), instead)] {
            run.exits(2).says([format!("error: {message}\nhelp: {help}\n")]);
        }
        let run = sandbox.skills(line().chain(["--json"])).exits(2);
        let error = &run.json()["errors"][0];
        assert_eq!(error["message"], message, "{run}");
        assert!(error["hint"].is_string(), "{run}");
    }
    // Options before the command, and words that a shell would split, are kept.
    let arguments = ["-C", "a b", "uninstall", "it's"];
    sandbox.skills(arguments).exits(2).says([r"run `skills remove -C 'a b' 'it'\''s'`"]);
    sandbox.skills(["cache", "install"]).exits(2).says(["unrecognized subcommand"]);
}

#[test]
fn add_options_of_other_programs_get_hints() {
    let sandbox = Sandbox::new();
    for (typed, option, value) in [
        ("--tag", "--ref", "TAG"),
        ("--branch", "--ref", "BRANCH"),
        ("--skill", "--include", "DIR"),
    ] {
        let message = format!("unknown option `{typed}`");
        let assigned = format!("{typed}=x");
        for (arguments, command) in [
            (&["add", "o/r", typed, "x"][..], format!("add o/r {option} x")),
            (&["add", &assigned, "o/r"], format!("add {option} x o/r")),
            (&["add", "o/r", typed], format!("add o/r {option} {value}")),
        ] {
            let text = format!("error: {message}\nhelp: run `skills {command}`\n");
            sandbox.skills(arguments).exits(2).says([&text]);
        }
        let document = sandbox.skills(["add", "o/r", typed, "x", "--json"]).exits(2).json();
        assert_eq!(
            (&document["command"], &document["errors"][0]["hint"]),
            (&json!("add"), &json!(format!("run `skills add o/r {option} x --json`")))
        );
    }
    // All options of a line are replaced.
    let commit = "1".repeat(40);
    let sha = format!("run `skills add o/r --sha {commit}`");
    for (line, expected) in [
        (
            &["add", "o/r", "--branch", "dev", "--skill", "pdf"][..],
            "run `skills add o/r --ref dev --include pdf`",
        ),
        (&["install", "o/r", "--skill", "pdf"], "run `skills add o/r --include pdf`"),
        (&["add", "o/r", "--skill", "*"], "run `skills add o/r`"),
        (&["add", "o/r", "--rev", "v1.2.3"], "run `skills add o/r --ref v1.2.3`"),
        (&["add", "o/r", "--rev", &commit], &sha),
        (&["add", "o/r", "--rev"], "run `skills add o/r --sha COMMIT`"),
    ] {
        sandbox.skills(line).exits(2).says([expected]);
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
