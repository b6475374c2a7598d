//! The loop of rig with the tools of a toolbox.

use crate::{
    TOOLBOX,
    api::{Api, Turn, WIRES, Wire, call},
    chain,
    skills::SKILLS,
};
use futures::StreamExt;
use helix_skills::{Call, Profile, Toolbox, search::SearchMode};
use helix_skills_rig::{AgentBuilderExt, Skills};
use rig::{
    agent::{Agent, AgentBuilder, MultiTurnStreamItem},
    completion::PromptError,
};
use serde_json::json;

fn agent(api: &Api) -> Agent {
    let builder = AgentBuilder::new(api.model()).preamble("You help with a repository.");
    builder.skills(TOOLBOX).default_max_turns(10).build()
}

/// A parallel load, read and failing load, then the answer.
fn script() -> [Turn; 2] {
    [
        Turn::Calls(vec![
            ("call_a", "load_skill", json!({ "name": "incident-review" })),
            (
                "call_b",
                "read_skill_file",
                json!({ "skill": "incident-review", "path": "references/questions.md" }),
            ),
            ("call_c", "load_skill", json!({ "name": "incident-reviews" })),
        ]),
        Turn::Text("When did it start?"),
    ]
}

fn check(api: Api) {
    let requests = api.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        let system = format!("You help with a repository.\n\n{}", TOOLBOX.catalog());
        assert_eq!(request.system(), system.trim_end());
        assert_eq!(request.tools(), ["load_skill", "read_skill_file"]);
    }
    assert_eq!(requests[0].user(), "What happened?");
    assert!(requests[0].results().is_empty());
    let last = &requests[1];
    assert_eq!(last.calls(), ["call_a", "call_b", "call_c"]);
    let results = last.results();
    let ids: Vec<_> = results.iter().map(|result| &*result.id).collect();
    assert_eq!(ids, ["call_a", "call_b", "call_c"]);
    assert_eq!(results[0].text, TOOLBOX.load_skill("incident-review").unwrap().to_string());
    assert!(results[1].text.starts_with("<skill_file skill=\"incident-review\" "));
    assert_eq!(
        results[2].text,
        "there is no skill `incident-reviews`; did you mean `incident-review`?"
    );
    let errors: Vec<_> = results.iter().map(|result| result.is_error).collect();
    assert_eq!(errors, [false, false, last.marks_errors()]);
}

#[tokio::test]
async fn parallel_calls_are_answered_and_paired() {
    for wire in WIRES {
        let api = Api::start(wire, script());
        let response = agent(&api).prompt("What happened?").await.unwrap();
        assert_eq!(response.output(), "When did it start?");
        check(api);
    }
}

#[tokio::test]
async fn concurrent_calls_are_paired() {
    for wire in WIRES {
        let api = Api::start(wire, script());
        agent(&api).prompt("What happened?").tool_concurrency(3).await.unwrap();
        check(api);
    }
}

#[tokio::test]
async fn streamed_answers_call_tools() {
    for wire in WIRES {
        let api = Api::start(wire, script());
        let mut stream = agent(&api).prompt("What happened?").stream();
        let (mut results, mut output) = (0, String::new());
        while let Some(item) = stream.next().await {
            match item.unwrap() {
                MultiTurnStreamItem::ToolResult { .. } => results += 1,
                MultiTurnStreamItem::FinalResponse(response) => {
                    response.output().clone_into(&mut output);
                }
                _ => {}
            }
        }
        assert_eq!((results, &*output), (3, "When did it start?"));
        check(api);
    }
}

#[tokio::test]
async fn malformed_arguments_are_answered() {
    for wire in [Wire::Chat, Wire::Responses] {
        let turns = [
            Turn::Malformed("call_a", "load_skill", "{\"name\": "),
            call("call_b", "load_skill", json!({ "nom": 1 })),
            Turn::Text("Done."),
        ];
        let api = Api::start(wire, turns);
        agent(&api).prompt("Go.").await.unwrap();
        let results = api.requests()[2].results();
        assert_eq!(results.len(), 2);
        assert!(results[0].text.contains("JSON"), "{}", results[0].text);
        assert!(results[1].text.contains("`name`"), "{}", results[1].text);
    }
}

