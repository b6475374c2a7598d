//! The part of Markdown that the rules need: which lines are code, and the code spans of the
//! others.

use helix_skills_format::Position;
use memchr::{memchr_iter, memmem};
use std::ops::Range;

/// Maximum length in bytes of a line of prose. Longer lines are not written by hand, and count as
/// code.
const MAX_LINE: usize = 8 * 1024;

/// A body, split into lines.
pub(super) struct Markdown<'t> {
    text: &'t str,
    range: Range<usize>,
    lines: Vec<Line>,
}

/// One line of the body, without its line ending.
pub(super) struct Line {
    /// Its offset in the file.
    pub(super) start: usize,
    end: usize,
    pub(super) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Prose,
    /// The line that opens or closes a code block.
    Fence,
    /// A line of a code block.
    Code,
}

impl<'t> Markdown<'t> {
    /// Parses the body at `range` of the file `text`.
    ///
    /// Fences may have any indentation, as in lists. Indented code without a fence counts as prose.
    pub(super) fn parse(text: &'t str, range: Range<usize>) -> Self {
        // An estimate: lines of prose are longer, but many lines are blank.
        let mut lines = Vec::with_capacity(range.len() / 32 + 1);
        // The character and the length of the open fence.
        let mut open: Option<(u8, usize)> = None;
        let mut start = range.start;
        let body = &text[range.clone()];
        let ends = memchr_iter(b'\n', body.as_bytes()).map(|end| range.start + end + 1);
        let rest = (!body.ends_with('\n')).then_some(range.end).filter(|_| !body.is_empty());
        for end in ends.chain(rest) {
            let line = &text[start..end];
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            let kind = match (fence(content), open) {
                (Some((c, length, rest)), Some((opened, least)))
                    if c == opened && length >= least && rest.is_empty() =>
                {
                    open = None;
                    LineKind::Fence
                }
                (_, Some(_)) => LineKind::Code,
                (Some((c, length, _)), None) => {
                    open = Some((c, length));
                    LineKind::Fence
                }
                (None, None) if content.len() > MAX_LINE => LineKind::Code,
                (None, None) => LineKind::Prose,
            };
            lines.push(Line { start, end: start + content.len(), kind });
            start = end;
        }
        Self { text, range, lines }
    }

    /// Returns whether the body contains a text. Faster than checking each line.
    pub(super) fn contains(&self, what: &str) -> bool {
        memmem::find(&self.text.as_bytes()[self.range.clone()], what.as_bytes()).is_some()
    }

    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(super) fn content(&self, line: &Line) -> &'t str {
        &self.text[line.start..line.end]
    }

    /// Returns the code spans of a line as ranges in the line. Only prose has code spans.
    pub(super) fn spans(&self, line: &Line) -> Vec<Range<usize>> {
        if line.kind == LineKind::Prose { spans(self.content(line)).collect() } else { Vec::new() }
    }

    /// Returns the position of an offset in the file.
    pub(super) fn position(&self, offset: usize) -> Position {
        Position::from_offset(self.text, offset)
    }
}

/// Parses a fence: its character, its length, and the text after it. `None` if a line is not a
/// fence.
pub(crate) fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let c = *line.as_bytes().first().filter(|c| matches!(**c, b'`' | b'~'))?;
    let length = line.bytes().take_while(|b| *b == c).count();
    let rest = line[length..].trim();
    (length >= 3 && !(c == b'`' && rest.contains('`'))).then_some((c, length, rest))
}

/// Returns the code spans of a line, the ranges between two runs of backticks of the same length.
pub(crate) fn spans(line: &str) -> impl Iterator<Item = Range<usize>> {
    // Compares runs instead of bytes, because a line may have many runs that are never closed.
    let mut runs = Vec::new();
    for at in memchr_iter(b'`', line.as_bytes()) {
        match runs.last_mut() {
            Some(Range { end, .. }) if *end == at => *end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let open = runs.get(next)?;
            next += 1;
            if let Some(close) = runs[next..].iter().position(|run| run.len() == open.len()) {
                let span = open.end..runs[next + close].start;
                next += close + 1;
                return Some(span);
            }
        }
    })
}

/// Returns whether an offset is in one of the spans of its line.
pub(crate) fn is_in(spans: &[Range<usize>], at: usize) -> bool {
    let after = spans.partition_point(|span| span.end <= at);
    spans.get(after).is_some_and(|span| span.contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_blocks_end_at_the_matching_fence() {
        let text = "a\n```sh\nb\n~~~\n```` c\n```\nd\n  ````md\n```\n  ````\ne\n~~~\nf";
        let markdown = Markdown::parse(text, 0..text.len());
        let kinds: String =
            markdown.lines().iter().map(|line| format!("{:?}", line.kind).remove(0)).collect();
        assert_eq!(kinds, "PFCCCFPFCFPFC");
        assert_eq!(markdown.content(&markdown.lines()[6]), "d");
    }

    #[test]
    fn code_spans_have_fences_of_one_length() {
        let found = |line: &'static str| spans(line).map(|range| &line[range]).collect::<Vec<_>>();
        assert_eq!(found("a `b` c ``d ` e`` `f"), ["b", "d ` e"]);
        assert_eq!(found("``` `` ` `` x `"), [" ` "]);
        let ladder: String = (1..100).map(|length| "`".repeat(length) + " ").collect();
        assert_eq!(spans(&ladder).count(), 0);
        assert_eq!(found("no"), [""; 0]);
        assert_eq!(found("``a` `b`"), [" "]);
    }
}
