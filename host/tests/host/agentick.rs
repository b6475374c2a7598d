//! An application in the profile `agentick`: a registry with the skills of a directory, which a
//! model loads and the program runs.

use crate::{folder::Folder, waiting::wait};
use helix_skills_agent::shell::ShellContext;
use helix_skills_agent::{
    AsyncToolbox, BoxFuture, Provider,
    run::{Answer, Message, Model, Run, Shape, ToolCall, ToolDefinition},
};
use helix_skills_host::{SharedRegistry, SystemShell};
use helix_skills_runtime::{Arguments, Error, ErrorKind, Profile, Skill, Variables};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const TRIAGE: &str = "---\nname: triage\ndescription: Triage an issue.\narguments: [issue]\nallowed-tools: []\n---\n\
    Triage issue $issue of session ${AGENTICK_SESSION_ID}.\n\nKnown:\n\n!`grep -e $issue ${AGENTICK_SKILL_DIR}/issues.txt`\n\
    ```!\nwc -l < ${AGENTICK_SKILL_DIR}/issues.txt | tr -d ' '\n```\n";

/// Registers the skills of an application, as at its start.
fn app(folder: &Folder) -> Arc<SharedRegistry> {
    folder.write("skills/triage/SKILL.md", TRIAGE);
    folder.write("skills/triage/issues.txt", "41 the door\n42 the window\n");
    let skills = SharedRegistry::new();
    let loaded = skills.load_dir(folder.path("skills")).unwrap();
    assert!(loaded.problems.is_empty());
    let note = Skill::define("note", "Takes notes.", "Write down: $ARGUMENTS").build();
    skills.update(|all| all.register(note)).unwrap();
    Arc::new(skills)
}

fn live() -> ShellContext {
    ShellContext::new(SystemShell::new()).variables(Variables::new().session("s-1"))
}

/// Builds the toolbox of one tick, because the registry may have changed since the previous one.
fn tool(skills: &Arc<SharedRegistry>, live: &ShellContext) -> AsyncToolbox<Arc<SharedRegistry>> {
    let toolbox =
        AsyncToolbox::builder(Arc::clone(skills)).profile(Profile::Agentick).shell(live.clone());
    wait(toolbox.build()).unwrap()
}

/// Returns the body as `session.skill(name, {args})` passes it to the model.
fn body(
    skills: &SharedRegistry,
    live: &ShellContext,
    name: &str,
    arguments: Arguments<'_>,
) -> Result<String, Error> {
    let skill = skills.snapshot().set().get(name).cloned().unwrap();
    let directory = wait(skills.directory(name, Profile::Helix)).unwrap();
    wait(live.fill(&skill, Profile::Agentick, arguments, directory.as_deref()))
}

/// A model that submits one value, and the messages that it got.
struct Submits(Value, Mutex<Vec<Message>>);

impl Model for Submits {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        *self.1.lock().unwrap() = messages.to_vec();
        let call = ToolCall::new("1", "submit", self.0.to_string());
        Box::pin(async { Ok(call.into()) })
    }
}

#[test]
fn one_file_is_a_tool_and_a_function_with_commands() {
    let folder = Folder::new();
    let (skills, live) = (app(&folder), live());
    let known = "Triage issue 42 of session s-1.\n\nKnown:\n\n42 the window\n\n2\n\n\nARGUMENTS: {\"issue\":42}";

    let call = json!({"name": "triage", "args": {"issue": 42}}).to_string();
    let toolbox = tool(&skills, &live);
    // The future can run on another thread.
    let reply = std::thread::scope(|scope| {
        let answer = toolbox.call("skill", &call);
        scope.spawn(|| wait(answer)).join().unwrap().unwrap()
    });
    assert_eq!(reply.to_string(), known);

    let filled =
        body(&skills, &live, "triage", Arguments::json(r#"{"issue": 42}"#).unwrap()).unwrap();
    assert_eq!(filled, known);
    let schema = r#"{"type": "object", "properties": {"severity": {"type": "string"}}, "required": ["severity"]}"#;
    let shape = Shape::with_schema(schema).unwrap();
    let model = Submits(json!({"severity": "high"}), Mutex::default());
    let skill = skills.snapshot().set().get("triage").cloned().unwrap();
    let run = Run::new(skill)
        .profile(Profile::Agentick)
        .arguments(Arguments::json(r#"{"issue": 42}"#).unwrap())
        .shell(live);
    let value: Value = wait(run.shaped(&shape, &model)).unwrap();
    assert_eq!(value["severity"], "high");
    let messages = model.1.lock().unwrap().clone();
    let is_known = |message: &Message| matches!(message, Message::User(text) | Message::System(text) if text.contains(known));
    assert!(messages.iter().any(is_known), "{messages:?}");
}

#[test]
fn tool_follows_the_registry() {
    let folder = Folder::new();
    let (skills, live) = (app(&folder), live());
    let names = |toolbox: &AsyncToolbox<_>| {
        let parameters: Value =
            serde_json::from_str(&toolbox.tools([]).unwrap()[0].parameters).unwrap();
        parameters["properties"]["name"]["enum"].clone()
    };
    let before = tool(&skills, &live);
    assert_eq!(names(&before), json!(["note", "triage"]));
    folder.write(
        "more/log/SKILL.md",
        "---\nname: log\ndescription: Sums up.\n---\n!`basename ${SKILL_DIR}`\n",
    );
    assert!(skills.load_dir(folder.path("more")).unwrap().problems.is_empty());
    skills.update(|all| all.remove("note"));
    let after = tool(&skills, &live);
    assert_eq!(names(&after), json!(["log", "triage"]));
    assert_eq!(wait(after.call("skill", r#"{"name": "log"}"#)).unwrap().to_string(), "log\n");
    // An earlier conversation keeps its list of skills, as far as they still exist.
    assert!(wait(before.call("skill", r#"{"name": "log"}"#)).unwrap().is_error());
    assert_eq!(
        wait(before.call("skill", r#"{"name": "note"}"#)).unwrap().to_string(),
        "cannot load the skill `note`: it is no longer available"
    );
}

#[test]
fn skill_in_code_has_no_directory() {
    let skills = SharedRegistry::new();
    let asks = Skill::define("asks", "Asks.", "!`ls ${AGENTICK_SKILL_DIR}`").build();
    skills.update(|all| all.register(asks)).unwrap();
    let error = body(&skills, &live(), "asks", Arguments::NONE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Setup);
    assert!(
        error.to_string().ends_with("uses `${AGENTICK_SKILL_DIR}`, which this agent has not set"),
        "{error}"
    );
}
