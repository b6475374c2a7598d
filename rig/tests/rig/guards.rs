//! Mistakes of agents and models.

use crate::{
    SKILLS, TOOLBOX,
    api::{Api, Turn, WIRES, Wire, call},
    chain,
};
use futures::StreamExt;
use helix_skills::{SkillSet, Toolbox};
use helix_skills_rig::AgentBuilderExt;
use rig::{
    agent::{AgentBuilder, OutputMode},
    completion::PromptError,
    message::ToolName,
    tool::{DynamicTool, ToolOutput, server::ToolServer},
};
use serde_json::json;

fn own_tool(name: &str) -> DynamicTool {
    let name = ToolName::new(name).unwrap();
    DynamicTool::new(name, "My own.", json!({ "type": "object" }), |_| {
        Box::pin(async { Ok(ToolOutput::text("mine")) })
    })
}

#[tokio::test]
async fn catalog_follows_any_preamble() {
    let hello = || Turn::Text("Hello.");
    for wire in WIRES {
        let api = Api::start(wire, [hello(), hello(), hello()]);
        let agent = AgentBuilder::new(api.model()).skills(TOOLBOX).preamble("Later.").build();
        agent.prompt("Go.").await.unwrap();
        agent.prompt("Go.").preamble("Once.").await.unwrap();
        agent.prompt("Go.").without_preamble().await.unwrap();
        let systems: Vec<_> = api.requests().iter().map(|request| request.system()).collect();
        let catalog = TOOLBOX.catalog().to_string();
        let catalog = catalog.trim_end();
        let expected =
            [format!("Later.\n\n{catalog}"), format!("Once.\n\n{catalog}"), catalog.to_owned()];
        assert_eq!(systems, expected);
    }
}

#[tokio::test]
async fn catalog_is_not_added_twice() {
    let api = Api::start(Wire::Chat, [Turn::Text("Hello.")]);
    let preamble = format!("{}\n\nBe brief.", TOOLBOX.catalog());
    let agent = AgentBuilder::new(api.model()).preamble(&*preamble).skills(TOOLBOX).build();
    agent.prompt("Go.").await.unwrap();
    assert_eq!(api.requests()[0].system(), preamble);
}

#[tokio::test]
async fn catalog_follows_instructions_for_the_output() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Verdict {
        bug: bool,
    }
    let api = Api::start(Wire::Messages, [Turn::Text(r#"{"bug": true}"#)]);
    let builder = AgentBuilder::new(api.model()).preamble("Judge.").skills(TOOLBOX);
    let agent = builder.output_mode(OutputMode::Prompted).build();
    let verdict = agent.prompt_typed::<Verdict>("Is it a bug?").await.unwrap();
    assert!(verdict.output.bug);
    let system = api.requests()[0].system();
    assert!(
        system.starts_with("Judge.") && system.ends_with(TOOLBOX.catalog().to_string().trim_end())
    );
}

#[tokio::test]
async fn tool_with_a_name_of_a_skill_tool_is_an_error() {
    let api = Api::start(Wire::Chat, []);
    let builder = AgentBuilder::new(api.model()).dynamic_tool(own_tool("weather")).skills(TOOLBOX);
    let agent = builder.dynamic_tool(own_tool("load_skill")).build();
    let error = agent.prompt("Go.").await.unwrap_err();
    let expected = "the agent has another tool named `load_skill`, a name that is reserved for its \
                    skills; rename that tool, and add skills only once";
    assert_eq!(chain(&error), expected);
    let error = agent.prompt("Go.").stream().next().await.unwrap().err().unwrap();
    assert_eq!(chain(&error), expected);
    assert!(api.requests().is_empty());
}

#[tokio::test]
async fn second_toolbox_is_an_error() {
    let api = Api::start(Wire::Chat, []);
    let builder = AgentBuilder::new(api.model()).skills(TOOLBOX).skills(Toolbox::new(SKILLS));
    let error = builder.build().prompt("Go.").await.unwrap_err();
    assert!(chain(&error).contains("add skills only once"), "{error}");
    assert!(api.requests().is_empty());
}

#[tokio::test]
async fn skill_called_as_a_tool_is_explained() {
    for wire in WIRES {
        for streams in [false, true] {
            let calls = vec![
                ("call_a", "incident_review", json!({})),
                ("call_b", "load_skill", json!({ "name": "release-notes" })),
            ];
            let turns = [Turn::Calls(calls), Turn::Text("I see.")];
            let api = Api::start(wire, turns);
            let agent = AgentBuilder::new(api.model()).skills(TOOLBOX).default_max_turns(2).build();
            if streams {
                let mut stream = agent.prompt("Go.").stream();
                while let Some(item) = stream.next().await {
                    item.unwrap();
                }
            } else {
                assert_eq!(agent.prompt("Go.").await.unwrap().output(), "I see.");
            }
            let requests = api.requests();
            let results = requests[1].results();
            let ids: Vec<_> = results.iter().map(|result| &*result.id).collect();
            assert_eq!(requests[1].calls(), ids);
            assert_eq!(ids[0], "call_a");
            // rig stops reading a stream at the wrong call.
            assert_eq!(ids.len(), if streams { 1 } else { 2 });
            let expected = "there is no tool `incident_review`: `incident-review` is a skill, a \
                            set of instructions. Call the tool `load_skill`";
            assert!(results[0].text.starts_with(expected), "{}", results[0].text);
        }
    }
}

#[tokio::test]
async fn unknown_tools_are_left_to_rig() {
    let api = Api::start(Wire::Chat, [call("call_a", "get_weather", json!({}))]);
    let agent = AgentBuilder::new(api.model()).skills(TOOLBOX).default_max_turns(2).build();
    let error = agent.prompt("Go.").await.unwrap_err();
    assert!(matches!(error, PromptError::UnknownToolCall { .. }), "{error:?}");
    api.requests();
}

#[tokio::test]
async fn toolbox_without_skills_adds_nothing() {
    static NONE: SkillSet = SkillSet::new(&[]);
    let api = Api::start(Wire::Chat, [Turn::Text("Hello."), Turn::Text("Hello.")]);
    let builder = AgentBuilder::new(api.model()).preamble("Be brief.");
    builder.skills(Toolbox::new(NONE)).build().prompt("Go.").await.unwrap();
    AgentBuilder::new(api.model()).preamble("Be brief.").build().prompt("Go.").await.unwrap();
    let requests = api.requests();
    assert_eq!(requests[0].body, requests[1].body);
}

#[tokio::test]
async fn tools_join_a_shared_server() {
    let turns = [
        Turn::Calls(vec![
            ("a", "load_skill", json!({ "name": "pdf" })),
            ("b", "weather", json!({})),
        ]),
        Turn::Text("Done."),
    ];
    let api = Api::start(Wire::Messages, turns);
    let server = ToolServer::new().dynamic_tool(own_tool("weather")).run();
    let builder = AgentBuilder::new(api.model()).tool_server_handle(server);
    let agent = builder.skills(Toolbox::new(SKILLS)).default_max_turns(2).build();
    agent.prompt("Go.").await.unwrap();
    let results = api.requests()[1].results();
    assert_eq!(results[0].text, "<skill name=\"pdf\">\nUse `pdftotext`.\n</skill>");
    assert_eq!(results[1].text, "mine");
}
