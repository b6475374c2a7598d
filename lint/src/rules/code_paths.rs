//! Paths of files in code spans.
//!
//! Many code spans that look like a path are not meant to be a file of the skill: they are in
//! another skill, in the user's project, or an example. [`points_to`] has the forms in which every
//! path was one of the skill, in 4,300 skills of 27 public repositories.

use std::{collections::HashSet, ops::Range};

/// Directories of the format. Only the first is not common in projects as well.
const DIRECTORIES: [&str; 3] = ["references", "scripts", "assets"];

/// Words before a path that a reader of the text should open or run.
const INSTRUCTIONS: [&str; 8] =
    ["see", "read", "refer to", "follow", "run", "execute", "load", "open"];

/// Labels before a path. The other instructions need a directory of the format.
const LABELS: [&str; 4] = ["see:", "reference:", "template:", "script:"];

/// Maximum length in bytes of the text before and after a path that is looked at.
const MAX_CONTEXT: usize = 1024;

/// Returns the path in a code span that is nothing but a path with a directory and an extension.
pub(super) fn path_in_code(span: &str) -> Option<String> {
    let is_path =
        span.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/'));
    let (directory, name) = span.strip_prefix("./").unwrap_or(span).rsplit_once('/')?;
    let (stem, extension) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && !extension.bytes().all(|b| b.is_ascii_digit());
    let is_below =
        !directory.is_empty() && !directory.starts_with(['/', '.']) && !span.contains("..");
    (is_path && is_file && is_below).then(|| span.to_owned())
}

/// Returns whether a text points to the file at the path `code` in the code span at `span`, so that
/// it has to exist.
///
/// The path follows an instruction or a label, is the start of an item of a list, or fills a cell
/// of a table. Lines about other skills and about examples are ignored.
pub(super) fn points_to(text: &str, span: &Range<usize>, code: &str) -> bool {
    let bytes = text.as_bytes();
    let before = &bytes[span.start.saturating_sub(MAX_CONTEXT)..span.start];
    let after = &bytes[span.end..bytes.len().min(span.end + MAX_CONTEXT)];
    let before = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
    let after = after.split(|b| *b == b'\n').next().unwrap_or_default();
    let lower = |part: &[u8]| String::from_utf8_lossy(part).to_ascii_lowercase();
    let (before, after) = (lower(before).replace('*', ""), lower(after));
    let text = before.trim_end_matches([' ', '`', '_', '[', '(']);
    let rest = after.trim_start_matches(['`', '*', '_', ']', ')']);
    let is_elsewhere =
        ["skill", "plugin"].iter().any(|it| before.contains(it) || after.contains(it))
            || [" of ", " in ", " from "].iter().any(|word| rest.starts_with(word));
    if is_elsewhere || before.contains("example") || before.contains("e.g.") {
        return false;
    }
    let ends_with = |word: &str| {
        text.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    };
    let directory = code.trim_start_matches("./").split('/').next();
    let is_of_format = directory.is_some_and(|name| DIRECTORIES.contains(&name));
    matches!(text.trim_start(), "-" | "+")
        || (text.ends_with('|') && rest.trim_start().starts_with('|'))
        || LABELS.iter().any(|word| ends_with(word))
        || (is_of_format && INSTRUCTIONS.iter().any(|word| ends_with(word)))
}

/// Returns whether a path is in a directory of the skill, which has the files and directories
/// `known`, or in `references`, which projects do not have.
pub(super) fn is_in_skill(path: &str, known: &HashSet<&str>) -> bool {
    path.split_once('/').is_some_and(|(top, _)| top == DIRECTORIES[0] || known.contains(top))
}
