//! The reader accepts what serde_json accepts, and reads the same values.

use super::{
    escaped,
    table::{INVALID, VALID},
};
use crate::hostile::config;
use helix_skills_runtime::__internal::{Json, JsonKind, MAX_DEPTH};
use proptest::{collection::vec, prelude::*};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Returns the value as serde_json has it. In a checked document, every string has a text.
fn value(json: Json<'_>) -> Value {
    let text = |json: Json<'_>| json.text().unwrap().to_string();
    match json.kind() {
        JsonKind::Array => json.items().map(value).collect(),
        JsonKind::Object => {
            Value::Object(json.members().map(|(key, item)| (text(key), value(item))).collect())
        }
        JsonKind::String => text(json).into(),
        JsonKind::Null | JsonKind::Boolean | JsonKind::Number => {
            serde_json::from_str(json.source()).unwrap()
        }
    }
}

/// Checks that both readers give the same result for a text.
#[track_caller]
fn check(text: &str) {
    let found = Json::parse(text);
    match serde_json::from_str::<Value>(text) {
        Ok(expected) => assert_eq!(value(found.unwrap()), expected, "{text}"),
        // It is JSON, but serde_json keeps numbers as 64 bits.
        Err(why) if why.to_string().starts_with("number out of range") => {}
        Err(why) => assert!(found.is_err(), "{text}: {why}"),
    }
}

#[test]
fn valid_texts_have_the_values_of_serde_json() {
    for text in VALID {
        assert!(Json::parse(text).is_ok(), "{text}: {:?}", Json::parse(text));
        check(text);
    }
    let huge = Json::parse("1e999").unwrap();
    assert_eq!((huge.kind(), huge.source()), (JsonKind::Number, "1e999"));
}

#[test]
fn invalid_texts_are_errors_with_a_position() {
    for (text, column, what) in INVALID {
        check(text);
        let error = Json::parse(text).unwrap_err();
        assert_eq!(error.to_string(), format!("{what} at line 1 column {column}"), "{text}");
    }
    let error = Json::parse("{\n  \"é\": 1,\n  \"ü\" 2\n}").unwrap_err();
    assert_eq!(error.to_string(), "expected `:` at line 3 column 7");
}

#[test]
fn values_have_positions_and_their_source() {
    let text = r#" {"a" : [ 1 , "x\n" ], "b":{}} "#;
    let json = Json::parse(text).unwrap();
    assert_eq!((json.start(), json.source()), (1, text.trim()));
    let members: Vec<_> =
        json.members().map(|(key, value)| (key.start(), value.start(), value.source())).collect();
    assert_eq!(members, [(2, 8, r#"[ 1 , "x\n" ]"#), (23, 27, "{}")]);
    let items: Vec<_> = json
        .members()
        .next()
        .unwrap()
        .1
        .items()
        .map(|item| (item.start(), item.source()))
        .collect();
    assert_eq!(items, [(10, "1"), (14, r#""x\n""#)]);
    for other in ["1", "\"[1]\"", "null", "true"] {
        let other = Json::parse(other).unwrap();
        assert!(other.items().next().is_none() && other.members().next().is_none());
    }
    assert!(json.items().next().is_none() && json.text().is_none());
}

#[test]
fn strings_without_escapes_are_borrowed() {
    let text = |json: &'static str| Json::parse(json).unwrap().text().unwrap();
    assert!(matches!(text("\"aé🦀\""), Cow::Borrowed("aé🦀")));
    assert_eq!(text(r#""a\n""#), "a\n");
    assert_eq!(text(r#""\u0061\n""#), text(r#""a\u000a""#));
    assert_eq!(text(r#""\u0061\n\"b""#), "a\n\"b");
}

#[test]
fn nesting_is_bounded_as_in_serde_json() {
    let most = MAX_DEPTH as usize;
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\": ", "}]")] {
        let levels = open.matches(['[', '{']).count();
        let nested =
            |depth: usize| open.repeat(depth / levels) + "1" + &close.repeat(depth / levels);
        let whole = nested(most);
        assert!(Json::parse(&whole).is_ok());
        check(&whole);
        let deeper = nested(most + levels);
        check(&deeper);
        assert_eq!(
            Json::parse(&deeper).unwrap_err().message(),
            "more than 127 nested arrays and objects"
        );
    }
}

/// A reader that reads a level again for each level below it would take too long here.
#[test]
#[cfg_attr(miri, ignore = "texts of a megabyte")]
fn large_texts_are_read_in_one_pass() {
    let size = 1 << 20;
    for piece in
        ["[", "{\"a\":", "[[],", "\"", "\\", "1", " ", "-", "\"\\u0061", "{\"a\":[", "nul", "\n"]
    {
        let text = piece.repeat(size / piece.len());
        assert!(Json::parse(&text).is_err() != (piece == "1"), "{piece}");
    }
    for (open, piece, close) in
        [("[0", ",[]", "]"), ("{\"a\":0", ",\"a\":0", "}"), ("\"", "\\n", "\""), ("0.", "0", "")]
    {
        let text = open.to_owned() + &piece.repeat(size / piece.len()) + close;
        let json = Json::parse(&text).unwrap();
        let parts = json.members().count() + json.items().count();
        assert_eq!(parts, if piece.starts_with(',') { size / piece.len() + 1 } else { 0 });
    }
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[\"\\\\/\u{0}-\u{20}a🦀]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((any::<String>(), inner), 0..6)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn printed_values_are_read_back(value in values()) {
        check(&value.to_string());
        check(&serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn escaped_strings_are_read_back(text in any::<String>()) {
        check(&escaped(&text));
        check(&format!("{{{0}: {0}}}", escaped(&text)));
    }
}
