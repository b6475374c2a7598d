use super::*;
use serde_json::json;

fn fields<const N: usize>(fields: [(&str, Json); N]) -> Vec<(String, Json)> {
    fields.map(|(field, value)| (field.to_owned(), value)).into()
}

#[test]
fn set_fields_keep_comments_and_formatting() {
    let text = r#"{
  "skills": {
    // first
    "a": {
      "type": "git", // t
      "url": "./r", // u
      "version": "1.2.0", // v
      "include": [
        "x", // x
        "y" // y
      ],
      "rename": {"x": "z"}
    },
    "b": {"type": "git", "url": "./r", "sha": "0123456789012345678901234567890123456789", "include": ["x"]},
  }
}
"#;
    let mut edited = ManifestText::parse(text).expect("valid");
    let key = |name| SourceKey::new(name).expect("a key");
    edited.set_fields(&key("c"), &fields([("version", "1".into())]));
    edited.set_fields(&key("a"), &[]);
    assert_eq!(edited.to_string(), text);
    let changed = fields([
        ("version", "1.3.0".into()),
        ("include", ["y", "w"].into()),
        ("exclude", Json::Null),
        ("rename", json!({"x": "z", "w": "v"})),
    ]);
    edited.set_fields(&key("a"), &changed);
    let changed =
        fields([("ref", "main".into()), ("sha", Json::Null), ("include", ["x", "y"].into())]);
    edited.set_fields(&key("b"), &changed);
    let expected = r#"{
  "skills": {
    // first
    "a": {
      "type": "git", // t
      "url": "./r", // u
      "version": "1.3.0", // v
      "include": [
        "y", // y
        "w"
      ],
      "rename": {
        "x": "z",
        "w": "v"
      }
    },
    "b": {"type": "git", "url": "./r", "ref": "main", "include": ["x", "y"]},
  }
}
"#;
    assert_eq!(edited.to_string(), expected);
}

#[test]
fn other_kind_of_pin_keeps_comments_and_place() {
    let text = r#"{"skills": {"a": {
  "type": "git",
  "url": "./r",
  // reviewed
  "version": "0.6.0", // pin: see bug 42
  "include": ["x", "y"], // both
}}}
"#;
    let key = SourceKey::new("a").expect("a key");
    let mut edited = ManifestText::parse(text).expect("valid");
    let changed = fields([("version", Json::Null), ("ref", "dev".into()), ("sha", Json::Null)]);
    edited.set_fields(&key, &changed);
    let expected = text.replace(r#""version": "0.6.0""#, r#""ref": "dev""#);
    assert_eq!(edited.to_string(), expected);
    let changed =
        fields([("version", "0.7.0".into()), ("ref", Json::Null), ("include", ["y"].into())]);
    edited.set_fields(&key, &changed);
    let expected = text.replace("0.6.0", "0.7.0").replace(r#"["x", "y"]"#, r#"["y"]"#);
    assert_eq!(edited.to_string(), expected);
}
