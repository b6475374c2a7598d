//! The rules of `CONTRIBUTING.md` for the widths of comments and the length of test names.

use crate::checkout::{root, text};
use std::process::Command;

const MAX_COLUMNS: usize = 100;
const MAX_TEST_NAME: usize = 60;

/// The Rust files that git tracks or would add, with their paths.
pub(crate) fn files() -> Vec<(String, String)> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "*.rs"];
    let output = Command::new("git").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let paths = String::from_utf8(output.stdout).unwrap();
    // A removed file is still in the index.
    let paths = paths.lines().filter(|path| root().join(path).exists());
    let files: Vec<_> = paths.map(|path| (path.to_owned(), text(path))).collect();
    assert!(files.len() > 500, "{} files", files.len());
    files
}

#[test]
fn comments_have_at_most_100_columns() {
    let mut long = Vec::new();
    for (path, text) in files() {
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
    for (path, text) in files() {
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
