//! Generated skills with a realistic distribution of words: a few common ones and many rare ones.

/// A pseudorandom number generator, with the same numbers in every run.
pub struct Dice(u64);

impl Dice {
    /// Makes a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number from 0 up to, but not including, 1.
    pub fn share(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }
}

/// A generated skill.
pub struct Skill {
    /// Its unique name.
    pub name: String,
    /// 12 to 40 words.
    pub description: String,
}

/// Generated words; the frequency of the n-th one is proportional to 1/n.
pub struct Vocabulary {
    words: Vec<String>,
    /// The cumulative frequency up to each word.
    ends: Vec<f64>,
}

impl Vocabulary {
    /// Generates `count` words.
    pub fn new(count: usize) -> Self {
        let mut dice = Dice::new(1);
        let mut words = Vec::with_capacity(count);
        let mut ends = Vec::with_capacity(count);
        let mut end = 0.0;
        while words.len() < count {
            let syllables = 2 + dice.below(3);
            let syllable = |_| {
                let consonant = char::from(b"bcdfghjklmnprstvwz"[dice.below(18)]);
                [consonant, char::from(b"aeiou"[dice.below(5)])]
            };
            words.push((0..syllables).flat_map(syllable).collect());
            end += 1.0 / (words.len() as f64 + 10.0);
            ends.push(end);
        }
        Self { words, ends }
    }

    /// Generates a text of `words` words, a third of them stop words.
    pub fn text(&self, dice: &mut Dice, words: usize) -> String {
        let mut text = String::new();
        for _ in 0..words {
            let word = match dice.below(3) {
                0 => ["the", "and", "with", "for", "to", "of", "when", "this"][dice.below(8)],
                _ => {
                    let share = dice.share() * self.ends[self.ends.len() - 1];
                    &self.words[self.ends.partition_point(|end| *end < share)]
                }
            };
            text.push_str(word);
            text.push(' ');
        }
        text
    }

    /// Generates `count` skills.
    pub fn skills(&self, dice: &mut Dice, count: usize) -> Vec<Skill> {
        let mut skill = |at| {
            let name = format!("{}-{at}x", self.words[dice.below(self.words.len())]);
            let words = 12 + dice.below(29);
            Skill { name, description: self.text(dice, words) }
        };
        (0..count).map(&mut skill).collect()
    }
}
