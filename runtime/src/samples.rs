//! Texts for tests: many, odd, and the same in every run.

use alloc::string::String;

/// How many of `count` rounds are enough: all; a few for Miri, which is a thousand times slower and looks for something else.
pub(crate) fn rounds(count: usize) -> usize {
    if cfg!(miri) { count.min(10) } else { count }
}

/// Whether samples met a case more than `least` times, as they should; Miri has too few to ask.
pub(crate) fn are_enough(count: usize, least: usize) -> bool {
    cfg!(miri) || count > least
}

/// Texts of up to `longest` characters of an alphabet, without end.
pub(crate) struct Samples {
    alphabet: &'static str,
    longest: u64,
    state: u64,
}

impl Samples {
    pub(crate) fn new(alphabet: &'static str, longest: u64) -> Self {
        Self { alphabet, longest, state: 0x9e37_79b9_7f4a_7c15 ^ longest }
    }

    /// A number below `end`, by xorshift.
    fn below(&mut self, end: u64) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % end) as usize
    }
}

impl Iterator for Samples {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let letters = self.alphabet.chars().count() as u64;
        let len = self.below(self.longest + 1);
        Some((0..len).filter_map(|_| self.alphabet.chars().nth(self.below(letters))).collect())
    }
}
