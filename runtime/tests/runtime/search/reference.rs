//! Scores and order of the reference classifier.

use crate::search::{WHOLE_WORDS, documents, index, search};
use helix_skills_conformance::{Report, Value, cases, json};

const SKILLS: [(&str, &str); 4] = [
    ("deploy-helper", "Deploys services with CI/CD pipelines"),
    ("docker-expert", "Docker containers, and Docker images"),
    ("pricing", "Help with prices"),
    ("writing", "Help with texts"),
];

#[test]
fn scores_follow_the_bm25_formula() {
    // `docker` occurs three times in one of four documents of 7 words, with an average of 5.75
    // words including `and`.
    let norm = 2.0 * (0.25 + 0.75 * (7.0 / 5.75));
    let expected = (5_f64.ln() - 1_f64.ln()) * 3.0 * 3.0 / (norm + 3.0);
    let hits = search(&index(&SKILLS), "DOCKER!", WHOLE_WORDS, 5);
    assert!(
        matches!(hits[..], [(1, score)] if (score - expected).abs() < 1e-12),
        "{hits:?} {expected}"
    );
}

#[test]
fn equal_scores_are_ordered_by_name() {
    assert_eq!(documents(&index(&SKILLS), "help", WHOLE_WORDS), [2, 3]);
}

#[test]
fn query_words_count_once() {
    let index = index(&SKILLS);
    let once = search(&index, "ci", WHOLE_WORDS, 5);
    assert_eq!(search(&index, "CI ci-ci/Ci", WHOLE_WORDS, 5), once);
    assert_eq!(documents(&index, "deploy-docker", WHOLE_WORDS), [1, 0]);
}

#[test]
#[cfg_attr(miri, ignore = "an index for each of ten queries")]
fn stop_words_and_unknown_words_find_nothing() {
    for query in [
        "",
        " ",
        "with",
        "the and with",
        "xyzzy",
        "deployment",
        "c",
        "42",
        "\u{6280}\u{80fd}",
        "\0",
    ] {
        assert_eq!(documents(&index(&SKILLS), query, WHOLE_WORDS), [0; 0], "{query}");
    }
}

#[test]
fn threshold_is_strict_and_applied_before_the_limit() {
    let index = index(&SKILLS);
    let hits = search(&index, "deploy docker help", WHOLE_WORDS, 9);
    assert_eq!(hits.len(), 4);
    let options = WHOLE_WORDS.threshold(hits[1].1);
    assert_eq!(search(&index, "deploy docker help", options, 9), hits[..1]);
    for top in 0..4 {
        assert_eq!(search(&index, "deploy docker help", WHOLE_WORDS, top), hits[..top]);
    }
    assert_eq!(search(&index, "docker", WHOLE_WORDS.threshold(f64::NAN), 9), []);
    assert_eq!(search(&index, "xyzzy", WHOLE_WORDS.threshold(-1.0), 9), []);
}

#[test]
fn empty_indexes_have_no_hits() {
    for skills in [&[][..], &[("", "")], &[("1", "the"), ("2", "!")]] {
        let index = index(skills);
        assert_eq!(documents(&index, "the 1 x", WHOLE_WORDS), [0; 0]);
    }
}

/// Returns the recorded score if ours is equal to it up to rounding, which depends on the order of
/// sums.
fn up_to_rounding(ours: f64, theirs: Option<f64>) -> f64 {
    theirs.filter(|theirs| (ours - theirs).abs() <= 1e-12).unwrap_or(ours)
}

#[test]
fn scores_conform_to_recorded_cases() {
    let cases = cases!("bm25");
    let mut report = Report::new(&cases, &[]);
    report.each(&cases, |report, case| {
        let input = &case.input;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let skills: Vec<(String, String)> = input["skills"]
            .as_array()
            .unwrap()
            .iter()
            .map(|skill| (text(&skill[0]), text(&skill[1])))
            .collect();
        let index = index(&skills);
        let top = input["options"]["topN"].as_u64().map_or(5, |top| top as usize);
        let options = WHOLE_WORDS.threshold(input["options"]["threshold"].as_f64().unwrap_or(0.0));
        let mut hits = search(&index, input["query"].as_str().unwrap(), options, top);
        // Equal scores are ordered by name here, and by position there.
        hits.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
        let ours = hits.iter().enumerate().map(|(at, (document, score))| {
            let score = up_to_rounding(*score, case.expected[at][1].as_f64());
            json!([skills[*document].0, score])
        });
        report.compare(case, Value::from_iter(ours));
    });
    report.finish();
}
