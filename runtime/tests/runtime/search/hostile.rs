//! Hostile texts, queries and index bytes.

use crate::search::corpus::{Dice, skills, text};
use crate::search::{Corpus, WHOLE_WORDS, index, parts, search};
use helix_skills_runtime::{
    __internal::Parts,
    __private::{Shared, search_index},
    Call, Classifier, Hit, IndexOptions, SearchMode, SearchOptions, Skill, SkillSet, Toolbox,
    Words, skill_set,
};
use std::collections::BTreeSet;

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
        let texts: BTreeSet<String> = (0..20)
            .map(|_| {
                let len = dice.below(60);
                noise(&mut dice, len)
            })
            .collect();
        for words in [Words::Compatible, Words::Unicode] {
            let options = IndexOptions::new().words(words).body(true);
            let skills = texts.iter().map(|text| Parts { body: text, ..parts(text, text) });
            let index = Corpus::new(skills, &options);
            for (at, text) in texts.iter().enumerate() {
                let exact = search(&index, text, WHOLE_WORDS, 20);
                let prefix = search(&index, text, SearchOptions::new(), 20);
                assert!(exact.len() <= prefix.len());
                assert!(
                    exact.is_empty() || exact.iter().any(|hit| hit.0 == at),
                    "{text:?} {exact:?}"
                );
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "thousands of searches")]
fn changed_indexes_give_no_or_wrong_hits() {
    let mut dice = Dice::new(7);
    let corpus = index(&skills(&mut dice, 40));
    let bytes = corpus.index.as_bytes();
    let query = text(&mut dice, 60);
    let mut found = 0;
    for round in 0..2000 {
        let mut changed = bytes.to_vec();
        for _ in 0..=dice.below(3) {
            // Changes the header more often than the rest.
            let at = dice.below(if round % 2 == 0 { bytes.len() } else { 40 });
            changed[at] = [0, 1, 0x7f, 0x80, 0xff, changed[at] ^ 1][dice.below(6)];
        }
        if round % 10 == 0 {
            changed.truncate(dice.below(bytes.len()));
        }
        let index = search_index(Shared::new(changed));
        let set = corpus.set().with_index(&index);
        for prefix in [false, true] {
            let hits = set.search(&query, &SearchOptions::new().prefix(prefix));
            assert!(hits.len() <= 5 && hits.iter().all(|hit| hit.score > 0.0), "{hits:?}");
            found += hits.len();
        }
    }
    assert!(found > 2000);
}

/// An index of another set gives hits of this one, or none.
#[test]
fn index_of_another_set_is_searched() {
    let many = index(&[("n1", "one word"), ("n2", "one word"), ("n3", "one word")]);
    let few = index(&[("m1", "text")]);
    let found = |set: SkillSet<'_>| set.search("word", &WHOLE_WORDS).len();
    assert_eq!(found(few.set().with_index(&many.index)), 1);
    assert_eq!(found(many.set().with_index(&few.index)), 0);
    assert_eq!(found(SkillSet::EMPTY.with_index(&many.index)), 0);
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
    let index = index(&texts);
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
    // On every platform.
    let fnv = |bytes: &[u8]| {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let skills = skills(&mut Dice::new(3), 30);
    let bytes = |words| {
        let skills = skills.iter().map(|(name, text)| parts(name, text));
        Corpus::new(skills, &IndexOptions::new().words(words)).index.as_bytes().to_vec()
    };
    let (compatible, unicode) = (bytes(Words::Compatible), bytes(Words::Unicode));
    assert_eq!((compatible.len(), fnv(&compatible)), (4673, 14_224_556_189_899_469_151));
    assert_eq!((unicode.len(), fnv(&unicode)), (4999, 16_900_404_680_261_833_734));
}

/// Returns arbitrary hits for any query.
struct Liar(&'static [(&'static Skill, f64)]);

impl Classifier for Liar {
    fn classify<'s>(&self, _: &str, _: SkillSet<'s>) -> Vec<Hit<'s>> {
        self.0.iter().map(|(skill, score)| Hit { skill, score: *score }).collect()
    }
}

#[test]
fn faulty_classifiers_cannot_reveal_hidden_skills() {
    static OPEN: Skill = Skill::define("open", "Open to all.", "x").build();
    static HIDDEN: Skill =
        Skill::define("hidden", "Secret.", "x").disable_model_invocation(true).build();
    static OTHER: Skill = Skill::define("other", "Not allowed.", "x").build();
    static SKILLS: SkillSet = skill_set![&OPEN, &HIDDEN, &OTHER];
    static BAD: [(&Skill, f64); 4] =
        [(&HIDDEN, f64::INFINITY), (&OPEN, f64::NAN), (&OTHER, 1.0), (&OPEN, -1.0)];
    static MANY: [(&Skill, f64); 40] = [(&OPEN, 1.0); 40];
    static LAST: [(&Skill, f64); 3] = [(&OTHER, 3.0), (&HIDDEN, 2.0), (&OPEN, 1.0)];
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
