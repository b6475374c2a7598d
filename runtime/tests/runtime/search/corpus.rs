//! Generated skills, the same for the same seed.

/// Pseudorandom numbers: xorshift64*.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }

    pub(crate) fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

const WORDS: [&str; 28] = [
    "deploy",
    "Deployment",
    "deployed",
    "dep",
    "the",
    "AND",
    "with",
    "not",
    "note",
    "notes",
    "on",
    "one",
    "online",
    "café",
    "CAFÉ",
    "H2",
    "2nd",
    "42",
    "x",
    "a",
    "I",
    "Straße",
    "naïve",
    "server",
    "serverless",
    "serve",
    "技能",
    "навык",
];

/// Returns `count` words with various separators.
pub(crate) fn text(dice: &mut Dice, words: usize) -> String {
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(dice.of(&WORDS));
        text.push_str(dice.of(&[" ", "-", "/", ", ", "\n", "é", "1"]));
    }
    text
}

/// Returns `count` skills of up to 40 words, with distinct names, sorted.
pub(crate) fn skills(dice: &mut Dice, count: usize) -> Vec<(String, String)> {
    let mut skill = |at| {
        let words = dice.below(40);
        (format!("{}-{at}n", dice.of(&WORDS)), text(dice, words))
    };
    let mut skills: Vec<_> = (0..count).map(&mut skill).collect();
    skills.sort();
    skills
}
