//! Compares the JSON reader with serde_json, and the comment handling with jsonc-parser.

use super::{Code, Dialect, Finding, Reader, Value, without_comments};
use helix_skills_runtime::__internal::MAX_DEPTH;
use jsonc_parser::ParseOptions;
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, RngSeed},
};
use serde_json::Value as Json;

fn json(value: Value<'_>) -> Json {
    serde_json::from_str(value.source()).unwrap()
}

/// Checks that exactly JSON is accepted, and that removing comments does not change JSON.
fn check(text: &str) {
    let strict = Value::parse(text);
    let is_json = serde_json::from_str::<Json>(text).is_ok();
    assert_eq!(strict.is_ok(), is_json, "{text:?}");
    if let Err(error) = &strict {
        assert!(error.offset() <= text.len() && text.is_char_boundary(error.offset()), "{text:?}");
    }
    let blanked = without_comments(text);
    assert_eq!(blanked.len(), text.len(), "{text:?}");
    if is_json {
        assert_eq!(blanked, text);
    }
    // jsonc-parser reads texts with comments as the same values; it accepts more than this reader.
    if let Ok(value) = Value::parse(&blanked) {
        let oracle = jsonc_parser::parse_to_serde_value::<Json>(text, &jsonc());
        assert_eq!(oracle.ok(), Some(json(value)), "{text:?}");
    }
}

fn jsonc() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
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
fn only_json_is_accepted() {
    for text in ["null", "[]", "{}", " [1, \"a\", {\"b\": [{}]}] ", "\"\\u0061\"", "1.50E+3", LOCK]
    {
        check(text);
        assert!(Value::parse(text).is_ok(), "{text:?}");
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
        assert!(Value::parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn comments_and_trailing_commas_become_spaces() {
    for (text, json) in [
        ("[1, // é\n2]", "[1,      \n2]"),
        ("[1 /* , */, /**/ ]", "[1               ]"),
        ("{\"// a\": \"/* \\\" b */\",}", "{\"// a\": \"/* \\\" b */\" }"),
        ("[1] //", "[1]   "),
        ("// x\r[1]", "    \r[1]"),
        // Not JSON, with or without comments.
        ("[,]", "[,]"),
        ("[1,,]", "[1,,]"),
        ("{\"a\":,}", "{\"a\":,}"),
        ("[1] /* x", "[1] /* x"),
        ("[1 / 2]", "[1 / 2]"),
        ("\"a // b", "\"a // b"),
    ] {
        assert_eq!(without_comments(text), json, "{text:?}");
        check(text);
    }
}

#[test]
fn nesting_is_bounded_in_every_dialect() {
    for dialect in [Dialect::Strict, Dialect::Commented] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            // The text is an object whose member is nested one level less.
            let nested = |depth: u32| {
                open.repeat(depth as usize - 1) + "1" + &close.repeat(depth as usize - 1)
            };
            let document = |depth| format!("{{\"x\":{}}}", nested(depth));
            let parse = |text: &str| {
                let taken = Reader::document(text, dialect, "a text", |_, fields| {
                    fields.take("x").map(|_| ())
                });
                taken.map_err(|findings: Vec<Finding>| findings[0].code)
            };
            assert_eq!(parse(&document(MAX_DEPTH)), Ok(()));
            assert_eq!(parse(&document(MAX_DEPTH + 1)), Err(Code::Syntax));
        }
    }
}

/// Tokens of valid and invalid JSON.
const TOKENS: [&str; 27] = [
    "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "\\n", "\\u0061", "\\ud83e", "0", "1", "-",
    ".", "e5", "null", "true", " ", "\n", "//", "/*", "*/", "\r", "é", "🦀",
];

proptest! {
    #![proptest_config(Config {
        cases: if cfg!(miri) { 2 } else { 2_000 }, failure_persistence: None, rng_seed: RngSeed::Fixed(4), ..Config::default()
    })]

    #[test]
    fn changed_lockfiles_parse_like_serde_json(changes in vec((any::<usize>(), 0..3_usize, select(&TOKENS[..])), 1..4)) {
        let mut text: Vec<char> = LOCK.chars().collect();
        for (at, remove, token) in changes {
            let at = at % (text.len() + 1);
            let end = (at + remove).min(text.len());
            text.splice(at..end, token.chars());
        }
        check(&text.into_iter().collect::<String>());
    }

    #[test]
    fn any_tokens_parse_like_serde_json(tokens in vec(select(&TOKENS[..]), 0..12)) {
        check(&tokens.concat());
    }
}
