//! Agentick: one file, which a model loads into its conversation and a program runs for a value.
//!
//! Lines of the page and here: `defineSkill` 8 and 5, plus 4 for the type that `z.object(…)` is;
//! `loadSkill`, `parseSkill`, `register`, `loadDir`, `get`, `list` and `search` 1 each;
//! `session.skill(…)` 4 and 2, plus 4 for the type of the result; `subscribe` 6 and 2.

use super::call;
use crate::{folder::Folder, waiting::wait};
use helix_skills::registry::{RegistryEntry, SkillQuery};
use helix_skills::run::{Answer, Message, Model, Run, Shape, ToolCall, ToolDefinition};
use helix_skills::shell::ShellContext;
use helix_skills::template::Variables;
use helix_skills::{AsyncToolbox, ErrorKind, Profile, Skill, Toolbox, provider::BoxFuture};
use helix_skills_format::parse_skill;
use helix_skills_host::{Directories, SharedRegistry, SystemShell, load_skill};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Mutex;

/// The file of the page, with the other fields that it lists.
const TRIAGE: &str = "---
name: triage
description: Investigate an issue and decide on an action.
when_to_use: When the user reports a bug or asks to triage an issue.
license: Apache-2.0
compatibility: Needs a tracker.
metadata: {author: alice}
allowed-tools: [search, read_file]
argument-hint: \"[issueNumber]\"
arguments: [issueNumber]
maxTicks: 3
model: large
effort: high
context: fork
agent: clerk
shell: bash
---

You are a triage agent.

Investigate issue $issueNumber, then call `submit`.
";

/// An application with the skills of a directory and one that is defined in code.
fn app(folder: &Folder) -> SharedRegistry {
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let skills = SharedRegistry::new();
    assert!(skills.load_dir(folder.path("skills")).unwrap().problems.is_empty());
    let summarize = Skill::define("summarize", "Sum up a text.", "Sum up $content.");
    skills.update(|all| all.register(summarize.arguments(&["content"]).build())).unwrap();
    skills
}

/// The toolbox that a session makes of the registry.
fn session(skills: &SharedRegistry) -> AsyncToolbox<SharedRegistry> {
    let live = ShellContext::new(SystemShell::new()).variables(Variables::new().session("s-7"));
    wait(AsyncToolbox::builder(skills.clone()).profile(Profile::Agentick).shell(live).build())
        .unwrap()
}

/// A model that gives these answers in turn, and keeps what it was given last.
struct Clerk(Mutex<Vec<Answer>>, Mutex<(Vec<Message>, Vec<String>)>);

impl Clerk {
    fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self(Mutex::new(answers.into_iter().collect()), Mutex::default())
    }

    fn submits<const N: usize>(values: [Value; N]) -> Self {
        Self::new(values.map(|value| ToolCall::new("1", "submit", value.to_string()).into()))
    }
}

