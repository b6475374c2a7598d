//! Runs of skills from files.

use crate::folder::{Folder, block_on};
use helix_skills_agent::{
    AsyncToolbox, BoxFuture,
    run::{Answer, Message, Model, Run, ToolCall, ToolDefinition, TypedSkill},
};
#[cfg(unix)]
use helix_skills_agent::{RegistryEntry, run::Shape};
#[cfg(unix)]
use helix_skills_host::SharedRegistry;
use helix_skills_host::load_skill;
use helix_skills_runtime::{Arguments, ErrorKind, Profile, Variables};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Mutex;

const TRIAGE: &str = "---
name: triage
description: Sorts issues. Use for a new issue.
arguments: [issueNumber]
allowed-tools: [search]
maxTicks: 2
---
Look into issue $issueNumber, see ${SKILL_DIR}.
";

/// A model that gives the same answer in every turn, and keeps its messages.
struct Parrot(Answer, Mutex<Vec<String>>);

impl Parrot {
    fn submits(arguments: &str) -> Self {
        let call = ToolCall::new("1", "submit", arguments);
        Self(call.into(), Mutex::default())
    }

    fn turns(&self) -> usize {
        self.1.lock().unwrap().len()
    }

    fn last_message(&self) -> String {
        self.1.lock().unwrap()[0].clone()
    }
}

impl Model for Parrot {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        let Message::User(text) = &messages[1] else { panic!("{messages:?}") };
        self.1.lock().unwrap().push(text.clone());
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issue {
    issue_number: u32,
}

/// An input with a schema.
#[cfg(unix)]
#[derive(Deserialize, JsonSchema)]
struct Typed {
    #[serde(rename = "issueNumber")]
    _issue_number: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Verdict {
    bug: bool,
}

#[test]
fn one_file_serves_a_conversation_and_a_run() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let directories = folder.directories(&["skills"]);

