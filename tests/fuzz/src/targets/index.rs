//! Search: any texts, any query, and an index with modified bytes.

use crate::{Target, checks};
use arbitrary::{Result, Unstructured};
use helix_skills_runtime::{
    __private::{Shared, search_index},
    Document, Hit, IndexOptions, SearchIndex, SearchOptions, Words,
};
use std::collections::BTreeSet;

pub(crate) const TARGET: Target =
    Target { name: "index", body, seeds, words: WORDS, max_len: 700, count: 4000 };

const WORDS: &[&str] = &[
    "deploy",
    "deployment",
    "de",
    " ",
    " ",
    " ",
    "the",
    "and",
    "a",
    "42",
    "2nd",
    "é",
    "e\u{301}",
    "ς",
    "Σ",
    "İ",
    "ß",
    "技能",
    "技",
    "能力",
    "ที่",
    "한국",
    "\u{0}",
    "\u{300}",
    "\u{1f600}",
    "-",
    "_",
    "\n",
    "hxs2",
];

fn body(input: &[u8]) {
    run(&mut Unstructured::new(input)).unwrap_or_default();
}

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let texts: Vec<[String; 4]> = (0..input.int_in_range(0..=5)?)
        .map(|_| [(); 4].map(|()| checks::text(input, WORDS, 10)))
        .collect();
    let words = if input.arbitrary()? { Words::Compatible } else { Words::Unicode };
    let options =
        IndexOptions::new().words(words).body(input.arbitrary()?).when_to_use(input.arbitrary()?);
    let documents = || {
        texts
            .iter()
            .map(|[name, text, when, body]| Document::new(name, text).when_to_use(when).body(body))
    };
    let index = SearchIndex::build(documents(), &options);
    let again = SearchIndex::build(documents(), &options);
    assert_eq!(again, index, "building is not deterministic");
    assert_eq!(SearchIndex::parse(index.as_bytes().to_vec()).ok().as_ref(), Some(&index));
    let names: BTreeSet<&str> = texts.iter().map(|[name, ..]| name.as_str()).collect();
    assert_eq!(index.len(), names.len(), "of documents with equal names, only the last is found");
    assert_eq!(index.indexed(), texts.len());

    let query = checks::text(input, WORDS, 12);
    let threshold = input.int_in_range(0..=3_u8)?;
    for prefix in [false, true] {
        let options = SearchOptions::new().prefix(prefix).threshold(f64::from(threshold) / 4.0);
        let mut room = [Hit::default(); 3];
        let hits = index.search(&query, &options, &mut room);
        assert_hits(hits, texts.len());
        let mut more = [Hit::default(); 9];
        let all = index.search(&query, &options, &mut more);
        assert_hits(all, texts.len());
        assert_eq!(hits, &all[..all.len().min(3)], "more room changes the first hits");
        // A search limited to one document gives it the same score.
        for hit in all {
            let only = |document| document == hit.document;
            let mut one = [Hit::default(); 2];
            let limited = index.search(&query, &options.only(&only), &mut one);
            assert_eq!(limited, [*hit]);
        }
    }

    let mut changed = index.as_bytes().to_vec();
    for _ in 0..input.int_in_range(0..=4)? {
        if changed.is_empty() {
            break;
        }
        let most = if input.arbitrary()? { changed.len().min(64) } else { changed.len() };
        let at = input.choose_index(most)?;
        changed[at] = input.arbitrary()?;
    }
    if input.ratio(1, 4)? {
        changed.truncate(input.int_in_range(0..=changed.len())?);
    }
    let mut room = [Hit::default(); 9];
    let options = SearchOptions::new().prefix(true);
    match SearchIndex::parse(changed.clone()) {
        Ok(index) => assert_hits(index.search(&query, &options, &mut room), index.indexed()),
        Err(why) => checks::assert_one_line(&why.to_string()),
    }
    // Unchecked bytes may give any scores, also infinite ones, but no document out of range.
    let index = search_index(Shared::new(changed.clone()));
    let hits = index.search(&query, &options, &mut room);
    assert!(hits.iter().all(|hit| hit.document < index.indexed() && hit.score > 0.0), "{hits:?}");
    Ok(())
}

fn assert_hits(hits: &[Hit], documents: usize) {
    assert!(
        hits.iter().all(|hit| hit.document < documents && hit.score > 0.0 && hit.score.is_finite()),
        "{hits:?}"
    );
    // Ties are ordered by the first document of each name, and the hit is the last one.
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score), "{hits:?}");
}

fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(5);
    (0..40).map(|_| (0..rng.usize(100..600)).map(|_| rng.u8(..)).collect()).collect()
}
