//! The part of Markdown that rules need: which lines are code, and the code spans of the others.

use helix_skills_format::Position;
use memchr::{memchr_iter, memmem};
use std::ops::Range;

/// Maximum length in bytes of a line of prose. Longer lines are not written by hand, and count as
/// code.
const MAX_LINE: usize = 8 * 1024;

/// A body, split into lines.
pub(crate) struct Markdown<'t> {
    text: &'t str,
    range: Range<usize>,
    lines: Vec<Line>,
}

/// One line of the body, without its line ending.
pub(crate) struct Line {
    /// Its offset in the file.
    pub(crate) start: usize,
    end: usize,
    pub(crate) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Prose,
    /// The line that opens or closes a code block.
    Fence,
    /// A line of a code block.
    Code,
}

impl<'t> Markdown<'t> {
    /// Parses the body at `range` of the file `text`.
    ///
    /// Indented code without a fence counts as prose.
    pub(crate) fn parse(text: &'t str, range: Range<usize>) -> Self {
        // An estimate: lines of prose are longer, but many lines are blank.
        let mut lines = Vec::with_capacity(range.len() / 32 + 1);
        let mut blocks = Blocks::default();
        let mut start = range.start;
        let body = &text[range.clone()];
        let ends = memchr_iter(b'\n', body.as_bytes()).map(|end| range.start + end + 1);
        let rest = (!body.ends_with('\n')).then_some(range.end).filter(|_| !body.is_empty());
        for end in ends.chain(rest) {
            let line = &text[start..end];
            let content = line.strip_suffix('\n').unwrap_or(line);
            let content = content.strip_suffix('\r').unwrap_or(content);
            let kind = match blocks.read(content) {
                LineKind::Prose if content.len() > MAX_LINE => LineKind::Code,
                kind => kind,
            };
            lines.push(Line { start, end: start + content.len(), kind });
            start = end;
        }
        Self { text, range, lines }
    }

    /// Returns the body.
    pub(crate) fn text(&self) -> &'t str {
        &self.text[self.range.clone()]
    }

    /// Returns the offset of the body in the file.
    pub(crate) fn start(&self) -> usize {
        self.range.start
    }

    /// Returns the line that contains an offset in the body.
    pub(crate) fn line_at(&self, offset: usize) -> Option<&Line> {
        let after = self.lines.partition_point(|line| line.start <= self.range.start + offset);
        self.lines.get(after.checked_sub(1)?)
    }

    /// Returns whether the body contains a text. Faster than checking each line.
    pub(crate) fn contains(&self, what: &str) -> bool {
        memmem::find(self.text().as_bytes(), what.as_bytes()).is_some()
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    pub(crate) fn content(&self, line: &Line) -> &'t str {
        &self.text[line.start..line.end]
    }

    /// Returns the code spans of a line as ranges in the line. Only prose has code spans.
    pub(crate) fn spans(&self, line: &Line) -> Vec<Range<usize>> {
        if line.kind == LineKind::Prose { spans(self.content(line)).collect() } else { Vec::new() }
    }

    /// Returns the position of an offset in the file.
    pub(crate) fn position(&self, offset: usize) -> Position {
        Position::from_offset(self.text, offset)
    }
}

/// The block that is open while a text is read line by line.
///
/// In case of doubt, a line is prose: a code block ends with the quotation or the list that it
/// started in, and cannot start within HTML.
#[derive(Default)]
struct Blocks {
    code: Option<CodeBlock>,
    /// The open HTML, which ends at this tag, or at a blank line if it is empty.
    html: Option<&'static str>,
}

/// An open code block.
struct CodeBlock {
    mark: u8,
    /// The length of its fence.
    length: usize,
    is_quoted: bool,
    indent: usize,
}

/// The tags whose content is HTML up to the closing tag, even after a blank line.
const RAW_TAGS: [(&str, &str); 4] = [
    ("pre", "</pre>"),
    ("script", "</script>"),
    ("style", "</style>"),
    ("textarea", "</textarea>"),
];

impl Blocks {
    /// Reads the next line.
    fn read(&mut self, line: &str) -> LineKind {
        let content = line.trim();
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(code) = &self.code {
            let is_left = (code.is_quoted && !content.starts_with('>'))
                || (!content.is_empty() && indent < code.indent);
            if !is_left {
                let closes = fence(line).is_some_and(|(mark, length, rest)| {
                    mark == code.mark && length >= code.length && rest.is_empty()
                });
                if closes {
                    self.code = None;
                    return LineKind::Fence;
                }
                return LineKind::Code;
            }
            self.code = None;
        }
        if let Some(tag) = self.html {
            let ends = if tag.is_empty() { content.is_empty() } else { content.contains(tag) };
            if ends {
                self.html = None;
            }
            return LineKind::Prose;
        }
        if let Some(rest) = content.strip_prefix('<') {
            let is_tag = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
            self.html = match RAW_TAGS.into_iter().find(|(tag, _)| rest.starts_with(tag)) {
                Some((_, close)) => (!content.contains(close)).then_some(close),
                None => is_tag.then_some(""),
            };
        } else if let Some((mark, length, _)) = fence(line) {
            let is_quoted = content.starts_with('>');
            self.code = Some(CodeBlock { mark, length, is_quoted, indent });
            return LineKind::Fence;
        }
        LineKind::Prose
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
fn spans(line: &str) -> impl Iterator<Item = Range<usize>> {
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
        let text = "a\n```sh\nb\n~~~\n```` c\n```\nd\n  ````md\n  ```\n  ````\ne\n~~~\nf";
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
