//! Integration with shells and cargo: `completions` and `cargo skills`.

use helix_skills_tests::{Change, Sandbox, sandbox::program, skill_md};
use serde_json::{Value, json};
use std::process::Command;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn completions_for_every_shell_need_no_project() {
    let sandbox = Sandbox::new();
    for shell in SHELLS {
        let run = sandbox.skills(["completions", shell]).succeeds();
        let run = run.prints(["skills", "HELIX_SKILLS_COMPLETE"]);
        assert!(run.stderr.is_empty(), "{run}");
        let document = sandbox.skills(["completions", shell, "--json"]).succeeds().json();
        assert_eq!((&document["shell"], &document["text"]), (&json!(shell), &json!(run.stdout)));
    }
    assert!(sandbox.files("project").is_empty());
}

#[test]
fn unknown_shell_is_an_error_with_the_known_ones() {
    let sandbox = Sandbox::new();
    sandbox.skills(["completions", "tcsh"]).exits(2).says(SHELLS.into_iter().chain(["tcsh"]));
    sandbox.skills(["completions"]).exits(2).says(["SHELL"]);
    let document = sandbox.skills(["completions", "tcsh", "--json"]).exits(2).json();
    assert!(
        document["errors"][0]["message"].as_str().is_some_and(|text| text.contains("tcsh")),
        "{document}"
    );
}

#[test]
fn cargo_skills_behaves_like_skills() {
    let sandbox = Sandbox::new();
    sandbox.upstream("tools").commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let cargo = |words: &[&str]| sandbox.command(words).via_cargo().run();
    cargo(&["init"]).succeeds().says(["skills add"]);
    cargo(&["add", &server.url("tools")]).succeeds();
    cargo(&["sync", "--check", "--store"]).succeeds();
    assert_eq!(cargo(&["list"]).succeeds().stdout, sandbox.skills(["list"]).succeeds().stdout);
    sandbox.write("project/inner/skill/SKILL.md", skill_md("one"));
    cargo(&["-C", "inner", "init"]).succeeds();
    drop(cargo(&["-C", "inner", "add", "./skill", "--json"]).succeeds().json());
    assert!(sandbox.exists("project/inner/helix.skills.lock"));
    // The same exit codes, and its own name in the usage.
    cargo(&["sync", "--chekc"]).exits(2).says(["Usage: cargo skills sync", "--check"]);
    cargo(&["show", "unknown"]).exits(2).says(["unknown"]);
    sandbox.write("project/helix.skills/a/SKILL.md", "edited\n");
    cargo(&["sync", "--check", "--color", "never"]).exits(5);
    let run = cargo(&["--color", "always", "sync", "--check"]).exits(5);
    assert!(run.stderr.contains("\u{1b}["), "{run}");
    assert_eq!(
        cargo(&["--version"]).succeeds().stdout,
        sandbox.skills(["--version"]).succeeds().stdout
    );
    let document: Value = cargo(&["show", "unknown", "--json"]).exits(2).json();
    assert_eq!(document["command"], "show");
}

/// npm has a program `skills`, too, which succeeds for words that it does not know.
#[cfg(unix)]
#[test]
fn cargo_skills_starts_no_other_program_of_the_name() {
    let sandbox =
        Sandbox::with_manifest("{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"own\"}}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    sandbox.write("other/skills", "#!/bin/sh\nexit 0\n");
    let other = sandbox.path("other");
    assert!(Command::new("chmod").arg("755").arg(other.join("skills")).status().unwrap().success());
    let with_other = |path: &std::ffi::OsStr| {
        std::env::join_paths(std::iter::once(other.clone()).chain(std::env::split_paths(path)))
    };
    let path = with_other(&std::env::var_os("PATH").unwrap_or_default()).unwrap();
    let check = sandbox.command(["sync", "--check", "--store"]).via_cargo_in(&path);
    check.run().exits(1).says(["helix.skills.lock"]);
}

#[cfg(unix)]
#[test]
fn cargo_skills_without_skills_is_an_error() {
    let sandbox = Sandbox::new();
    let copy = sandbox.path("home/cargo-skills");
    // `cp` writes the file: a program that this process has open for writing
    // cannot be started while another test is starting one, which inherits it.
    let mut copying = Command::new("cp");
    copying.arg(program().with_file_name("cargo-skills")).arg(&copy);
    assert!(copying.status().unwrap().success());
    let output = Command::new(&copy).args(["skills", "list"]).env_clear().output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("failed to start the program `skills`")
            && said.contains("cargo install helix-skills-cli"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn mcp_starts_the_server_if_it_is_installed() {
    let sandbox = Sandbox::new();
    sandbox.write("project/inner/kept", "");
    let copy = sandbox.path("home/bin/skills");
    sandbox.write("home/bin/kept", "");
    let mut copying = Command::new("cp");
    assert!(copying.arg(program()).arg(&copy).status().unwrap().success());
    let mcp = || {
        let mut command = Command::new(&copy);
        command.env_clear().env("PATH", "/usr/bin:/bin").current_dir(sandbox.path("project"));
        let arguments = ["-C", "inner", "mcp", "--http", "127.0.0.1:0", "--help-me"];
        command.args(arguments).output().unwrap()
    };
    let output = mcp();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the program `skills-mcp` is not installed"), "{said}");
    assert!(said.contains("cargo install helix-skills-mcp --features cli"), "{said}");

    sandbox.write("home/bin/skills-mcp", "#!/bin/sh\npwd\necho \"$@\"\nexit 3\n");
    let mut permitting = Command::new("chmod");
    permitting.arg("+x").arg(sandbox.path("home/bin/skills-mcp"));
    assert!(permitting.status().unwrap().success());
    let refused = sandbox.skills(["--manifest", "x.json", "mcp"]).exits(2);
    drop(refused.says(["`--manifest` cannot be used with `skills mcp`", "skills -C DIR mcp"]));
    let output = mcp();
    let said = String::from_utf8(output.stdout).unwrap();
    let (directory, arguments) = said.split_once('\n').unwrap();
    assert!(directory.ends_with("/project/inner"), "{said}");
    assert_eq!(arguments, "--http 127.0.0.1:0 --help-me\n");
    assert_eq!(output.status.code(), Some(3));
}
