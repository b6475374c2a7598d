//! Search: any texts, any query, and an index with modified bytes.

use crate::{Target, checks};
use arbitrary::{Result, Unstructured};
use helix_skills_runtime::{
    __internal::Parts,
    __private::{Shared, search_index},
    Hit, IndexOptions, SearchOptions, Skill, SkillSet, Words,
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
    let mut seen = BTreeSet::new();
    let mut skills: Vec<Skill> = texts
        .iter()
        .filter(|[name, ..]| seen.insert(name))
        .map(|[name, description, when_to_use, body]| {
            Parts { name, description, when_to_use: Some(when_to_use), body, ..Parts::EMPTY }.into()
        })
        .collect();
    skills.sort_by(|one: &Skill, other| one.name().cmp(other.name()));
    let set = SkillSet::new(&skills);
    let index = set.index(&options);
    assert_eq!(set.index(&options), index, "building is not deterministic");

    let set = set.with_index(&index);
    let query = checks::text(input, WORDS, 12);
    let threshold = input.int_in_range(0..=3_u8)?;
    for prefix in [false, true] {
        let options = SearchOptions::new().prefix(prefix).threshold(f64::from(threshold) / 4.0);
        let hits = set.search(&query, &options.limit(3));
        assert_hits(&hits);
        let all = set.search(&query, &options.limit(9));
        assert_hits(&all);
        assert_eq!(hits, &all[..all.len().min(3)], "more room changes the first hits");
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
    // Unchecked bytes may give any scores, also infinite ones.
    let index = search_index(Shared::new(changed));
    let hits = set.with_index(&index).search(&query, &SearchOptions::new().prefix(true));
    assert!(hits.iter().all(|hit| hit.score > 0.0), "{hits:?}");
    Ok(())
}

fn assert_hits(hits: &[Hit<'_>]) {
    assert!(hits.iter().all(|hit| hit.score > 0.0 && hit.score.is_finite()), "{hits:?}");
    let is_sorted = |a: &Hit<'_>, b: &Hit<'_>| {
        a.score > b.score || (a.score == b.score && a.skill.name() < b.skill.name())
    };
    assert!(hits.is_sorted_by(is_sorted), "{hits:?}");
}

fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(5);
    (0..40).map(|_| (0..rng.usize(100..600)).map(|_| rng.u8(..)).collect()).collect()
}
