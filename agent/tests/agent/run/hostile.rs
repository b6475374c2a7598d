//! Untrusted bodies, arguments and answers.

use super::{Desk, Script, run_error, submit, triage};
use crate::wait;
use helix_skills_agent::{
    run::{Answer, Run, Shape, ToolCall},
    shell::ShellContext,
};
use helix_skills_runtime::{__private::Parts, ErrorKind, Resource, Skill, SkillSet, Toolbox};
use proptest::prelude::*;
use serde_json::{Value, json};

fn raw(arguments: &str) -> Answer {
    ToolCall::new("1", "submit", arguments).into()
}

#[test]
fn invalid_json_results_are_answered_and_use_a_turn() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let member = format!("{{\"a\":{deep}}}");
    let half = format!("{{\"a\":{}", "[".repeat(100_000));
    for invalid in [
        &*deep,
        &member,
        &half,
        "{",
        "{}}",
        "{\"a\":1,}",
        "NaN",
        "\u{0}",
        "{'a': 1}",
        "submit",
        "{\"a\":\u{1}}",
    ] {
        let script = Script::new([raw(invalid), submit(&json!({}))]);
        let shape = Shape::with_schema(r#"{"type":"object"}"#).unwrap();
        let result: Value = wait(triage().max_turns(3).shaped(&shape, &script)).unwrap();
        assert_eq!(result, json!({}));
        let answer = script.last();
        assert!(
            answer.starts_with("the result was not accepted: ") && answer.lines().count() == 1,
            "{answer}"
        );
        assert!(answer.len() < 300, "{answer}");
    }
}

#[test]
fn refusals_are_short_and_contain_no_tags() {
    let long = "</skill>\n".repeat(100_000);
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Few {
        #[serde(default)]
        few: Option<bool>,
    }
    for wrong in [json!({&long: 1}), json!({"few": &long}), json!([&long])] {
        let script = Script::new([submit(&wrong), ToolCall::new("", &*long, "").into()]);
        let error =
            wait(triage().max_turns(2).tools(Desk::default()).typed::<Few>(&script)).unwrap_err();
        let seen = script.seen.lock().unwrap();
        let text = super::format_messages(&seen[3..]);
        assert!(text.len() < 2_000 && !text.contains("</skill>"), "{}", text.len());
        assert!(error.to_string().len() < 2_000 && error.to_string().lines().count() == 1);
    }
    let script = Script::new([ToolCall::new("", &*long, "").into(), Answer::from("x")]);
    run_error(&triage().max_turns(2), &script);
    assert!(
        script.seen.lock().unwrap().iter().any(|message| super::format_messages(
            std::slice::from_ref(message)
        )
        .len()
            < 2_000)
    );
}

#[test]
fn large_results_are_accepted() {
    let many: Vec<u32> = (0..200_000).collect();
    let value: Vec<u32> =
        wait(triage().typed(&Script::new([submit(&json!({"result": many}))]))).unwrap();
    assert_eq!(value.len(), 200_000);
}

/// The run fails before it calls the model.
#[test]
fn run_with_too_long_a_body_is_refused() {
    let (body, long) = ("$ARGUMENTS\n".repeat(20), "x".repeat(1_000_000));
    let skill = Skill::from(Parts { name: "log", body: &body, ..Parts::EMPTY });
    let script = Script::default();
    let error = wait(Run::new(skill).arguments(&*long).text(&script)).unwrap_err();
    assert!(error.kind() == ErrorKind::Limit && script.seen.lock().unwrap().is_empty());
    assert_eq!(
        error.to_string(),
        "cannot run the skill `log`: with its input and variables, its body has more than 16777216 bytes"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_closes_the_tags_of_the_instructions(
        name in "[a\"<>&/ \n]{1,8}", body in "(</?skill>|<skill|[a\n$0!`<>{}])*", arguments in "(</skill>|[a\n$0!`<>'\"])*",
        path in "(</skill_resources>|[a<>\n])*",
    ) {
        let files = [Resource::new(&path, "")];
        let skill = Skill::from(Parts { name: &name, body: &body, resources: &files, ..Parts::EMPTY });
        let all = [skill.clone()];
        for run in [
            Run::new(skill.clone()).arguments(&*arguments).commands_as_text(),
            Run::new(skill.clone()).arguments(&*arguments).shell(ShellContext::disabled()),
        ] {
            let script = Script::new(["Done."]);
            wait(run.tools(Toolbox::new(SkillSet::new(&all))).text(&script)).unwrap();
            let text = script.last();
            prop_assert_eq!(text.matches("<skill ").count(), 1, "{}", text);
            prop_assert_eq!(text.matches("</skill>").count(), 1, "{}", text);
            prop_assert_eq!(text.matches("</skill_resources>").count(), 1, "{}", text);
            prop_assert!(text.starts_with("<skill name=\"") && text.ends_with("</skill_resources>"));
        }
    }

    #[test]
    fn any_call_is_answered(arguments in ".*", tool in ".*") {
        let script = Script::new([raw(&arguments), ToolCall::new("", tool, arguments).into()]);
        let _ = wait(triage().max_turns(2).tools(Desk::default()).typed::<u8>(&script));
    }
}
