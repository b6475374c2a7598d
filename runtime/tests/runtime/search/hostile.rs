//! Hostile texts, queries and index bytes.

use crate::search::corpus::{Dice, skills, text};
use crate::search::{WHOLE_WORDS, index, search};
use helix_skills_runtime::{
    __private::{Shared, search_index},
    Call, Classifier, Document, ErrorKind, Hit, IndexOptions, SearchIndex, SearchMode,
    SearchOptions, Skill, SkillSet, Toolbox, Words, skill_set,
};

/// A text of any characters.
fn noise(dice: &mut Dice, len: usize) -> String {
    let pool: Vec<char> =
        "a1é技能ที่ς\u{130}\u{0}\u{300}\u{1f600}\u{d7} -\n\u{feff}".chars().collect();
    (0..len)
        .map(|_| match dice.below(3) {
            0 => char::from_u32(dice.below(0x11_0000) as u32).unwrap_or('x'),
            _ => pool[dice.below(pool.len())],
        })
        .collect()
}

#[test]
#[cfg_attr(miri, ignore = "thousands of searches")]
fn texts_are_found_by_their_own_words() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let texts: Vec<String> = (0..20)
            .map(|_| {
                let len = dice.below(60);
                noise(&mut dice, len)
            })
            .collect();
        for words in [Words::Compatible, Words::Unicode] {
            let options = IndexOptions::new().words(words).body(true);
            let index = SearchIndex::build(
                texts.iter().map(|text| Document::new(text, text).body(text)),
                &options,
            );
            let bytes = index.as_bytes().to_vec();
            assert_eq!(SearchIndex::parse(bytes.clone()).unwrap(), index);
            for (at, text) in texts.iter().enumerate() {
                let exact = search(&index, text, WHOLE_WORDS, 20);
                let prefix = search(&index, text, SearchOptions::new(), 20);
                assert!(exact.len() <= prefix.len());
                assert!(
                    exact.is_empty() || exact.iter().any(|hit| texts[hit.0] == texts[at]),
                    "{text:?} {exact:?}"
                );
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of searches")]
fn changed_indexes_are_refused() {
    let mut dice = Dice::new(7);
    let skills = skills(&mut dice, 40);
    let borrowed: Vec<(&str, &str)> =
        skills.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let bytes = index(&borrowed).as_bytes().to_vec();
    let query = text(&mut dice, 60);
    let mut accepted = 0;
    for round in 0..2000 {
        let mut changed = bytes.clone();
        for _ in 0..=dice.below(3) {
            // Changes the header more often than the rest.
            let at = dice.below(if round % 2 == 0 { bytes.len() } else { 48 });
            changed[at] = [0, 1, 0x7f, 0x80, 0xff, changed[at] ^ 1][dice.below(6)];
        }
        if round % 10 == 0 {
            changed.truncate(dice.below(bytes.len()));
        }
        let mut hits = [Hit::default(); 9];
        for index in
            [SearchIndex::parse(changed.clone()), Ok(search_index(Shared::new(changed.clone())))]
        {
            let Ok(index) = index else { continue };
            accepted += 1;
            for prefix in [false, true] {
                let found = index.search(&query, &SearchOptions::new().prefix(prefix), &mut hits);
                assert!(found.iter().all(|hit| hit.document < 40 && hit.score > 0.0), "{found:?}");
            }
        }
    }
    assert!(accepted > 2000);
}

#[test]
fn hits_are_positions_of_indexed_documents() {
    // `n1` is the first and the last document: it is found as the fourth.
    let bytes =
        index(&[("n1", "one word"), ("n2", "one word"), ("n1", "one word"), ("n1", "one word")])
            .as_bytes()
            .to_vec();
    let all = SearchIndex::parse(bytes.clone()).unwrap();
    let hits = |index: SearchIndex| {
        let mut hits = [Hit::default(); 9];
        index
            .search("word", &WHOLE_WORDS, &mut hits)
            .iter()
            .map(|hit| hit.document)
            .collect::<Vec<_>>()
    };
    assert_eq!((all.len(), all.indexed(), hits(all)), (2, 4, vec![3, 1]));
    let origins = bytes.windows(8).position(|window| window == [3, 0, 0, 0, 1, 0, 0, 0]).unwrap();
    let with = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        changed
    };
    // Out of range, far out of range, and before the position of its own name.
    for changed in [with(origins, 4), with(origins + 3, 1), with(origins + 4, 0)] {
        assert_eq!(problem(changed.clone()), INVALID);
    }
    // Bytes that were not checked.
    let changed = with(origins, 4);
    assert_eq!(hits(search_index(Shared::new(changed.clone()))), [1]);
    // Fewer documents than names, and fewer than the positions in the index.
    assert_eq!(problem(with(20, 1)), INVALID);
    assert_eq!(problem(with(20, 3)), INVALID);
    assert_eq!(problem(with(20, 2)), WRONG_LENGTH);
}

const INVALID: &str = "the search index is invalid";
const WRONG_LENGTH: &str = "the search index has the wrong length";

/// Returns why bytes are not an index, without the advice to rebuild it.
fn problem(bytes: Vec<u8>) -> String {
    let error = SearchIndex::parse(bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Index);
    error.to_string().strip_suffix("; rebuild it with `SearchIndex::build`").unwrap().to_owned()
}

#[test]
fn index_errors_give_the_reason() {
    let bytes = index(&[("n1", "some text"), ("n2", "more text")]).as_bytes().to_vec();
    assert_eq!(SearchIndex::parse(&[]).unwrap(), SearchIndex::EMPTY);
    assert_eq!(problem(b"no index".to_vec()), "not a search index of this version");
    assert_eq!(problem(bytes[..bytes.len() - 1].to_vec()), WRONG_LENGTH);
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() = b'\xff';
    assert_eq!(problem(changed), INVALID);
}

#[test]
#[cfg_attr(miri, ignore = "indexes 100,000 words")]
fn long_queries_are_searched() {
    // 100,000 different words in index and query: more than one pass distinguishes.
    let texts: Vec<(String, String)> = (0..1000)
        .map(|at| {
            (format!("skill-{at}"), (0..100).map(|word| format!("w{} ", at * 100 + word)).collect())
        })
        .collect();
    let borrowed: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let index = index(&borrowed);
    let mut query: String = texts.iter().map(|(_, text)| text.as_str()).collect();
    query += &"w7 ".repeat(50_000);
    query += &"x".repeat(100_000);
    let hits = search(&index, &query, WHOLE_WORDS, 1000);
    let one = search(&index, &texts[3].1, WHOLE_WORDS, 5);
    assert_eq!((hits.len(), one.len()), (1000, 1));
    for hit in hits {
        assert!((hit.1 - one[0].1).abs() < 1e-9, "{hit:?} {one:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "indexes thirty long texts")]
fn same_documents_give_the_same_bytes() {
    // If these hashes change, the format version has to change, because indexes of the previous
    // version still exist.
    let fnv = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let skills = skills(&mut Dice::new(3), 30);
    let bytes = |words| {
        let documents = skills.iter().map(|(name, text)| Document::new(name, text));
        SearchIndex::build(documents, &IndexOptions::new().words(words)).as_bytes().to_vec()
    };
    let (compatible, unicode) = (bytes(Words::Compatible), bytes(Words::Unicode));
    assert!(compatible.starts_with(b"hxs2"));
    assert_eq!((compatible.len(), fnv(&compatible)), (4681, 6_555_467_370_891_853_698));
    assert_eq!((unicode.len(), fnv(&unicode)), (5007, 9_684_687_096_971_651_928));
}

/// Returns arbitrary hits for any query and options.
struct Liar(&'static [Hit]);

impl Classifier for Liar {
    fn classify<'o>(&self, _: &str, _: &SearchOptions<'_>, _: &'o mut [Hit]) -> &'o [Hit] {
        self.0
    }
}

#[test]
fn faulty_classifiers_cannot_reveal_hidden_skills() {
    const OPEN: Skill = Skill::define("open", "Open to all.", "x").build();
    const HIDDEN: Skill =
        Skill::define("hidden", "Secret.", "x").disable_model_invocation(true).build();
    const OTHER: Skill = Skill::define("other", "Not allowed.", "x").build();
    static SKILLS: SkillSet = skill_set![OPEN, HIDDEN, OTHER]; // at 1, 0 and 2
    static BAD: [Hit; 4] = [
        Hit::new(0, f64::INFINITY),
        Hit::new(usize::MAX, 1.0),
        Hit::new(3, f64::NAN),
        Hit::new(2, 1.0),
    ];
    static MANY: [Hit; 40] = [Hit::new(1, -1.0); 40];
    static LAST: [Hit; 3] = [Hit::new(9, 3.0), Hit::new(0, 2.0), Hit::new(1, 1.0)];
    let answer = |liar: &Liar| {
        let toolbox = Toolbox::builder(SKILLS)
            .classifier(liar)
            .search(SearchMode::ToolAndList)
            .allow(&["hidden", "open"])
            .build()
            .unwrap();
        toolbox.answer(Call::SearchSkills { query: "q" }).to_string()
    };
    assert!(answer(&Liar(&BAD)).starts_with("No skill matches `q`."));
    assert_eq!(answer(&Liar(&MANY)).matches("\n- open: Open to all.").count(), 10);
    assert!(answer(&Liar(&LAST)).ends_with(":\n- open: Open to all.\n"));
}
