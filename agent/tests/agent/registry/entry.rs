//! Entries with an input contract.

use crate::wait;
use helix_skills_agent::{
    AsyncToolbox, BoxFuture, Provider, Providers, Registry, RegistryEntry,
    run::{Answer, Message, Model, Run, Shape, ToolDefinition, TypedSkill},
};
use helix_skills_runtime::{Arguments, Call, ErrorKind, Profile, Skill, Variables};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

const TRIAGE: Skill =
    Skill::define("triage", "Sorts issues.", "Issue $number: $title, urgent: $urgent.")
        .arguments(&["number", "title", "urgent"])
        .build();

#[derive(Serialize, Deserialize, JsonSchema)]
struct Issue {
    number: u32,
    title: String,
    #[serde(default)]
    urgent: Option<bool>,
}

fn registry() -> Registry {
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(TRIAGE).input(Shape::new::<Issue>())).unwrap();
    skills
}

/// A model that repeats the instructions, and counts its calls.
#[derive(Default)]
struct Counter(AtomicUsize);

impl Model for Counter {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let Some(Message::User(text)) = messages.get(1) else { panic!("{messages:?}") };
        Box::pin(async { Ok(text.clone().into()) })
    }
}

#[test]
fn registry_run_checks_input_before_calling_the_model() {
    let (skills, model) = (registry(), Counter::default());
    let error = wait(skills.run("triage").unwrap().arguments("42").text(&model)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the skill `triage`: its input does not fit: missing field `title`"
    );
    let input = Arguments::json(r#"{"number": "all", "title": "x"}"#).unwrap();
    let loaded = wait(Run::load(&skills, "triage", Profile::Helix)).unwrap();
    let error = wait(loaded.arguments(input).text(&model)).unwrap_err();
    assert_eq!(error.field(), Some("number"), "{error}");
    assert_eq!(model.0.load(Ordering::Relaxed), 0);

    let text = wait(skills.run("triage").unwrap().arguments("42 'big exports' true").text(&model))
        .unwrap();
    assert!(text.contains("Issue 42: big exports, urgent: true."), "{text}");
    assert_eq!(model.0.load(Ordering::Relaxed), 1);
    let error = skills.run("tirage").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownSkill);
}

#[test]
fn tool_call_with_wrong_arguments_is_answered() {
    let toolbox =
        wait(AsyncToolbox::builder(registry()).profile(Profile::Agentick).build()).unwrap();
    let call = |arguments: Value| wait(toolbox.call("skill", &arguments.to_string())).unwrap();
    let wrong = [
        (json!({}), "missing field `number`"),
        (json!("42 x maybe"), "`urgent`: invalid type: string \"maybe\", expected a boolean"),
        (
            json!({"number": -1, "title": "x"}),
            "`number`: invalid value: integer `-1`, expected u32",
        ),
        (json!(["42", "x"]), "`number`: invalid type: string \"42\", expected u32"),
        (json!([42, 43]), "`title`: invalid type: integer `43`, expected a string"),
        (
            json!("1 2 3 4"),
            "more values than the arguments `number`, `title`, `urgent`: quote a value of several words",
        ),
    ];
    for (args, why) in wrong {
        let reply = call(json!({"name": "triage", "args": args}));
        assert!(reply.is_error() && reply.event().is_none());
        assert_eq!(
            reply.to_string(),
            format!("cannot load the skill `triage`: its input does not fit: {why}")
        );
    }
    let without = call(json!({"name": "triage"}));
    assert!(without.is_error(), "{without}");
    for args in [
        json!({"number": 42, "title": "x", "urgent": false}),
        json!("42 x false"),
        json!([42, "x", false]),
    ] {
        let reply = call(json!({"name": "triage", "args": args}));
        assert!(reply.to_string().starts_with("Issue 42: x, urgent: false."), "{reply}");
    }
}

