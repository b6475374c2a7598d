//! Searches an index.

use super::{
    Classifier, Hit, IndexError, Ranking, SearchOptions,
    layout::{Layout, Postings, head, pair},
    ln::ln,
    stop_words::is_stop_word,
    words::Lower,
};
use core::{cmp::Ordering, fmt, ops::Range};

/// Number of documents scored at a time; their scores are on the stack.
const WINDOW: usize = 2048;
/// The same for a small corpus, which may run with a small stack.
const SMALL_WINDOW: usize = 256;
/// Maximum number of distinct words whose terms are cached between windows.
const MAX_CACHED_WORDS: usize = 512;
/// Number of terms per pass over the query; one bit each finds repeated words.
const SEEN_TERMS: usize = 1 << 16;
/// Maximum number of word lookups in a search. A word is looked up for every [`SEEN_TERMS`] terms,
/// and if there are more than [`MAX_CACHED_WORDS`] words, again for every [`WINDOW`] documents:
/// without this limit, the number would grow with the square of a corpus.
const MAX_LOOKUPS: usize = 1 << 20;
/// Minimum number of characters of a word that matches longer words.
const MIN_PREFIX_CHARS: usize = 3;

/// An index of a corpus, as a view of bytes made at compile time for baked skills or by
/// `SearchIndexBuf::build`.
///
/// The ranking is BM25 as in the reference (`tiny-tfidf` 1.0.0, default parameters). A score is the
/// sum over the distinct words of the query, in its order, of
/// `idf · tf · 3 / (2 · (1/4 + 3/4 · length / average length) + tf)`, with
/// `idf = ln(documents + 1) − ln(documents with the word)`. In an index of more than 65,536 terms
/// the order of the sum can differ, and with it the last bits of a score.
///
/// A search neither allocates nor fails for any query. It uses up to 32 KB of stack, a third of
/// that for up to 256 documents. Its time grows with the length of the query and with the number of
/// documents that contain its words. At most about a million word lookups are made: in a corpus of
/// many thousands of documents, only the first words of a very long query are used, but always at
/// least 512.
///
/// ```
/// # use helix_skills::search::{Document, Hit, IndexOptions, SearchIndexBuf, SearchOptions};
/// let skills = [
///     Document::new("pdf", "Reads PDF files."),
///     Document::new("deploy", "Deploys to production."),
/// ];
/// let index = SearchIndexBuf::build(skills, &IndexOptions::new());
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = index.as_index().search("Read this PDF!", &SearchOptions::new(), &mut hits);
/// assert_eq!(hits[0].document, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SearchIndex<'a>(pub(super) &'a [u8]);

impl<'a> SearchIndex<'a> {
    /// An index without documents.
    pub const EMPTY: Self = Self(&[]);

    /// Parses an index from bytes that [`as_bytes`](Self::as_bytes) returned in the same version of
    /// this crate.
    ///
    /// # Errors
    ///
    /// If the bytes are not a valid index. Everything that a search relies on is checked.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, IndexError> {
        super::check::check(bytes).map(|()| Self(bytes))
    }

    /// Returns the bytes of the index, which [`parse`](Self::parse) accepts.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// Returns the number of documents that can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        Layout::parse(self.0).map_or(0, |layout| layout.norms.len())
    }

    /// Returns the number of documents that were indexed, an upper limit for the positions of hits.
    /// It exceeds [`len`](Self::len) if names were repeated.
    ///
    /// The index does not identify its documents. Compare this number with the number of your
    /// documents to detect most indexes of other documents; sets and reminders ignore hits that
    /// they do not have.
    ///
    /// ```
    /// # use helix_skills::search::{Document, IndexOptions, SearchIndex, SearchIndexBuf};
    /// let skills = ["Reads PDFs.", "Writes PDFs."].map(|text| Document::new("pdf", text));
    /// let bytes = SearchIndexBuf::build(skills, &IndexOptions::new()).into_bytes();
    /// let index = SearchIndex::parse(&bytes)?;
    /// assert_eq!((index.indexed(), index.len()), (skills.len(), 1));
    /// # Ok::<(), helix_skills::search::IndexError>(())
    /// ```
    #[must_use]
    pub fn indexed(&self) -> usize {
        Layout::parse(self.0).map_or(0, |layout| layout.indexed)
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
        match Layout::parse(self.0) {
            Some(layout) if !out.is_empty() => {
                let ln_documents = ln((layout.norms.len() as u32).saturating_add(1));
                let search = Search { layout, query, options, ln_documents, lookups: MAX_LOOKUPS };
                if layout.norms.len() <= SMALL_WINDOW {
                    search.run::<SMALL_WINDOW, 0>(out)
                } else {
                    search.run::<WINDOW, MAX_CACHED_WORDS>(out)
                }
            }
            _ => &[],
        }
    }
}

