//! Runs the tool as a user does.

#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

const SKILL: &str = "weather-report";

fn weather(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_weather"))
        .args(arguments)
        .current_dir(directory)
        .env("HOME", directory.join("home"))
        .env("USERPROFILE", directory.join("home"))
        .output()
        .unwrap()
}

/// Runs `weather skills …`, and returns its exit code and what it printed.
fn skills(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let output = weather(directory, &[&["skills"], arguments].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn skills_are_installed_shown_and_removed() {
    let project = tempfile::tempdir().unwrap();
    let path = project.path();
    let installed = path.join(".claude/skills").join(SKILL);
    let line = |state: &str| format!("{state} {SKILL} (.claude/skills/{SKILL})\n");

    assert_eq!(
        skills(path, &["status"]),
        (1, format!("missing {SKILL} (.agents/skills/{SKILL})\n"))
    );
    assert_eq!(skills(path, &["install", "--agent", "claude"]), (0, line("added")));
    assert_eq!(skills(path, &["install"]), (0, "nothing to do\n".to_owned()));
    assert_eq!(skills(path, &["status"]), (0, line("current")));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills").join(SKILL);
    for file in ["SKILL.md", "references/output.md", "scripts/compare.sh"] {
        assert_eq!(fs::read(installed.join(file)).unwrap(), fs::read(source.join(file)).unwrap());
    }
    let text = fs::read_to_string(source.join("SKILL.md")).unwrap();
    assert_eq!(skills(path, &["show", SKILL]), (0, text));
    assert!(skills(path, &["show"]).1.starts_with("weather-report: Reports the weather"));

    fs::write(installed.join("references/output.md"), "mine\n").unwrap();
    let (code, text) = skills(path, &["install"]);
    assert_eq!(code, 0, "{text}");
    for expected in ["it was edited since weather wrote it, and is kept\n", "\n+mine\n", "help: "] {
        assert!(text.contains(expected), "{text}");
    }
    let (code, text) = skills(path, &["uninstall"]);
    assert!(code == 0 && installed.exists() && text.contains("`--force` removes"), "{text}");
    assert_eq!(skills(path, &["uninstall", "--force"]), (0, line("removed")));
    assert_eq!(fs::read_dir(path).unwrap().count(), 0);
}

#[test]
fn user_scope_and_json() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::create_dir_all(path.join("home/.claude")).unwrap();
    let json = |arguments: &[&str]| -> (i32, Value) {
        let (code, text) = skills(path, &[arguments, &["--json"]].concat());
        (code, serde_json::from_str(&text).unwrap())
    };
    let (code, document) = json(&["install", "--user"]);
    assert_eq!((code, &document["schemaVersion"], &document["ok"]), (0, &json!(1), &json!(true)));
    assert_eq!(document["skills"][0]["path"], format!("~/.agents/skills/{SKILL}"));
    assert_eq!(document["skills"][1]["change"], "added");
    for agent in [".agents", ".claude"] {
        assert!(path.join("home").join(agent).join("skills").join(SKILL).join("SKILL.md").exists());
    }
    fs::write(path.join(".agents"), "a file").unwrap();
    let (code, document) = json(&["install"]);
    assert_eq!((code, &document["ok"], &document["exitCode"]), (2, &json!(false), &json!(2)));
    let message = document["errors"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("failed to change "), "{message}");
    assert!(!document["errors"][0]["hint"].is_null());
}

#[test]
fn agent_without_its_option_has_a_hint() {
    let project = tempfile::tempdir().unwrap();
    let (code, text) = skills(project.path(), &["install", "claude"]);
    let expected =
        "error: unexpected argument `claude` of `install`\nhelp: use `--agent claude-code` ";
    assert!(code == 2 && text.starts_with(expected), "{text}");
    let (code, text) = skills(project.path(), &["install", "word", "--json"]);
    assert!(code == 2 && text.contains("use `--agent AGENT` to install for an agent"), "{text}");
    assert!(!skills(project.path(), &["install", "--help"]).1.contains("WORDS"));
    assert_eq!(fs::read_dir(project.path()).unwrap().count(), 0);
}

#[test]
fn skill_of_another_origin_is_an_exit_code() {
    let project = tempfile::tempdir().unwrap();
    let path = project.path();
    fs::create_dir_all(path.join(".agents/skills").join(SKILL)).unwrap();
    let (code, text) = skills(path, &["install", "--force"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("help: move it away to get the skill of weather\n"), "{text}");
    let (code, text) = skills(path, &["install", "--agent", "word"]);
    assert!(code == 2 && text.contains("claude-code, codex, cursor"), "{text}");
    assert_eq!(
        skills(path, &["show", "pdf"]),
        (2, "error: weather has no skill `pdf`\n".to_owned())
    );
}
