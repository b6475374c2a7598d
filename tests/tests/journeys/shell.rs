//! Integration with shells and cargo: `completions` and `cargo skills`.

use crate::completions::shell;
use helix_skills_tests::{Change, Sandbox, sandbox::program, skill_md};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

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

/// npm has a program `skills`, too, which succeeds for words that it does not know. A build script
/// does not start it either: `consumers::build_script`.
#[cfg(unix)]
#[test]
fn checks_fail_if_another_skills_is_first_in_path() {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |file: &str| fs::read_to_string(checkout.join(file)).unwrap();
    let yaml = |file: &str| serde_yaml::from_str::<serde_yaml::Value>(&read(file)).unwrap();
    let sandbox =
        Sandbox::with_manifest("{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"own\"}}}");
    sandbox.write("project/own/a/SKILL.md", skill_md("a"));
    sandbox.write("other/skills", "#!/bin/sh\nexit 0\n");
    let other = sandbox.path("other");
    assert!(Command::new("chmod").arg("755").arg(other.join("skills")).status().unwrap().success());
    // `shell` puts the directory of the built programs first.
    let run = |script: &str| {
        let cargo = Path::new(env!("CARGO")).parent().unwrap();
        let script = format!("PATH='{}:{}':$PATH; {script}", other.display(), cargo.display());
        shell(&sandbox, "bash", &script).run()
    };
    let page = read("docs/src/how-to/ci.md");
    let commands = page.lines().filter_map(|line| line.strip_prefix("$ "));
    let mut checks: Vec<String> =
        commands.filter(|command| command.contains("--check")).map(str::to_owned).collect();
    assert!(checks.len() > 1, "{page}");
    checks.push(yaml(".pre-commit-hooks.yaml")[0]["entry"].as_str().unwrap().to_owned());
    checks.push(format!(
        "SKILLS_PROGRAM='{}' SKILLS_ARGS='{}' '{}'",
        program().display(),
        yaml("action.yml")["inputs"]["args"]["default"].as_str().unwrap(),
        checkout.join(".github/action/run.sh").display()
    ));
    for check in &checks {
        let run = run(check).exits(1);
        let text = format!("{}{}", run.stdout, run.stderr);
        assert!(text.contains("helix.skills.lock"), "{check}: {text}");
        let name = if check.starts_with("cargo") { "cargo skills" } else { "skills" };
        assert!(text.contains(&format!("run `{name} sync`")), "{check}: {text}");
    }
    drop(run("skills sync --check --store").succeeds());
    run("cargo skills sync").succeeds();
    for check in &checks {
        drop(run(check).succeeds());
    }
    sandbox.write("project/own/a/SKILL.md", skill_md("a") + "more\n");
    for check in &checks {
        drop(run(check).exits(1));
    }
}

#[test]
fn messages_name_the_program_that_was_called() {
    let sandbox = Sandbox::new();
    let cargo = |words: &[&str]| sandbox.command(words).via_cargo().run();
    sandbox.skills(["list"]).exits(2).says(["run `skills init`"]);
    let run = cargo(&["list"]).exits(2).says(["run `cargo skills init`"]);
    assert!(!run.stderr.contains("`skills "), "{run}");
    let document = cargo(&["list", "--json"]).exits(2).json();
    let hint = document["errors"][0]["hint"].as_str().unwrap();
    assert!(hint.contains("`cargo skills init`"), "{hint}");
    let run = cargo(&["init"]).succeeds().says(["next: run `cargo skills add OWNER/REPO`"]);
    assert!(!run.stderr.contains("`skills "), "{run}");
    let run = cargo(&["sync", "--help"]).succeeds().prints(["\n  cargo skills sync --check\n"]);
    assert!(!run.stdout.contains("\n  skills "), "{run}");
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
