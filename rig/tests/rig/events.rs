//! Events of calls.

use crate::{
    TOOLBOX,
    api::{Api, Turn, WIRES, Wire, call},
};
use helix_skills::Event;
use helix_skills_rig::{AgentBuilderExt, Skills};
use rig::{
    agent::AgentBuilder,
    tool::{ContextValue, ToolContext},
};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// Whose conversation it is.
#[derive(serde::Serialize, serde::Deserialize)]
struct User(String);

impl ContextValue for User {
    const KEY: &'static str = "user";
}

#[tokio::test]
async fn only_loaded_skills_are_events() {
    for wire in WIRES {
        let turns = [
            Turn::Calls(vec![
                ("a", "load_skill", json!({ "name": "incident-review" })),
                ("b", "load_skill", json!({ "name": "unknown" })),
                (
                    "c",
                    "read_skill_file",
                    json!({ "skill": "incident-review", "path": "references/questions.md" }),
                ),
                ("d", "load_skill", json!({ "name": "release-notes" })),
            ]),
            Turn::Text("Done."),
        ];
        let api = Api::start(wire, turns);
        let events = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&events);
        let skills = Skills::from(TOOLBOX).on_event(move |event, _| {
            let Event::SkillLoaded { name } = event else { return };
            seen.lock().unwrap().push(format!("{} {name}", event.kind()));
        });
        let agent = AgentBuilder::new(api.model()).skills(skills).default_max_turns(2).build();
        agent.prompt("Go.").await.unwrap();
        let expected = ["skill_loaded incident-review", "skill_loaded release-notes"];
        assert_eq!(*events.lock().unwrap(), expected);
        api.requests();
    }
}

#[tokio::test]
async fn events_have_the_context_of_the_prompt() {
    let load = || call("a", "load_skill", json!({ "name": "incident-review" }));
    let turns = [load(), Turn::Text("Done."), load(), Turn::Text("Done.")];
    let api = Api::start(Wire::Messages, turns);
    let users = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&users);
    let skills = Skills::from(TOOLBOX).on_event(move |_, context| {
        seen.lock().unwrap().push(context.require::<User>().unwrap().0);
    });
    let agent = AgentBuilder::new(api.model()).skills(skills).default_max_turns(2).build();
    for user in ["Ada", "Grace"] {
        let mut context = ToolContext::new();
        context.insert(User(user.into())).unwrap();
        agent.prompt("Go.").tool_context(context).await.unwrap();
    }
    assert_eq!(*users.lock().unwrap(), ["Ada", "Grace"]);
    api.requests();
}
