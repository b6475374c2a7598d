//! The strict parser finds what the parser of manifests finds in texts that are JSON.

use super::value::SyntaxError;
use super::{Dialect, MAX_DEPTH, Value};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, RngSeed},
};

/// Checks that both parsers make the same tree of what the strict one accepts, and that it accepts
/// all JSON.
fn check(text: &str) {
    let strict = Value::parse(text, Dialect::Strict);
    match (&strict, Value::parse(text, Dialect::Plain)) {
        (Ok(strict), Ok(plain)) => assert_eq!(*strict, plain, "{text:?}"),
        (Ok(_), Err(SyntaxError { what, .. })) => panic!("{text:?} is accepted, though {what}"),
        (Err(SyntaxError { at, .. }), _) => assert!(*at <= text.len() && text.is_char_boundary(*at), "{text:?}"),
    }
    let is_json = text.trim_ascii().is_empty() || serde_json::from_str::<serde_json::Value>(text).is_ok();
    assert!(strict.is_ok() || !is_json, "{text:?} is refused");
}

const LOCK: &str = r#"{
  "skills": {
    "alpha": { "bytes": 3, "executable": ["scripts/\u00e9.sh"], "files": 1e0, "links": {"\ud83e\udd80": null} }
  },
  "sources": { "own": { "request": { "x": [true, false, -1.5, "\"\\\/\b\f\n\r\t"] } }, "own": {} },
  "version": 1
}
"#;

#[test]
fn both_parsers_find_the_same_tree() {
    for text in ["", " \n", "null", "[]", "{}", " [1, \"a\", {\"b\": [{}]}] ", "\"\\u0061\"", "1.50E+3", LOCK] {
        check(text);
        assert!(Value::parse(text, Dialect::Strict).is_ok(), "{text:?}");
    }
    for text in [
        "[1,]",
        "{\"a\": 1,}",
        "[1] // x",
        "/* x */ []",
        "{a: 1}",
        "'a'",
        "01",
        "+1",
        "\"\t\"",
        "\"\\ud800\"",
        "[",
        "1 2",
    ] {
        check(text);
        assert!(Value::parse(text, Dialect::Strict).is_err(), "{text:?}");
    }
}

#[test]
fn nesting_is_bounded_in_every_dialect() {
    for dialect in [Dialect::Strict, Dialect::Plain, Dialect::Commented] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = |depth: u32| open.repeat(depth as usize) + "1" + &close.repeat(depth as usize);
            let parse = |text: &str| Value::parse(text, dialect).map(|_| ()).map_err(|error| (error.what, error.at));
            assert_eq!(parse(&nested(MAX_DEPTH)), Ok(()));
            let at = open.len() * MAX_DEPTH as usize;
            assert_eq!(parse(&nested(MAX_DEPTH + 1)), Err(("more than 127 nested arrays and objects".to_owned(), at)));
        }
    }
}

/// What JSON is made of, valid and not.
const TOKENS: [&str; 24] = [
    "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "\\n", "\\u0061", "\\ud83e", "0", "1", "-", ".", "e5", "null",
    "true", " ", "\n", "//", "é", "🦀",
];

proptest! {
    #![proptest_config(Config {
        cases: 2_000, failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..Config::default()
    })]

    #[test]
    fn changed_lockfiles_are_read_alike(changes in vec((any::<usize>(), 0..3_usize, select(&TOKENS[..])), 1..4)) {
        let mut text: Vec<char> = LOCK.chars().collect();
        for (at, remove, token) in changes {
            let at = at % (text.len() + 1);
            let end = (at + remove).min(text.len());
            text.splice(at..end, token.chars());
        }
        check(&text.into_iter().collect::<String>());
    }

    #[test]
    fn tokens_in_any_order_are_read_alike(tokens in vec(select(&TOKENS[..]), 0..12)) {
        check(&tokens.concat());
    }
}