#[tokio::test]
async fn errors_of_the_api_end_the_prompt() {
    for wire in WIRES {
        for (status, is_retryable) in [(400, false), (401, false), (429, true), (503, true)] {
            let turns = [
                call("call_a", "load_skill", json!({ "name": "incident-review" })),
                Turn::Status(status, "not now"),
                Turn::Text("Hello."),
            ];
            let api = Api::start(wire, turns);
            let agent = agent(&api);
            let error = agent.prompt("Go.").await.unwrap_err();
            let report = match &error {
                PromptError::Provider(error) => error.report(),
                PromptError::Report(report) => report.clone(),
                other => panic!("{other:?}"),
            };
            assert_eq!(report.http_status, Some(status), "{wire:?}: {error:?}");
            assert_eq!(report.is_retryable(), is_retryable, "{wire:?}: {error:?}");
            assert!(chain(&error).contains("not now"), "{error}");
            let retry = report.provider_response_headers().unwrap();
            assert_eq!(retry["retry-after"], "7");
            // The agent can be used again.
            assert_eq!(agent.prompt("Hello?").await.unwrap().output(), "Hello.");
            assert_eq!(api.requests().len(), 3, "nothing is retried");
        }
    }
}

#[tokio::test]
async fn errors_end_a_stream() {
    for wire in WIRES {
        let api = Api::start(wire, [Turn::Status(429, "not now")]);
        let mut stream = agent(&api).prompt("Go.").stream();
        let mut errors = Vec::new();
        while let Some(item) = stream.next().await {
            errors.extend(item.err().map(|error| chain(&error)));
        }
        assert_eq!(errors.len(), 1);
        assert!(errors[0].contains("not now"), "{errors:?}");
        api.requests();
    }
}

#[tokio::test]
async fn model_searches_for_skills() {
    for (mode, is_listed) in [(SearchMode::ToolOnly, false), (SearchMode::ToolAndList, true)] {
        for wire in WIRES {
            let toolbox = Toolbox::builder(SKILLS).search(mode).build().unwrap();
            let turns = [
                call("call_a", "search_skills", json!({ "query": "review of an outage" })),
                Turn::Text("Found."),
            ];
            let api = Api::start(wire, turns);
            let agent = AgentBuilder::new(api.model()).skills(toolbox).default_max_turns(2).build();
            agent.prompt("Search.").await.unwrap();
            let requests = api.requests();
            let last = &requests[1];
            assert_eq!(last.tools(), ["load_skill", "read_skill_file", "search_skills"]);
            assert_eq!(last.system().contains("\n- incident-review: "), is_listed);
            assert_eq!(last.system(), toolbox.catalog().to_string().trim_end());
            let found = &last.results()[0].text;
            assert!(found.contains("\n- incident-review: "), "{found}");
        }
    }
}

#[tokio::test]
async fn separate_message_of_a_profile_is_in_the_result() {
    let toolbox = Toolbox::builder(SKILLS).profile(Profile::SkillUse).build().unwrap();
    let load = Call::LoadSkill { name: "release-notes", arguments: None };
    let reply = toolbox.answer(load);
    let tool = toolbox.tools([]).unwrap().next().unwrap().name();
    let arguments = json!({ "skill_name": "release-notes" });
    for wire in WIRES {
        let api = Api::start(wire, [call("a", tool, arguments.clone()), Turn::Text("Done.")]);
        let agent = AgentBuilder::new(api.model()).skills(toolbox).default_max_turns(2).build();
        agent.prompt("Go.").await.unwrap();
        let result = &api.requests()[1].results()[0].text;
        assert_eq!(*result, format!("{reply}\n\n{}", reply.message().unwrap()));
    }
}

#[tokio::test]
async fn one_turn_is_the_default_of_rig() {
    let api = Api::start(Wire::Chat, [call("a", "load_skill", json!({ "name": "release-notes" }))]);
    let agent = AgentBuilder::new(api.model()).skills(TOOLBOX).build();
    let error = agent.prompt("Go.").await.unwrap_err();
    assert!(matches!(error, PromptError::MaxTurns { max_turns: 1, .. }), "{error:?}");
    api.requests();
}

#[tokio::test]
async fn tools_are_those_of_the_toolbox() {
    let api = Api::start(Wire::Chat, []);
    let tools = agent(&api).tool_definitions(None).await.unwrap();
    let own: Vec<_> = TOOLBOX.tools([]).unwrap().collect();
    assert_eq!(tools.len(), own.len());
    for (tool, own) in tools.iter().zip(&own) {
        assert_eq!((tool.name.as_str(), &tool.description), (own.name(), &own.description()));
        assert_eq!(tool.parameters, serde_json::to_value(own.parameters()).unwrap());
    }
    let skills = format!("{:?}", Skills::from(TOOLBOX));
    assert_eq!(skills, r#"Skills { tools: ["load_skill", "read_skill_file"], .. }"#);
    api.requests();
}
