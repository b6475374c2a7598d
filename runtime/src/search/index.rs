//! The index of a corpus.

use super::{
    Classifier, Hit, IndexError, Ranking, SearchOptions,
    layout::{Layout, Postings, halves, head},
    ln::ln,
    stop_words::is_stop_word,
    words::Lower,
};
use core::{cmp::Ordering, fmt, ops::Range};

/// How many documents are scored at a time: their scores lie on the stack.
const WINDOW: usize = 2048;
/// The same for a small corpus, which may run where stacks are small.
const SMALL_WINDOW: usize = 256;
/// How many different words are looked up once, not once a window.
const KEPT: usize = 512;
/// How many different words are told apart at a time, one bit each.
const SEEN: usize = 1 << 16;
/// How often words are looked up in one search. A word is looked up once for every [`SEEN`] terms,
/// and if there are more than [`KEPT`] of them again for every [`WINDOW`] documents: the product
/// would grow with the square of a corpus.
const MAX_LOOKUPS: usize = 1 << 20;
/// How many characters a word has at least to stand for longer ones.
const PREFIX: usize = 3;

/// A corpus, ready to be searched: a view of bytes that were made beforehand, while compiling for baked skills or by
/// `SearchIndexBuf::build`.
///
/// The ranking is BM25 as the reference classifier has it (`tiny-tfidf` 1.0.0, with its defaults): the sum over the
/// different words of the query, in its order, of `idf · tf · 3 / (2 · (1/4 + 3/4 · length / average length) + tf)`, with `idf
/// = ln(documents + 1) − ln(documents with the word)`.
///
/// A search neither allocates nor fails, whatever the query holds and however long it is; it takes
/// up to 32 KB of stack, a third of that for up to 256 documents. Its time grows with the query,
/// and with the number of documents that hold its words. Words are looked up about a million times
/// at most: of a query that is very long, in a corpus of many thousands of documents, only the
/// first words count, and at least 512 do.
///
/// ```
/// # use helix_skills::search::{Document, Hit, IndexOptions, SearchIndexBuf, SearchOptions};
/// let skills = [Document::new("pdf", "Reads PDF files."), Document::new("deploy", "Deploys to production.")];
/// let index = SearchIndexBuf::build(skills, &IndexOptions::new());
/// let mut hits = [Hit::default(); Hit::TOP];
/// let hits = index.as_index().search("Read this PDF!", &SearchOptions::new(), &mut hits);
/// assert_eq!(hits[0].document, 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SearchIndex<'a>(pub(super) &'a [u8]);

impl<'a> SearchIndex<'a> {
    /// No documents, no hits.
    pub const EMPTY: Self = Self(&[]);

