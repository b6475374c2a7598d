//! Exit codes that are results and not failures.

use alloc::vec::Vec;

/// Returns whether exit code 1 of a command is a result, such as "no match": whether its last
/// simple command is `grep`, `rg`, `diff`, `find`, `test` or `[`.
///
/// The last command is the one whose exit code a shell reports for a pipeline or a list. Claude
/// Code also uses the last command of `a && b`, although `a` may be the one that failed. `command`
/// is what the author wrote, so that no value of a placeholder changes the answer. Other syntax
/// than these separators and quotes is not recognized.
pub(super) fn one_is_a_result(command: &str) -> bool {
    let mut lines = command.lines().rev().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let mut quote = None;
    let is_separator = |c| {
        match (quote, c) {
            (None, ';' | '|') => return true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(end), _) if c == end => quote = None,
            _ => {}
        }
        false
    };
    let last = line.split(is_separator).filter(|part| !part.trim().is_empty()).last();
    let words: Vec<&str> = last.unwrap_or_default().split_whitespace().collect();
    let last = words.rsplit(|word| *word == "&&").next().unwrap_or_default();
    let word = last.iter().find(|word| !is_assignment(word));
    matches!(word, Some(&("grep" | "rg" | "diff" | "find" | "test" | "[")))
}

/// Returns whether a word before a command sets a variable: `LC_ALL=C grep`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
