//! Exit codes that are results and not failures.

use core::mem::take;

/// Returns whether exit code 1 of a command is a result, such as "no match": whether its last
/// simple command is `grep`, `rg`, `diff`, `find`, `test` or `[`.
///
/// The last command is the one whose exit code a shell reports for a pipeline or a list. Claude
/// Code also uses it for `a && b`, although the code may be that of `a`. `command` is what the
/// author wrote, so that no value of a placeholder changes the answer.
pub(super) fn one_is_a_result(command: &str) -> bool {
    let mut words = last_command(command).split_whitespace();
    let word = words.find(|word| !is_assignment(word));
    matches!(word, Some("grep" | "rg" | "diff" | "find" | "test" | "["))
}

/// Returns the text of the last simple command. Text in quotes, in parentheses and in comments has
/// no separators. After syntax that this does not know, the text starts with another word.
fn last_command(text: &str) -> &str {
    const COMMENT: char = '\n';
    let (mut start, mut has_ended) = (0, true);
    let (mut quote, mut depth, mut escaped) = (None, 0_usize, false);
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let last = core::mem::replace(&mut before, c);
        if take(&mut escaped) {
            continue;
        }
        if let Some(end) = quote {
            escaped = c == '\\' && end == '"';
            if c == end {
                quote = None;
                has_ended |= end == COMMENT && depth == 0;
            }
            continue;
        }
        let is_redirection =
            matches!(last, '<' | '>') || (c == '&' && text[at + 1..].starts_with('>'));
        match c {
            '#' if last.is_whitespace() || matches!(last, ';' | '|' | '&' | '(') => {
                quote = Some(COMMENT);
                continue;
            }
            '\n' | ';' if depth == 0 => has_ended = true,
            '|' | '&' if depth == 0 && !is_redirection => has_ended = true,
            c if c.is_whitespace() => {}
            _ if take(&mut has_ended) => start = at,
            _ => {}
        }
        match c {
            '\\' => escaped = true,
            '\'' | '"' | '`' => quote = Some(c),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    &text[start..]
}

/// Returns whether a word before a command sets a variable: `LC_ALL=C grep`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
