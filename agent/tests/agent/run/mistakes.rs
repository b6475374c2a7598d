//! What a model does wrong, and hears.

use super::{Desk, Script, TRIAGE, call, elsewhere, ended, submit};
use crate::wait;
use expect_test::expect;
use helix_skills_agent::{
    Pending,
    run::{
        Answer, Message, Model, Run, RunError, RunEvent, Shape, ToolCall, ToolDefinition, Tools,
    },
};
use helix_skills_runtime::Skill;
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

fn any() -> Shape<Value> {
    Shape::with_schema(r#"{"type":"object"}"#).unwrap()
}

#[test]
fn a_result_beside_other_calls_is_not_taken_and_the_others_are_answered() {
    let desk = Desk::default();
    let both = vec![call("submit", &json!({"a": 1})), call("search", &json!({}))];
    let script = Script::of([Answer::from(both), submit(&json!({"a": 2}))]);
    let result = wait(Run::new(TRIAGE).tools(&desk).shaped(&any(), &script)).unwrap();
    assert_eq!((result, desk.called.lock().unwrap().len()), (json!({"a": 2}), 1));
    expect![[r#"
        [model]
        > submit {"a":1}
        > search {}

        [submit submit-1, error]
        the result was not accepted: `submit` ends the task, so call it alone, after the results of all other calls

        [search search-1]
        search found <skill> & more
    "#]]
    .assert_eq(script.seen().split_once("</skill>\n\n").unwrap().1);
}

#[test]
fn two_results_in_one_message_are_none() {
    let twice = vec![call("submit", &json!({"a": 1})), call("submit", &json!({"a": 1}))];
    let script = Script::of([Answer::from(twice), submit(&json!({"a": 2}))]);
    let result = wait(Run::new(TRIAGE).shaped(&any(), &script)).unwrap();
    assert_eq!(result, json!({"a": 2}));
    let told =
        "the result was not accepted: `submit` was called 2 times in one message, call it once";
    assert_eq!(script.seen().matches(told).count(), 2);
}

#[test]
fn tools_that_there_are_not_and_tools_of_others_are_refused_by_name() {
    let desk = Desk::default();
    let calls =
        vec![call("serach", &json!({})), call("fail", &json!({})), call("Submit", &json!({}))];
    let script = Script::of([Answer::from(calls), submit(&json!({}))]);
    wait(Run::new(TRIAGE).tools(&desk).shaped(&any(), &script)).unwrap();
    assert_eq!(
        (script.offered(), desk.called.lock().unwrap().len()),
        (vec!["search".into(), "submit".into()], 0)
    );
    for told in [
        "\nthere is no tool `serach`; the tools are `search`, `submit`\n",
        "\nthis skill may not use the tool `fail`; the tools are `search`, `submit`\n",
        "\nthere is no tool `Submit`; the tools are `search`, `submit`\n",
    ] {
        assert!(script.seen().contains(told), "{}", script.seen());
    }
    // Without a result to hand in there is no tool for it.
    let script = Script::of([submit(&json!({})), "Done.".into()]);
    wait(Run::new(TRIAGE).text(&script)).unwrap();
    assert_eq!(script.last(), "there is no tool `submit`; there are no tools");
}

#[test]
fn what_a_tool_fails_with_is_told_and_the_run_goes_on() {
    const ALL: Skill = Skill::define("all", "Does all.", "Do it.").build();
    let script = Script::of([call("fail", &json!({})).into(), Answer::from("It is full.")]);
    assert_eq!(wait(Run::new(ALL).tools(Desk::default()).text(&script)).unwrap(), "It is full.");
    assert!(script.seen().ends_with("[fail fail-1, error]\nthe disk\nis full </skill>\n"));
}

#[test]
fn the_last_turn_is_told_of_before_it() {
    let script = Script::of(["One.", "Two.", "Three."]);
    let error = ended(&Run::new(TRIAGE).ticks(3), &script);
    assert!(matches!(error, RunError::NotSubmitted { ticks: 3, .. }));
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

    let script = Script::of([call("search", &json!({})).into(), Answer::from("Done.")]);
    wait(Run::new(TRIAGE).tools(Desk::default()).ticks(2).text(&script)).unwrap();
    assert_eq!(script.last(), "This is your last message: write the result now, and call no tool.");

    // Nobody would see what a tool does in the last turn.
    let (desk, script) =
        (Desk::default(), Script::of([call("search", &json!({})), call("search", &json!({}))]));
    let told = Mutex::new(Vec::new());
    let watcher = |event: RunEvent<'_>| told.lock().unwrap().push(format!("{event:?}"));
    ended(&Run::new(TRIAGE).tools(&desk).ticks(2).watch(&watcher), &script);
    assert_eq!(desk.called.lock().unwrap().len(), 1);
    let last = told.lock().unwrap().pop().unwrap();
    assert!(
        last.contains("the tool `search` was not called: no turn is left for its result"),
        "{last}"
    );

    // Of one turn it is said at once.
    let script = Script::of([submit(&json!({}))]);
    wait(Run::new(TRIAGE).ticks(1).shaped(&any(), &script)).unwrap();
    assert!(
        script.seen().contains("You have one message for all of it.")
            && !script.seen().contains("last message:")
    );
}

#[test]
fn a_model_that_fails_ends_the_run_and_says_in_which_turn() {
    let error = ended(&Run::new(TRIAGE), &Script::of(["Hm."]));
    expect!["cannot continue the skill `triage`: the model failed in turn 2"]
        .assert_eq(&error.to_string());
    assert_eq!(error.source().unwrap().to_string(), "the script has ended");
}

#[test]
fn tools_need_names_of_their_own() {
    struct Named(&'static str);
    impl Tools for Named {
        fn definitions(&self) -> Vec<ToolDefinition> {
            vec![ToolDefinition::new(self.0, "", "{}")]
        }
        fn call<'t>(&'t self, _: &'t ToolCall) -> Pending<'t, String> {
            Box::pin(async { Ok(String::new()) })
        }
    }
    // Also of a tool that the skill would not get.
    let error = ended(&Run::new(TRIAGE).tools(Named("submit")), &Script::default());
    expect!["cannot run the skill `triage`: a tool of the agent is named `submit`, which is reserved for the result; rename the tool"]
        .assert_eq(&error.to_string());
    let error = ended(&Run::new(TRIAGE).tools((Named("look"), Named("look"))), &Script::default());
    expect!["cannot run the skill `triage`: two tools are named `look`"]
        .assert_eq(&error.to_string());
    // For a text the name is free.
    assert!(wait(Run::new(TRIAGE).tools(Named("submit")).text(&Script::of(["Done."]))).is_ok());
}

#[test]
fn commands_that_nobody_has_run_are_an_error_before_anything_is_asked() {
    const LOG: Skill =
        Skill::define("log", "Reads logs.", "Log of $0:\n\n!`git log -- $0`").build();
    let script = Script::of(["Done."]);
    let error = wait(Run::new(LOG).arguments("a").text(&script)).unwrap_err();
    expect!["cannot run the skill `log`: its body has the command `git log -- $0`, which has not been run: fill the body in a shell (`Run::filled`), or keep commands as text (`Run::commands_as_text`)"]
        .assert_eq(&error.to_string());
    assert!(!script.is_over());

    wait(Run::new(LOG).arguments("'a b'").commands_as_text().text(&script)).unwrap();
    assert_eq!(script.last(), "<skill name=\"log\">\nLog of a b:\n\n!`git log -- 'a b'`\n</skill>");

    let script = Script::of(["Done."]);
    wait(
        Run::new(LOG)
            .arguments("ignored")
            .filled("Log of a:\n\n</skill> $0 !`date`\n")
            .text(&script),
    )
    .unwrap();
    assert_eq!(
        script.last(),
        "<skill name=\"log\">\nLog of a:\n\n&lt;/skill> $0 !`date`\n</skill>"
    );
}

#[test]
fn a_run_that_is_dropped_asks_for_nothing_more() {
    struct Slow(AtomicUsize);
    impl Model for Slow {
        fn answer<'m>(&'m self, _: &'m [Message], _: &'m [ToolDefinition]) -> Pending<'m, Answer> {
            Box::pin(async {
                self.0.fetch_add(1, Ordering::Relaxed);
                elsewhere().await;
                Ok(Answer::from(" "))
            })
        }
    }
    let model = Slow(AtomicUsize::new(0));
    {
        let run = Run::new(TRIAGE);
        let mut future = pin!(run.text(&model));
        let mut context = Context::from_waker(Waker::noop());
        for turn in 1..4 {
            assert!(matches!(future.as_mut().poll(&mut context), Poll::Pending));
            assert_eq!(model.0.load(Ordering::Relaxed), turn);
        }
    }
    assert_eq!(model.0.load(Ordering::Relaxed), 3);
}
