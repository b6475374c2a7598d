//! Builds indexes.

use super::{
    IndexOptions, SearchIndex,
    layout::{HEADER, head},
    stop_words::is_stop_word,
    words::lowercase,
};
use crate::{Skill, SkillSet, shared::Shared};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// Maximum number of indexed bytes, which keeps every number in an index below 2³².
const MAX_TEXT: usize = 1 << 28;

impl SkillSet<'_> {
    /// Indexes the skills at run time. Embedded sets have an index made at compile time.
    ///
    /// ```
    /// use helix_skills::search::{IndexOptions, SearchOptions, Words};
    /// # use helix_skills::{Skill, SkillSet, skill_set};
    /// # const CI: Skill = Skill::define("ci", "Сборка", "…").build();
    /// # const PDF: Skill = Skill::define("pdf", "读取文件", "…").build();
    /// # static SKILLS: SkillSet = skill_set![CI, PDF];
    /// let index = SKILLS.index(&IndexOptions::new().words(Words::Unicode));
    /// let hits = SKILLS.with_index(&index).search("文件", &SearchOptions::new());
    /// assert_eq!(hits[0].skill.name(), "pdf");
    /// ```
    #[must_use]
    pub fn index(&self, options: &IndexOptions) -> SearchIndex {
        let mut corpus = Corpus::default();
        let mut room = MAX_TEXT;
        for skill in self.skills {
            let fields = fields(skill, options);
            match fields.iter().try_fold(room, |room, field| room.checked_sub(field.len() + 1)) {
                Some(left) => room = left,
                None => break,
            }
            corpus.add(&fields, options);
        }
        SearchIndex(Shared::new(corpus.bytes(options)))
    }
}

/// Returns the texts of a skill that are indexed.
fn fields<'a>(skill: &'a Skill, options: &IndexOptions) -> [&'a str; 4] {
    [
        skill.name(),
        skill.description(),
        skill.when_to_use().filter(|_| options.when_to_use).unwrap_or_default(),
        if options.body { skill.body() } else { "" },
    ]
}

/// A document that contains a term, and how often.
struct Posting {
    document: u32,
    count: u32,
}

#[derive(Default)]
struct Corpus {
    /// The number of words of each document, including stop words.
    lengths: Vec<u32>,
    terms: BTreeMap<String, Vec<Posting>>,
    /// The current word in lowercase.
    lower: String,
}

impl Corpus {
    fn add(&mut self, fields: &[&str], options: &IndexOptions) {
        let document = self.lengths.len() as u32;
        let mut length = 0;
        for field in fields {
            for word in options.words.split(field) {
                length += 1;
                self.count(document, word.text);
                let mut chars = word.alone;
                while let Some(c) = chars.chars().next() {
                    let (alone, rest) = chars.split_at(c.len_utf8());
                    self.count(document, alone);
                    chars = rest;
                }
            }
        }
        self.lengths.push(length);
    }

    fn count(&mut self, document: u32, word: &str) {
        lowercase(word, &mut self.lower);
        if let Some(postings) = self.terms.get_mut(&self.lower) {
            match postings.last_mut() {
                Some(last) if last.document == document => last.count += 1,
                _ => postings.push(Posting { document, count: 1 }),
            }
        } else if !is_stop_word(&self.lower) {
            self.terms.insert(self.lower.clone(), [Posting { document, count: 1 }].into());
        }
    }

    fn bytes(&self, options: &IndexOptions) -> Vec<u8> {
        // Loops, because each flattening iterator adapter would add several hundred lines of code
        // to the first build of every agent.
        let mut counts = Vec::new();
        for postings in self.terms.values() {
            for posting in postings {
                if let Err(at) = counts.binary_search(&posting.count) {
                    counts.insert(at, posting.count);
                }
            }
        }
        let wide = self.lengths.len() > 1 << 16 || counts.len() > 1 << 8;
        if wide {
            counts.clear();
        }
        let text: usize = self.terms.keys().map(String::len).sum();
        let postings: usize = self.terms.values().map(Vec::len).sum();
        let (norms, terms) = (self.norms(), self.terms.len());
        let size = HEADER + 8 * (norms.len() + counts.len()) + 12 * terms + text;
        let mut bytes = Vec::with_capacity(size + postings * if wide { 8 } else { 3 });
        bytes.extend_from_slice(&[options.words as u8, u8::from(wide), 0, 0]);
        for number in [norms.len(), counts.len(), terms, postings, text] {
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        for norm in norms {
            bytes.extend_from_slice(&norm.to_le_bytes());
        }
        for count in &counts {
            bytes.extend_from_slice(&f64::from(*count).to_le_bytes());
        }
        for term in self.terms.keys() {
            bytes.extend_from_slice(&head(term.as_bytes()).to_le_bytes());
        }
        let (mut text_end, mut postings_end) = (0, 0);
        for (term, postings) in &self.terms {
            text_end += term.len() as u32;
            postings_end += postings.len() as u32;
            bytes.extend_from_slice(&text_end.to_le_bytes());
            bytes.extend_from_slice(&postings_end.to_le_bytes());
        }
        for postings in self.terms.values() {
            for posting in postings {
                if wide {
                    bytes.extend_from_slice(&posting.document.to_le_bytes());
                    bytes.extend_from_slice(&posting.count.to_le_bytes());
                } else {
                    let count = counts.partition_point(|count| *count < posting.count);
                    bytes.extend_from_slice(&(posting.document as u16).to_le_bytes());
                    bytes.push(count as u8);
                }
            }
        }
        for term in self.terms.keys() {
            bytes.extend_from_slice(term.as_bytes());
        }
        bytes
    }

    /// Returns the effect of each document's length on the weights of its terms: K1 · (1 − b + b ·
    /// length / average length).
    fn norms(&self) -> Vec<f64> {
        let total: f64 = self.lengths.iter().map(|length| f64::from(*length)).sum();
        let average = total / self.lengths.len() as f64;
        // A corpus without words has an average of 0, and no hits.
        let ratio = |length: u32| if length == 0 { 0.0 } else { f64::from(length) / average };
        self.lengths.iter().map(|length| 2.0 * (1.0 - 0.75 + 0.75 * ratio(*length))).collect()
    }
}
