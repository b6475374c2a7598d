//! JSON in any spelling: the reader accepts what serde_json accepts and reads the same values, and
//! a template is filled with the parts of its arguments that serde_json finds.

use crate::Target;
use helix_skills_runtime::{
    __internal::{Json, JsonKind},
    Arguments, Neutral, Template, Variables,
};
use serde_json::{Value, value::RawValue};
use std::collections::BTreeMap;

pub(crate) const TARGET: Target = Target {
    name: "json",
    body,
    seeds,
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\": ",
        "\\",
        "\\\"",
        "\\\\",
        "\\n",
        "\\u",
        "\\u0061",
        "\\u0020",
        "\\u0027",
        "\\u0022",
        "\\u005c",
        "\\ud83e",
        "\\udd80",
        "\\u003c/skill>",
        "u00",
        "0",
        "1",
        "-",
        ".",
        "e",
        "E+",
        "1e5",
        "1e999",
        "null",
        "true",
        "false",
        " ",
        "\t",
        "\n",
        "\r",
        "\u{b}",
        "\u{feff}",
        "é",
        "🦀",
        "/",
        "'",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ],
    max_len: 400,
    count: 5000,
};

fn body(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let found = Json::parse(&text);
    match serde_json::from_str::<Value>(&text) {
        Ok(expected) => {
            let found = found.unwrap_or_else(|why| panic!("refused: {why}"));
            assert_eq!(
                (found.source(), found.start()),
                (text.trim(), text.len() - text.trim_start().len())
            );
            assert_eq!(value(found), expected);
            fill(text.trim(), &expected);
        }
        // It is JSON, but serde_json keeps numbers as 64 bits.
        Err(why) if why.to_string().starts_with("number out of range") => {}
        Err(why) => {
            let Err(error) = found else { panic!("accepted, though {why}") };
            let before = text.get(..error.offset()).expect("an offset of a character");
            let (line, start) = (before.matches('\n').count() + 1, before.rsplit('\n').next());
            let column = start.unwrap_or_default().chars().count() + 1;
            let place = format!(" at line {line} column {column}");
            assert!(error.to_string().ends_with(&place), "{error}");
        }
    }
}

const BODY: &str = "0[$0] 1[$1] 2[$2] a[$a] b[$b] all[$ARGUMENTS]";

/// Asserts that a body is filled with the parts that serde_json finds.
fn fill(json: &str, value: &Value) {
    let filled = |arguments| Template::new(BODY).fill(arguments, &Variables::new());
    let found = filled(Arguments::json(json).unwrap_or_else(|why| panic!("refused: {why}")));
    let (mut items, mut members) = (vec![dense(json)], BTreeMap::new());
    match value {
        Value::String(text) => return assert_eq!(found, filled(Arguments::text(text))),
        Value::Null => return assert_eq!(found, filled(Arguments::NONE)),
        Value::Object(members) if members.is_empty() => {
            return assert_eq!(found, filled(Arguments::NONE));
        }
        Value::Array(_) => {
            items = serde_json::from_str::<Vec<&RawValue>>(json)
                .map(|raw| raw.into_iter().map(item).collect())
                .unwrap_or_default()
        }
        Value::Object(_) => {
            let raw: BTreeMap<String, &RawValue> = serde_json::from_str(json).unwrap_or_default();
            // Each value is borrowed from the text, so its address gives its position.
            let places: BTreeMap<_, _> =
                raw.values().map(|raw| (raw.get().as_ptr(), item(raw))).collect();
            items = places.into_values().collect();
            members = raw.into_iter().map(|(key, raw)| (key, item(raw))).collect();
        }
        Value::Bool(_) | Value::Number(_) => {}
    }
    let nth = |at: usize| items.get(at).cloned().unwrap_or_else(|| format!("${at}"));
    let named = |name: &str| members.get(name).cloned().unwrap_or_else(|| format!("${name}"));
    let (nth, a, b, all) = ([0, 1, 2].map(nth), named("a"), named("b"), dense(json));
    let expected = format!("0[{}] 1[{}] 2[{}] a[{a}] b[{b}] all[{all}]", nth[0], nth[1], nth[2]);
    assert_eq!(found, Neutral(&expected).to_string());
}

/// Returns the text of a part.
fn item(raw: &RawValue) -> String {
    match serde_json::from_str(raw.get()) {
        Ok(Value::Null) => String::new(),
        Ok(Value::String(text)) => text,
        _ => dense(raw.get()),
    }
}

/// Returns JSON without whitespace between its parts.
fn dense(json: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let stays = |c: &char| {
        let was_quoted = is_quoted;
        is_quoted ^= *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        was_quoted || !c.is_ascii_whitespace()
    };
    json.chars().filter(stays).collect()
}

fn value(json: Json<'_>) -> Value {
    let text = |json: Json<'_>| {
        json.text().map_or_else(|| panic!("not a string: {json:?}"), |text| text.to_string())
    };
    match json.kind() {
        JsonKind::Array => json.items().map(value).collect(),
        JsonKind::Object => {
            Value::Object(json.members().map(|(key, item)| (text(key), value(item))).collect())
        }
        JsonKind::String => text(json).into(),
        JsonKind::Null | JsonKind::Boolean | JsonKind::Number => {
            serde_json::from_str(json.source()).unwrap_or_else(|why| panic!("{why}"))
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let deep = "[".repeat(127) + &"]".repeat(127);
    [
        r#"{"a": "it's \u00e9", "b": [1, {"a": null}], "a": "</skill>"}"#,
        r#"[ "a b", null, { "k" : "\ud83e\udd80" }, -1.5e3, true ]"#,
        r#""a 'b \u0063' \"\\n\"""#,
        "{\n  \"a\" : \"\",\n  \"b\" : []\n}",
        "-0.5e+10",
        &deep,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}
