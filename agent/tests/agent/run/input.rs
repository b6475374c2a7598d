//! Input of runs.

use super::{Script, any, submit};
use crate::wait;
use helix_skills_agent::run::Run;
use helix_skills_runtime::{Arguments, ErrorKind, Skill};
use serde_json::{Value, json};

#[test]
fn typed_input_without_a_declared_argument_is_an_error() {
    let greet = Skill::define("greet", "Greets.", "Ask $who, not $other.")
        .arguments(&["who", "other"])
        .build();
    let error = Run::new(&greet).input(&json!({"who": "Ada"})).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the skill `greet`: its input does not fit: `other`: the skill declares this argument, and it is missing",
    );
    // A value that is not an object has positional parts.
    let error = Run::new(&greet).input(&["Ada"]).unwrap_err();
    assert_eq!((error.kind(), error.field()), (ErrorKind::Input, Some("other")));
    assert!(Run::new(&greet).input(&["Ada", "Bob"]).is_ok());
    let error = Run::new(greet).input(&json!({"who": "Ada", "other": null})).unwrap_err();
    assert_eq!(error.field(), Some("other"));
}

#[test]
fn typed_run_without_a_declared_argument_asks_no_model() {
    let greet = Skill::define("greet", "Greets.", "Ask $who, not $other.")
        .arguments(&["who", "other"])
        .build();
    let missing = |run: Run<'_>| {
        let script = Script::new([submit(&json!({}))]);
        let result = wait(run.shaped::<Value>(&any(), &script));
        // The script is over if the model was asked.
        match result.map_err(|error| (error, script.is_over())) {
            Ok(_) => None,
            Err((error, false)) if error.kind() == ErrorKind::Input => {
                error.field().map(str::to_owned)
            }
            Err(other) => panic!("{other:?}"),
        }
    };
    let json = |text| Run::new(&greet).arguments(Arguments::json(text).unwrap());
    assert_eq!(missing(Run::new(&greet)).as_deref(), Some("who"));
    assert_eq!(missing(Run::new(&greet).arguments("Ada")).as_deref(), Some("other"));
    assert_eq!(missing(json(r#"{"other": "Bob"}"#)).as_deref(), Some("who"));
    assert_eq!(missing(json(r#"["Ada"]"#)).as_deref(), Some("other"));
    assert_eq!(missing(json("null")).as_deref(), Some("who"));
    assert_eq!(missing(json(r#"{"who": "Ada", "other": "Bob", "more": 1}"#)), None);
    assert_eq!(missing(Run::new(&greet).arguments("Ada 'Bob or Eve'")), None);
    assert_eq!(missing(Run::new(&greet).arguments("Ada Bob Eve")), None);
    // If the result is a text, a missing argument is not an error, as in a conversation.
    let script = Script::new(["Done."]);
    wait(Run::new(greet).arguments("Ada").text(&script)).unwrap();
    assert!(script.last().contains("Ask Ada, not ."), "{}", script.last());
}
