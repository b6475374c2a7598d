//! The output of a program, up to a limit.

use helix_skills_agent::{
    __internal::truncate_bytes,
    shell::{ExitStatus, ProcessOutput},
};
use std::time::Duration;

/// The result of a read that does not wait forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Output was captured, or there may be some now.
    Some,
    /// There was no output in time.
    Nothing,
    /// All writers have closed the pipe.
    Closed,
}

/// The start of a program's output, in bounded memory.
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
        let remaining = self.limit - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..remaining.min(bytes.len())]);
        self.total += bytes.len() as u64;
    }

    /// Converts the output to text. It stays within the limit, although U+FFFD is longer than the
    /// byte that it replaces.
    pub(crate) fn output(self, exit: ExitStatus, time: Duration) -> ProcessOutput {
        let mut text = String::new();
        let mut consumed = 0;
        let is_cut = self.total > self.bytes.len() as u64;
        for chunk in self.bytes.utf8_chunks() {
            let valid = truncate_bytes(chunk.valid(), self.limit - text.len());
            text.push_str(valid);
            consumed += valid.len();
            let invalid = chunk.invalid();
            // The last character may be incomplete because of the limit.
            let is_unfinished = is_cut && consumed + invalid.len() == self.bytes.len();
            if valid.len() < chunk.valid().len()
                || is_unfinished
                || self.limit - text.len() < '\u{fffd}'.len_utf8()
            {
                break;
            }
            if !invalid.is_empty() {
                text.push('\u{fffd}');
                consumed += invalid.len();
            }
        }
        let mut output = ProcessOutput::new(text, exit, time);
        output.left_out = self.total - consumed as u64;
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(bytes: &[u8], limit: usize) -> (String, u64) {
        let mut captured = CapturedOutput::new(limit);
        bytes.chunks(3).for_each(|chunk| captured.push(chunk));
        assert!(captured.bytes.len() <= limit);
        let output = captured.output(ExitStatus::Code(0), Duration::ZERO);
        (output.text, output.left_out)
    }

    #[test]
    fn cuts_between_characters_and_counts_omitted_bytes() {
        for (bytes, limit, text, left_out) in [
            ("".as_bytes(), 0, "", 0),
            (b"abc", 3, "abc", 0),
            (b"abcd", 3, "abc", 1),
            (b"abcd", 0, "", 4),
            ("aéé".as_bytes(), 4, "aé", 2),
            ("a𝄞b".as_bytes(), 4, "a", 5),
            ("a𝄞".as_bytes(), 5, "a𝄞", 0),
            // Incomplete in the output itself.
            (b"a\xf0\x9d", 9, "a\u{fffd}", 0),
            (b"\xff\xff\xff", 9, "\u{fffd}\u{fffd}\u{fffd}", 0),
            (b"\xff\xff\xff", 8, "\u{fffd}\u{fffd}", 1),
            (b"a\xffb", 3, "a", 2),
            (b"a\xffbc", 5, "a\u{fffd}b", 1),
        ] {
            assert_eq!(capture(bytes, limit), (text.to_owned(), left_out), "{bytes:?} {limit}");
        }
    }
}