impl Model for Clerk {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        tools: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        let tools = tools.iter().map(|tool| tool.name.clone()).collect();
        *self.1.lock().unwrap() = (messages.to_vec(), tools);
        Box::pin(async { Ok(self.0.lock().unwrap().remove(0)) })
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Issue {
    issue_number: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Fix {
    fix_applied: bool,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Rated {
    severity: Severity,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Low,
    High,
}

#[test]
fn file_has_core_extended_and_reserved_fields() {
    let folder = Folder::new();
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let skill = load_skill(folder.path("skills/triage")).unwrap().value;
    {
        assert_eq!(skill.name(), "triage");
        assert_eq!(skill.description(), "Investigate an issue and decide on an action.");
        assert_eq!(
            (skill.license(), skill.compatibility()),
            (Some("Apache-2.0"), Some("Needs a tracker."))
        );
        assert!(skill.metadata().eq([("author", "alice")]));
        assert_eq!(skill.allowed_tools().unwrap(), ["search", "read_file"]);
        assert_eq!(
            skill.when_to_use(),
            Some("When the user reports a bug or asks to triage an issue.")
        );
        assert_eq!(skill.argument_hint(), Some("[issueNumber]"));
        assert_eq!(skill.arguments(), ["issueNumber"]);
        assert_eq!(skill.max_ticks(), Some(3));
        // Reserved: kept, without effect.
        let extra = |key| skill.extra().iter().find(|(found, _)| found == key)?.1.as_text();
        let reserved = ["model", "effort", "context", "agent"].map(extra);
        assert_eq!(reserved, ["large", "high", "fork", "clerk"].map(Some));
        assert_eq!(skill.shell(), Some("bash"));
    };
    let as_text = TRIAGE.replace("[search, read_file]", "search read_file");
    {
        assert_eq!(
            parse_skill(&as_text, None).unwrap().value.allowed_tools().unwrap(),
            ["search", "read_file"]
        );
    };
}

#[test]
fn directories_are_strict_and_single_files_are_not() {
    let folder = Folder::new();
    folder.write("skills/other/SKILL.md", TRIAGE);
    let error = load_skill(folder.path("skills/other")).unwrap_err();
    assert_eq!(error.findings()[0].code.as_str(), "name-mismatch");
    folder.write("skills/mute/SKILL.md", "---\nname: mute\n---\nHm.\n");
    let error = load_skill(folder.path("skills/mute")).unwrap_err();
    assert_eq!(error.findings()[0].code.as_str(), "missing-description");
    // Of a single file, the first line with text is the description.
    folder.write("weigh.md", "\nWeighs a parcel.\n\nUse the scales.\n");
    let skill = load_skill(folder.path("weigh.md")).unwrap().value;
    assert_eq!((skill.name(), skill.description()), ("weigh", "Weighs a parcel."));
    // So are directories that are loaded with the profile. A registry and a toolbox agree.
    folder.write("skills/triage/SKILL.md", TRIAGE);
    let long = "x".repeat(1025);
    folder
        .write("skills/long/SKILL.md", format!("---\nname: long\ndescription: {long}\n---\nHm.\n"));
    let directories = || Directories::new().root(folder.path("skills")).profile(Profile::Agentick);
    let skills = SharedRegistry::new();
    let problems = skills.load(&directories()).unwrap().problems;
    assert!(skills.snapshot().set().names().eq(["triage"]));
    let codes = problems.iter().map(|problem| problem.findings()[0].code.as_str());
    assert!(codes.eq(["long-description", "missing-description", "name-mismatch"]), "{problems:?}");
    let toolbox = AsyncToolbox::builder(directories()).profile(Profile::Agentick).build();
    assert!(wait(toolbox).unwrap().listed().skills().map(Skill::name).eq(["triage"]));
}

#[test]
fn definitions_follow_the_rules_of_files() {
    let is_valid = |name: &str, description: &str| {
        Skill::define(name, description, "Do it.").try_build().is_ok()
    };
    assert!(is_valid("triage", "Sorts."));
    for name in ["Triage", "tri--age", "-triage", "tri_age", "", &"x".repeat(65)] {
        assert!(!is_valid(name, "Sorts."), "{name}");
    }
    assert!(!is_valid("sort", &"x".repeat(1025)) && !is_valid("sort", " "));
    assert!(Skill::define("sort", "Sorts.", " ").try_build().is_err(), "no instructions");
}

#[test]
fn registry_finds_skills_by_name_text_and_metadata() {
    let folder = Folder::new();
    let skills = app(&folder);
    let triage = skills.get("triage").unwrap(); // owned: it outlives the registry's state
    assert_eq!(triage.name(), "triage");
    assert!(skills.get("nope").is_none());
    // Coming from Agentick: lists are sorted by name.
    assert!(skills.snapshot().set().names().eq(["summarize", "triage"]));
    let now = skills.snapshot();
    let search = |query: SkillQuery<'_>| {
        query.search(now.set()).into_iter().map(|skill| skill.name()).collect::<Vec<_>>()
    };
    assert_eq!(search(SkillQuery::new().text("SUM UP")), ["summarize"]);
    assert_eq!(search(SkillQuery::new().text("reports a bug")), ["triage"]); // when_to_use
    assert_eq!(search(SkillQuery::new().text("alice")), ["triage"]); // a value of metadata
    let author = |author| [("author", author)];
    assert_eq!(search(SkillQuery::new().metadata(&author("alice"))), ["triage"]);
    assert_eq!(search(SkillQuery::new().metadata(&author("bob"))), [""; 0]);
    assert_eq!(search(SkillQuery::new().text("summarize").metadata(&author("alice"))), [""; 0]);

    let changes = skills.subscribe();
    skills.update(|all| all.register(Skill::define("lint", "Lints.", "Lint it.").build())).unwrap();
    let (_, now) = changes.try_iter().next().unwrap();
    assert!(now.set().names().eq(["lint", "summarize", "triage"]));
    drop(changes);
    skills.update(|all| all.remove("lint"));
}

#[test]
fn program_runs_a_skill_for_a_value_of_its_type() {
    let folder = Folder::new();
    let skills = app(&folder);
    let issue = Issue { issue_number: 42 };
    let clerk = Clerk::submits([json!({"fixApplied": "perhaps"}), json!({"fixApplied": true})]);
    let run = skills.snapshot().run("triage").unwrap().input(&issue).unwrap();
    let fix: Fix = wait(run.typed(&clerk)).unwrap();
    assert!(fix.fix_applied, "the first value, which has another type, was refused");
    let (messages, tools) = clerk.1.lock().unwrap().clone();
    assert!(tools.contains(&"submit".to_owned()), "{tools:?}");
    assert!(format!("{messages:?}").contains("Investigate issue 42, then"), "{messages:?}");

    // The skill itself instead of its name, and another type of result.
    let skill = skills.snapshot().set().get("triage").cloned().unwrap();
    let run = Run::new(skill).input(&issue).unwrap();
    let submits = ["urgent", "high"].map(|severity| json!({ "severity": severity }));
    let rated: Rated = wait(run.typed(&Clerk::submits(submits))).unwrap();
    assert_eq!(rated.severity, Severity::High);
    assert_ne!(rated.severity, Severity::Low);

    // Without a type of result, the final text; without a value in `maxTicks`, an error.
    let run =
        skills.snapshot().run("summarize").unwrap().input(&json!({"content": "A story."})).unwrap();
    assert_eq!(wait(run.text(&Clerk::new([Answer::from("Short.")]))).unwrap(), "Short.");
    let run = skills.snapshot().run("triage").unwrap().input(&issue).unwrap();
    let talker = Clerk::new(["One.", "Two.", "Three."].map(Answer::from));
    let error = wait(run.typed::<Fix>(&talker)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoResult);
    assert!(error.to_string().contains(" after 3 turns: "), "{error}");
}

#[test]
fn input_contract_is_checked_before_the_model_is_called() {
    let folder = Folder::new();
    let skills = app(&folder);
    let skill = skills.snapshot().set().get("triage").cloned().unwrap();
    let entry = RegistryEntry::new(skill);
    skills.update(|all| all.replace(entry.input(Shape::new::<Issue>())));
    let run =
        skills.snapshot().run("triage").unwrap().input(&json!({"issueNumber": "all"})).unwrap();
    let error = wait(run.typed::<Fix>(&Clerk::new([]))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    let reply = call(&session(&skills), "skill", &json!({"name": "triage", "args": {}}));
    assert!(reply.is_error(), "{reply}");
}

#[test]
fn model_loads_a_skill_by_the_implicit_tool() {
    let folder = Folder::new();
    let skills = app(&folder);
    let tools = session(&skills).tools([]).unwrap();
    assert_eq!(tools[0].name, "skill");
    let description = &tools[0].description;
    assert!(description.contains("\n- triage: Investigate an issue and decide on an action."));
    assert!(description.contains("\n- summarize: Sum up a text."), "{description}");
    // The body is the result, in the conversation that goes on.
    let arguments = json!({"name": "triage", "args": {"issueNumber": 42}});
    let reply = call(&session(&skills), "skill", &arguments);
    assert!(
        reply.to_string().starts_with("You are a triage agent.\n\nInvestigate issue 42, then"),
        "{reply}"
    );
    assert!(reply.message().is_none());

    let none = SharedRegistry::new();
    assert_eq!(session(&none).tools([]).unwrap().len(), 0);
    for number in 0..500 {
        let about = "Sorts an issue by weight. ".repeat(4);
        none.update(|all| {
            all.register(
                Skill::define(&format!("issue-{number}"), &about, "Sort it.").try_build().unwrap(),
            )
        })
        .unwrap();
    }
    let description = &session(&none).tools([]).unwrap()[0].description;
    assert!(description.contains("- issue-0: ") && !description.contains("- issue-99: "));
}

/// Returns the body of a skill with `arguments: [from, to]` as the tool `skill` returns it.
fn filled(folder: &Folder, body: &str, args: Value) -> String {
    let text =
        format!("---\nname: send\ndescription: Sends.\narguments: [from, to]\n---\n{body}\n");
    folder.write("skills/send/SKILL.md", text);
    let skills = SharedRegistry::new();
    assert!(skills.load_dir(folder.path("skills")).unwrap().problems.is_empty());
    call(&session(&skills), "skill", &json!({"name": "send", "args": args})).to_string()
}

#[test]
fn placeholders_are_replaced_by_arguments_and_variables() {
    let folder = Folder::new();
    let object = json!({"from": "Rome", "to": "Oslo"});
    for (body, args, expected) in [
        ("$ARGUMENTS", json!("Rome 'New York'"), "Rome 'New York'"),
        ("$ARGUMENTS", object.clone(), r#"{"from":"Rome","to":"Oslo"}"#),
        ("$0 to $ARGUMENTS[1]", json!("Rome 'New York'"), "Rome to New York"),
        ("$0 to $ARGUMENTS[1]", object.clone(), "Rome to Oslo"),
        ("$0: $from to $to", object.clone(), "Rome: Rome to Oslo"),
        ("$0: $from to $to", json!("Rome Oslo"), "Rome: Rome to Oslo"),
        ("$0 in ${AGENTICK_SESSION_ID}", json!("x"), "x in s-7"),
        // Arguments without a placeholder are appended.
        ("Send it.", json!("now"), "Send it.\n\nARGUMENTS: now"),
    ] {
        assert_eq!(filled(&folder, body, args).trim_end(), expected, "{body}");
    }
    let expected = format!("{}/form.md for x", folder.text("skills/send"));
    let text = filled(&folder, "${AGENTICK_SKILL_DIR}/form.md for $0", json!("x"));
    assert_eq!(text.trim_end(), expected);
}

#[test]
fn commands_run_in_order_after_the_arguments_are_filled() {
    let folder = Folder::new();
    let body = "To $0: !`echo by $0`\n\n```!\necho one\necho two\n```\n\n!`echo three`";
    let text = filled(&folder, body, json!("Oslo"));
    assert_eq!(text.trim_end(), "To Oslo: by Oslo\n\n\none\ntwo\n\n\nthree");

    // A command that fails is no reason to leave the skill out.
    let text = filled(&folder, "To $0: !`echo by $0; false`", json!("Oslo"));
    assert_eq!(text.trim_end(), "To Oslo: by Oslo\n[exit code: 1]");
    filled(&folder, body, json!("Oslo"));

    // Without a shell, the call of a model or a user fails and says why.
    let skills = SharedRegistry::new();
    assert!(skills.load_dir(folder.path("skills")).unwrap().problems.is_empty());
    let toolbox = wait(AsyncToolbox::builder(skills).profile(Profile::Agentick).build()).unwrap();
    let loaded = call(&toolbox, "skill", &json!({"name": "send"}));
    for reply in [loaded, wait(toolbox.slash("/send Oslo")).unwrap()] {
        let why = "it runs `echo by $0` (line 6), and this agent has no shell";
        assert!(reply.is_error() && reply.to_string().contains(why), "{reply}");
    }
    // So does that of a toolbox over a set.
    let now = toolbox.provider().snapshot();
    let toolbox = Toolbox::builder(now.set()).profile(Profile::Agentick).build().unwrap();
    assert_eq!(toolbox.warnings().len(), 1);
    let loaded = toolbox.call("skill", r#"{"name": "send"}"#).unwrap();
    for reply in [loaded, toolbox.slash("/send Oslo").unwrap()] {
        let why = "it runs `echo by $0` (line 6), and this agent has no shell";
        assert!(reply.is_error() && reply.to_string().contains(why), "{reply}");
    }
}

#[test]
fn toolbox_runs_a_skill_with_its_own_settings() {
    let folder = Folder::new();
    let body = "$from in ${AGENTICK_SESSION_ID}: !`echo $0; pwd`\n\n${AGENTICK_SKILL_DIR} \\$0";
    let reply = filled(&folder, body, json!("Rome"));
    let skills = SharedRegistry::new();
    assert!(skills.load_dir(folder.path("skills")).unwrap().problems.is_empty());
    let toolbox = session(&skills);
    let clerk = Clerk::new([Answer::from("Sent.")]);
    let run = wait(toolbox.run("send")).unwrap().arguments("Rome");
    assert_eq!(wait(run.text(&clerk)).unwrap(), "Sent.");
    let (messages, tools) = clerk.1.lock().unwrap().clone();
    let Message::User(text) = &messages[1] else { panic!("{messages:?}") };
    assert_eq!(*text, format!("<skill name=\"send\">\n{}\n</skill>", reply.trim_end()));
    assert_eq!(tools, ["skill"]);
    let error = wait(toolbox.run("sned")).map(|_| ()).unwrap_err();
    assert!(error.to_string().ends_with("no skill has this name; there are `send`"), "{error}");
    let toolbox = AsyncToolbox::builder(skills).allow(&["other"]).build();
    assert!(wait(wait(toolbox).unwrap().run("send")).is_err(), "it is not allowed");
}
