//! Input, result and limits of runs.

use super::{Desk, Script, TRIAGE, call, format_messages, submit, triage};
use crate::wait;
use expect_test::{expect, expect_file};
use helix_skills_agent::{
    AsyncToolbox, BoxFuture, Provided, Provider, Registry,
    run::{Answer, Run, RunEvent, Shape, Tools, TypedSkill},
};
use helix_skills_runtime::{
    Arguments, ErrorKind, Profile, Skill, SkillSet, Toolbox, Variables, skill_set,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{error::Error, sync::Mutex};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Verdict {
    /// Whether a fix is in.
    fix_applied: bool,
    severity: Severity,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    High,
}

const HIDDEN: Skill = Skill::define("nightly", "Cleans up.", "Clean up.")
    .disable_model_invocation(true)
    .user_invocable(false)
    .build();
static SKILLS: SkillSet = skill_set![TRIAGE, HIDDEN];

fn verdict() -> Answer {
    submit(&json!({"fix_applied": true, "severity": "low"}))
}

#[test]
fn skill_tool_loads_instructions_into_the_conversation() {
    let toolbox = Toolbox::builder(SKILLS).profile(Profile::Agentick).build().unwrap();
    let reply = toolbox.call("skill", r#"{"name": "triage", "args": {"number": 42}}"#).unwrap();
    assert_eq!(reply.to_string(), "Look into issue 42.\n\nARGUMENTS: {\"number\":42}");
    // The same tool works in a run of another skill.
    const LEAD: Skill = Skill::define("lead", "Leads.", "Use your skills.").build();
    let script = Script::new([
        call("skill", &json!({"name": "triage", "args": "42"})).into(),
        Answer::from("Done."),
    ]);
    let text = wait(Run::new(LEAD).tools(toolbox).text(&script)).unwrap();
    assert_eq!((&*text, &*script.last()), ("Done.", "Look into issue 42.\n\nARGUMENTS: 42"));
    assert_eq!(script.offered(), ["skill"]);
}

#[test]
fn runs_report_the_skills_that_are_loaded() {
    let toolbox = Toolbox::builder(SKILLS).profile(Profile::Agentick).build().unwrap();
    let shared = wait(AsyncToolbox::builder(SKILLS).profile(Profile::Agentick).build()).unwrap();
    const LEAD: Skill = Skill::define("lead", "Leads.", "Use your skills.").build();
    let events = |tools: &dyn Tools| {
        let script = Script::new([
            call("skill", &json!({"name": "unknown"})).into(),
            call("search", &json!({"name": "triage"})).into(),
            call("skill", &json!({"name": "triage"})).into(),
            Answer::from("Done."),
        ]);
        let events = Mutex::new(Vec::new());
        let watcher = |event: RunEvent<'_>| {
            let RunEvent::Event(event) = event else { return };
            events.lock().unwrap().push(serde_json::to_value(event).unwrap());
        };
        wait(Run::new(LEAD).tools(tools).watch(&watcher).text(&script)).unwrap();
        events.into_inner().unwrap()
    };
    let loaded = |name: &str| json!({"type": "skill_loaded", "name": name});
    let desk = Desk::default();
    for tools in [&toolbox as &dyn Tools, &shared, &(&desk, &toolbox)] {
        assert_eq!(events(tools), [loaded("lead"), loaded("triage")]);
    }
}

#[test]
fn run_is_a_separate_conversation_with_a_typed_result() {
    let (desk, events) = (Desk::default(), Mutex::new(Vec::new()));
    let script = Script::new([
        Answer::new("I look first.", [call("search", &json!({"query": "42"}))]),
        submit(&json!({"fix_applied": "yes"})),
        Answer::from("It is fixed, and the severity is low."),
        call("search", &json!({"query": "again"})).into(),
        verdict(),
    ]);
    let watcher = |event: RunEvent<'_>| events.lock().unwrap().push(format!("{event:?}"));
    let run = Run::new(TRIAGE)
        .arguments(Arguments::json(r#"{"number": 42}"#).unwrap())
        .system("You are the agent of a repository.\n")
        .max_turns(5)
        .tools(&desk)
        .watch(&watcher);
    let result: Verdict = wait(run.typed(&script)).unwrap();
    assert_eq!(result, Verdict { fix_applied: true, severity: Severity::Low });
    assert!(script.is_over());
    assert_eq!(
        *desk.called.lock().unwrap(),
        [r#"search {"query":"42"}"#, r#"search {"query":"again"}"#]
    );
    let offered = script.offered.lock().unwrap().clone();
    let offered = offered
        .iter()
        .map(|tool| format!("{}: {}\n{}\n", tool.name, tool.description, tool.parameters));
    let all = [
        offered.collect::<Vec<_>>().join("\n"),
        script.seen(),
        events.lock().unwrap().join("\n") + "\n",
    ];
    expect_file!["../snapshots/run.txt"].assert_eq(&all.join("\n---\n\n"));
}

#[test]
fn runs_have_ten_turns_by_default() {
    let defined = |ticks| Skill::define("loop", "Never ends.", "Go on.").max_ticks(ticks).build();
    let unlimited = Skill::define("loop", "Never ends.", "Go on.").build();
    let asked = |run: &Run<'_, Desk>| {
        let script = Script::new((0..200).map(|_| call("search", &json!({}))));
        let error = wait(run.text(&script)).unwrap_err();
        let asked = 200 - script.answers.lock().unwrap().len();
        assert_eq!(error.kind(), ErrorKind::NoResult);
        let turns = if asked == 1 { "turn" } else { "turns" };
        assert!(error.to_string().contains(&format!(" after {asked} {turns}: ")), "{error}");
        asked
    };
    let run = |skill| Run::new(skill).tools(Desk::default());
    assert_eq!(asked(&run(unlimited.clone())), 10);
    assert_eq!(asked(&run(defined(3))), 3);
    assert_eq!(asked(&run(defined(1))), 1);
    // A skill can ask for at most 100 turns.
    assert_eq!(asked(&run(defined(u32::MAX))), 100);
    assert_eq!(asked(&run(defined(3)).max_turns(5)), 5);
    let error = wait(run(unlimited).max_turns(0).text(&Script::default())).unwrap_err();
    expect!["cannot run the skill `loop`: the limit is 0 turns; the minimum is 1"]
        .assert_eq(&error.to_string());
    assert!(Skill::define("loop", "Never ends.", "Go on.").max_ticks(0).try_build().is_err());
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Issue {
    issue_number: u32,
    #[serde(default)]
    labels: Vec<String>,
}

#[test]
fn typed_input_is_checked_before_the_body_is_filled() {
    let typed = TypedSkill::<Issue>::new(
        Skill::define(
            "triage",
            "Sorts issues.",
            "Issue $issueNumber, $labels.\n\n$1\n\n$ARGUMENTS",
        )
        .arguments(&["issueNumber"])
        .allowed_tools(&["search"])
        .build(),
    );
    let filled = |run: Run<'_>| {
        let script = Script::new(["Done."]);
        wait(run.text(&script)).unwrap();
        script.last()
    };
    let issue = Issue { issue_number: 42, labels: vec!["a b".into()] };
    expect![[r#"
        <skill name="triage">
        Issue 42, ["a b"].

        $1

        {"issueNumber":42,"labels":["a b"]}
        </skill>"#]]
    .assert_eq(&filled(typed.run(&issue).unwrap()));
    // The body is filled with the deserialized value.
    expect![[r#"
        <skill name="triage">
        Issue 7, [].

        $1

        {"issueNumber":7,"labels":[]}
        </skill>"#]]
    .assert_eq(&filled(typed.run_json(r#"{"more": 1.0, "issueNumber": 7}"#).unwrap()));

    let errors = [
        r#"{"issueNumber": "42"}"#,
        r#"{"issueNumber": -1}"#,
        r#"{"issueNumber": 1, "labels": ["a", 2]}"#,
        r#"{"issue_number": 42}"#,
        r#"[42]"#,
        "42",
        "",
        r#"{"issueNumber": 42"#,
    ]
    .map(|input| typed.run_json(input).unwrap_err().to_string() + "\n");
    expect![[r#"
        cannot run the skill `triage`: its input does not fit: `issueNumber`: invalid type: string "42", expected u32
        cannot run the skill `triage`: its input does not fit: `issueNumber`: invalid value: integer `-1`, expected u32
        cannot run the skill `triage`: its input does not fit: `labels[1]`: invalid type: integer `2`, expected a string
        cannot run the skill `triage`: its input does not fit: missing field `issueNumber`
        cannot run the skill `triage`: its input does not fit: expected one JSON object
        cannot run the skill `triage`: its input does not fit: expected one JSON object
        cannot run the skill `triage`: its input does not fit: expected one JSON object: EOF while parsing a value at line 1 column 0
        cannot run the skill `triage`: its input does not fit: expected one JSON object: EOF while parsing an object at line 1 column 18
    "#]]
    .assert_eq(&errors.concat());
    let schema: Value = serde_json::from_str(Shape::new::<Issue>().schema()).unwrap();
    assert_eq!((&schema["type"], &schema["required"]), (&json!("object"), &json!(["issueNumber"])));
    let run = typed.run(&issue).unwrap();
    assert_eq!(run.skill().allowed_tools().map(|tools| tools.len()), Some(1));
}

#[test]
fn runs_start_by_name_or_by_definition() {
    let by = |run: Run<'_>| {
        let script = Script::new(["Done."]);
        assert_eq!(wait(run.arguments("42").text(&script)).unwrap(), "Done.");
        script.last()
    };
    let owned = TRIAGE;
    let expected = by(Run::new(TRIAGE));
    assert_eq!(expected, "<skill name=\"triage\">\nLook into issue 42.\n\nARGUMENTS: 42\n</skill>");
    assert_eq!(by(Run::new(SKILLS.get("triage").unwrap())), expected);
    assert_eq!(by(Run::new(&owned)), expected);
    assert_eq!(by(Run::new(owned.clone())), expected);
    assert_eq!(by(wait(Run::load(&SKILLS, "triage", Profile::Helix)).unwrap()), expected);
    // Later changes of a registry do not affect a run.
    let mut registry = Registry::from(SKILLS);
    assert_eq!(by(wait(Run::load(&registry, "triage", Profile::Helix)).unwrap()), expected);
    assert_eq!(by(Run::new(registry.set().get("triage").unwrap())), expected);
    let run = Run::new(registry.set().get("triage").unwrap());
    let typed = TypedSkill::<Value>::new(registry.set().get("triage").unwrap().clone());
    registry.remove("triage");
    assert_eq!(by(run), expected);
    assert!(by(typed.run(&json!({"number": 42})).unwrap()).contains("issue 42"));
    assert!(wait(Run::load(&registry, "triage", Profile::Helix)).is_err());
    // The host may run skills that are not for models.
    assert!(by(wait(Run::load(&SKILLS, "nightly", Profile::Helix)).unwrap()).contains("Clean up."));

    let unknown =
        "cannot run the skill `tirage`: no skill has this name; there are `nightly`, `triage`";
    assert_eq!(Registry::from(SKILLS).run("tirage").unwrap_err().to_string(), unknown);
    assert_eq!(
        wait(Run::load(&SKILLS, "tirage", Profile::Helix)).unwrap_err().to_string(),
        unknown
    );
    let none = wait(Run::load(&SkillSet::EMPTY, "tirage", Profile::Helix)).unwrap_err();
    assert_eq!(
        none.to_string(),
        "cannot run the skill `tirage`: no skill has this name; there are none"
    );

    struct Offline;
    impl Provider for Offline {
        fn list<'p>(&'p self, _: Profile) -> BoxFuture<'p, Provided> {
            Box::pin(async { Err("no list".into()) })
        }
        fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
            Box::pin(async move { if name == "gone" { Ok(None) } else { Err("no answer".into()) } })
        }
    }
    for (name, why) in [("triage", "no answer"), ("gone", "no list")] {
        let error = wait(Run::load(&Offline, name, Profile::Helix)).unwrap_err();
        assert_eq!(error.to_string(), format!("cannot load the skill `{name}`"));
        assert_eq!(error.source().unwrap().to_string(), why);
    }
}

#[test]
fn runs_return_values_of_any_shape_or_the_last_text() {
    #[derive(Deserialize, JsonSchema)]
    struct Count {
        bugs: u32,
    }
    let run = Run::new(TRIAGE).arguments("42");
    let verdict: Verdict = wait(run.typed(&Script::new([verdict()]))).unwrap();
    let count: Count = wait(run.typed(&Script::new([submit(&json!({"bugs": 3}))]))).unwrap();
    assert_eq!((verdict.fix_applied, count.bugs), (true, 3));

    let script = Script::new([Answer::from("  "), "  It is a bug.\n".into()]);
    let text = wait(run.text(&script)).unwrap();
    assert_eq!(text, "  It is a bug.\n");
    assert_eq!(script.offered(), <[&str; 0]>::default());
    expect![[r#"
        [system]
        You carry out one skill as a separate task. The first message has its instructions, between <skill> and </skill>. No user is available to answer questions: decide for yourself, with the information and the tools that you have.

        The result of the task is the text of your last message, in which you call no tool. You have 10 messages at most, counting those that call tools.

        [user]
        <skill name="triage">
        Look into issue 42.

        ARGUMENTS: 42
        </skill>

        [model]
          

        [user]
        That message was empty: write the result.
    "#]]
    .assert_eq(&script.seen());
}

#[test]
fn results_are_checked_and_a_missing_one_is_an_error() {
    let run = triage().max_turns(2);
    let wrong = |result: Value| {
        let script = Script::new([submit(&result), verdict()]);
        let result: Verdict = wait(run.typed(&script)).unwrap();
        assert!(result.fix_applied);
        let seen = script.seen.lock().unwrap();
        let answer = format_messages(&seen[3..4]);
        assert!(answer.starts_with("[submit submit-1, error]\n"), "{answer}");
        answer.lines().nth(1).unwrap().to_owned() + "\n"
    };
    let answers = [
        json!({}),
        json!({"fix_applied": true}),
        json!({"fix_applied": true, "severity": "middling"}),
        json!({"fix_applied": 1, "severity": "low"}),
        json!({"fix_applied": true, "severity": "low", "more": 1}),
        json!([true, "low"]),
        json!("{\"fix_applied\": true}"),
        json!(null),
    ]
    .map(wrong);
    expect![[r#"
        the result was not accepted: missing field `fix_applied`
        the result was not accepted: missing field `severity`
        the result was not accepted: `severity`: unknown variant `middling`, expected `low` or `high`
        the result was not accepted: `fix_applied`: invalid type: integer `1`, expected a boolean
        the result was not accepted: `more`: unknown field `more`, expected `fix_applied` or `severity`
        the result was not accepted: expected one JSON object
        the result was not accepted: expected one JSON object
        the result was not accepted: expected one JSON object
    "#]]
    .assert_eq(&answers.concat());

    // A check can require more than the type.
    let shape = Shape::new::<Verdict>().check(|verdict: &Verdict| match verdict.severity {
        Severity::Low => Ok(()),
        Severity::High => Err("fix it, then\nsubmit"),
    });
    let script =
        Script::new([submit(&json!({"fix_applied": true, "severity": "high"})), verdict()]);
    let checked: Verdict = wait(run.shaped(&shape, &script)).unwrap();
    assert_eq!(checked.severity, Severity::Low);
    assert!(script.seen().contains("\nthe result was not accepted: fix it, then submit\n"));

    let error =
        |answers: [Answer; 2]| wait(run.typed::<Verdict>(&Script::new(answers))).unwrap_err();
    let never = error(["It is fixed.".into(), "Really.".into()]);
    assert_eq!(never.kind(), ErrorKind::NoResult);
    expect!["the skill `triage` has no result after 2 turns: the model called no tool, not even `submit`; allow more turns (`maxTicks`, `Run::max_turns`)"]
        .assert_eq(&never.to_string());
    let wrong = error([submit(&json!({})), submit(&json!({"fix_applied": 1}))]);
    expect!["the skill `triage` has no result after 2 turns: the last one was not accepted: `fix_applied`: invalid type: integer `1`, expected a boolean"]
        .assert_eq(&wrong.to_string());
    assert!(wrong.source().is_none());
}

#[test]
fn run_fills_in_the_variables_of_the_host() {
    const HERE: Skill =
        Skill::define("here", "Says where.", "${SKILL_DIR} ${AGENTICK_SESSION_ID} ${HOME}").build();
    let variables = Variables::new().skill_directory("/skills/here").session("s-1");
    let script = Script::new(["Done."]);
    wait(Run::new(HERE).variables(variables).text(&script)).unwrap();
    assert_eq!(script.last(), "<skill name=\"here\">\n/skills/here s-1 ${HOME}\n</skill>");
}
