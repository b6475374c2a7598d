//! A line-by-line comparison of two texts.

use similar::TextDiff;

/// Maximum number of lines of both texts together. The limit is for untrusted files, which must not
/// delay a command: `Algorithm::Myers`, the default, gives up a search after some hundred edits, so
/// that fewer lines take a fraction of a second.
const MAX_LINES: usize = 20_000;

/// Returns the hunks of a unified diff, without the heading with the files' names. `context` is the
/// number of unchanged lines around each change. `None` if the texts have too many lines.
///
/// A line ends only at a line feed, so that a carriage return does not look like a row. The lines
/// are not escaped.
///
/// Each crate that calls [`TextDiff`] gets its own copy of the library's code, 800 kB, and
/// `TextDiff::from_lines`, which also splits the texts, would add half a megabyte.
#[must_use]
pub fn unified_diff(old: &str, new: &str, context: usize) -> Option<String> {
    let [old, new] = [old, new].map(lines);
    if old.len() + new.len() > MAX_LINES {
        return None;
    }
    let [old, new] = [&old, &new].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
    let diff = TextDiff::configure().newline_terminated(false).diff_slices(&old, &new);
    Some(diff.unified_diff().context_radius(context.min(MAX_LINES)).to_string())
}

/// Returns the lines of a text. A last line that does not end says so, and differs from one that
/// does.
fn lines(text: &str) -> Vec<String> {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => line.to_owned(),
        None => format!("{line}\n\\ No newline at end of file"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, context: usize) -> String {
        let hunks = unified_diff(old, new, context).unwrap();
        hunks.replace("\n\\ No newline at end of file\n", "|\n")
    }

    fn numbers(lines: usize) -> String {
        (0..lines).map(|n| format!("{n}\n")).collect()
    }

    #[test]
    fn hunks_have_positions() {
        assert_eq!(
            shown("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", 1),
            "@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n"
        );
        assert_eq!(shown("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(shown("a\nb\n", "", 3), "@@ -1,2 +0,0 @@\n-a\n-b\n");
        assert_eq!(shown("a\nb", "a\nb\n", 0), "@@ -2 +2 @@\n-b|\n+b\n");
        assert_eq!(shown("a\n", "a\n", 3), "");
        let lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            unified_diff(lines, &lines.replace("5\n", "five\n"), 3).unwrap(),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
        assert_eq!(
            unified_diff(lines, &format!("0\n{lines}10"), 3).unwrap(),
            "@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -7,3 +8,4 @@\n 7\n 8\n 9\n+10\n\\ No newline at end of file\n"
        );
        let many = numbers(30);
        let edited = many.replace("\n2\n", "\ntwo\n").replace("\n20\n", "\ntwenty\n");
        assert_eq!(shown(&many, &edited, 1).matches("@@ -").count(), 2);
        assert_eq!(shown(&many, &edited, usize::MAX).lines().count(), 33);
    }

    #[test]
    fn lines_end_at_line_feeds_only() {
        assert_eq!(shown("a\nb\n", "a\r\nb\n", 0), "@@ -1 +1 @@\n-a\n+a\r\n");
        assert_eq!(shown("a\r", "b\n", 0), "@@ -1 +1 @@\n-a\r|\n+b\n");
    }

    #[test]
    fn long_texts_are_not_compared() {
        let (old, new) = (numbers(MAX_LINES / 2), numbers(MAX_LINES / 2 + 1));
        assert!(unified_diff(&old, &old.replace("\n500\n", "\nx\n"), 3).is_some());
        assert_eq!(unified_diff(&old, &new, 3), None);
    }
}