    /// The index in `bytes`, which [`as_bytes`](Self::as_bytes) once gave, by the same version of this crate.
    ///
    /// # Errors
    /// When the bytes are not those of an index in every respect that a search relies on.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, IndexError> {
        super::check::check(bytes).map(|()| Self(bytes))
    }

    /// The bytes of the index, to be kept and [parsed](Self::parse) again.
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        self.0
    }

    /// How many documents can be found.
    #[must_use]
    pub fn len(&self) -> usize {
        Layout::of(self.0).map_or(0, |layout| layout.norms.len())
    }

    /// How many documents were indexed: no hit names one beyond. That is more than can be found where a name came twice.
    ///
    /// Bytes that were kept elsewhere may be an index of other documents than those at hand, which this tells as a rule.
    ///
    /// ```
    /// # use helix_skills::search::{Document, IndexOptions, SearchIndex, SearchIndexBuf};
    /// let skills = ["Reads PDF files.", "Writes PDF files."].map(|text| Document::new("pdf", text));
    /// let kept = SearchIndexBuf::build(skills, &IndexOptions::new()).into_bytes();
    /// let index = SearchIndex::parse(&kept)?;
    /// assert_eq!((index.indexed(), index.len()), (skills.len(), 1));
    /// # Ok::<(), helix_skills::search::IndexError>(())
    /// ```
    #[must_use]
    pub fn indexed(&self) -> usize {
        Layout::of(self.0).map_or(0, |layout| layout.indexed)
    }

    /// Whether no document can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents that answer `query` best, best first, as many as `out` has room for; of equal ones the earlier.
    #[must_use]
    pub fn search<'o>(
        &self,
        query: &str,
        options: &SearchOptions<'_>,
        out: &'o mut [Hit],
    ) -> &'o [Hit] {
        match Layout::of(self.0) {
            Some(layout) if !out.is_empty() => {
                let of_all = ln((layout.norms.len() as u32).saturating_add(1));
                let search = Search { layout, query, options, of_all, lookups: MAX_LOOKUPS };
                if layout.norms.len() <= SMALL_WINDOW {
                    search.run::<SMALL_WINDOW, 0>(out)
                } else {
                    search.run::<WINDOW, KEPT>(out)
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

/// One search.
struct Search<'a> {
    layout: Layout<'a>,
    query: &'a str,
    options: &'a SearchOptions<'a>,
    /// ln(documents + 1).
    of_all: f64,
    /// How often words are looked up: [`MAX_LOOKUPS`].
    lookups: usize,
}

/// The terms that a word of the query stands for.
#[derive(Clone, Copy)]
struct Found {
    start: u32,
    end: u32,
    /// The length of the word in lower case, if its terms may be longer.
    bytes: u32,
}

impl Found {
    const NONE: Self = Self::new(0, 0, 0);

    const fn new(start: usize, end: usize, bytes: usize) -> Self {
        Self { start: start as u32, end: end as u32, bytes: bytes as u32 }
    }
}

/// What the words of a query stand for, as far as there is room.
struct Kept<'s> {
    room: &'s mut [Found],
    /// How many words there are, all of them.
    len: usize,
}

impl Kept<'_> {
    fn keep(&mut self, found: Found) {
        if let Some(place) = self.room.get_mut(self.len) {
            *place = found;
        }
        self.len += 1;
    }

    /// All of them, if there was room.
    fn all(&self) -> Option<&[Found]> {
        self.room.get(..self.len)
    }
}

