//! Searches an index.

use super::{
    Hit,
    layout::{Layout, Postings, head, pair},
    ln::ln,
    stop_words::is_stop_word,
    words::lowercase,
};
use crate::{Skill, order::first, shared::Shared};
use alloc::{collections::BTreeSet, string::String, vec, vec::Vec};
use core::fmt;

/// Minimum number of characters of a word that matches longer words.
const MIN_PREFIX_CHARS: usize = 3;

/// An index of a set: bytes made at compile time for embedded skills, or by
/// [`SkillSet::index`](crate::SkillSet::index).
///
/// The ranking is BM25 as in the reference (`tiny-tfidf` 1.0.0, default parameters). A score is the
/// sum over the distinct words of the query, in its order, of
/// `idf · tf · 3 / (2 · (1/4 + 3/4 · length / average length) + tf)`, with
/// `idf = ln(skills + 1) − ln(skills with the word)`.
///
/// A search does not fail for any query. It allocates a score for each skill. Its time grows with
/// the length of the query and with the number of skills that contain its words.
///
/// The same skills give the same bytes on every platform, at compile time and at run time. Skills
/// after the first 256 MiB of text are not indexed. An index does not identify its skills: for
/// another set, its hits are meaningless.
#[derive(Clone, PartialEq, Eq)]
pub struct SearchIndex(pub(super) Shared<[u8]>);

impl SearchIndex {
    /// An index without skills.
    pub(crate) const EMPTY: Self = Self(Shared::Static(&[]));

    /// Returns the bytes of the index, for the macro.
    #[doc(hidden)]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of indexed skills.
    fn len(&self) -> usize {
        Layout::parse(&self.0).map_or(0, |layout| layout.norms.len())
    }

    /// Returns whether no skill can be found.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the `skills` that match `query`, in their order. `prefix` is the option of this
    /// name.
    pub(crate) fn hits<'s>(&self, query: &str, skills: &'s [Skill], prefix: bool) -> Vec<Hit<'s>> {
        let Some(layout) = Layout::parse(&self.0) else { return Vec::new() };
        let ln_documents = ln((layout.norms.len() as u32).saturating_add(1));
        let scores = Search { layout, prefix, ln_documents }.scores(query);
        let scores = skills.iter().zip(scores).filter(|(_, score)| *score > 0.0);
        scores.map(|(skill, score)| Hit { skill, score }).collect()
    }
}

impl Default for SearchIndex {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Debug for SearchIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchIndex")
            .field("len", &self.len())
            .field("bytes", &self.0.len())
            .finish()
    }
}

/// A search in progress.
struct Search<'a> {
    layout: Layout<'a>,
    prefix: bool,
    /// ln(documents + 1).
    ln_documents: f64,
}

/// The range of terms that a word of the query matches.
#[derive(Clone, Copy)]
struct TermRange {
    start: usize,
    end: usize,
    /// The length in bytes of the word in lowercase if longer terms match, else 0.
    bytes: usize,
}

impl Search<'_> {
    /// Returns the score of each document.
    fn scores(&self, query: &str) -> Vec<f64> {
        let mut scores = vec![0.0; self.layout.norms.len()];
        let (mut seen, mut lower) = (BTreeSet::new(), String::new());
        for word in self.layout.words.split(query) {
            lowercase(word.text, &mut lower);
            if let Some((terms, key)) = self.find(word.text, &lower)
                && seen.insert(key)
            {
                self.add(terms, &mut scores);
            }
        }
        scores
    }

    /// Finds the terms that a word matches, and a number that is unique to the word. `lower` is the
    /// word in lowercase.
    fn find(&self, word: &str, lower: &str) -> Option<(TermRange, usize)> {
        let bytes = lower.as_bytes();
        let head = head(bytes);
        let heads = |limit: u32| {
            self.layout.heads.partition_point(|bytes| u32::from_le_bytes(*bytes) < limit)
        };
        let (low, high) = (heads(head), head.checked_add(1).map_or(self.layout.heads.len(), heads));
        let start = first(low..high, |at| self.layout.term(at) >= bytes);
        let is_exact = start < self.layout.terms.len() && self.layout.term(start) == bytes;
        if !self.prefix {
            return is_exact.then_some((TermRange { start, end: start + 1, bytes: 0 }, start));
        }
        let end = if word.chars().nth(MIN_PREFIX_CHARS - 1).is_none() || is_stop_word(lower) {
            start + usize::from(is_exact)
        } else {
            first(start..self.layout.terms.len(), |at| !self.layout.term(at).starts_with(bytes))
        };
        let [text, _] = self.layout.ranges(start)?;
        // The word is a prefix of the first of these terms. No other word ends at the same offset.
        let bytes = bytes.len();
        (start < end)
            .then(|| (TermRange { start, end, bytes }, (text.start + bytes).saturating_sub(1)))
    }

    /// Adds the weights of the terms to the scores of the documents that contain them.
    fn add(&self, found: TermRange, scores: &mut [f64]) {
        for term in found.start..found.end {
            let Some([text, places]) = self.layout.ranges(term) else { return };
            let mut idf = self.ln_documents - ln(places.len() as u32);
            if found.bytes != 0 {
                idf *= found.bytes as f64 / text.len() as f64;
            }
            let mut add = |document: usize, count: f64| {
                if let (Some(norm), Some(score)) =
                    (self.layout.norms.get(document), scores.get_mut(document))
                {
                    *score += idf * count * 3.0 / (f64::from_le_bytes(*norm) + count);
                }
            };
            match self.layout.postings {
                Postings::Narrow(all) => {
                    for [low, high, count] in all.get(places).unwrap_or_default() {
                        if let Some(count) = self.layout.counts.get(usize::from(*count)) {
                            let document = u16::from_le_bytes([*low, *high]);
                            add(usize::from(document), f64::from_le_bytes(*count));
                        }
                    }
                }
                Postings::Wide(all) => {
                    for posting in all.get(places).unwrap_or_default() {
                        let [document, count] = pair(posting);
                        add(document, count as f64);
                    }
                }
            }
        }
    }
}
