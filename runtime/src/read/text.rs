//! The text of a file, by lines.

use crate::{Skill, scalars::floor};

/// Returns the text of a skill's `SKILL.md`, as `read_skill_file` has it.
#[must_use]
pub fn skill_md_text(skill: &Skill) -> [&str; 6] {
    Text::skill_md(skill).0
}

/// Concatenated pieces of text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a>(pub(super) [&'a str; 6]);

impl<'a> Text<'a> {
    /// Returns the exact bytes of the file. For a skill that was defined in code and has none,
    /// returns frontmatter with its name and description, and its body. This text parses again if
    /// the description is a single line.
    pub(super) fn skill_md(skill: &'a Skill) -> Self {
        match skill.skill_md() {
            ["", body, ""] => {
                let (name, description) = (skill.name(), skill.description());
                Self([
                    "---\nname: \"",
                    name,
                    "\"\ndescription: |-\n  ",
                    description,
                    "\n---\n\n",
                    body,
                ])
            }
            [frontmatter, body, trailing] => Self([frontmatter, body, trailing, "", "", ""]),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    pub(super) fn line_feeds(&self) -> usize {
        self.0.iter().map(|piece| line_feeds(piece.as_bytes())).sum()
    }

    pub(super) fn ends_line(&self) -> bool {
        self.0
            .iter()
            .rev()
            .find(|piece| !piece.is_empty())
            .is_none_or(|piece| piece.ends_with('\n'))
    }

    /// Returns the number of lines. Text after the last line feed counts as one.
    pub(super) fn lines(&self) -> usize {
        self.line_feeds() + usize::from(!self.ends_line())
    }

    /// Returns the start of line `number`, counted from 1, or the end of the text if there are
    /// fewer lines.
    pub(super) fn line_start(&self, number: usize) -> usize {
        let (mut start, mut left) = (0, number.saturating_sub(1));
        // Counting line feeds in blocks is much faster than finding each of them.
        for block in self.0.iter().flat_map(|piece| piece.as_bytes().chunks(255)) {
            if left == 0 {
                break;
            }
            let count = line_feeds(block);
            if count < left {
                (start, left) = (start + block.len(), left - count);
            } else {
                let mut ends = block.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
                return start + ends.nth(left - 1).map_or(block.len(), |(at, _)| at + 1);
            }
        }
        start
    }

    /// Returns the text from one byte to another. An offset inside a character is moved to its
    /// start.
    pub(super) fn slice(&self, start: usize, end: usize) -> Self {
        let mut before = 0;
        Self(self.0.map(|piece| {
            let place = |at: usize| floor(piece, at.saturating_sub(before));
            let (from, to) = (place(start), place(end));
            before += piece.len();
            &piece[from..to]
        }))
    }
}

#[inline(never)] // large, and used for each piece
fn line_feeds(bytes: &[u8]) -> usize {
    // In blocks whose count fits into a byte, so that the compiler can vectorize the sum.
    let blocks = bytes.chunks(usize::from(u8::MAX));
    blocks
        .map(|block| usize::from(block.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>()))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec::Vec};

    #[test]
    #[cfg_attr(miri, ignore = "hundreds of lines, each searched from the start")]
    fn lines_start_where_the_previous_one_ends() {
        for len in [0, 1, 254, 255, 256, 600] {
            let content: String =
                (0..len).map(|at| if at % 7 == len % 7 { '\n' } else { 'x' }).collect();
            let text = Text(["", &content, "\n\n", "", &content, ""]);
            let whole = text.0.concat();
            let starts: Vec<_> =
                [0].into_iter().chain(whole.match_indices('\n').map(|(at, _)| at + 1)).collect();
            for (at, start) in starts.iter().enumerate() {
                assert_eq!(text.line_start(at + 1), *start);
            }
            assert_eq!(text.line_start(starts.len() + 1), whole.len());
        }
    }
}