impl Classifier for SearchIndex<'_> {
    fn classify<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        self.search(query, options, out)
    }
}

impl Default for SearchIndex<'_> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl fmt::Debug for SearchIndex<'_> {
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
    query: &'a str,
    options: &'a SearchOptions<'a>,
    /// ln(documents + 1).
    ln_documents: f64,
    /// The maximum number of lookups, [`MAX_LOOKUPS`] except in tests.
    lookups: usize,
}

/// The range of terms that a word of the query matches.
#[derive(Clone, Copy)]
struct TermRange {
    start: u32,
    end: u32,
    /// The length in bytes of the word in lowercase if longer terms match, else 0.
    bytes: u32,
}

impl TermRange {
    const NONE: Self = Self::new(0, 0, 0);

    const fn new(start: usize, end: usize, bytes: usize) -> Self {
        Self { start: start as u32, end: end as u32, bytes: bytes as u32 }
    }
}

/// The term ranges of a query's words, if they fit.
struct WordCache<'s> {
    buffer: &'s mut [TermRange],
    /// The number of words, including those that do not fit.
    len: usize,
}

impl WordCache<'_> {
    fn keep(&mut self, found: TermRange) {
        if let Some(place) = self.buffer.get_mut(self.len) {
            *place = found;
        }
        self.len += 1;
    }

    /// Returns all ranges, if they fit.
    fn all(&self) -> Option<&[TermRange]> {
        self.buffer.get(..self.len)
    }
}

