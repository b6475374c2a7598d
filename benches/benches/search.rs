//! Search, compared with the crate `bm25` on the same skills and queries:
//!
//! ```console
//! $ cargo bench --manifest-path benches/Cargo.toml --bench search
//! ```

use bm25::{Document as Theirs, Language, SearchEngineBuilder};
use helix_skills_benches::{Dice, Vocabulary, compare, median, sorted};
use helix_skills_runtime::{IndexOptions, SearchIndex, SearchOptions, SkillSet, Words};
use std::hint::black_box;

fn main() {
    let vocabulary = Vocabulary::new(8000);
    for count in [10, 1000, 10_000] {
        let mut dice = Dice::new(count as u64);
        let skills = vocabulary.skills(&mut dice, count);
        let queries: Vec<String> = (0..200)
            .map(|_| {
                let words = 4 + dice.below(9);
                vocabulary.text(&mut dice, words)
            })
            .collect();
        let sorted = sorted(skills.iter().map(|skill| (&*skill.name, &*skill.description)));
        let set = SkillSet::new(&sorted);
        let build = |options: &IndexOptions| set.index(options);
        let texts: Vec<String> =
            skills.iter().map(|skill| format!("{} {}", skill.name, skill.description)).collect();
        let theirs = || {
            let documents = texts.iter().enumerate().map(|(at, text)| Theirs::new(at as u32, text));
            SearchEngineBuilder::<u32>::with_documents(
                Language::English,
                documents.collect::<Vec<_>>(),
            )
            .build()
        };

        println!("\n{count} skills");
        let index = build(&IndexOptions::new());
        let engine = theirs();
        let all = |index: &SearchIndex, options: SearchOptions| {
            for query in &queries {
                black_box(set.with_index(index).search(query, &options));
            }
        };
        compare(
            || all(&index, SearchOptions::new().prefix(false)),
            || {
                for query in &queries {
                    black_box(engine.search(query, 5));
                }
            },
        )
        .print("a query", "bm25", queries.len());
        if count > 10 {
            compare(|| drop(black_box(build(&IndexOptions::new()))), || drop(black_box(theirs())))
                .print("index", "bm25", 1);
        }
        let size = index.as_bytes().len();
        println!("index: {size} bytes, {} a skill", size / count);

        let micros =
            |time: std::time::Duration, times: usize| time.as_secs_f64() * 1e6 / times as f64;
        let prefix = median(|| all(&index, SearchOptions::new()));
        println!("a query with prefixes: {:.2} µs", micros(prefix, queries.len()));
        let unicode = build(&IndexOptions::new().words(Words::Unicode));
        println!(
            "a query in Unicode: {:.2} µs",
            micros(median(|| all(&unicode, SearchOptions::new().prefix(false))), queries.len())
        );
        for kib in [1, 10, 100, 1000] {
            let long = vocabulary.text(&mut dice, kib * 170);
            let long = &long[..long.len().min(kib * 1024)];
            let time = median(|| {
                let options = SearchOptions::new().prefix(false);
                black_box(set.with_index(&index).search(long, &options));
            });
            println!("a query of {} KiB: {:.0} µs", long.len() / 1024, micros(time, 1));
        }
    }
}
