//! The positions of the frontmatter and the body in a file.

use crate::{Code, Finding, Position};
use std::ops::Range;

/// Maximum number of bytes between the two fences.
pub(super) const MAX_FRONTMATTER_BYTES: usize = 64 * 1024;

/// The positions of the parts of a SKILL.md, in lines from 1 and in byte offsets into the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layout {
    /// The line of the opening fence.
    pub opening: u32,
    /// The text between the fences.
    pub yaml: Range<usize>,
    /// The end of the closing fence's line.
    pub frontmatter_end: usize,
    /// The body without leading blank lines and trailing white space. If there is none, an empty
    /// range at the end of the file.
    pub body: Range<usize>,
    /// The first line that ends with a lone carriage return.
    pub(super) lone_cr: Option<u32>,
}

impl Layout {
    /// Returns the layout of a text without frontmatter.
    pub(super) fn of_body(text: &str) -> Self {
        let start = after_mark(text);
        let body = trimmed(text, start);
        Self { opening: 1, yaml: 0..0, frontmatter_end: start, body, lone_cr: None }
    }

    /// Returns the trimmed body of the parsed text.
    ///
    /// # Panics
    /// If `text` is shorter than the parsed text.
    #[must_use]
    pub fn body<'t>(&self, text: &'t str) -> &'t str {
        &text[self.body.clone()]
    }

    /// Returns the position of the opening fence.
    pub(super) fn top(&self) -> Position {
        Position { line: self.opening, column: 1 }
    }
}

/// Returns the length of the byte order mark.
fn after_mark(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

/// Finds the fences. Reads no further than the largest allowed frontmatter.
///
/// A fence is a line of exactly three hyphens and trailing spaces or tabs. Lines end with LF, CR LF
/// or, as in YAML, CR.
pub(super) fn find(text: &str) -> Result<Layout, Finding> {
    let start = after_mark(text);
    let mut lines = Lines {
        text: text.as_bytes(),
        end: window(text, start),
        at: start,
        number: 1,
        lone_cr: None,
    };
    let opening = loop {
        match lines.next() {
            Some(line) if is_blank(line.content) => {}
            Some(line) if is_fence(line.content) => break line.number,
            Some(line) => return Err(no_frontmatter(line.content, line.number)),
            None => return Err(no_frontmatter(b"", 1)),
        }
    };
    let yaml = lines.at;
    lines.end = window(text, yaml);
    let mut dots = None;
    let closing = loop {
        let Some(line) = lines.next() else {
            let cut = lines.end < text.len();
            return Err(if cut {
                too_large(opening)
            } else {
                unclosed(opening, dots, lines.lone_cr)
            });
        };
        if is_fence(line.content) {
            if line.start - yaml > MAX_FRONTMATTER_BYTES {
                return Err(too_large(opening));
            }
            break line.start;
        }
        if line.content.starts_with(b"...") && is_blank(&line.content[3..]) {
            dots.get_or_insert(line.number);
        }
    };
    let (frontmatter_end, body) = (lines.at, trimmed(text, lines.at));
    Ok(Layout { opening, yaml: yaml..closing, frontmatter_end, body, lone_cr: lines.lone_cr })
}

/// Returns the end of the largest allowed frontmatter at `start`, with room for the fence's line.
fn window(text: &str, start: usize) -> usize {
    start.saturating_add(MAX_FRONTMATTER_BYTES + 1024).min(text.len())
}

/// Iterates over lines that end before `end` or at the end of the text.
struct Lines<'t> {
    text: &'t [u8],
    end: usize,
    at: usize,
    number: u32,
    lone_cr: Option<u32>,
}

struct Line<'t> {
    start: usize,
    number: u32,
    content: &'t [u8],
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        let rest = &self.text[self.at..self.end];
        let length = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let cut = self.end < self.text.len() && length + 1 >= rest.len();
        if rest.is_empty() || cut {
            return None;
        }
        let ending = match rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r', ..] => {
                self.lone_cr.get_or_insert(self.number);
                1
            }
            [] => 0,
            _ => 1,
        };
        let line = Line { start: self.at, number: self.number, content: &rest[..length] };
        self.at += length + ending;
        self.number += 1;
        Some(line)
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|b| matches!(b, b' ' | b'\t'))
}

fn is_fence(line: &[u8]) -> bool {
    line.starts_with(b"---") && is_blank(&line[3..])
}

/// Returns the range of the body: without leading blank lines and trailing white space.
fn trimmed(text: &str, start: usize) -> Range<usize> {
    let raw = text[start..].trim_end();
    if raw.is_empty() {
        return text.len()..text.len();
    }
    let blank = &raw[..raw.len() - raw.trim_start().len()];
    let lines = blank.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    start + lines..start + raw.len()
}

fn no_frontmatter(line: &[u8], number: u32) -> Finding {
    let at = Position { line: number, column: 1 };
    let message = "a SKILL.md must begin with frontmatter between two `---` lines";
    let found = Finding::new(Code::NoFrontmatter, at, message);
    if line.trim_ascii_start().starts_with(b"---") {
        found.hint("a fence is exactly `---`, optionally followed by spaces")
    } else {
        found.hint("put `---`, `name: …`, `description: …` and `---` before the text, each on its own line")
    }
}

fn too_large(opening: u32) -> Finding {
    let message =
        format!("the frontmatter is larger than {MAX_FRONTMATTER_BYTES} bytes, or never closed");
    Finding::new(Code::TooLarge, Position { line: opening, column: 1 }, message)
        .hint("close it with a `---` line, and move long text to the body")
}

fn unclosed(opening: u32, dots: Option<u32>, lone_cr: Option<u32>) -> Finding {
    let message = "the frontmatter has no closing `---` line";
    let found =
        Finding::new(Code::UnclosedFrontmatter, Position { line: opening, column: 1 }, message);
    match (dots, lone_cr) {
        (Some(line), _) => {
            found.hint(format!("line {line} is `...`, which does not close it; write `---`"))
        }
        (None, Some(line)) => found.hint(format!("line {line} ends with a lone carriage return")),
        (None, None) => found.hint("the closing fence is exactly `---`, at the start of a line"),
    }
}
