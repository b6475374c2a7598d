//! The index compared with a naive ranking over maps of words, on generated corpora.

use crate::search::corpus::{Dice, skills, text};
use crate::search::{index, search};
use helix_skills_runtime::SearchOptions;
use std::collections::BTreeMap;

/// Returns the words of a text as the reference splits it.
fn words(text: &str) -> Vec<String> {
    let holds = |c: char| {
        c.is_ascii_alphanumeric()
            || (('\u{c0}'..='\u{ff}').contains(&c) && c != '\u{d7}' && c != '\u{f7}')
    };
    text.split(|c| !holds(c))
        .map(str::to_lowercase)
        .filter(|word| word.chars().count() > 1 || word == "a" || word == "i")
        .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
        .collect()
}

struct Naive {
    documents: Vec<BTreeMap<String, f64>>,
    lengths: Vec<f64>,
}

impl Naive {
    fn new(skills: &[(String, String)]) -> Self {
        let texts: Vec<_> =
            skills.iter().map(|(name, text)| words(&format!("{name} {text}"))).collect();
        let count = |words: &Vec<String>| {
            let mut counts = BTreeMap::new();
            for word in words {
                *counts.entry(word.clone()).or_insert(0.0) += 1.0;
            }
            counts
        };
        Self {
            lengths: texts.iter().map(|words| words.len() as f64).collect(),
            documents: texts.iter().map(count).collect(),
        }
    }

    fn weight(&self, word: &str, document: usize) -> f64 {
        let all = self.documents.len() as f64;
        let holding =
            self.documents.iter().filter(|counts| counts.contains_key(word)).count() as f64;
        let average = self.lengths.iter().sum::<f64>() / all;
        self.documents[document].get(word).map_or(0.0, |count| {
            let norm = 2.0 * (0.25 + 0.75 * (self.lengths[document] / average));
            ((all + 1.0).ln() - holding.ln()) * count * 3.0 / (norm + count)
        })
    }

    /// Returns scores by document. With `prefix`, words of the query match words that start with
    /// them.
    fn search(&self, query: &str, prefix: bool, stop: &[&str]) -> BTreeMap<usize, f64> {
        let mut unique: Vec<String> = Vec::new();
        for word in words(query) {
            if !unique.contains(&word) && !stop.contains(&word.as_str()) {
                unique.push(word);
            }
        }
        (0..self.documents.len())
            .map(|document| {
                let mut score = 0.0;
                for word in &unique {
                    if prefix && word.chars().count() > 2 {
                        let longer = self.documents[document]
                            .keys()
                            .filter(|term| term.starts_with(word.as_str()));
                        for term in longer.filter(|term| !stop.contains(&term.as_str())) {
                            score += self.weight(term, document)
                                * (word.len() as f64 / term.len() as f64);
                        }
                    } else {
                        score += self.weight(word, document);
                    }
                }
                (document, score)
            })
            .filter(|(_, score)| *score > 0.0)
            .collect()
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of searches")]
fn results_equal_those_of_a_naive_ranking() {
    // The stop words among the generated words; `not` and `on` are prefixes of others.
    let stop = ["the", "and", "with", "not", "on", "a", "i"];
    for seed in 0..14 {
        let mut dice = Dice::new(seed);
        // Around the sizes of both windows.
        let skills = skills(&mut dice, [0, 1, 7, 60, 255, 256, 257][seed as usize % 7]);
        let index = index(&skills);
        let naive = Naive::new(&skills);
        for _ in 0..6 {
            let words = dice.below(12);
            let query = text(&mut dice, words);
            for prefix in [false, true] {
                let expected = naive.search(&query, prefix, &stop);
                let found =
                    search(&index, &query, SearchOptions::new().prefix(prefix), skills.len());
                assert!(
                    found.is_sorted_by(|a, b| a.1 > b.1 || (a.1 == b.1 && a.0 < b.0)),
                    "{seed} {query}: {found:?}"
                );
                let found: BTreeMap<usize, f64> = found.into_iter().collect();
                assert!(found.keys().eq(expected.keys()), "{seed} {query}: {found:?} {expected:?}");
                for (found, expected) in found.values().zip(expected.values()) {
                    assert!((found - expected).abs() < 1e-9, "{seed} {query}: {found} {expected}");
                }
            }
        }
    }
}
