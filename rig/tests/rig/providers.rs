//! Toolboxes over providers: directories, commands and scripts, failures.

use crate::{
    PDF, SKILLS,
    api::{Api, Turn, WIRES, Wire, call},
};
use helix_skills::{
    AsyncToolbox, Profile, Provider, Providers, Skill,
    provider::{BoxFuture, Provided},
};
use helix_skills_host::Directories;
use helix_skills_rig::AgentBuilderExt;
use rig::agent::AgentBuilder;
use serde_json::json;
use std::{fs, path::Path, sync::Arc};

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[tokio::test]
async fn skills_of_directories_are_read_when_they_are_loaded() {
    let root = tempfile::tempdir().unwrap();
    let text = |body| format!("---\nname: tides\ndescription: Tide tables.\n---\n{body}\n");
    write(root.path(), "tides/SKILL.md", &text("Old."));
    for wire in WIRES {
        write(root.path(), "tides/SKILL.md", &text("Old."));
        let providers = Providers::new().with(SKILLS).with(Directories::new().root(root.path()));
        let toolbox = Arc::new(AsyncToolbox::builder(providers).build().await.unwrap());
        let api = Api::start(
            wire,
            [call("a", "load_skill", json!({ "name": "tides" })), Turn::Text("Done.")],
        );
        let builder = AgentBuilder::new(api.model()).skills(Arc::clone(&toolbox));
        write(root.path(), "tides/SKILL.md", &text("New."));
        builder.default_max_turns(2).build().prompt("Go.").await.unwrap();
        let requests = api.requests();
        assert_eq!(requests[0].system(), toolbox.catalog().trim_end());
        assert!(
            toolbox.catalog().contains("\n- pdf: ") && toolbox.catalog().contains("\n- tides: ")
        );
        assert_eq!(requests[1].results()[0].text, "<skill name=\"tides\">\nNew.\n</skill>");
    }
}

/// Returns the annotations of an agent's tools.
#[cfg(unix)]
async fn read_only(agent: &rig::agent::Agent) -> Vec<bool> {
    let tools = agent.tool_definitions(None).await.unwrap();
    assert!(tools.iter().all(|tool| tool.annotations.open_world() != tool.annotations.read_only()));
    tools.iter().map(|tool| tool.annotations.read_only()).collect()
}

#[cfg(unix)]
#[tokio::test]
async fn tools_that_run_something_are_not_read_only() {
    use helix_skills_host::{ScriptRunner, SystemShell};

    let root = tempfile::tempdir().unwrap();
    let text = "---\nname: greet\ndescription: Greets.\n---\nSay !`echo hello`.\n";
    write(root.path(), "greet/SKILL.md", text);
    write(root.path(), "greet/scripts/hi.sh", "echo hi\n");
    let directories = || Directories::new().root(root.path());
    let api = Api::start(
        Wire::Messages,
        [call("a", "load_skill", json!({ "name": "greet" })), Turn::Text("Done.")],
    );

    let toolbox = AsyncToolbox::builder(directories()).build().await.unwrap();
    let agent = AgentBuilder::new(api.model()).skills(toolbox).build();
    assert_eq!(read_only(&agent).await, [true, true]);

    let builder = AsyncToolbox::builder(directories()).shell(SystemShell::new());
    let toolbox = builder.scripts(ScriptRunner::new()).build().await.unwrap();
    let agent = AgentBuilder::new(api.model()).skills(toolbox).default_max_turns(2).build();
    // Loading runs commands, and the last tool runs scripts.
    assert_eq!(read_only(&agent).await, [false, true, false]);

    agent.prompt("Go.").await.unwrap();
    let results = api.requests()[1].results();
    assert!(results[0].text.starts_with("<skill name=\"greet\">\nSay hello.\n</skill>"));
}

/// A database that fails when a body is requested.
struct Broken;

impl Provider for Broken {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        Box::pin(async { Ok(Provided::from(vec![PDF])) })
    }

    fn load<'p>(&'p self, _: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Err("the database is away".into()) })
    }

    fn read<'p>(&'p self, _: &'p str, _: &'p str, _: Profile) -> BoxFuture<'p, Option<Vec<u8>>> {
        Box::pin(async { Ok(None) })
    }
}

#[tokio::test]
async fn error_of_a_provider_is_a_result() {
    for wire in WIRES {
        let turns = [call("a", "load_skill", json!({ "name": "pdf" })), Turn::Text("A pity.")];
        let api = Api::start(wire, turns);
        let toolbox = AsyncToolbox::builder(Broken).build().await.unwrap();
        let agent = AgentBuilder::new(api.model()).skills(toolbox).default_max_turns(2).build();
        assert_eq!(agent.prompt("Go.").await.unwrap().output(), "A pity.");
        let requests = api.requests();
        let result = &requests[1].results()[0];
        assert_eq!(result.text, "cannot load the skill `pdf`: the database is away");
        assert_eq!(result.is_error, requests[1].marks_errors());
    }
}
