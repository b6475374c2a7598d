//! The rules of `CONTRIBUTING.md` for texts: words, widths and the length of test names.

use crate::checkout::{root, text};
use regex::RegexBuilder;
use std::{collections::BTreeSet, path::Path, process::Command};

/// The words that texts do not have, one per line.
const WORDS: &str = "docs/dev/words.txt";

/// Exceptions: a path, a word of the list, and the reason, separated by `: `.
const ALLOWED: &str = "docs/dev/words-allowed.txt";

const MAX_COLUMNS: usize = 100;
const MAX_TEST_NAME: usize = 60;

/// The text files that git tracks and that people write.
fn files() -> Vec<(String, String)> {
    let output = Command::new("git").arg("ls-files").current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let paths = String::from_utf8(output.stdout).unwrap();
    let written = paths.lines().filter(|path| {
        let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
        let is_text = matches!(
            extension,
            Some("rs" | "md" | "toml" | "txt" | "stderr" | "yml" | "yaml" | "sh" | "json" | "mjs")
        );
        let is_script = [".ci/", ".github/", "docs/build", "benches/size/"]
            .iter()
            .any(|directory| path.starts_with(directory));
        (is_text || is_script) && ![WORDS, ALLOWED].contains(path)
    });
    let files: Vec<_> = written.map(|path| (path.to_owned(), text(path))).collect();
    assert!(files.len() > 500, "{} files", files.len());
    files
}

#[test]
fn texts_have_no_word_of_the_list() {
    let words = text(WORDS);
    let (words, allowed) = (words.lines().collect::<Vec<_>>(), text(ALLOWED));
    let allowed: BTreeSet<(String, String)> = allowed
        .lines()
        .map(|line| match line.splitn(3, ": ").collect::<Vec<_>>()[..] {
            [path, word, reason] if !reason.is_empty() => (path.to_owned(), word.to_owned()),
            _ => panic!("{ALLOWED}: expected `PATH: WORD: REASON`, found `{line}`"),
        })
        .collect();
    let pattern = format!("(^|[^a-z])({})([^a-z]|$)", words.join("|"));
    let pattern = RegexBuilder::new(&pattern).case_insensitive(true).build().unwrap();
    let (mut used, mut found) = (BTreeSet::new(), Vec::new());
    for (path, text) in files() {
        for (number, line) in text.lines().enumerate() {
            // A match takes the characters around it, so the next one may begin with the last.
            let mut start = 0;
            while let Some(captures) = pattern.captures_at(line, start) {
                let word = captures.get(2).unwrap();
                start = word.end();
                let exception = (path.clone(), word.as_str().to_ascii_lowercase());
                if allowed.contains(&exception) {
                    used.insert(exception);
                } else {
                    found.push(format!("{path}:{}: {}", number + 1, word.as_str()));
                }
            }
        }
    }
    assert!(found.is_empty(), "words of {WORDS}, {} times: {found:#?}", found.len());
    let unused: Vec<_> = allowed.difference(&used).collect();
    assert!(unused.is_empty(), "{ALLOWED}: exceptions without a use: {unused:?}");
}

#[test]
fn comments_have_at_most_100_columns() {
    let mut long = Vec::new();
    for (path, text) in files().iter().filter(|(path, _)| path.ends_with(".rs")) {
        let mut is_example = false;
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let comment = comment.trim_start_matches(['/', '!']).trim_start();
            is_example ^= comment.starts_with("```");
            // Code of examples, rows of tables, links and paths are not wrapped.
            let can_wrap =
                !is_example && !comment.starts_with('|') && comment.split(' ').count() > 2;
            if can_wrap && line.chars().count() > MAX_COLUMNS {
                long.push(format!("{path}:{}", number + 1));
            }
        }
    }
    assert!(long.is_empty(), "comments of more than {MAX_COLUMNS} columns: {long:#?}");
}

#[test]
fn test_names_have_at_most_60_characters() {
    let mut long = Vec::new();
    for (path, text) in files().iter().filter(|(path, _)| path.ends_with(".rs")) {
        let mut is_test = false;
        for line in text.lines().map(str::trim_start) {
            if let Some(after) = line.strip_prefix("fn ").or(line.strip_prefix("async fn ")) {
                let name = after.split(['(', '<']).next().unwrap_or_default();
                if is_test && name.len() > MAX_TEST_NAME {
                    long.push(format!("{path}: {name}"));
                }
                is_test = false;
            }
            is_test |= line.starts_with("#[test]");
        }
    }
    assert!(long.is_empty(), "names of more than {MAX_TEST_NAME} characters: {long:#?}");
}
