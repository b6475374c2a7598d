//! Schemas of results, and the values that are read with them.

use super::{Script, submit, triage};
use crate::wait;
use expect_test::expect;
use helix_skills_agent::run::Shape;
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Submits a result, and returns its value. Checks the result and the tool against the schema.
fn submitted<V: DeserializeOwned>(shape: &Shape, result: &Value) -> V {
    let schema: Value = serde_json::from_str(shape.schema()).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    assert_eq!(schema["type"], "object");
    assert!(
        jsonschema::validator_for(&schema).unwrap().is_valid(result),
        "{result} does not match {schema}"
    );
    let script = Script::new([submit(result)]);
    let value = wait(triage().shaped(shape, &script)).unwrap();
    assert_eq!(script.offered.lock().unwrap()[0].parameters, shape.schema());
    value
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Finding {
    file: String,
    line: Option<u32>,
}

/// The rest of a task.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Left {
    Nothing,
    Parts(Vec<Self>),
    Named { name: String },
}

#[test]
fn result_that_is_not_an_object_is_wrapped_in_one() {
    let all = Shape::new::<Vec<Finding>>();
    let found: Vec<Finding> = submitted(
        &all,
        &json!({"result": [{"file": "a.rs", "line": 3}, {"file": "b.rs", "line": null}]}),
    );
    assert_eq!(
        found,
        [
            Finding { file: "a.rs".into(), line: Some(3) },
            Finding { file: "b.rs".into(), line: None }
        ]
    );
    expect![[r##"
        {
          "$defs": {
            "Finding": {
              "properties": {
                "file": {
                  "type": "string"
                },
                "line": {
                  "format": "uint32",
                  "minimum": 0,
                  "type": [
                    "integer",
                    "null"
                  ]
                }
              },
              "required": [
                "file"
              ],
              "type": "object"
            }
          },
          "additionalProperties": false,
          "properties": {
            "result": {
              "items": {
                "$ref": "#/$defs/Finding"
              },
              "title": "Array_of_Finding",
              "type": "array"
            }
          },
          "required": [
            "result"
          ],
          "type": "object"
        }"##]]
    .assert_eq(
        &serde_json::to_string_pretty(&serde_json::from_str::<Value>(all.schema()).unwrap())
            .unwrap(),
    );

    assert!(submitted::<bool>(&Shape::new::<bool>(), &json!({"result": true})));
    assert_eq!(
        submitted::<Value>(&Shape::new::<Value>(), &json!({"result": [1, {}]})),
        json!([1, {}])
    );
    // A recursive type, whose references to the root are adjusted.
    let left: Left = submitted(
        &Shape::new::<Left>(),
        &json!({"result": {"Parts": ["Nothing", {"Parts": [{"Named": {"name": "x"}}]}]}}),
    );
    assert_eq!(
        left,
        Left::Parts(vec![Left::Nothing, Left::Parts(vec![Left::Named { name: "x".into() }])])
    );
    let schema: Value = serde_json::from_str(Shape::new::<Left>().schema()).unwrap();
    assert!(
        !jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&json!({"result": {"Parts": [{"Parts": 1}]}}))
    );
}

#[test]
fn errors_in_members_have_the_full_path() {
    let answer = |result: Value| {
        let script = Script::new([submit(&result), submit(&json!({"result": []}))]);
        wait(triage().max_turns(3).typed::<Vec<Finding>>(&script)).unwrap();
        script.last() + "\n"
    };
    let all = [
        json!({}),
        json!({"result": 1}),
        json!({"result": [{"file": 1}]}),
        json!({"result": [{"file": "a", "line": -1}]}),
        json!([]),
    ];
    expect![[r#"
        the result was not accepted: missing field `result`
        the result was not accepted: `result`: invalid type: integer `1`, expected a sequence
        the result was not accepted: `result[0].file`: invalid type: integer `1`, expected a string
        the result was not accepted: `result[0].line`: invalid value: integer `-1`, expected u32
        the result was not accepted: expected one JSON object
    "#]]
    .assert_eq(&all.map(answer).concat());
}

#[test]
fn custom_schema_is_passed_to_the_model_unchanged() {
    let written = r#"{ "type":"object", "required":["why","bug"], "properties":{"why":{"type":"string"}, "bug":{"type":"boolean"}} }"#;
    let validator = jsonschema::validator_for(&serde_json::from_str(written).unwrap()).unwrap();
    let shape = Shape::with_schema(written)
        .unwrap()
        .check(move |value: &Value| validator.validate(value).map_err(|error| error.to_string()));
    assert_eq!(shape.schema(), written);
    assert_eq!(submitted::<Value>(&shape, &json!({"why": "so", "bug": true}))["bug"], true);

    let script = Script::new([
        submit(&json!({"why": "so", "bug": "yes"})),
        submit(&json!({"why": "so", "bug": true})),
    ]);
    wait(triage().max_turns(3).shaped::<Value>(&shape, &script)).unwrap();
    assert_eq!(script.last(), "the result was not accepted: \"yes\" is not of type \"boolean\"");

    let list = Shape::with_schema(
        r##"{"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/N"}}, "N": {"type": "integer"}}}"##,
    );
    assert_eq!(submitted::<Vec<u8>>(&list.unwrap(), &json!({"result": [1, 2]})), [1, 2]);
    for wrong in ["", "{", "[]", "true", "{}{}"] {
        let error = Shape::with_schema(wrong).unwrap_err().to_string();
        assert!(error.starts_with("cannot ") && error.contains(" the schema"), "{error}");
    }
}

#[test]
fn empty_arguments_are_an_empty_object() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Nothing {}
    for written in ["", " ", "{}"] {
        let mut answer = submit(&json!({}));
        answer.calls[0].arguments = written.into();
        assert_eq!(wait(triage().typed::<Nothing>(&Script::new([answer]))).unwrap(), Nothing {});
    }
}
