//! The help of the program and of each command, word for word as in `tests/snapshots/help`. After a change that is meant,
//! `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test journeys help` writes the files anew; review them.

use expect_test::expect_file;
use helix_skills_tests::{Run, Sandbox};
use std::{collections::BTreeSet, fs, path::Path};

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/help");

/// What is printed, always as wide.
fn help(sandbox: &Sandbox, words: &[&str]) -> Run {
    sandbox.command(words).env("COLUMNS", "100").run().succeeds()
}

/// The commands that a help lists: the words that begin its indented lines, up to the options.
fn commands(help: &str) -> Vec<String> {
    let list = help.split_once("\nOptions:\n").map_or(help, |(list, _)| list);
    let rows =
        list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|row| !row.starts_with(' '));
    rows.filter_map(|row| row.split_whitespace().next())
        .filter(|word| *word != "help")
        .map(str::to_owned)
        .collect()
}

/// Every command below `words`, and those below them.
fn every_command(sandbox: &Sandbox, words: &[&str], found: &mut Vec<Vec<String>>) {
    let flag = words.iter().copied().chain(["--help"]).collect::<Vec<_>>();
    let text = help(sandbox, &flag).stdout;
    if !text.contains("<COMMAND>") {
        return;
    }
    for name in commands(&text) {
        let below: Vec<&str> = words.iter().copied().chain([name.as_str()]).collect();
        found.push(below.iter().map(|word| (*word).to_owned()).collect());
        every_command(sandbox, &below, found);
    }
}

#[test]
fn every_help_is_the_one_that_was_reviewed() {
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
    assert_eq!(kept, files, "a help that is gone has no snapshot");
}

#[test]
fn the_first_commands_come_first() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, &["--help"]).stdout;
    let (_, list) = text.split_once("Commands:\n").unwrap();
    let (first, rest) = list.split_once("\n\n").unwrap();
    assert!(
        commands(first).starts_with(&["init", "add", "remove", "sync"].map(str::to_owned)),
        "{text}"
    );
    for later in ["list", "show", "cache", "completions", "man"] {
        assert!(!commands(first).contains(&later.to_owned()), "{text}");
        assert!(commands(rest).contains(&later.to_owned()), "{text}");
    }
}

#[test]
fn help_of_a_command_is_asked_for_in_three_ways() {
    let sandbox = Sandbox::new();
    let text = help(&sandbox, &["sync", "--help"]).stdout;
    assert_eq!(help(&sandbox, &["help", "sync"]).stdout, text);
    let short = help(&sandbox, &["sync", "-h"]).stdout;
    assert!(short.len() < text.len() && short.contains("--check"), "{short}");
    // Nobody asked: that is a mistake, and the help is talk.
    let run = sandbox.skills([""; 0]).exits(2).says(["Usage: skills", "init"]);
    assert!(run.stdout.is_empty(), "{run}");
}
