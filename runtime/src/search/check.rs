//! Validates the bytes of an index.

use super::layout::{HEADER, Layout, MAGIC, Postings, head, pair};
use crate::{Error, ErrorKind};
use alloc::format;

/// Checks everything that a search relies on. Empty bytes are the empty index.
pub(super) fn check(bytes: &[u8]) -> Result<(), Error> {
    let problem = if bytes.is_empty() {
        return Ok(());
    } else if !bytes.starts_with(&MAGIC) || bytes.len() < HEADER {
        "not a search index of this version"
    } else {
        match Layout::parse(bytes) {
            None => "the search index has the wrong length",
            Some(layout) if content(&layout).is_none() => "the search index is invalid",
            Some(_) => return Ok(()),
        }
    };
    let message = format!("{problem}; rebuild it with `SearchIndex::build`");
    Err(Error::new(ErrorKind::Index, message))
}

fn content(layout: &Layout<'_>) -> Option<()> {
    let documents = layout.norms.len();
    let is_positive = |bytes: &[u8; 8]| matches!(f64::from_le_bytes(*bytes), number if number > 0.0 && number.is_finite());
    // With 32-bit counts, every score is finite.
    let is_count = |bytes: &[u8; 8]| {
        let count = f64::from_le_bytes(*bytes);
        count > 0.0 && f64::from(count as u32) == count
    };
    let are_numbers = layout.norms.iter().all(is_positive) && layout.counts.iter().all(is_count);
    // Origins are the last occurrences of their names, so none is before its own position.
    let is_origin = |(place, origin): (usize, &[u8; 4])| {
        (place..layout.indexed).contains(&(u32::from_le_bytes(*origin) as usize))
    };
    let are_origins =
        documents <= layout.indexed && layout.origins.iter().enumerate().all(is_origin);
    let text = core::str::from_utf8(layout.text).ok()?;
    let (mut text_end, mut postings_end, mut before) = (0, 0, "");
    for term in 0..layout.terms.len() {
        let [place, postings] = layout.ranges(term)?;
        text_end = place.end;
        postings_end = postings.end;
        let text = text.get(place)?;
        let is_head = layout
            .heads
            .get(term)
            .is_some_and(|bytes| u32::from_le_bytes(*bytes) == head(text.bytes()));
        if text <= before || !is_head || !are_postings(layout, postings, documents) {
            return None;
        }
        before = text;
    }
    let all = match layout.postings {
        Postings::Narrow(all) => all.len(),
        Postings::Wide(all) => all.len(),
    };
    (are_numbers && are_origins && text_end == text.len() && postings_end == all).then_some(())
}

/// Returns whether a term has postings, each for a different document of the index.
fn are_postings(layout: &Layout<'_>, places: core::ops::Range<usize>, documents: usize) -> bool {
    let mut next = 0;
    let mut is_good = |document: usize, is_count: bool| {
        let is_good = (next..documents).contains(&document) && is_count;
        next = document + 1;
        is_good
    };
    match layout.postings {
        Postings::Narrow(all) => all.get(places).is_some_and(|postings| {
            !postings.is_empty()
                && postings.iter().all(|[low, high, count]| {
                    is_good(
                        usize::from(u16::from_le_bytes([*low, *high])),
                        usize::from(*count) < layout.counts.len(),
                    )
                })
        }),
        Postings::Wide(all) => all.get(places).is_some_and(|postings| {
            !postings.is_empty()
                && postings.iter().map(pair).all(|[document, count]| is_good(document, count > 0))
        }),
    }
}
