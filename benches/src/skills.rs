//! Skills with the shape of real ones: few words that all use, many that few do.

/// Numbers that look random, the same in every run.
pub struct Dice(u64);

impl Dice {
    /// Dice of which these numbers follow.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 up to, not including, 1.
    pub fn share(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }
}

/// What a skill says of itself.
pub struct Skill {
    /// Its unique name.
    pub name: String,
    /// 12 to 40 words.
    pub description: String,
}

/// Made-up words, of which the n-th is used as often as 1/n says.
pub struct Vocabulary {
    words: Vec<String>,
    /// Up to which share of all uses each word goes.
    ends: Vec<f64>,
}

impl Vocabulary {
    /// So many words.
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

    /// So many words of a text, one in three of them such that says nothing.
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

    /// So many skills.
    pub fn skills(&self, dice: &mut Dice, count: usize) -> Vec<Skill> {
        let mut skill = |at| {
            let name = format!("{}-{at}x", self.words[dice.below(self.words.len())]);
            let words = 12 + dice.below(29);
            Skill { name, description: self.text(dice, words) }
        };
        (0..count).map(&mut skill).collect()
    }
}