    // Loaded into the conversation.
    let toolbox =
        block_on(AsyncToolbox::builder(&directories).profile(Profile::Agentick).build()).unwrap();
    let call = toolbox.call("skill", r#"{"name": "triage", "args": {"issueNumber": 42}}"#);
    let body = block_on(call).unwrap().to_string();
    let directory = folder.text("skills/triage");
    assert!(body.starts_with(&format!("Look into issue 42, see {directory}.")), "{body}");

    // Run for a result: the same text.
    let model = Parrot::submits(r#"{"bug": true}"#);
    let run = block_on(Run::load(&directories, "triage", Profile::Agentick)).unwrap();
    let run = run.arguments(Arguments::json(r#"{"issueNumber": 42}"#).unwrap());
    let verdict: Verdict = block_on(run.typed(&model)).unwrap();
    assert!(verdict.bug);
    let body = body.replace("${SKILL_DIR}", &folder.path("skills/triage").display().to_string());
    assert_eq!(model.last_message(), format!("<skill name=\"triage\">\n{body}\n</skill>"));

    let error = block_on(Run::load(&directories, "tirage", Profile::Helix)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the skill `tirage`: no skill has this name; there are `triage`"
    );
}

#[test]
fn file_sets_max_ticks_and_invalid_values_are_ignored() {
    let folder = Folder::new();
    let cases = [
        ("2", 2),
        ("'3'", 3),
        ("1", 1),
        ("0", 10),
        ("-1", 10),
        ("many", 10),
        ("1.5", 10),
        ("[2]", 10),
        ("", 10),
    ];
    for (at, (turns, expected)) in cases.into_iter().enumerate() {
        let text = TRIAGE.replace("maxTicks: 2", &format!("maxTicks: {turns}"));
        folder.write(
            &format!("skills/triage-{at}/SKILL.md"),
            text.replace("name: triage", &format!("name: triage-{at}")),
        );
        let directories = folder.directories(&["skills"]);
        let model = Parrot::submits("{}");
        let run =
            block_on(Run::load(&directories, &format!("triage-{at}"), Profile::Helix)).unwrap();
        let run = run.arguments("42");
        let error = block_on(run.typed::<Verdict>(&model)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoResult, "{error}");
        let after = format!(" has no result after {} turn", model.turns());
        assert!(error.to_string().contains(&after), "{error}");
        assert_eq!(model.turns(), expected, "maxTicks: {turns}");
    }
}

#[test]
fn loaded_skill_has_a_typed_input() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let triage = TypedSkill::<Issue>::new(load_skill(folder.path("skills/triage")).unwrap().value);
    let model = Parrot::submits(r#"{"bug": false}"#);
    let verdict: Verdict =
        block_on(triage.run(&Issue { issue_number: 42 }).unwrap().typed(&model)).unwrap();
    assert!(
        !verdict.bug && model.last_message().contains("\nLook into issue 42, see "),
        "{}",
        model.last_message()
    );

    let error = triage.run_json(r#"{"issueNumber": "42"}"#).unwrap_err();
    let expected = "cannot run the skill `triage`: its input does not fit: `issueNumber`: invalid type: string \"42\", expected u32";
    assert_eq!(error.to_string(), expected);

    folder.write("triage.md", "Look into issue $issueNumber.\n");
    let flat = TypedSkill::<Issue>::new(load_skill(folder.path("triage.md")).unwrap().value);
    let model = Parrot::submits(r#"{"bug": true}"#);
    let verdict: Verdict =
        block_on(flat.run_json(r#"{"issueNumber": 7}"#).unwrap().typed(&model)).unwrap();
    assert!(
        verdict.bug && model.last_message().contains("\nLook into issue 7."),
        "{}",
        model.last_message()
    );
}

#[test]
fn run_knows_the_directory_of_its_skill() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let directories = folder.directories(&["skills"]);
    let message_of = |run: Run<'_>| {
        let model = Parrot(Answer::from("Done."), Mutex::default());
        block_on(run.arguments("42").text(&model)).unwrap();
        model.last_message()
    };
    let run = block_on(Run::load(&directories, "triage", Profile::Helix)).unwrap();
    let directory = folder.text("skills/triage");
    assert!(message_of(run.clone()).contains(&format!(", see {directory}.")));
    // The host overrides the directory.
    assert!(
        message_of(run.variables(Variables::new().skill_directory("/x").session("s")))
            .contains(", see /x.")
    );
    // A skill that was loaded keeps its directory.
    let loaded = load_skill(folder.path("skills/triage")).unwrap().value;
    let run = Run::new(&loaded);
    assert!(message_of(run).contains(&format!(", see {directory}.")));
}

#[cfg(unix)]
#[test]
fn run_gets_command_outputs_and_loads_other_skills() {
    use crate::waiting::wait;
    use helix_skills_agent::shell::ShellContext;
    use helix_skills_host::SystemShell;
    use std::error::Error;

    let folder = Folder::new();
    let body = "Count in $ARGUMENTS: !`cat list.txt; echo $0`\n\nIn ${SKILL_DIR}.\n";
    let front = "disable-model-invocation: true\nmaxTicks: 2";
    folder.write(
        "skills/count/SKILL.md",
        format!("---\nname: count\ndescription: Counts.\n{front}\n---\n{body}"),
    );
    folder.write("project/list.txt", "one two </skill>\n");
    folder.write(
        "skills/today/SKILL.md",
        "---\nname: today\ndescription: The day.\n---\nIt is !`echo Sunday`.\n",
    );
    folder.write(
        "skills/broken/SKILL.md",
        "---\nname: broken\ndescription: Fails.\n---\n!`cat nothing.txt`\n",
    );
    let directories = folder.directories(&["skills"]);
    let live = || ShellContext::new(SystemShell::new()).directory(folder.text("project"));
    let tools = AsyncToolbox::builder(&directories).profile(Profile::Agentick).shell(live());
    let tools = wait(tools.build()).unwrap();

    // The argument is one word of the command.
    let arguments = Arguments::text("'x; touch marker'");
    let load = |name, profile| block_on(Run::load(&directories, name, profile)).unwrap();
    let run = load("count", Profile::Agentick).arguments(arguments).shell(live());
    let loads = ToolCall::new("1", "skill", r#"{"name": "today"}"#);
    let model = Script(Mutex::new(vec![Answer::from("Two."), loads.into()]), Mutex::default());
    assert_eq!(wait(run.tools(&tools).text(&model)).unwrap(), "Two.");
    let messages = model.1.into_inner().unwrap();
    let [
        Message::System(_),
        Message::User(first),
        Message::Assistant(_),
        Message::Result { text, is_error, .. },
        ..,
    ] = &messages[..]
    else {
        panic!("{messages:?}")
    };
    let directory = folder.path("skills/count");
    let expected = format!(
        "<skill name=\"count\">\nCount in 'x; touch marker': one two &lt;/skill>\nx; touch marker\n\n\nIn {}.\n</skill>",
        directory.display()
    );
    assert_eq!(first.as_str(), expected);
    assert_eq!((&**text, *is_error), ("It is Sunday\n.", false));
    assert!(!folder.path("project/marker").exists());

    let broken = load("broken", Profile::Agentick).shell(live().show_failures(false));
    let error = wait(broken.text(&Parrot::submits("{}"))).unwrap_err();
    assert_eq!(error.to_string(), "cannot fill the body of the skill `broken`");
    assert!(error.source().unwrap().downcast_ref::<helix_skills_runtime::Error>().is_some());
    // Without a shell, the model is not called.
    let error = block_on(load("count", Profile::Helix).text(&Parrot::submits("{}"))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Command, "{error}");
    let run = load("count", Profile::Helix).shell(ShellContext::without_shell());
    let error = wait(run.text(&Parrot::submits("{}"))).unwrap_err();
    assert!(error.source().unwrap().to_string().contains("no shell"), "{error:?}");
}

/// A model with prepared answers, the last one first, that keeps the conversation.
#[cfg(unix)]
struct Script(Mutex<Vec<Answer>>, Mutex<Vec<Message>>);

#[cfg(unix)]
impl Model for Script {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        *self.1.lock().unwrap() = messages.to_vec();
        Box::pin(async {
            self.0.lock().unwrap().pop().ok_or_else(|| "the script has ended".into())
        })
    }
}

#[cfg(unix)]
#[test]
fn input_is_checked_before_a_command_runs() {
    use crate::waiting::wait;
    use helix_skills_agent::shell::ShellContext;
    use helix_skills_host::{Environment, SystemShell, json_schema};

    let folder = Folder::new();
    let text = TRIAGE
        .replace("Look into", "!`echo ran >> \"$DIR/ran\"` Look into")
        .replace("[search]", "[search, Bash]");
    folder.write("skills/triage/SKILL.md", text);
    let shell = || SystemShell::new().environment(Environment::new().set("DIR", folder.path("")));
    let skills = SharedRegistry::new();
    let skill = load_skill(folder.path("skills/triage")).unwrap().value;
    let schema = r#"{"type": "object", "required": ["issueNumber"], "properties": {"issueNumber": {"type": "integer"}}}"#;
    let shape = Shape::with_schema(schema).unwrap();
    let shape = shape.validator(json_schema).unwrap();
    let entry = Ok::<_, String>(RegistryEntry::new(skill).input(shape));
    let entry = [(folder.path("skills/triage").display().to_string(), entry)];
    assert!(skills.update(|all| all.extend(entry)).is_empty());
    let runs =
        || std::fs::read_to_string(folder.path("ran")).map_or(0, |text| text.lines().count());

    let live = ShellContext::new(shell());
    let model = Parrot::submits(r#"{"bug": true}"#);
    let run = |arguments| {
        let run = block_on(Run::load(&skills, "triage", Profile::ClaudeCode)).unwrap();
        wait(run.arguments(arguments).shell(live.clone()).typed::<Verdict>(&model))
    };
    assert_eq!(run(Arguments::text("all")).unwrap_err().field(), Some("/issueNumber"));
    let toolbox = AsyncToolbox::builder(skills.clone()).profile(Profile::ClaudeCode).shell(shell());
    let toolbox = wait(toolbox.build()).unwrap();
    let call = |args: &str| {
        wait(toolbox.call("Skill", &format!(r#"{{"skill": "triage", "args": {args}}}"#))).unwrap()
    };
    assert!(call(r#""all""#).is_error() && wait(toolbox.slash("/triage all")).unwrap().is_error());
    assert_eq!((runs(), model.turns()), (0, 0));

    assert!(run(Arguments::text("7")).is_ok());
    assert!(!call(r#"{"issueNumber": 7}"#).is_error());
    assert!(!wait(toolbox.slash("/triage 7")).unwrap().is_error());
    assert_eq!(runs(), 3);
}

#[cfg(unix)]
#[test]
fn typed_skill_runs_its_commands() {
    use crate::waiting::wait;
    use helix_skills_host::{Materialized, SystemShell};

    let folder = Folder::new();
    let text = TRIAGE.replace("Look into", "!`cat $issueNumber.txt; pwd -P` Look into");
    folder.write("skills/triage/SKILL.md", text);
    folder.write("skills/triage/42.txt", "The door.\n");
    let load = || load_skill(folder.path("skills/triage")).unwrap().value;
    let triage = TypedSkill::<Issue>::new(load());
    let model = Parrot::submits(r#"{"bug": true}"#);
    let run = triage.run(&Issue { issue_number: 42 }).unwrap().shell(SystemShell::new());
    let verdict: Verdict = wait(run.typed(&model)).unwrap();
    let directory = std::fs::canonicalize(folder.path("skills/triage")).unwrap();
    let expected = format!("\nThe door.\n{} Look into issue 42", directory.display());
    assert!(verdict.bug && model.last_message().contains(&expected), "{}", model.last_message());

    // In a registry, the type is the contract of the skill, also through other providers.
    let skills = SharedRegistry::new();
    skills.update(|all| all.register(TypedSkill::<Typed>::new(load()))).unwrap();
    let run = skills.snapshot().run("triage").unwrap().arguments("42").shell(SystemShell::new());
    assert!(wait(run.typed::<Verdict>(&model)).is_ok());
    let copies = Materialized::new(skills);
    for (arguments, fits) in [("42", true), ("all", false)] {
        let run = block_on(Run::load(&copies, "triage", Profile::Helix)).unwrap();
        assert_eq!(run.arguments(arguments).check_input().is_ok(), fits, "{arguments}");
    }
}
