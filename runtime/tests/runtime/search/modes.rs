//! Features that the reference does not have: other scripts, fields, prefixes, filters, large
//! corpora.

use crate::search::{Corpus, WHOLE_WORDS, documents, index, parts, search};
use helix_skills_runtime::{__internal::Parts, IndexOptions, SearchOptions, Toolbox, Words};

fn unicode(texts: &[&str]) -> Corpus {
    let names: Vec<String> = (0..texts.len()).map(|at| format!("n{at}")).collect();
    let skills = names.iter().zip(texts).map(|(name, text)| parts(name, text));
    Corpus::new(skills, &IndexOptions::new().words(Words::Unicode))
}

#[test]
fn words_of_every_script_are_found() {
    let index = unicode(&[
        "Развертывание сервисов",
        "部署服务到生产环境",
        "サーバーのデプロイ",
        "서버에 배포하기",
        "Λόγος ΛΌΓΟΣ",
    ]);
    for (query, expected) in [
        ("РАЗВЕРТЫВАНИЕ", &[0][..]),
        ("сервис", &[]),
        ("部署", &[1]),
        ("请部署服务", &[1]),
        ("境", &[1]),
        ("署部", &[]),
        ("デプロイ", &[2]),
        ("배포", &[3]),
        ("λόγοσ", &[4]),
        ("λόγος", &[4]),
    ] {
        assert_eq!(documents(&index, query, WHOLE_WORDS), expected, "{query}");
    }
    assert_eq!(documents(&index, "сервис", SearchOptions::new()), [0]);
}

#[test]
fn ideograph_pairs_count_as_one_word_each() {
    // Single characters do not count in the length: both documents have three words, and equal
    // weights.
    let index = unicode(&["技能", "skills 技能"]);
    let short = unicode(&["ab", "skills ab"]);
    let scores = |index, query| search(index, query, WHOLE_WORDS, 5);
    assert_eq!(scores(&index, "技能"), scores(&short, "ab"));
}

#[test]
fn prefixes_weigh_their_share_of_the_word() {
    let index =
        index(&[("n1", "deployment"), ("n2", "deploy"), ("n3", "redeploy"), ("n4", "the theme")]);
    let prefix = SearchOptions::new();
    assert_eq!(documents(&index, "deploy", WHOLE_WORDS), [1]);
    let hits = search(&index, "Deploy", prefix, 5);
    let whole = search(&index, "deployment", WHOLE_WORDS, 5)[0].1;
    assert_eq!(hits.iter().map(|hit| hit.0).collect::<Vec<_>>(), [1, 0]);
    assert!((hits[1].1 - whole * 0.6).abs() < 1e-12);
    // Different words that match the same terms both count; repeated words count once.
    let both = search(&index, "deploym deployme deploym", prefix, 5);
    assert!(
        matches!(both[..], [(0, score)] if (score - whole * 1.5).abs() < 1e-12),
        "{both:?} {whole}"
    );
    // Short words and stop words do not match longer words.
    for query in ["de", "the"] {
        assert_eq!(documents(&index, query, prefix), [0; 0], "{query}");
    }
}

#[test]
fn options_select_the_indexed_fields() {
    let skill = Parts {
        when_to_use: Some("For invoices."),
        body: "Run `pdftotext`.",
        ..parts("pdf", "Reads files.")
    };
    let plain = IndexOptions::new();
    for (options, found) in [
        (plain, [false, false]),
        (plain.when_to_use(true), [true, false]),
        (plain.body(true), [false, true]),
        (plain.when_to_use(true).body(true), [true, true]),
    ] {
        let index = Corpus::new([skill], &options);
        for (query, found) in ["invoices", "pdftotext"].into_iter().zip(found) {
            assert_eq!(
                documents(&index, query, WHOLE_WORDS).len(),
                usize::from(found),
                "{query} {options:?}"
            );
        }
    }
}

#[test]
fn allow_list_is_applied_before_the_limit() {
    let index = index(&[("n1", "help"), ("n2", "help"), ("n3", "help"), ("n4", "other")]);
    let toolbox = Toolbox::builder(index.set()).allow(&["n2", "n3"]).build().unwrap();
    let found = |query, options| {
        let hits = toolbox.search(query, &options);
        hits.iter().map(|hit| hit.skill.name()).collect::<Vec<_>>()
    };
    assert_eq!(found("help other", WHOLE_WORDS), ["n2", "n3"]);
    assert_eq!(found("help", WHOLE_WORDS.limit(1)), ["n2"]);
    assert_eq!(found("help", WHOLE_WORDS.limit(0)), [""; 0]);
}

#[test]
#[cfg_attr(miri, ignore = "indexes 70,000 documents")]
fn large_corpora_and_counts_are_ranked_alike() {
    // 70,000 documents exceed 16 bits, and 300 different counts exceed 8 bits.
    let many: Vec<(String, String)> =
        (0..70_000).map(|at| (format!("n{at:05}"), format!("common w{}", at % 1000))).collect();
    let index = index(&many);
    assert_eq!(
        documents(&index, "n69999 n02047 n02048 n65536", WHOLE_WORDS),
        [2047, 2048, 65_536, 69_999]
    );
    assert_eq!(
        search(&index, "w7 common", WHOLE_WORDS, 100)[69],
        (
            69_007,
            search(&index, "w7", WHOLE_WORDS, 100)[69].1
                + search(&index, "common", WHOLE_WORDS, 1)[0].1
        )
    );
    let long: Vec<String> =
        (1..=300).map(|count| "word ".repeat(count) + &"filler ".repeat(300 - count)).collect();
    let names: Vec<String> = (1..=300).map(|at| format!("n{at:03}")).collect();
    let skills = names.iter().zip(&long).map(|(name, body)| Parts { body, ..parts(name, "") });
    let index = Corpus::new(skills, &IndexOptions::new().body(true));
    let hits = search(&index, "word", WHOLE_WORDS, 300);
    assert!(hits.iter().map(|hit| hit.0).eq((0..300).rev()), "{hits:?}");
}
