//! Schemas of results, and the values that come of them.

use super::{Script, TRIAGE, submit};
use crate::wait;
use expect_test::expect;
use helix_skills_agent::run::{Run, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// What a value that was handed in becomes, and what the model is told of the parameters.
fn handed_in<V: DeserializeOwned>(shape: &Shape<V>, result: &Value) -> V {
    let schema: Value = serde_json::from_str(shape.schema()).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    assert_eq!(schema["type"], "object");
    assert!(
        jsonschema::validator_for(&schema).unwrap().is_valid(result),
        "{result} is none of {schema}"
    );
    let script = Script::of([submit(result)]);
    let value = wait(Run::new(TRIAGE).shaped(shape, &script)).unwrap();
    assert_eq!(script.offered.lock().unwrap()[0].parameters, shape.schema());
    value
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Finding {
    file: String,
    line: Option<u32>,
}

/// What is left of a task.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Left {
    Nothing,
    Parts(Vec<Self>),
    Named { name: String },
}

#[test]
fn a_result_that_is_no_object_is_the_member_of_one() {
    let all = Shape::<Vec<Finding>>::new();
    let found = handed_in(
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

    assert!(handed_in(&Shape::<bool>::new(), &json!({"result": true})));
    assert_eq!(handed_in(&Shape::<Value>::new(), &json!({"result": [1, {}]})), json!([1, {}]));
    // A type that is made of itself, at the root and where it is now.
    let left = handed_in(
        &Shape::<Left>::new(),
        &json!({"result": {"Parts": ["Nothing", {"Parts": [{"Named": {"name": "x"}}]}]}}),
    );
    assert_eq!(
        left,
        Left::Parts(vec![Left::Nothing, Left::Parts(vec![Left::Named { name: "x".into() }])])
    );
    let schema: Value = serde_json::from_str(Shape::<Left>::new().schema()).unwrap();
    assert!(
        !jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&json!({"result": {"Parts": [{"Parts": 1}]}}))
    );
}

#[test]
fn what_is_wrong_in_a_member_is_told_by_its_whole_path() {
    let told = |result: Value| {
        let script = Script::of([submit(&result), submit(&json!({"result": []}))]);
        wait(Run::new(TRIAGE).ticks(3).typed::<Vec<Finding>>(&script)).unwrap();
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
    .assert_eq(&all.map(told).concat());
}

#[test]
fn a_schema_that_somebody_wrote_goes_to_the_model_as_it_is() {
    let written = r#"{ "type":"object", "required":["why","bug"], "properties":{"why":{"type":"string"}, "bug":{"type":"boolean"}} }"#;
    let validator = jsonschema::validator_for(&serde_json::from_str(written).unwrap()).unwrap();
    let shape = Shape::<Value>::with_schema(written)
        .unwrap()
        .check(move |value| validator.validate(value).map_err(|error| error.to_string()));
    assert_eq!(shape.schema(), written);
    assert_eq!(handed_in(&shape, &json!({"why": "so", "bug": true}))["bug"], true);

    let script = Script::of([
        submit(&json!({"why": "so", "bug": "yes"})),
        submit(&json!({"why": "so", "bug": true})),
    ]);
    wait(Run::new(TRIAGE).ticks(3).shaped(&shape, &script)).unwrap();
    assert_eq!(script.last(), "the result was not accepted: \"yes\" is not of type \"boolean\"");

    let list = Shape::<Vec<u8>>::with_schema(
        r##"{"$ref": "#/$defs/L", "$defs": {"L": {"type": "array", "items": {"$ref": "#/$defs/N"}}, "N": {"type": "integer"}}}"##,
    );
    assert_eq!(handed_in(&list.unwrap(), &json!({"result": [1, 2]})), [1, 2]);
    for wrong in ["", "{", "[]", "true", "{}{}"] {
        let error = Shape::<Value>::with_schema(wrong).unwrap_err().to_string();
        assert!(error.starts_with("cannot ") && error.contains(" the schema"), "{error}");
    }
}

#[test]
fn no_arguments_at_all_are_an_object_without_members() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Nothing {}
    for written in ["", " ", "{}"] {
        let mut answer = submit(&json!({}));
        answer.calls[0].arguments = written.into();
        assert_eq!(
            wait(Run::new(TRIAGE).typed::<Nothing>(&Script::of([answer]))).unwrap(),
            Nothing {}
        );
    }
}
