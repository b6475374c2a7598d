//! Random texts for tests, the same in every run.

use alloc::string::String;

/// Returns the number of rounds to run: `count`, or a few under Miri, which is a thousand times
/// slower and checks memory accesses, not results.
pub(crate) fn rounds(count: usize) -> usize {
    if cfg!(miri) { count.min(10) } else { count }
}

/// Returns whether the samples covered a case more than `least` times; always true under Miri,
/// which runs too few.
pub(crate) fn are_enough(count: usize, least: usize) -> bool {
    cfg!(miri) || count > least
}

/// An endless iterator of texts of up to `longest` characters of an alphabet.
pub(crate) struct Samples {
    alphabet: &'static str,
    longest: u64,
    state: u64,
}

impl Samples {
    pub(crate) fn new(alphabet: &'static str, longest: u64) -> Self {
        Self { alphabet, longest, state: 0x9e37_79b9_7f4a_7c15 ^ longest }
    }

    /// Returns a number below `end`, by xorshift.
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
