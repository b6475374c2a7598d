//! Mistakes of a model or a host, and the answers and errors that follow.

use super::{Desk, Script, any, call, elsewhere, run_error, submit, triage};
use crate::wait;
use expect_test::expect;
use helix_skills_agent::{
    BoxFuture,
    run::{Answer, Message, Model, Run, RunEvent, ToolCall, ToolDefinition, Tools},
};
use helix_skills_runtime::{ErrorKind, Skill};
use serde_json::{Value, json};
use std::{
    error::Error,
    pin::pin,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
};

#[test]
fn submit_counts_after_the_other_calls_of_its_message() {
    let calls = || {
        vec![
            call("search", &json!({"for": 1})),
            call("submit", &json!({"a": 1})),
            call("fail", &json!({})),
            call("search", &json!({"for": 2})),
        ]
    };
    // Also in the last turn, because the model needs no further one to see their results.
    for turns in [1, 10] {
        let desk = Desk::default();
        let events = Mutex::new(Vec::new());
        let watcher = |event: RunEvent<'_>| {
            if let RunEvent::Called { tool, arguments } = event {
                events.lock().unwrap().push(format!("{tool} {arguments}"));
            }
        };
        let run = triage().tools(&desk).max_turns(turns).watch(&watcher);
        let result: Value = wait(run.shaped(&any(), &Script::new([calls()]))).unwrap();
        assert_eq!(result, json!({"a": 1}));
        // `fail` is not a tool of the skill.
        let ran = [r#"search {"for":1}"#, r#"search {"for":2}"#];
        assert_eq!(*desk.called.lock().unwrap(), ran);
        assert_eq!(*events.lock().unwrap(), [ran[0], ran[1], r#"submit {"a":1}"#]);
    }
}

#[test]
fn rejected_submit_is_answered_in_the_order_of_the_calls() {
    let desk = Desk::default();
    let both = vec![call("submit", &json!({"a": 1})), call("search", &json!({}))];
    let script = Script::new([Answer::from(both), submit(&json!({"a": 2}))]);
    let shape =
        any().check(|value: &Value| if value["a"] == 1 { Err("1 is too little") } else { Ok(()) });
    let result: Value = wait(triage().tools(&desk).shaped(&shape, &script)).unwrap();
    assert_eq!((result, desk.called.lock().unwrap().len()), (json!({"a": 2}), 1));
    expect![[r#"
        [model]
        > submit {"a":1}
        > search {}

        [submit submit-1, error]
        the result was not accepted: 1 is too little

        [search search-1]
        search found <skill> & more
    "#]]
    .assert_eq(script.seen().split_once("</skill>\n\n").unwrap().1);
}

#[test]
fn error_without_a_result_says_what_the_model_did() {
    let error = |answers: Vec<Answer>| {
        let run = triage().tools(Desk::default()).max_turns(2);
        run_error(&run, &Script::new(answers)).to_string()
    };
    let search = || Answer::from(call("search", &json!({})));
    let twice = || Answer::from(vec![call("submit", &json!({})), call("submit", &json!({}))]);
    let prefix = "the skill `triage` has no result after 2 turns: ";
    let more = "never called `submit`; allow more turns (`maxTicks`, `Run::max_turns`)";
    for (answers, expected) in [
        (
            vec!["Done.".into(), "".into()],
            format!("the model called no tool, not even {}", &more["never called ".len()..]),
        ),
        (
            vec![search(), "Done.".into()],
            format!("the model called another tool once, and {more}"),
        ),
        // The last turn is for `submit` alone.
        (
            vec![Answer::from(vec![call("search", &json!({})), call("hunt", &json!({}))]), search()],
            format!("the model called other tools 3 times (2 refused), and {more}"),
        ),
        (
            vec!["Done.".into(), twice()],
            "the last one was not accepted: `submit` was called 2 times in one message, call it once"
                .to_owned(),
        ),
    ] {
        assert_eq!(error(answers), format!("{prefix}{expected}"));
    }
}

#[test]
fn two_results_in_one_message_are_refused() {
    let twice = vec![call("submit", &json!({"a": 1})), call("submit", &json!({"a": 1}))];
    let script = Script::new([Answer::from(twice), submit(&json!({"a": 2}))]);
    let result: Value = wait(triage().shaped(&any(), &script)).unwrap();
    assert_eq!(result, json!({"a": 2}));
    let answer =
        "the result was not accepted: `submit` was called 2 times in one message, call it once";
    assert_eq!(script.seen().matches(answer).count(), 2);
}

#[test]
fn unknown_and_disallowed_tools_are_refused_by_name() {
    let desk = Desk::default();
    let calls =
        vec![call("serach", &json!({})), call("fail", &json!({})), call("Submit", &json!({}))];
    let script = Script::new([Answer::from(calls), submit(&json!({}))]);
    wait(triage().tools(&desk).shaped::<Value>(&any(), &script)).unwrap();
    assert_eq!(
        (script.offered(), desk.called.lock().unwrap().len()),
        (vec!["search".into(), "submit".into()], 0)
    );
    for answer in [
        "\nthere is no tool `serach`; the tools are `search`, `submit`\n",
        "\nthis skill may not use the tool `fail`; the tools are `search`, `submit`\n",
        "\nthere is no tool `Submit`; the tools are `search`, `submit`\n",
    ] {
        assert!(script.seen().contains(answer), "{}", script.seen());
    }
    // A run for a text has no tool `submit`.
    let script = Script::new([submit(&json!({})), "Done.".into()]);
    wait(triage().text(&script)).unwrap();
    assert_eq!(script.last(), "there is no tool `submit`; there are no tools");
}

#[test]
fn tool_errors_are_answered_and_the_run_continues() {
    const ALL: Skill = Skill::define("all", "Does all.", "Do it.").build();
    let script = Script::new([call("fail", &json!({})).into(), Answer::from("It is full.")]);
    assert_eq!(wait(Run::new(ALL).tools(Desk::default()).text(&script)).unwrap(), "It is full.");
    assert!(script.seen().ends_with("[fail fail-1, error]\nthe disk\nis full </skill>\n"));
}

#[test]
fn last_turn_is_announced() {
    let script = Script::new(["One.", "Two.", "Three."]);
    let error = run_error(&triage().max_turns(3), &script);
    assert_eq!(error.kind(), ErrorKind::NoResult);
    assert!(error.to_string().contains(" after 3 turns: "), "{error}");
    expect![[r#"
        [model]
        One.

        [user]
        There is no result yet: call the tool `submit` with it.

        [model]
        Two.

        [user]
        There is no result yet: call the tool `submit` with it. This is your last message: call `submit` now, and nothing else.
    "#]]
    .assert_eq(script.seen().split_once("</skill>\n\n").unwrap().1);

    let script = Script::new([call("search", &json!({})).into(), Answer::from("Done.")]);
    wait(triage().tools(Desk::default()).max_turns(2).text(&script)).unwrap();
    assert_eq!(script.last(), "This is your last message: write the result now, and call no tool.");

    // The model would not see the result of a tool in the last turn.
    let (desk, script) =
        (Desk::default(), Script::new([call("search", &json!({})), call("search", &json!({}))]));
    let events = Mutex::new(Vec::new());
    let watcher = |event: RunEvent<'_>| events.lock().unwrap().push(format!("{event:?}"));
    run_error(&triage().tools(&desk).max_turns(2).watch(&watcher), &script);
    assert_eq!(desk.called.lock().unwrap().len(), 1);
    let last = events.lock().unwrap().pop().unwrap();
    assert!(
        last.contains("the tool `search` was not called: no turn is left for its result"),
        "{last}"
    );

    // If there is only one turn, the system prompt announces it.
    let script = Script::new([submit(&json!({}))]);
    wait(triage().max_turns(1).shaped::<Value>(&any(), &script)).unwrap();
    assert!(
        script.seen().contains("You have one message for all of it.")
            && !script.seen().contains("last message:")
    );
}

#[test]
fn model_error_ends_the_run_and_names_turn_and_cause() {
    let error = run_error(&triage(), &Script::new(["Hm."]));
    expect!["cannot continue the skill `triage`: the model failed in turn 2: the script has ended"]
        .assert_eq(&error.to_string());
    assert_eq!(format!("{error:?}"), error.to_string(), "the cause is not repeated");
    assert_eq!(error.source().unwrap().to_string(), "the script has ended");
}

#[test]
fn tool_names_must_be_unique() {
    struct Named(&'static str);
    impl Tools for Named {
        fn definitions(&self) -> Vec<ToolDefinition> {
            vec![ToolDefinition::new(self.0, "", "{}")]
        }
        fn call_tool<'t>(&'t self, _: &'t ToolCall) -> BoxFuture<'t, String> {
            Box::pin(async { Ok(String::new()) })
        }
    }
    // The name is also reserved for tools that the skill may not use.
    let error = run_error(&triage().tools(Named("submit")), &Script::default());
    expect!["cannot run the skill `triage`: a tool of the agent is named `submit`, which is reserved for the result; rename the tool"]
        .assert_eq(&error.to_string());
    let error = run_error(&triage().tools((Named("look"), Named("look"))), &Script::default());
    expect!["cannot run the skill `triage`: two tools are named `look`"]
        .assert_eq(&error.to_string());
    // In a run for a text, the name is free.
    assert!(wait(triage().tools(Named("submit")).text(&Script::new(["Done."]))).is_ok());
}

#[test]
fn commands_not_run_are_an_error_before_the_first_turn() {
    const LOG: Skill =
        Skill::define("log", "Reads logs.", "Log of $0:\n\n!`git log -- $0`").build();
    let script = Script::new(["Done."]);
    let error = wait(Run::new(LOG).arguments("a").text(&script)).unwrap_err();
    expect!["cannot run the skill `log`: its body has the command `git log -- $0`, which has not been run: run it in a shell (`Run::shell`), or keep commands as text (`Run::commands_as_text`)"]
        .assert_eq(&error.to_string());
    assert!(!script.is_over());

    wait(Run::new(LOG).arguments("'a b'").commands_as_text().text(&script)).unwrap();
    assert_eq!(
        script.last(),
        "<skill name=\"log\">\nLog of a b:\n\n\
         !`SKILL_VALUE_1='a b'; git log -- \"${SKILL_VALUE_1}\"`\n</skill>"
    );
}

#[test]
fn dropped_run_does_not_call_the_model_again() {
    struct Slow(AtomicUsize);
    impl Model for Slow {
        fn answer<'m>(
            &'m self,
            _: &'m [Message],
            _: &'m [ToolDefinition],
        ) -> BoxFuture<'m, Answer> {
            Box::pin(async {
                self.0.fetch_add(1, Ordering::Relaxed);
                elsewhere().await;
                Ok(Answer::from(" "))
            })
        }
    }
    let model = Slow(AtomicUsize::new(0));
    {
        let run = triage();
        let mut future = pin!(run.text(&model));
        let mut context = Context::from_waker(Waker::noop());
        for turn in 1..4 {
            assert!(matches!(future.as_mut().poll(&mut context), Poll::Pending));
            assert_eq!(model.0.load(Ordering::Relaxed), turn);
        }
    }
    assert_eq!(model.0.load(Ordering::Relaxed), 3);
}