impl Search<'_> {
    /// Runs the search in its own stack frame, whose size depends on the arrays.
    #[inline(never)]
    fn run<'o, const N: usize, const K: usize>(&self, out: &'o mut [Hit]) -> &'o [Hit] {
        self.rank(&mut [0.0; N], &mut [TermRange::NONE; K], out)
    }

    fn rank<'o>(
        &self,
        scores: &mut [f64],
        buffer: &mut [TermRange],
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        let mut ranking = Ranking::new(out);
        let mut cache = WordCache { buffer, len: 0 };
        for (at, norms) in self.layout.norms.chunks(scores.len()).enumerate() {
            let first = at * scores.len();
            let mut window = Window { first, norms, scores: &mut scores[..norms.len()] };
            window.scores.fill(0.0);
            match cache.all() {
                Some(all) if at > 0 => all.iter().for_each(|found| self.add(*found, &mut window)),
                _ => {
                    cache.len = 0;
                    self.words(|found| {
                        self.add(found, &mut window);
                        cache.keep(found);
                    });
                }
            }
            for (at, score) in window.scores.iter().enumerate() {
                // Most documents of a large corpus are not hits.
                if *score > 0.0
                    && ranking.floor().is_none_or(|floor| *score > floor)
                    && self
                        .origin(first + at)
                        .is_some_and(|document| self.options.accepts(document, *score))
                {
                    ranking.offer(first + at, *score);
                }
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

    /// Calls `each` with the terms of each distinct word of the query, in order.
    fn words(&self, mut each: impl FnMut(TermRange)) {
        let keys =
            if self.options.is_prefix() { self.layout.text.len() } else { self.layout.terms.len() };
        let rounds = keys.div_ceil(SEEN_TERMS) * self.layout.norms.len().div_ceil(WINDOW);
        let most = (self.lookups / rounds.max(1)).max(MAX_CACHED_WORDS);
        let mut seen = [0_u64; SEEN_TERMS / 64];
        for low in (0..keys).step_by(SEEN_TERMS) {
            seen.fill(0);
            for word in self.layout.words.split(self.query).take(most) {
                let Some((found, key)) = self.find(word.text) else { continue };
                let Some(key) = key.checked_sub(low).filter(|key| *key < SEEN_TERMS) else {
                    continue;
                };
                let (bits, bit) = (&mut seen[key / 64], 1 << (key % 64));
                if *bits & bit == 0 {
                    *bits |= bit;
                    each(found);
                }
            }
        }
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
            return is_exact.then_some((TermRange::new(start, start + 1, 0), start));
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
            .then(|| (TermRange::new(start, end, bytes), (text.start + bytes).saturating_sub(1)))
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

    /// Adds the weight of the terms to the scores of a window.
    fn add(&self, found: TermRange, window: &mut Window<'_>) {
        for term in found.start..found.end {
            let Some([text, places]) = self.layout.ranges(term as usize) else { return };
            let mut idf = self.ln_documents - ln(places.len() as u32);
            if found.bytes != 0 {
                idf *= f64::from(found.bytes) / text.len() as f64;
            }
            window.add(&self.layout, places, idf);
        }
    }
}

/// A range of consecutive documents.
struct Window<'a> {
    /// The first document.
    first: usize,
    norms: &'a [[u8; 8]],
    scores: &'a mut [f64],
}

impl Window<'_> {
    /// Adds the weights of a term with these postings.
    fn add(&mut self, layout: &Layout<'_>, places: Range<usize>, idf: f64) {
        let first = self.first;
        let mut add = |document: usize, count: f64| -> Option<()> {
            let at = document.wrapping_sub(first);
            let norm = f64::from_le_bytes(*self.norms.get(at)?);
            *self.scores.get_mut(at)? += idf * count * 3.0 / (norm + count);
            Some(())
        };
        // Postings are sorted, so the first one after the window ends the loop.
        let _ = match layout.postings {
            Postings::Narrow(all) => {
                let postings = all.get(places).unwrap_or_default();
                let document =
                    |[low, high, _]: &[u8; 3]| usize::from(u16::from_le_bytes([*low, *high]));
                let start = postings.partition_point(|posting| document(posting) < first);
                postings[start..].iter().try_for_each(|posting| {
                    add(
                        document(posting),
                        f64::from_le_bytes(*layout.counts.get(usize::from(posting[2]))?),
                    )
                })
            }
            Postings::Wide(all) => {
                let postings = all.get(places).unwrap_or_default();
                let start = postings.partition_point(|posting| pair(posting)[0] < first);
                postings[start..]
                    .iter()
                    .map(pair)
                    .try_for_each(|[document, count]| add(document, count as f64))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, IndexOptions, SearchIndexBuf};
    use alloc::{format, string::String};

    #[test]
    #[cfg_attr(miri, ignore = "a query of 75 KB, several times")]
    fn lookups_of_a_long_query_are_bounded() {
        // More than 64 KiB of terms: prefix searches look up every word twice.
        let query: String = (0..600).map(|word| format!("w{word}{} ", "x".repeat(120))).collect();
        let index =
            SearchIndexBuf::build([Document::new("a", &query)], &IndexOptions::new()).into_bytes();
        let found = |lookups, prefix| {
            let layout = Layout::parse(&index).expect("an index");
            let options = &SearchOptions::new().prefix(prefix);
            let mut count = 0;
            Search { layout, query: &query, options, ln_documents: 1.0, lookups }
                .words(|_| count += 1);
            count
        };
        assert_eq!([found(MAX_LOOKUPS, false), found(MAX_LOOKUPS, true)], [600, 600]);
        assert_eq!([found(550, false), found(1100, true)], [550, 550]);
        assert_eq!([found(1, false), found(1, true)], [MAX_CACHED_WORDS, MAX_CACHED_WORDS]);
    }
}