#[test]
fn declared_arguments_are_checked_and_fill_the_body() {
    let toolbox = wait(AsyncToolbox::builder(registry()).build()).unwrap();
    let call = |arguments| wait(toolbox.call("load_skill", arguments)).unwrap();
    assert!(call(r#"{"name": "triage"}"#).is_error());
    let reply = call(r#"{"name": "triage", "arguments": {"number": 42, "title": "x"}}"#);
    let text = reply.to_string();
    assert!(text.contains("Issue 42: x, urgent: ."), "{text}");
    assert!(text.contains("\n\nARGUMENTS: {\"number\":42,\"title\":\"x\"}"), "{text}");
}

/// The tool has no parameter for arguments, because no skill declares any.
#[test]
fn call_without_arguments_parameter_is_not_checked() {
    let triage = Skill::define("triage", "Sorts issues.", "Look into it.").build();
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(triage).input(Shape::new::<Issue>())).unwrap();
    let toolbox = wait(AsyncToolbox::builder(skills).build()).unwrap();
    let reply = wait(toolbox.call("load_skill", r#"{"name": "triage"}"#)).unwrap();
    assert!(reply.to_string().contains("Look into it."), "{reply}");
    let given = Call::LoadSkill { name: "triage", arguments: Some(Arguments::text("x")) };
    assert!(wait(toolbox.answer(given)).is_error());
}

#[test]
fn slash_command_with_wrong_arguments_is_answered() {
    let skills = Providers::new().with(registry());
    let toolbox = wait(AsyncToolbox::builder(skills).profile(Profile::ClaudeCode).build()).unwrap();
    let slash = |message: &str| wait(toolbox.slash(message)).unwrap();
    assert_eq!(
        slash("/triage big exports").to_string(),
        "cannot load the skill `triage`: its input does not fit: `number`: invalid type: string \"big\", expected u32",
    );
    assert!(slash("/triage").is_error());
    let sent = slash("/triage 42 'big exports'");
    assert!(sent.to_string().contains("Issue 42: big exports"), "{sent}");
}

#[test]
fn words_without_declared_arguments_do_not_fit() {
    let skill = Skill::define("echo", "Echoes.", "Say $ARGUMENTS.").build();
    let any = || Shape::with_schema(r#"{"type": "object"}"#).unwrap();
    let mut skills = Registry::new();
    skills.register(RegistryEntry::new(skill).input(any())).unwrap();
    let error =
        skills.run("echo").unwrap().arguments("hello").check_input().unwrap_err().to_string();
    assert!(
        error.ends_with("expected one JSON object: the skill declares no `arguments` for words")
    );
    skills.run("echo").unwrap().check_input().unwrap();
    skills
        .run("echo")
        .unwrap()
        .arguments(Arguments::json(r#"{"x": 1}"#).unwrap())
        .check_input()
        .unwrap();
}

#[test]
fn typed_skill_registers_with_its_type() {
    let mut skills = Registry::new();
    skills.register(TypedSkill::<Issue>::new(TRIAGE)).unwrap();
    let entry = skills.entry("triage").unwrap();
    let contract = entry.contract.as_ref().unwrap();
    assert_eq!(contract.schema(), Shape::new::<Issue>().schema());
    let check = |json| {
        let run = skills.run("triage").unwrap().arguments(Arguments::json(json).unwrap());
        run.check_input()
    };
    assert!(check(r#"{"number": 42}"#).is_err() && check("[]").is_err());
    assert!(check(r#"{"number": 42, "title": ""}"#).is_ok());
    let profile = Profile::Helix;
    assert!(wait(skills.input("triage", profile)).unwrap().is_some());
    assert!(wait(skills.input("nope", profile)).unwrap().is_none());
}

#[test]
fn argument_that_is_not_required_may_be_missing() {
    #[derive(Serialize)]
    struct Sparse {
        number: u32,
        title: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        urgent: Option<bool>,
    }
    let (skills, model) = (registry(), Counter::default());
    let run = || skills.run("triage").unwrap().max_turns(1);
    let sparse = Sparse { number: 42, title: "x", urgent: None };
    let typed = TypedSkill::<Sparse>::new(TRIAGE);
    for run in [run().arguments("42 x"), run().input(&sparse).unwrap(), typed.run(&sparse).unwrap()]
    {
        let text = wait(run.text(&model)).unwrap();
        assert!(text.contains("Issue 42: x, urgent: ."), "{text}");
        // The model is asked for a typed result, too.
        let error = wait(run.max_turns(1).typed::<Pair>(&model)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::NoResult, "{error}");
    }
    let error = run().input(&json!({"number": 42})).unwrap_err();
    assert_eq!(error.field(), Some("title"), "{error}");
    // Without a contract or a type, all declared arguments are required.
    assert!(Run::new(TRIAGE).input(&sparse).is_err());
}

#[test]
fn entries_with_another_contract_differ() {
    let contract = Shape::new::<Issue>();
    let entry = |contract: &Shape| RegistryEntry::new(TRIAGE).input(contract.clone());
    assert_eq!(entry(&contract), entry(&contract));
    assert_ne!(entry(&contract), RegistryEntry::new(TRIAGE));
    assert_ne!(entry(&contract), entry(&Shape::new::<Issue>()));
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    one: String,
    two: String,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn contract_has_the_words_that_the_body_has(text in "([a-c1]|é|[ \t\n'\"\\\\]){0,16}") {
        let skill = Skill::define("pair", "Has two.", "$one\u{1}$two\u{1}").arguments(&["one", "two"]).build();
        let read = Arc::new(Mutex::new(None));
        let keep = Arc::clone(&read);
        let shape = Shape::new::<Pair>().check(move |pair: &Pair| {
            *keep.lock().unwrap() = Some(format!("{}\u{1}{}\u{1}", pair.one, pair.two));
            Ok::<_, String>(())
        });
        let mut skills = Registry::new();
        skills.register(RegistryEntry::new(skill.clone()).input(shape)).unwrap();
        let json = json!(text).to_string();
        for profile in [Profile::Helix, Profile::Agentick] {
            for arguments in [Arguments::text(&text), Arguments::json(&json).unwrap()] {
                let run = skills.run("pair").unwrap().profile(profile).arguments(arguments);
                if run.check_input().is_ok() {
                    let filled = skill.fill(profile, arguments, &Variables::new());
                    let read = read.lock().unwrap().take().unwrap();
                    prop_assert!(filled.starts_with(&read), "{read:?} {filled:?}");
                }
            }
        }
    }
}
