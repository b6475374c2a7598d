//! Searches an index.

use super::{
    Classifier, Hit, Ranking, SearchOptions,
    layout::{Layout, Postings, head, pair},
    ln::ln,
    stop_words::is_stop_word,
    words::Lower,
};
use crate::{Error, shared::Shared};
use alloc::{borrow::Cow, collections::BTreeSet, vec, vec::Vec};
use core::{cmp::Ordering, fmt};

/// The weights of words are added in passes over the keys of [`Search::find`], and in the order of
/// the query within a pass. Another number would change the last bits of scores in large indexes.
const KEYS_PER_PASS: usize = 1 << 16;
/// Minimum number of characters of a word that matches longer words.
const MIN_PREFIX_CHARS: usize = 3;

/// An index of a corpus, as a view of bytes made at compile time for baked skills or by
/// [`build`](Self::build).
///
/// The ranking is BM25 as in the reference (`tiny-tfidf` 1.0.0, default parameters). A score is the
/// sum over the distinct words of the query, in its order, of
/// `idf · tf · 3 / (2 · (1/4 + 3/4 · length / average length) + tf)`, with
/// `idf = ln(documents + 1) − ln(documents with the word)`. In an index of more than 65,536 terms
/// the order of the sum can differ, and with it the last bits of a score.
///
/// A search does not fail for any query. It allocates a score for each document. Its time grows
/// with the length of the query and with the number of documents that contain its words.
///
/// ```
/// # use helix_skills::search::{Document, Hit, IndexOptions, SearchIndex, SearchOptions};
/// let skills = [
///     Document::new("pdf", "Reads PDF files."),
///     Document::new("deploy", "Deploys to production."),
/// ];
/// let index = SearchIndex::build(skills, &IndexOptions::new());
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = index.search("Read this PDF!", &SearchOptions::new(), &mut hits);
/// assert_eq!(hits[0].document, 0);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SearchIndex(pub(super) Shared<[u8]>);

impl SearchIndex {
    /// An index without documents.
    pub const EMPTY: Self = Self(Shared::Static(&[]));

    /// Parses an index from bytes that [`as_bytes`](Self::as_bytes) returned in the same version of
    /// this crate.
    ///
    /// ```
    /// use helix_skills::search::SearchIndex;
    /// assert!(SearchIndex::parse(b"of another program").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid index, which has to be rebuilt. Everything that a search relies
    /// on is checked.
    pub fn parse(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, Error> {
        let bytes = match bytes.into() {
            Cow::Borrowed(bytes) => Shared::Static(bytes),
            Cow::Owned(bytes) => Shared::new(bytes),
        };
        super::check::check(&bytes).map(|()| Self(bytes))
    }

    /// Returns the bytes of the index, which [`parse`](Self::parse) accepts.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of documents that can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        Layout::parse(&self.0).map_or(0, |layout| layout.norms.len())
    }

    /// Returns the number of documents that were indexed, an upper limit for the positions of hits.
    /// It exceeds [`len`](Self::len) if names were repeated.
    ///
    /// The index does not identify its documents. Compare this number with the number of your
    /// documents to detect most indexes of other documents; sets and reminders ignore hits that
    /// they do not have.
    ///
    /// ```
    /// # use helix_skills::search::{Document, IndexOptions, SearchIndex};
    /// let skills = ["Reads PDFs.", "Writes PDFs."].map(|text| Document::new("pdf", text));
    /// let index = SearchIndex::build(skills, &IndexOptions::new());
    /// assert_eq!((index.indexed(), index.len()), (skills.len(), 1));
    /// ```
    #[must_use]
    pub fn indexed(&self) -> usize {
        Layout::parse(&self.0).map_or(0, |layout| layout.indexed)
    }

    /// Returns whether no document can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the documents that match `query` best, best first, up to the length of `out`. Equal
    /// scores are ordered by position.
    #[must_use]
    pub fn search<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        match Layout::parse(&self.0) {
            Some(layout) if !out.is_empty() => {
                let ln_documents = ln((layout.norms.len() as u32).saturating_add(1));
                Search { layout, options, ln_documents }.run(query, out)
            }
            _ => &[],
        }
    }
}

impl Classifier for SearchIndex {
    fn classify<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        self.search(query, options, out)
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
    options: &'a SearchOptions<'a>,
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
    fn run<'o>(&self, query: &str, out: &'o mut [Hit]) -> &'o [Hit] {
        let mut scores = vec![0.0; self.layout.norms.len()];
        let mut seen = BTreeSet::new();
        let words = self.layout.words.split(query);
        let mut found: Vec<_> = words
            .filter_map(|word| self.find(word.text))
            .filter(|(_, key)| seen.insert(*key))
            .collect();
        found.sort_by_key(|(_, key)| key / KEYS_PER_PASS);
        found.iter().for_each(|(terms, _)| self.add(*terms, &mut scores));
        let mut ranking = Ranking::new(out);
        for (document, score) in scores.into_iter().enumerate() {
            // Most documents of a large corpus are not hits.
            if score > 0.0
                && self.origin(document).is_some_and(|origin| self.options.accepts(origin, score))
            {
                ranking.offer(document, score);
            }
        }
        let hits = ranking.finish();
        for hit in hits.iter_mut() {
            hit.document = self.origin(hit.document).unwrap_or(hit.document);
        }
        hits
    }

    /// Returns the input position of a document. `None` only if the bytes are invalid and were not
    /// checked.
    fn origin(&self, document: usize) -> Option<usize> {
        let origin = self
            .layout
            .origins
            .get(document)
            .map_or(document, |origin| u32::from_le_bytes(*origin) as usize);
        (origin < self.layout.indexed).then_some(origin)
    }

    /// Finds the terms that a word matches, and a number that is unique to the word.
    fn find(&self, word: &str) -> Option<(TermRange, usize)> {
        let lower = Lower::new(word);
        let head = head(lower.clone());
        let heads = |limit: u32| {
            self.layout.heads.partition_point(|bytes| u32::from_le_bytes(*bytes) < limit)
        };
        let (low, high) = (heads(head), head.checked_add(1).map_or(self.layout.heads.len(), heads));
        let start = self.first(low, high, |term| lower.clone().order(term) != Ordering::Less);
        let is_exact = start < self.layout.terms.len()
            && lower.clone().order(self.layout.term(start)) == Ordering::Equal;
        if !self.options.is_prefix() {
            return is_exact.then_some((TermRange { start, end: start + 1, bytes: 0 }, start));
        }
        let bytes = lower.clone().count();
        let end = if word.chars().nth(MIN_PREFIX_CHARS - 1).is_none() || is_stop_word(lower.clone())
        {
            start + usize::from(is_exact)
        } else {
            let is_beyond = |term: &[u8]| {
                lower.clone().order(&term[..bytes.min(term.len())]) == Ordering::Greater
            };
            self.first(start, self.layout.terms.len(), is_beyond)
        };
        let [text, _] = self.layout.ranges(start)?;
        // The word is a prefix of the first of these terms. No other word ends at the same offset.
        (start < end)
            .then(|| (TermRange { start, end, bytes }, (text.start + bytes).saturating_sub(1)))
    }

    /// Returns the first term in `low..high` for which `holds` is true, assuming that it is then
    /// true for all later ones; else `high`.
    fn first(&self, mut low: usize, mut high: usize, holds: impl Fn(&[u8]) -> bool) -> usize {
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(self.layout.term(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
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
