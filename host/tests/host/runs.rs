//! Skills of files that are run.

use crate::folder::{Folder, done};
use helix_skills_agent::{
    AsyncToolbox, Pending, RegistryEntry,
    run::{Answer, Message, Model, Run, RunError, Shape, ToolCall, ToolDefinition, TypedSkill},
};
use helix_skills_host::{SharedRegistry, load_skill};
use helix_skills_runtime::{Arguments, Profile, Variables};
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

/// A model that says the same in every turn, and keeps what it is told.
struct Parrot(Answer, Mutex<Vec<String>>);

impl Parrot {
    fn submits(arguments: &str) -> Self {
        let call = ToolCall::new("1", "submit", arguments);
        Self(call.into(), Mutex::default())
    }

    fn asked(&self) -> usize {
        self.1.lock().unwrap().len()
    }

    fn told(&self) -> String {
        self.1.lock().unwrap()[0].clone()
    }
}

impl Model for Parrot {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> Pending<'m, Answer> {
        let Message::User(told) = &messages[1] else { panic!("{messages:?}") };
        self.1.lock().unwrap().push(told.clone());
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issue {
    issue_number: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Verdict {
    bug: bool,
}

#[test]
fn row_84_one_file_is_loaded_into_a_conversation_and_run_for_a_result() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let directories = folder.directories(&["skills"]);

    // Into the conversation.
    let toolbox =
        done(AsyncToolbox::builder(&directories).profile(Profile::Agentick).build()).unwrap();
    let call = toolbox.call("skill", r#"{"name": "triage", "args": {"issueNumber": 42}}"#);
    let body = done(call).unwrap().into_string();
    assert!(body.starts_with("Look into issue 42, see ${SKILL_DIR}."), "{body}");

    // For a result: the same text, and the place of the skill, which its provider tells.
    let model = Parrot::submits(r#"{"bug": true}"#);
    let run = done(Run::load(&directories, "triage", Profile::Agentick)).unwrap();
    let run = run.arguments(Arguments::json(r#"{"issueNumber": 42}"#).unwrap());
    let verdict: Verdict = done(run.typed(&model)).unwrap();
    assert!(verdict.bug);
    let body = body.replace("${SKILL_DIR}", &folder.path("skills/triage").display().to_string());
    assert_eq!(model.told(), format!("<skill name=\"triage\">\n{body}\n</skill>"));

    let error = done(Run::load(&directories, "tirage", Profile::Helix)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot run the skill `tirage`: no skill has this name; there are `triage`"
    );
}

#[test]
fn row_92_a_file_says_how_often_a_model_is_asked_and_what_is_no_number_says_nothing() {
    let folder = Folder::new();
    let said = [
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
    for (at, (ticks, expected)) in said.into_iter().enumerate() {
        let text = TRIAGE.replace("maxTicks: 2", &format!("maxTicks: {ticks}"));
        folder.write(
            &format!("skills/triage-{at}/SKILL.md"),
            text.replace("name: triage", &format!("name: triage-{at}")),
        );
        let directories = folder.directories(&["skills"]);
        let model = Parrot::submits("{}");
        let run = done(Run::load(&directories, &format!("triage-{at}"), Profile::Helix)).unwrap();
        let error = done(run.typed::<Verdict>(&model)).unwrap_err();
        assert!(
            matches!(error, RunError::NotSubmitted { ticks, .. } if ticks as usize == model.asked()),
            "{error}"
        );
        assert_eq!(model.asked(), expected, "maxTicks: {ticks}");
    }
}

#[test]
fn row_97_a_skill_that_is_loaded_has_a_type_for_its_input() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let triage = TypedSkill::<Issue>::new(load_skill(folder.path("skills/triage")).unwrap().skill);
    let model = Parrot::submits(r#"{"bug": false}"#);
    let verdict: Verdict =
        done(triage.run(&Issue { issue_number: 42 }).unwrap().typed(&model)).unwrap();
    assert!(
        !verdict.bug && model.told().contains("\nLook into issue 42, see "),
        "{}",
        model.told()
    );

    let error = triage.run_json(r#"{"issueNumber": "42"}"#).unwrap_err();
    let said = "cannot run the skill `triage`: its input does not fit: `issueNumber`: invalid type: string \"42\", expected u32";
    assert_eq!(error.to_string(), said);

    folder.write("triage.md", "Look into issue $issueNumber.\n");
    let flat = TypedSkill::<Issue>::new(load_skill(folder.path("triage.md")).unwrap().skill);
    let model = Parrot::submits(r#"{"bug": true}"#);
    let verdict: Verdict =
        done(flat.run_json(r#"{"issueNumber": 7}"#).unwrap().typed(&model)).unwrap();
    assert!(verdict.bug && model.told().contains("\nLook into issue 7."), "{}", model.told());
}

#[test]
fn row_116_a_run_knows_where_the_files_of_its_skill_lie() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let directories = folder.directories(&["skills"]);
    let told = |run: Run<'_>| {
        let model = Parrot(Answer::from("Done."), Mutex::default());
        done(run.arguments("42").text(&model)).unwrap();
        model.told()
    };
    let lies = done(Run::load(&directories, "triage", Profile::Helix)).unwrap();
    let place = folder.path("skills/triage").display().to_string();
    assert_eq!(lies.directory(), Some(&*place));
    assert!(told(lies.clone()).contains(&format!(", see {place}.")));
    // The host knows better.
    assert!(
        told(lies.variables(Variables::new().skill_directory("/x").session("s")))
            .contains(", see /x.")
    );
    // A skill that was loaded keeps its directory.
    let loaded = load_skill(folder.path("skills/triage")).unwrap().skill;
    let run = Run::new(&loaded);
    assert_eq!(run.directory(), Some(&*place));
    assert!(told(run).contains(&format!(", see {place}.")));
}

#[cfg(unix)]
#[test]
fn row_83_a_run_reads_what_the_commands_of_its_body_said_and_loads_other_skills() {
    use crate::waiting::wait;
    use helix_skills_agent::live::{LiveContext, LiveError};
    use helix_skills_host::SystemShell;
    use std::error::Error;

    let folder = Folder::new();
    let body = "Count in $ARGUMENTS: !`cat list.txt; echo $0`\n\nIn ${SKILL_DIR}.\n";
    let front = "disable-model-invocation: true\nmaxTicks: 2";
    folder.write(
        "skills/count/SKILL.md",
        format!("---\nname: count\ndescription: Counts.\n{front}\n---\n{body}"),
    );
    folder.write("skills/count/list.txt", "one two </skill>\n");
    folder.write(
        "skills/today/SKILL.md",
        "---\nname: today\ndescription: The day.\n---\nIt is !`echo Sunday`.\n",
    );
    folder.write(
        "skills/broken/SKILL.md",
        "---\nname: broken\ndescription: Fails.\n---\n!`cat nothing.txt`\n",
    );
    let directories = folder.directories(&["skills"]);
    let live = || LiveContext::new(SystemShell::new());
    let tools = AsyncToolbox::builder(&directories).profile(Profile::Agentick).shell(live());
    let tools = wait(tools.build()).unwrap();

    // The argument is a word of the command, whatever it says.
    let arguments = Arguments::text("'x; touch marker'");
    let run = wait(live().run(&directories, "count", Profile::Agentick, arguments)).unwrap();
    let loads = ToolCall::new("1", "skill", r#"{"name": "today"}"#);
    let model = Script(Mutex::new(vec![Answer::from("Two."), loads.into()]), Mutex::default());
    assert_eq!(wait(run.tools(&tools).text(&model)).unwrap(), "Two.");
    let told = model.1.into_inner().unwrap();
    let [
        Message::System(_),
        Message::User(first),
        Message::Assistant(_),
        Message::Result(result),
        ..,
    ] = &told[..]
    else {
        panic!("{told:?}")
    };
    let place = folder.path("skills/count");
    let expected = format!(
        "<skill name=\"count\">\nCount in 'x; touch marker': one two &lt;/skill>\nx; touch marker\n\n\nIn {}.\n</skill>",
        place.display()
    );
    assert_eq!(first.as_str(), expected);
    assert_eq!((&*result.text, result.is_error), ("It is Sunday\n.", false));
    assert!(!place.join("marker").exists());

    let error =
        wait(live().run(&directories, "broken", Profile::Agentick, Arguments::NONE)).unwrap_err();
    assert_eq!(error.to_string(), "cannot fill the body of the skill `broken`");
    assert!(error.source().unwrap().downcast_ref::<LiveError>().is_some());
    // Without a shell nothing is asked of a model.
    let error = done(
        done(Run::load(&directories, "count", Profile::Helix))
            .unwrap()
            .text(&Parrot::submits("{}")),
    )
    .unwrap_err();
    assert!(matches!(error, RunError::Command { .. }), "{error}");
    let error = wait(LiveContext::without_shell().run(
        &directories,
        "count",
        Profile::Helix,
        Arguments::NONE,
    ))
    .unwrap_err();
    assert!(error.source().unwrap().to_string().contains("no shell"), "{error:?}");
}

/// A model with answers, the last one first, that keeps the conversation.
#[cfg(unix)]
struct Script(Mutex<Vec<Answer>>, Mutex<Vec<Message>>);

#[cfg(unix)]
impl Model for Script {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> Pending<'m, Answer> {
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
    use helix_skills_agent::live::LiveContext;
    use helix_skills_host::{Environment, JsonSchemaValidator, SystemShell};

    let folder = Folder::new();
    let text = TRIAGE
        .replace("Look into", "!`echo ran >> \"$DIR/ran\"` Look into")
        .replace("[search]", "[search, Bash]");
    folder.write("skills/triage/SKILL.md", text);
    let shell =
        || SystemShell::new().environment(Environment::inherited().set("DIR", folder.path("")));
    let skills = SharedRegistry::new();
    let skill = load_skill(folder.path("skills/triage")).unwrap().skill;
    let schema = r#"{"type": "object", "required": ["issueNumber"], "properties": {"issueNumber": {"type": "integer"}}}"#;
    let shape = Shape::<serde_json::Value>::with_schema(schema).unwrap();
    let shape = shape.validator(&JsonSchemaValidator::new()).unwrap();
    let entry = Ok::<_, String>(RegistryEntry::new(skill).input(shape));
    assert!(
        skills
            .extend([(folder.path("skills/triage").display().to_string(), entry)])
            .problems
            .is_empty()
    );
    let runs =
        || std::fs::read_to_string(folder.path("ran")).map_or(0, |text| text.lines().count());

    let live = LiveContext::new(shell());
    let run = |arguments| wait(live.run(&skills, "triage", Profile::ClaudeCode, arguments));
    assert!(
        matches!(run(Arguments::text("all")), Err(RunError::Input { field, .. }) if field == "/issueNumber")
    );
    let toolbox = AsyncToolbox::builder(skills.clone()).profile(Profile::ClaudeCode).shell(shell());
    let toolbox = wait(toolbox.build()).unwrap();
    let call = |args: &str| {
        wait(toolbox.call("Skill", &format!(r#"{{"skill": "triage", "args": {args}}}"#))).unwrap()
    };
    assert!(call(r#""all""#).is_error() && wait(toolbox.slash("/triage all")).unwrap().is_error());
    assert_eq!(runs(), 0);

    assert!(run(Arguments::text("7")).is_ok());
    assert!(!call(r#"{"issueNumber": 7}"#).is_error());
    assert!(!wait(toolbox.slash("/triage 7")).unwrap().is_error());
    assert_eq!(runs(), 3);
}
