//! Results and inputs that are checked against their schema.

use crate::waiting::wait;
use helix_skills_agent::{
    BoxFuture, Registry, RegistryEntry,
    run::{Answer, Message, Model, Run, Shape, ToolCall, ToolDefinition, TypedSkill},
};
use helix_skills_host::json_schema;
use helix_skills_runtime::{Arguments, Skill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{error::Error, sync::Mutex};

const REVIEW: Skill =
    Skill::define("review", "Reviews.", "Review $file.").arguments(&["file"]).build();

#[derive(Debug, Deserialize, JsonSchema)]
struct Review {
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    #[serde(default)]
    #[schemars(inner(regex(pattern = "^[a-z]+$")))]
    tags: Vec<String>,
}

/// A model that submits these results in order and keeps the replies.
struct Submits {
    results: Vec<Value>,
    answers: Mutex<Vec<String>>,
}

impl Submits {
    fn new(results: impl Into<Vec<Value>>) -> Self {
        Self { results: results.into(), answers: Mutex::default() }
    }
}

impl Model for Submits {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        let at = messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count();
        if let Some(Message::Result { text, .. }) =
            messages.iter().rev().find(|message| matches!(message, Message::Result { .. }))
        {
            self.answers.lock().unwrap().push(text.clone());
        }
        let result = self.results[at].to_string();
        Box::pin(async { Ok(ToolCall::new("1", "submit", result).into()) })
    }
}

/// Returns the reply to an invalid result that is followed by a valid one.
fn answer_to(shape: &Shape, wrong: Value, right: Value) -> String {
    let model = Submits::new([wrong, right]);
    wait(Run::new(REVIEW).arguments("main.rs").max_turns(3).shaped::<Value>(shape, &model))
        .unwrap();
    model.answers.into_inner().unwrap().concat()
}

fn schema(text: &Value) -> Shape {
    Shape::with_schema(&text.to_string()).unwrap().validator(json_schema).unwrap()
}

#[test]
fn model_corrects_a_result_outside_of_its_schema() {
    // Without a validator, only the type is checked.
    let model = Submits::new([json!({"stars": 9})]);
    assert_eq!(
        wait(Run::new(REVIEW).arguments("main.rs").typed::<Review>(&model)).unwrap().stars,
        9
    );

    let shape = Shape::new::<Review>().validator(json_schema).unwrap();
    let model = Submits::new([
        json!({"stars": 9}),
        json!({"stars": 5, "tags": ["ok", "Not OK"]}),
        json!({"stars": 5}),
    ]);
    let review: Review =
        wait(Run::new(REVIEW).arguments("main.rs").max_turns(4).shaped(&shape, &model)).unwrap();
    assert_eq!((review.stars, review.tags.len()), (5, 0));
    assert_eq!(
        *model.answers.lock().unwrap(),
        [
            "the result was not accepted: `/stars`: 9 is greater than the maximum of 5",
            "the result was not accepted: `/tags/1`: \"Not OK\" does not match \"^[a-z]+$\"",
        ]
    );
}

