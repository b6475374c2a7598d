//! What a program prints, up to a limit.

use helix_skills_agent::{
    __internal::truncate_bytes,
    live::{ExitStatus, ProcessOutput},
};

/// The start of what a program prints, in bounded memory.
#[derive(Debug)]
pub(crate) struct CapturedOutput {
    bytes: Vec<u8>,
    limit: usize,
    total: u64,
}

impl CapturedOutput {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, total: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.total += bytes.len() as u64;
    }

    /// The output as text that is within the limit too, although U+FFFD is longer than the byte that it
    /// replaces.
    pub(crate) fn output(self, exit: ExitStatus) -> ProcessOutput {
        let mut text = String::new();
        let mut shown = 0;
        let is_cut = self.total > self.bytes.len() as u64;
        for chunk in self.bytes.utf8_chunks() {
            let valid = truncate_bytes(chunk.valid(), self.limit - text.len());
            text.push_str(valid);
            shown += valid.len();
            let invalid = chunk.invalid();
            // The last character may be one that the limit has cut.
            let is_unfinished = is_cut && shown + invalid.len() == self.bytes.len();
            if valid.len() < chunk.valid().len()
                || is_unfinished
                || self.limit - text.len() < '\u{fffd}'.len_utf8()
            {
                break;
            }
            if !invalid.is_empty() {
                text.push('\u{fffd}');
                shown += invalid.len();
            }
        }
        ProcessOutput::new(text, exit).with_left_out(self.total - shown as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8], limit: usize) -> (String, u64) {
        let mut said = CapturedOutput::new(limit);
        bytes.chunks(3).for_each(|chunk| said.push(chunk));
        assert!(said.bytes.len() <= limit);
        let output = said.output(ExitStatus::Code(0));
        (output.text, output.left_out)
    }

    #[test]
    fn a_text_is_cut_between_characters_and_the_rest_is_counted() {
        for (bytes, limit, text, left_out) in [
            ("".as_bytes(), 0, "", 0),
            (b"abc", 3, "abc", 0),
            (b"abcd", 3, "abc", 1),
            (b"abcd", 0, "", 4),
            ("aéé".as_bytes(), 4, "aé", 2),
            ("a𝄞b".as_bytes(), 4, "a", 5),
            ("a𝄞".as_bytes(), 5, "a𝄞", 0),
            // Unfinished by its author.
            (b"a\xf0\x9d", 9, "a\u{fffd}", 0),
            (b"\xff\xff\xff", 9, "\u{fffd}\u{fffd}\u{fffd}", 0),
            (b"\xff\xff\xff", 8, "\u{fffd}\u{fffd}", 1),
            (b"a\xffb", 3, "a", 2),
            (b"a\xffbc", 5, "a\u{fffd}b", 1),
        ] {
            assert_eq!(said(bytes, limit), (text.to_owned(), left_out), "{bytes:?} {limit}");
        }
    }
}
