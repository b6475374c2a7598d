//! The byte format of an index.
//!
//! All numbers are little-endian, so that an index has the same bytes on every platform. After a
//! header there are:
//!
//! | section | content |
//! |---|---|
//! | norms | `f64` per document: the effect of its length on the weight of a term |
//! | counts | `f64` each: the distinct counts of a term in a document; empty in a wide index |
//! | heads | `u32` per term: its first four bytes as a big-endian number, padded with zeros |
//! | terms | two `u32` per term: the ends of its text and its postings; sorted by text |
//! | postings | narrow: document `u16`, index of the count `u8`; wide: document and count `u32` |
//! | text | the concatenated terms |
//!
//! A document is a skill, numbered by its position in the set. The postings of a term are sorted by
//! document.

use super::Words;
use core::{mem::size_of, ops::Range};

/// Length of the header: the splitting into words, whether the index is wide, two zeros, and the
/// number of documents, counts, terms and postings, and of bytes of text.
pub(super) const HEADER: usize = 24;

/// The sections of an index. Only their lengths are validated.
#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub(super) words: Words,
    pub(super) norms: &'a [[u8; 8]],
    pub(super) counts: &'a [[u8; 8]],
    pub(super) heads: &'a [[u8; 4]],
    pub(super) terms: &'a [[u8; 8]],
    pub(super) postings: Postings<'a>,
    pub(super) text: &'a [u8],
}

/// Which documents contain the terms, and how often.
#[derive(Clone, Copy)]
pub(super) enum Postings<'a> {
    Narrow(&'a [[u8; 3]]),
    Wide(&'a [[u8; 8]]),
}

impl<'a> Layout<'a> {
    /// Splits `bytes` into sections, if they have the length of an index.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let (header, mut rest) = bytes.split_at_checked(HEADER)?;
        let (numbers, _) = header.as_chunks::<4>();
        let number =
            |at: usize| numbers.get(at).map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize);
        let [words, wide, ..] = *numbers.first()?;
        let layout = Self {
            words: if words == 0 { Words::Compatible } else { Words::Unicode },
            norms: section(&mut rest, number(1))?,
            counts: section(&mut rest, number(2))?,
            heads: section(&mut rest, number(3))?,
            terms: section(&mut rest, number(3))?,
            postings: match wide {
                0 => Postings::Narrow(section(&mut rest, number(4))?),
                _ => Postings::Wide(section(&mut rest, number(4))?),
            },
            text: rest,
        };
        (layout.text.len() == number(5)).then_some(layout)
    }

    /// Returns the ranges of the text and the postings of term `at`.
    pub(super) fn ranges(&self, at: usize) -> Option<[Range<usize>; 2]> {
        let [text_end, postings_end] = pair(self.terms.get(at)?);
        let [text, postings] = match at.checked_sub(1) {
            Some(before) => pair(self.terms.get(before)?),
            None => [0, 0],
        };
        Some([text..text_end, postings..postings_end])
    }

    /// Returns the text of term `at`.
    pub(super) fn term(&self, at: usize) -> &'a [u8] {
        self.ranges(at).and_then(|[text, _]| self.text.get(text)).unwrap_or_default()
    }
}

/// Returns the head of a term.
pub(super) fn head(term: &[u8]) -> u32 {
    let mut bytes = [0; 4];
    bytes.iter_mut().zip(term).for_each(|(byte, of_term)| *byte = *of_term);
    u32::from_be_bytes(bytes)
}

/// Both numbers of a pair.
pub(super) fn pair([a, b, c, d, e, f, g, h]: &[u8; 8]) -> [usize; 2] {
    [u32::from_le_bytes([*a, *b, *c, *d]) as usize, u32::from_le_bytes([*e, *f, *g, *h]) as usize]
}

/// Splits off the next `count` items.
fn section<'a, const N: usize>(rest: &mut &'a [u8], count: usize) -> Option<&'a [[u8; N]]> {
    let (section, after) = rest.split_at_checked(count.checked_mul(size_of::<[u8; N]>())?)?;
    *rest = after;
    Some(section.as_chunks().0)
}
