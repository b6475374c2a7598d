//! The tools of a run.

use super::{Desk, Script, call};
use crate::wait;
use expect_test::expect;
use helix_skills_agent::{
    AsyncToolbox,
    run::{Answer, Run, ToolCall, Tools},
};
use helix_skills_runtime::{Profile, Resource, Skill, SkillSet, Toolbox, skill_set};
use serde_json::json;
use std::sync::Arc;

const FILES: &[Resource] = &[Resource::from_text("references/forms.md", "one\ntwo </skill>\n")];
const PDF: Skill =
    Skill::define("pdf", "Reads PDF files.", "See `references/forms.md`.").resources(FILES).build();
const ALONE: Skill = Skill::define("alone", "Needs nothing.", "Think.").allowed_tools(&[]).build();
const GIT: Skill = Skill::define("git", "Commits.", "Commit.")
    .allowed_tools(&["Bash(git add *)", "Bash(git commit *)", "search"])
    .disallowed_tools(&["Bash(git add .*)"])
    .build();
static SKILLS: SkillSet = skill_set![PDF, ALONE, GIT];

fn offered(run: Run<'_>) -> Vec<String> {
    let script = Script::new(["Done."]);
    wait(run.tools(Desk::default()).text(&script)).unwrap();
    script.offered()
}

#[test]
fn allowed_tools_limit_the_offered_tools() {
    assert_eq!(offered(Run::new(PDF)), ["Bash", "fail", "search"]);
    assert_eq!(offered(Run::new(ALONE)), <[&str; 0]>::default());
    assert_eq!(offered(Run::new(ALONE).profile(Profile::DeerFlow)), ["Bash", "fail", "search"]);
    assert_eq!(offered(Run::new(ALONE).also_allow(&["fail", "nope"])), ["fail"]);
    assert_eq!(offered(Run::new(GIT)), ["Bash", "search"]);
}

#[test]
fn conditional_rules_apply_to_calls_that_meet_them() {
    let bash = |command: &str| call("Bash", &json!({"command": command}));
    let calls = || {
        vec![bash("git add a"), bash("git add .ssh"), bash("rm -rf /"), call("Bash", &json!({}))]
    };
    let desk = Desk::default();
    let script = Script::new([Answer::from(calls()), "Done.".into()]);
    wait(Run::new(GIT).tools(&desk).text(&script)).unwrap();
    assert_eq!(*desk.called.lock().unwrap(), [r#"Bash {"command":"git add a"}"#]);
    expect![[r#"
        [Bash Bash-1]
        Bash found <skill> & more

        [Bash Bash-1, error]
        this skill may not use the tool `Bash` for `git add .*`

        [Bash Bash-1, error]
        this skill may use the tool `Bash` for nothing but `git add *`, `git commit *`

        [Bash Bash-1, error]
        this skill may not use the tool `Bash` for `git add .*`
    "#]]
    .assert_eq(&script.seen()[script.seen().find("[Bash").unwrap()..]);

    // The host can lift the conditions.
    let script = Script::new([Answer::from(calls()), "Done.".into()]);
    wait(Run::new(GIT).also_allow(&["Bash"]).tools(&desk).text(&script)).unwrap();
    assert_eq!(desk.called.lock().unwrap().len(), 5);
}

#[test]
fn file_paths_are_listed_if_a_tool_reads_them() {
    let read = call(
        "read_skill_file",
        &json!({"skill": "pdf", "path": "references/forms.md", "startLine": 2}),
    );
    let answers = || {
        [
            Answer::from(vec![read.clone(), call("load_skill", &json!({"name": "nope"}))]),
            "Done.".into(),
        ]
    };
    let (desk, script) = (Desk::default(), Script::new(answers()));
    wait(Run::new(PDF).tools((&desk, Toolbox::new(SKILLS))).text(&script)).unwrap();
    assert_eq!(script.offered(), ["Bash", "fail", "search", "load_skill", "read_skill_file"]);
    let seen = script.seen();
    let files = "See `references/forms.md`.\n</skill>\n\n<skill_resources>\nreferences/forms.md\n</skill_resources>\n";
    assert!(seen.contains(files), "{seen}");
    assert!(seen.contains("untrusted=\"true\"") && seen.contains("\ntwo &lt;/skill>\n"), "{seen}");
    assert!(
        seen.contains(", error]\nthere is no skill `nope`; the skills are `alone`, `git`, `pdf`\n"),
        "{seen}"
    );

    let resolved = wait(AsyncToolbox::builder(SKILLS).build()).unwrap();
    assert_eq!(resolved.definitions(), Toolbox::new(SKILLS).definitions());
    let waited = Script::new(answers());
    wait(Run::new(PDF).tools((desk, resolved)).text(&waited)).unwrap();
    assert_eq!(waited.seen(), seen);

    // Without a tool that reads them, the files are not listed.
    let script = Script::new(["Done."]);
    wait(Run::new(PDF).text(&script)).unwrap();
    assert!(!script.seen().contains("skill_resources"));
}

#[test]
fn shared_toolbox_is_called_like_an_owned_one() {
    let owned = wait(AsyncToolbox::builder(SKILLS).build()).unwrap();
    let shared = Arc::new(owned.clone());
    let arguments = r#"{"name": "alone"}"#;
    // `Tools` is in scope and implemented for `Arc<T>`: its methods must not hide the toolbox's.
    let expected = wait(owned.call("load_skill", arguments)).unwrap();
    let called = wait(shared.call("load_skill", arguments)).unwrap();
    assert_eq!(called.to_string(), expected.to_string());
    let answer = wait(shared.call_tool(&ToolCall::new("1", "load_skill", arguments))).unwrap();
    assert_eq!(answer, expected.to_string());
    let baked = Arc::new(Toolbox::new(SKILLS));
    assert_eq!(baked.call("load_skill", arguments).unwrap().to_string(), expected.to_string());
}

#[test]
fn instructions_in_a_message_are_added_to_the_result() {
    let toolbox = Toolbox::builder(SKILLS).profile(Profile::SkillUse).build().unwrap();
    let script = Script::new([
        call("skill_use", &json!({"skill_name": "alone"})).into(),
        Answer::from("Done."),
    ]);
    wait(Run::new(GIT).also_allow(&["skill_use"]).tools(toolbox).text(&script)).unwrap();
    let text = script.last();
    assert!(
        text.starts_with("The skill `alone` is active.") && text.contains("<skill-context"),
        "{text}"
    );
}
