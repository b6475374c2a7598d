//! What a program said, and how it ended.

use std::fmt;

/// What a program said, on both outputs, and how it ended: [`Shell`](crate::Shell)s answer with it.
///
/// ```
/// use helix_skills_host::{Exit, ProcessOutput};
/// let output = ProcessOutput::new("fatal: not a git repository\n", Exit::Code(128));
/// assert!(!output.exit.is_success());
/// assert_eq!(output.exit.to_string(), "ended with exit code 128");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessOutput {
    /// The text, up to the limit; what is not UTF-8 is U+FFFD.
    pub text: String,
    /// How many bytes more there were.
    pub left_out: u64,
    /// How it ended.
    pub exit: Exit,
}

impl ProcessOutput {
    /// All that a program said, and how it ended.
    #[must_use]
    pub fn new(text: impl Into<String>, exit: Exit) -> Self {
        Self { text: text.into(), left_out: 0, exit }
    }

    /// The same, of which not all is there: so many bytes more there were.
    #[must_use]
    pub const fn cut(mut self, left_out: u64) -> Self {
        self.left_out = left_out;
        self
    }
}

/// How a program ended. `Display` is the rest of a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Exit {
    /// By itself, with this code; 0 is success.
    Code(i32),
    /// By a signal that came from elsewhere.
    Signal(i32),
    /// It was killed, because its time was up.
    TimedOut,
}

impl Exit {
    /// Whether it ended by itself, with 0.
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "ended with exit code {code}"),
            Self::Signal(signal) => write!(f, "was ended by signal {signal}"),
            Self::TimedOut => f.write_str("did not end in time, and was killed"),
        }
    }
}

/// The beginning of what is said, in bounded memory.
#[derive(Debug)]
pub(crate) struct Said {
    bytes: Vec<u8>,
    limit: usize,
    total: u64,
}

impl Said {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, total: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.bytes.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.total += bytes.len() as u64;
    }

    /// As text that is no longer than the limit either, although U+FFFD is longer than what it stands for.
    pub(crate) fn output(self, exit: Exit) -> ProcessOutput {
        let mut text = String::new();
        let mut shown = 0;
        let is_cut = self.total > self.bytes.len() as u64;
        for chunk in self.bytes.utf8_chunks() {
            let valid = up_to(chunk.valid(), self.limit - text.len());
            text.push_str(valid);
            shown += valid.len();
            let invalid = chunk.invalid();
            // The last character may be one that the limit has cut.
            let is_unfinished = is_cut && shown + invalid.len() == self.bytes.len();
            if valid.len() < chunk.valid().len() || is_unfinished || self.limit - text.len() < '\u{fffd}'.len_utf8() {
                break;
            }
            if !invalid.is_empty() {
                text.push('\u{fffd}');
                shown += invalid.len();
            }
        }
        ProcessOutput { text, left_out: self.total - shown as u64, exit }
    }
}

/// The beginning of a text, of whole characters, so many bytes at most.
pub(crate) fn up_to(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8], limit: usize) -> (String, u64) {
        let mut said = Said::new(limit);
        bytes.chunks(3).for_each(|chunk| said.push(chunk));
        assert!(said.bytes.len() <= limit);
        let output = said.output(Exit::Code(0));
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
