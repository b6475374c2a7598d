//! The help of the program and of each command, compared with `tests/snapshots/help`.
//!
//! After an intended change, run `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test journeys
//! help` and review the updated files.

use expect_test::expect_file;
use helix_skills_tests::{Run, Sandbox, skill_md};
use serde_json::json;
use std::{collections::BTreeSet, fs, path::Path};

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/help");

/// Prints help at a fixed width.
pub(crate) fn help(sandbox: &Sandbox, words: &[&str]) -> Run {
    sandbox.command(words).env("COLUMNS", "100").run().succeeds()
}

/// Returns the commands of a help text: the words that start its indented lines, up to the options.
fn commands(help: &str) -> Vec<String> {
    let list = help.split_once("\nOptions:\n").map_or(help, |(list, _)| list);
    let rows =
        list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    rows.filter_map(|row| row.split([' ', ',']).next())
        .filter(|word| *word != "help")
        .map(str::to_owned)
        .collect()
}

/// Collects every command below `words`, recursively.
pub(crate) fn every_command(sandbox: &Sandbox, words: &[&str], found: &mut Vec<Vec<String>>) {
    let flag = words.iter().copied().chain(["--help"]).collect::<Vec<_>>();
    let text = help(sandbox, &flag).stdout;
    if !text.lines().any(|line| line.starts_with("Usage: ") && line.ends_with("<COMMAND>")) {
        return;
    }
    for name in commands(&text) {
        let below: Vec<&str> = words.iter().copied().chain([name.as_str()]).collect();
        found.push(below.iter().map(|word| (*word).to_owned()).collect());
        every_command(sandbox, &below, found);
    }
}

#[test]
fn help_matches_the_snapshots() {
    let sandbox = Sandbox::new();
    let mut all = vec![Vec::new()];
    every_command(&sandbox, &[], &mut all);
    assert!(all.len() > 10, "{all:?}");
    let mut files = BTreeSet::new();
    for words in &all {
        let name: Vec<&str> =
            ["skills"].into_iter().chain(words.iter().map(String::as_str)).collect();
        for (flag, end) in [("--help", ""), ("-h", ".short")] {
            let arguments: Vec<&str> = words.iter().map(String::as_str).chain([flag]).collect();
            let run = help(&sandbox, &arguments);
            assert!(
                run.stderr.is_empty() && run.stdout.lines().all(|line| line.chars().count() <= 100),
                "{run}"
            );
            let file = format!("{}{end}.txt", name.join("-"));
            expect_file![format!("{SNAPSHOTS}/{file}")].assert_eq(&run.stdout);
            files.insert(file);
        }
    }
    for (flag, file) in [("--help", "cargo-skills.txt"), ("-h", "cargo-skills.short.txt")] {
        let run = sandbox.command([flag]).env("COLUMNS", "100").via_cargo().run().succeeds();
        expect_file![format!("{SNAPSHOTS}/{file}")].assert_eq(&run.stdout);
        files.insert(file.to_owned());
    }
    let kept = fs::read_dir(Path::new(SNAPSHOTS)).unwrap().map(|entry| entry.unwrap().file_name());
    let kept: BTreeSet<String> = kept.map(|name| name.into_string().unwrap()).collect();
    assert_eq!(kept, files, "expected no snapshot of a removed command");
}

#[test]
fn help_fits_60_columns() {
    let sandbox = Sandbox::new();
    let mut all = vec![Vec::new()];
    every_command(&sandbox, &[], &mut all);
    for words in &all {
        for flag in ["-h", "--help"] {
            let words = words.iter().map(String::as_str).chain([flag]);
            let run = sandbox.command(words).env("COLUMNS", "60").run().succeeds();
            let is_text = |line: &&str| !line.starts_with("Usage: ") && !line.contains("://");
            let mut lines = run.stdout.lines().filter(is_text);
            assert!(lines.all(|line| line.chars().count() <= 60), "{run}");
        }
    }
}

#[test]
fn main_commands_are_listed_first() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, &["--help"]).stdout;
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let (first, rest) = list.split_once("\n\n").unwrap();
    assert!(
        commands(first).starts_with(&["init", "add", "remove", "sync"].map(str::to_owned)),
        "{text}"
    );
    for later in ["list", "show", "cache", "completions"] {
        assert!(!commands(first).contains(&later.to_owned()), "{text}");
        assert!(commands(rest).contains(&later.to_owned()), "{text}");
    }
}

#[test]
fn ls_and_rm_are_aliases_shown_in_help() {
    let sandbox = Sandbox::with_manifest(
        "{\"skills\": {\"house\": {\"type\": \"path\", \"path\": \"own\"}}}",
    );
    sandbox.write("project/own/one/SKILL.md", skill_md("one"));
    sandbox.skills(["sync"]).succeeds();
    let text = help(&sandbox, &["-h"]).stdout;
    assert!(text.contains("\n  list, ls  ") && text.contains("\n  remove, rm  "), "{text}");
    assert_eq!(help(&sandbox, &["rm", "-h"]).stdout, help(&sandbox, &["remove", "-h"]).stdout);
    let list = sandbox.skills(["ls", "--json"]).succeeds().json();
    assert_eq!((&list["command"], &list["skills"][0]["name"]), (&json!("list"), &json!("one")));
    let removed = sandbox.skills(["rm", "house", "--json"]).succeeds().json();
    let expected = (&json!("remove"), &json!(["house"]));
    assert_eq!((&removed["command"], &removed["removed"]), expected);
}

#[test]
fn names_of_other_package_managers_are_hidden_aliases() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, &["--help"]).stdout;
    for (alias, command) in [("i", "add"), ("upgrade", "update")] {
        assert_eq!(help(&sandbox, &[alias, "-h"]).stdout, help(&sandbox, &[command, "-h"]).stdout);
        assert!(!text.contains(&format!("\n  {alias} ")), "{text}");
        assert!(!text.contains(&format!(", {alias} ")), "{text}");
    }
    let text = help(&sandbox, &["add", "--help"]).stdout;
    for alias in ["--tag", "--branch", "--rev", "--skill "] {
        assert!(!text.contains(alias), "{text}");
    }
}

#[test]
fn help_has_three_forms() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, &["sync", "--help"]).stdout;
    assert_eq!(help(&sandbox, &["help", "sync"]).stdout, text);
    let short = help(&sandbox, &["sync", "-h"]).stdout;
    assert!(short.len() < text.len() && short.contains("--check"), "{short}");
    // Help that was not requested is an error and goes to stderr.
    let run = sandbox.skills([""; 0]).exits(2).says(["Usage: skills", "init"]);
    assert!(run.stdout.is_empty(), "{run}");
}
