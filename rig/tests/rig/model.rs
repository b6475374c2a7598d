//! Runs of skills with models of rig.

use crate::{
    TOOLBOX,
    api::{Api, Turn, WIRES, Wire, call},
    chain, skills,
};
use helix_skills::{
    Skill,
    run::{Answer, Message, Model, Run, ToolCall, ToolDefinition, TypedSkill},
};
use helix_skills_rig::RigModel;
use rig::error::ProviderError;
use serde_json::json;
use std::error::Error;

#[derive(serde::Serialize)]
struct Issue {
    number: u32,
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Verdict {
    bug: bool,
}

const TRIAGE: Skill = Skill::define("triage", "Sorts issues.", "Is issue $number a bug?")
    .arguments(&["number"])
    .build();

#[tokio::test]
async fn typed_run_with_each_api() {
    for wire in WIRES {
        let read = json!({ "skill": "incident-review", "path": "references/questions.md" });
        let turns = [
            Turn::Calls(vec![
                ("call_a", "load_skill", json!({ "name": "incident-review" })),
                ("call_b", "read_skill_file", read),
                ("call_c", "load_skill", json!({ "name": "incidents" })),
            ]),
            call("call_d", "submit", json!({ "bug": "yes" })),
            Turn::Text("It is a bug."),
            call("call_e", "submit", json!({ "bug": true })),
        ];
        let api = Api::start(wire, turns);
        let model = RigModel::new(api.model());
        let run = TypedSkill::<Issue>::new(TRIAGE).run(&Issue { number: 42 }).unwrap();
        let verdict: Verdict = run.tools(TOOLBOX).typed(&model).await.unwrap();
        assert_eq!(verdict, Verdict { bug: true });

        let requests = api.requests();
        assert_eq!(requests[0].tools(), ["load_skill", "read_skill_file", "submit"]);
        assert!(requests[0].system().contains("`submit`"), "{}", requests[0].system());
        assert!(requests[0].user().contains("Is issue 42 a bug?"), "{}", requests[0].user());
        let last = &requests[3];
        assert_eq!(last.calls(), ["call_a", "call_b", "call_c", "call_d"]);
        let results = last.results();
        let ids: Vec<_> = results.iter().map(|result| &*result.id).collect();
        assert_eq!(ids, ["call_a", "call_b", "call_c", "call_d"]);
        let errors: Vec<_> = results.iter().map(|result| result.is_error).collect();
        let marked = last.marks_errors();
        assert_eq!(errors, [false, false, marked, marked]);
        assert!(results[0].text.starts_with("<skill name=\"incident-review\">"));
        assert!(results[3].text.contains("`bug`"), "{}", results[3].text);
        // The reminder to call `submit`.
        assert!(last.user().contains("`submit`"), "{}", last.user());
        let reasoning: &[&str] = match wire {
            Wire::Chat => &[],
            Wire::Responses => &["encrypted 0", "encrypted 1", "encrypted 2"],
            Wire::Messages => &["signature 0", "signature 1", "signature 2"],
        };
        assert_eq!(last.reasoning(), reasoning, "{wire:?}");
    }
}

#[tokio::test]
async fn run_ends_with_a_text() {
    for wire in WIRES {
        let api = Api::start(wire, [Turn::Text("It is.")]);
        let model = RigModel::new(api.model()).configure(|request| request.max_tokens(77));
        let text = Run::new(skills::RELEASE_NOTES).text(&model).await.unwrap();
        assert_eq!(text, "It is.");
        let body = &api.requests()[0].body;
        let names = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
        assert!(names.iter().any(|name| body[name] == 77), "{body}");
        assert!(body.get("tools").is_none_or(|tools| tools.as_array().unwrap().is_empty()));
    }
}

#[tokio::test]
async fn error_of_the_api_is_the_source() {
    for wire in WIRES {
        for (status, is_retryable) in [(400, false), (401, false), (429, true), (500, true)] {
            let api = Api::start(wire, [Turn::Status(status, "not now")]);
            let model = RigModel::new(api.model());
            let error = Run::new(skills::RELEASE_NOTES).text(&model).await.unwrap_err();
            let start = "cannot continue the skill `release-notes`: the model failed in turn 1: ";
            let text = chain(&error);
            assert!(text.starts_with(start) && text.contains("not now"), "{text}");
            let source = error.source().unwrap().downcast_ref::<ProviderError>().unwrap();
            assert_eq!(source.provider_response_status().unwrap().as_u16(), status);
            assert_eq!(source.is_retryable(), is_retryable);
            assert_eq!(api.requests().len(), 1, "nothing is retried");
        }
    }
}

#[tokio::test]
async fn text_that_was_cut_off_is_an_error() {
    for wire in WIRES {
        let api = Api::start(wire, [Turn::Cut("It i")]);
        let model = RigModel::new(api.model());
        let error = Run::new(skills::RELEASE_NOTES).text(&model).await.unwrap_err();
        let expected = "cannot continue the skill `release-notes`: the model failed in turn 1: the \
                        answer was cut off at the limit of output tokens; raise `max_tokens` of \
                        the requests with `RigModel::configure`";
        assert_eq!(error.to_string(), expected);
        api.requests();
    }
}

#[tokio::test]
async fn filtered_answer_is_an_error() {
    for wire in WIRES {
        let api = Api::start(wire, [Turn::Filtered("It i")]);
        let model = RigModel::new(api.model());
        let error = Run::new(skills::RELEASE_NOTES).text(&model).await.unwrap_err();
        let text = chain(&error);
        assert!(text.contains("in turn 1: the provider failed the turn: "), "{text}");
        api.requests();
    }
}

#[tokio::test]
async fn error_of_the_connection_is_the_source() {
    let api = Api::start(Wire::Chat, []);
    let model = RigModel::new(api.model());
    api.requests();
    let error = Run::new(skills::RELEASE_NOTES).text(&model).await.unwrap_err();
    let source = error.source().unwrap().downcast_ref::<ProviderError>().unwrap();
    assert!(source.is_retryable() && source.provider_response_status().is_none());
    let start =
        "cannot continue the skill `release-notes`: the model failed in turn 1: HttpError: ";
    assert!(chain(&error).starts_with(start), "{}", chain(&error));
}

#[tokio::test]
async fn malformed_arguments_are_passed_as_written() {
    for wire in [Wire::Chat, Wire::Responses] {
        let turns = [
            Turn::Malformed("call_a", "submit", "{\"bug\": "),
            call("call_b", "submit", json!({ "bug": false })),
        ];
        let api = Api::start(wire, turns);
        let run = TypedSkill::<Issue>::new(TRIAGE).run(&Issue { number: 1 }).unwrap();
        let verdict: Verdict = run.typed(&RigModel::new(api.model())).await.unwrap();
        assert_eq!(verdict, Verdict { bug: false });
        let results = api.requests()[1].results();
        assert_eq!(results[0].id, "call_a");
        assert!(results[0].text.contains("JSON"), "{}", results[0].text);
    }
}

/// Some servers of the API of OpenAI give their calls no ID.
#[tokio::test]
async fn calls_without_ids_are_paired() {
    let turns = [
        call("", "load_skill", json!({ "name": "incident-review" })),
        call("", "load_skill", json!({ "name": "release-notes" })),
        Turn::Text("Done."),
    ];
    let api = Api::start(Wire::Chat, turns);
    let run = Run::new(skills::RELEASE_NOTES).tools(TOOLBOX);
    run.text(&RigModel::new(api.model())).await.unwrap();
    let requests = api.requests();
    let results = requests[2].results();
    let ids: Vec<_> = results.iter().map(|result| &*result.id).collect();
    assert_eq!(requests[2].calls(), ids);
    assert!(results[1].text.starts_with("<skill name=\"release-notes\">"));
    assert!(ids[0] != ids[1] && !ids[0].is_empty());
}

/// A conversation with another model, stored and continued.
#[tokio::test]
async fn answers_of_other_models_are_sent() {
    for wire in WIRES {
        let calls = [
            ToolCall::new("call_a", "search", r#"{"query": "pdf"}"#),
            ToolCall::new("call_b", "search", r#"{"query": "#),
        ];
        let mut answer = Answer::new("One moment.", calls);
        answer.opaque = Some("of another model".into());
        let result = |id: &str, text: &str, is_error| Message::Result {
            id: id.into(),
            tool: "search".into(),
            text: text.into(),
            is_error,
        };
        let conversation = [
            Message::System("Be brief.".into()),
            Message::User("Find the report.".into()),
            Message::Assistant(answer),
            result("call_a", "report.pdf", false),
            result("call_b", "no query", true),
            Message::Assistant(Answer::default()),
            Message::User("Well?".into()),
        ];
        let api = Api::start(wire, [Turn::Text("It is `report.pdf`.")]);
        let search = ToolDefinition::new("search", "Searches.", r#"{"type": "object"}"#);
        let answer = RigModel::new(api.model()).answer(&conversation, &[search]).await.unwrap();
        assert_eq!((&*answer.text, answer.calls.len()), ("It is `report.pdf`.", 0));
        let requests = api.requests();
        let request = &requests[0];
        assert_eq!((&*request.system(), &*request.user()), ("Be brief.", "Well?"));
        assert_eq!(request.calls(), ["call_a", "call_b"]);
        let results = request.results();
        let texts: Vec<_> = results.iter().map(|result| (&*result.id, &*result.text)).collect();
        assert_eq!(texts, [("call_a", "report.pdf"), ("call_b", "no query")]);
        assert!(request.body.to_string().contains("One moment."));
    }
}
