//! The parts of a Markdown text that rules need.

use helix_skills_format::Position;
use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Maximum number of blanks and marks of quotations and lists before the text of a line. They open
/// blocks, each of which the parser visits again in every line below.
const MAX_MARKS: usize = 200;

/// A body or another text of a skill. All offsets are in this text.
pub(crate) struct Markdown<'t> {
    file: &'t str,
    /// The offset of the text in the file.
    start: usize,
    pub(crate) text: &'t str,
    /// Code blocks with their fences, from top to bottom.
    pub(crate) blocks: Vec<Range<usize>>,
    /// The pieces of text in code blocks, from top to bottom.
    pub(crate) code: Vec<Range<usize>>,
    /// Code spans with their backticks, from top to bottom.
    pub(crate) spans: Vec<Range<usize>>,
    /// Links, images and definitions with a target of their own.
    pub(crate) links: Vec<(Range<usize>, String)>,
    /// Headings, from top to bottom.
    pub(crate) headings: Vec<(Range<usize>, HeadingLevel)>,
}

impl<'t> Markdown<'t> {
    /// Parses the text at `range` of a file, up to a line that is nested too deeply.
    pub(crate) fn parse(file: &'t str, range: Range<usize>) -> Self {
        let (start, text) = (range.start, &file[range]);
        let deep = lines(text).find(|(_, line)| line.split('\r').any(is_deep));
        let parsed = deep.map_or(text, |(at, _)| &text[..at]);
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let parser = Parser::new_ext(parsed, options);
        let definitions = parser.reference_definitions().iter();
        let links =
            definitions.map(|(_, link)| (link.span.clone(), link.dest.to_string())).collect();
        let (blocks, code, spans, headings) = Default::default();
        let mut markdown = Self { file, start, text, blocks, code, spans, links, headings };
        let mut in_block = false;
        for (event, range) in parser.into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(_)) => {
                    markdown.blocks.push(range);
                    in_block = true;
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Text(_) if in_block => markdown.code.push(range),
                Event::Code(_) => markdown.spans.push(range),
                Event::Start(
                    Tag::Link { link_type: LinkType::Inline, dest_url, .. }
                    | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
                ) => markdown.links.push((range, dest_url.into_string())),
                Event::Start(Tag::Heading { level, .. }) => markdown.headings.push((range, level)),
                _ => {}
            }
        }
        markdown.links.sort_unstable_by_key(|(range, _)| range.start);
        markdown
    }

    /// Returns the lines outside of code blocks with their offsets.
    pub(crate) fn prose(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let is_prose =
            |(at, line): &(usize, &str)| !overlaps(&self.blocks, &(*at..at + line.len() + 1));
        lines(self.text).filter(is_prose)
    }

    /// Returns whether an offset is in a code block or a code span.
    pub(crate) fn is_code(&self, at: usize) -> bool {
        [&self.blocks, &self.spans].into_iter().any(|code| overlaps(code, &(at..at + 1)))
    }

    /// Returns the position of an offset in the file.
    pub(crate) fn position(&self, offset: usize) -> Position {
        Position::from_offset(self.file, self.start + offset)
    }
}

/// Returns whether a line starts with more than [`MAX_MARKS`], including those of footnotes.
fn is_deep(line: &str) -> bool {
    let is_mark =
        |word: &str| word.is_empty() || word.ends_with(['>', '-', '+', '*', '.', ')', ':']);
    line.split_inclusive([' ', '\t', '>'])
        .take_while(|word| is_mark(word.trim()))
        .nth(MAX_MARKS)
        .is_some()
}

/// Returns the lines of a text without their endings, with their offsets.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = next;
        next += line.len();
        (at, line.trim_end_matches(['\r', '\n']))
    })
}

/// Returns whether one of the sorted ranges overlaps with `range`.
pub(crate) fn overlaps(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let after = ranges.partition_point(|other| other.end <= range.start);
    ranges.get(after).is_some_and(|other| other.start < range.end)
}

#[cfg(test)]
mod tests {
    use super::Markdown;

    #[test]
    fn parts_are_those_of_commonmark() {
        let text = "a `b\nc`\n\n> ~~~sh\n> `d`\n> ~~~\n\n    e\n\n`` ` `` \\`f\\`\n\ng\n=\n[h]: <i j> '`k`'";
        let file = format!("x{text}");
        let markdown = Markdown::parse(&file, 1..file.len());
        let shown = |ranges: &[std::ops::Range<usize>]| {
            ranges.iter().map(|range| text[range.clone()].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(shown(&markdown.blocks), ["~~~sh\n> `d`\n> ~~~", "e\n"]);
        assert_eq!(shown(&markdown.code), ["`d`\n", "e\n"]);
        assert_eq!(shown(&markdown.spans), ["`b\nc`", "`` ` ``"]);
        let prose: Vec<_> = markdown.prose().map(|(_, line)| line).collect();
        assert_eq!(
            prose,
            ["a `b", "c`", "", "", "", "`` ` `` \\`f\\`", "", "g", "=", "[h]: <i j> '`k`'"]
        );
        assert_eq!(markdown.headings.len(), 1);
        assert_eq!(markdown.links[0].1, "i j");
        assert_eq!(markdown.position(2).to_string(), "1:4");
    }

    /// Each open quotation would take time in each line below.
    #[test]
    fn t17_depth_of_nesting_is_limited() {
        for mark in ["> ", ">", "- ", "+\t", "* ", "1. ", "2) ", "[^1]: "] {
            let links = |depth| {
                let text = format!("[a](b)\n\ny\r{}x\n\n[c](d)\n", mark.repeat(depth));
                Markdown::parse(&text, 0..text.len()).links.len()
            };
            assert_eq!((links(10), links(100_000)), (2, 1), "{mark}");
        }
    }
}