#[test]
fn run_with_a_validator_checks_its_typed_result() {
    let run = Run::new(REVIEW).arguments("main.rs").validator(json_schema);
    let model = Submits::new([json!({"stars": 9}), json!({"stars": 5})]);
    let review: Review = wait(run.typed(&model)).unwrap();
    assert_eq!(review.stars, 5);
    let answers = model.answers.into_inner().unwrap();
    assert_eq!(
        answers,
        ["the result was not accepted: `/stars`: 9 is greater than the maximum of 5"]
    );

    // A schema without a validator gets this one, and an unsupported schema is an error of the run.
    let nine = Shape::with_schema(r#"{"type": "object", "minProperties": 1}"#).unwrap();
    let model = Submits::new([json!({}), json!({"a": 1})]);
    assert_eq!(wait(run.shaped::<Value>(&nine, &model)).unwrap(), json!({"a": 1}));
    let unsupported = Shape::with_schema(r#"{"type": "object", "properties": 7}"#).unwrap();
    let error = wait(run.shaped::<Value>(&unsupported, &Submits::new([]))).unwrap_err();
    assert_eq!(error.to_string(), "cannot run the skill `review`: its result cannot be validated");
    assert_eq!(error.source().unwrap().to_string(), "cannot compile the schema");
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Input {
    #[schemars(regex(pattern = r"\.rs$"))]
    file: String,
}

#[test]
fn typed_skill_with_a_validator_checks_its_input() {
    let typed = TypedSkill::<Input>::new(REVIEW).validator(json_schema).unwrap();
    let input = |file: &str| Input { file: file.to_owned() };
    let refused = "cannot run the skill `review`: its input does not fit: \
                   `/file`: \"main.c\" does not match \"\\.rs$\"";
    assert!(typed.run(&input("main.rs")).is_ok());
    assert_eq!(typed.run(&input("main.c")).unwrap_err().to_string(), refused);
    assert!(typed.run_json(r#"{"file": "main.rs"}"#).is_ok());
    assert_eq!(typed.run_json(r#"{"file": "main.c"}"#).unwrap_err().to_string(), refused);
    // In a registry, it is checked whenever the skill is called by name.
    let mut skills = Registry::new();
    skills.register(typed).unwrap();
    let run = skills.run("review").unwrap().arguments("main.c");
    assert_eq!(run.check_input().unwrap_err().to_string(), refused);
}

#[test]
fn missing_member_of_a_schema_is_named() {
    let shape = schema(
        &json!({"type": "object", "required": ["why"], "properties": {"why": {"type": "string"}}}),
    );
    let answer = answer_to(&shape, json!({}), json!({"why": "so"}));
    assert_eq!(answer, "the result was not accepted: \"why\" is a required property");
}

#[test]
fn format_of_a_text_is_checked_if_it_is_known() {
    let shape = schema(&json!({"type": "object", "properties": {
        "to": {"type": "string", "format": "email"},
        "stars": {"type": "integer", "format": "uint8"},
    }}));
    let answer =
        answer_to(&shape, json!({"to": "x"}), json!({"to": "ada@example.com", "stars": 300}));
    assert_eq!(answer, "the result was not accepted: `/to`: \"x\" is not a \"email\"");
}

#[test]
fn all_violations_are_listed_up_to_five() {
    let shape = schema(&json!({"type": "object", "additionalProperties": {"type": "integer"}}));
    let two = answer_to(&shape, json!({"a": "x", "b": {"c~/": 1}}), json!({}));
    assert_eq!(
        two,
        "the result was not accepted: `/a`: \"x\" is not of type \"integer\"; `/b`: {\"c~/\":1} is not of type \"integer\"",
    );
    let many =
        answer_to(&shape, json!({"a": "", "b": "", "c": "", "d": "", "e": "", "f": ""}), json!({}));
    assert_eq!(many.matches("is not of type").count(), 5);
    assert!(many.ends_with("; and more"), "{many}");
}

#[test]
fn value_in_a_member_has_the_pointer_of_the_member() {
    let shape = Shape::new::<Vec<Review>>().validator(json_schema).unwrap();
    let answer =
        answer_to(&shape, json!({"result": [{"stars": 1}, {"stars": 0}]}), json!({"result": []}));
    assert_eq!(
        answer,
        "the result was not accepted: `/result/1/stars`: 0 is less than the minimum of 1"
    );
}

#[test]
fn long_value_does_not_hide_what_is_wrong() {
    let shape = schema(&json!({"type": "object", "properties": {"name": {"maxLength": 3}}}));
    let answer = answer_to(&shape, json!({"name": "x".repeat(100_000)}), json!({}));
    assert_eq!(
        answer,
        "the result was not accepted: `/name`: the value is longer than 3 characters"
    );
}

#[test]
fn unsupported_schemas_are_errors_with_a_cause() {
    let compile = |schema: &str| {
        let shape = Shape::with_schema(schema).unwrap();
        shape.validator(json_schema).unwrap_err()
    };
    for wrong in [
        r#"{"type": "object", "properties": 7}"#,
        r#"{"type": "object", "properties": {"a": {"pattern": "(?=x)"}}}"#,
        r#"{"type": "object", "$ref": "https://127.0.0.1:1/schema.json"}"#,
    ] {
        let error = compile(wrong);
        assert_eq!(error.to_string(), "cannot compile the schema");
        assert!(error.source().is_some());
    }
}

#[test]
fn input_of_a_registered_skill_is_validated() {
    let shape = schema(&json!({
        "type": "object",
        "required": ["file"],
        "properties": {"file": {"type": "string", "pattern": "\\.rs$"}},
        "additionalProperties": false,
    }));
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(REVIEW).input(shape)).unwrap();
    let check = |arguments| {
        skills
            .run("review")
            .unwrap()
            .arguments(arguments)
            .check_input()
            .map_err(|why| why.to_string())
    };
    assert_eq!(check(Arguments::text("main.rs")), Ok(()));
    let why = |arguments| {
        check(arguments).unwrap_err().split_once("does not fit: ").unwrap().1.to_owned()
    };
    assert_eq!(why(Arguments::text("main.c")), r#"`/file`: "main.c" does not match "\.rs$""#);
    assert_eq!(why(Arguments::NONE), r#""file" is a required property"#);
    let more = Arguments::json(r#"{"file": "a.rs", "x": 1}"#).unwrap();
    assert_eq!(why(more), "Additional properties are not allowed ('x' was unexpected)");
}