impl Search<'_> {
    /// A search in a frame of its own: its arrays are what the stack needs.
    #[inline(never)]
    fn run<'o, const N: usize, const K: usize>(&self, out: &'o mut [Hit]) -> &'o [Hit] {
        self.rank(&mut [0.0; N], &mut [Found::NONE; K], out)
    }

    fn rank<'o>(&self, scores: &mut [f64], room: &mut [Found], out: &'o mut [Hit]) -> &'o [Hit] {
        let mut ranking = Ranking::new(out);
        let mut kept = Kept { room, len: 0 };
        for (at, norms) in self.layout.norms.chunks(scores.len()).enumerate() {
            let first = at * scores.len();
            let mut window = Window { first, norms, scores: &mut scores[..norms.len()] };
            window.scores.fill(0.0);
            match kept.all() {
                Some(all) if at > 0 => all.iter().for_each(|found| self.add(*found, &mut window)),
                _ => {
                    kept.len = 0;
                    self.words(|found| {
                        self.add(found, &mut window);
                        kept.keep(found);
                    });
                }
            }
            for (at, score) in window.scores.iter().enumerate() {
                // Most documents of a large corpus are no hits.
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

    /// Which of the indexed documents a document is: always one, unless the bytes were changed and not checked.
    fn origin(&self, document: usize) -> Option<usize> {
        let origin = self
            .layout
            .origins
            .get(document)
            .map_or(document, |origin| u32::from_le_bytes(*origin) as usize);
        (origin < self.layout.indexed).then_some(origin)
    }

    /// Hands on what each different word of the query stands for, in their order.
    fn words(&self, mut each: impl FnMut(Found)) {
        let keys =
            if self.options.is_prefix() { self.layout.text.len() } else { self.layout.terms.len() };
        let rounds = keys.div_ceil(SEEN) * self.layout.norms.len().div_ceil(WINDOW);
        let most = (self.lookups / rounds.max(1)).max(KEPT);
        let mut seen = [0_u64; SEEN / 64];
        for low in (0..keys).step_by(SEEN) {
            seen.fill(0);
            for word in self.layout.words.of(self.query).take(most) {
                let Some((found, key)) = self.find(word.text) else { continue };
                let Some(key) = key.checked_sub(low).filter(|key| *key < SEEN) else { continue };
                let (bits, bit) = (&mut seen[key / 64], 1 << (key % 64));
                if *bits & bit == 0 {
                    *bits |= bit;
                    each(found);
                }
            }
        }
    }

    /// The terms that a word stands for, if there are any, and a number that no other word has.
    fn find(&self, word: &str) -> Option<(Found, usize)> {
        let lower = Lower::of(word);
        let head = head(lower.clone());
        let heads = |limit: u32| {
            self.layout.heads.partition_point(|bytes| u32::from_le_bytes(*bytes) < limit)
        };
        let (low, high) = (heads(head), head.checked_add(1).map_or(self.layout.heads.len(), heads));
        let start = self.first(low, high, |term| lower.clone().order(term) != Ordering::Less);
        let is_exact = start < self.layout.terms.len()
            && lower.clone().order(self.layout.term(start)) == Ordering::Equal;
        if !self.options.is_prefix() {
            return is_exact.then_some((Found::new(start, start + 1, 0), start));
        }
        let bytes = lower.clone().count();
        let end = if word.chars().nth(PREFIX - 1).is_none() || is_stop_word(lower.clone()) {
            start + usize::from(is_exact)
        } else {
            let is_beyond = |term: &[u8]| {
                lower.clone().order(&term[..bytes.min(term.len())]) == Ordering::Greater
            };
            self.first(start, self.layout.terms.len(), is_beyond)
        };
        let [text, _] = self.layout.places(start)?;
        // The word is the start of the first of these terms: where it ends there is where no other word does.
        (start < end)
            .then(|| (Found::new(start, end, bytes), (text.start + bytes).saturating_sub(1)))
    }

    /// The first of the terms from `low` to `high` for which `holds` does, as it does for all after it; else `high`.
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

    /// Adds to the scores of a window what a word is worth in its documents.
    fn add(&self, found: Found, window: &mut Window<'_>) {
        for term in found.start..found.end {
            let Some([text, places]) = self.layout.places(term as usize) else { return };
            let mut idf = self.of_all - ln(places.len() as u32);
            if found.bytes != 0 {
                idf *= f64::from(found.bytes) / text.len() as f64;
            }
            window.add(&self.layout, places, idf);
        }
    }
}

/// Some of the documents, one after the other.
struct Window<'a> {
    /// The first of them.
    first: usize,
    norms: &'a [[u8; 8]],
    scores: &'a mut [f64],
}

impl Window<'_> {
    /// Adds the weights of a term that has these postings.
    fn add(&mut self, layout: &Layout<'_>, places: Range<usize>, idf: f64) {
        let first = self.first;
        let mut add = |document: usize, count: f64| -> Option<()> {
            let at = document.wrapping_sub(first);
            let norm = f64::from_le_bytes(*self.norms.get(at)?);
            *self.scores.get_mut(at)? += idf * count * 3.0 / (norm + count);
            Some(())
        };
        // Postings are sorted: the first that is not of this window ends it.
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
                let start = postings.partition_point(|posting| halves(posting)[0] < first);
                postings[start..]
                    .iter()
                    .map(halves)
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
        // More than 64 KiB of terms: with prefixes every word is looked up twice.
        let query: String = (0..600).map(|word| format!("w{word}{} ", "x".repeat(120))).collect();
        let index =
            SearchIndexBuf::build([Document::new("a", &query)], &IndexOptions::new()).into_bytes();
        let found = |lookups, prefix| {
            let layout = Layout::of(&index).expect("an index");
            let options = &SearchOptions::new().prefix(prefix);
            let mut count = 0;
            Search { layout, query: &query, options, of_all: 1.0, lookups }.words(|_| count += 1);
            count
        };
        assert_eq!([found(MAX_LOOKUPS, false), found(MAX_LOOKUPS, true)], [600, 600]);
        assert_eq!([found(550, false), found(1100, true)], [550, 550]);
        assert_eq!([found(1, false), found(1, true)], [KEPT, KEPT]);
    }
}
