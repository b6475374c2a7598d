//! `skills new`: a template that `skills validate` accepts when its text is replaced.

use helix_skills_tests::Sandbox;
use serde_json::json;

const DESCRIPTION: &str = "Writes: \"commit messages\". Use when the user wants to commit.";

#[test]
fn new_skill_fails_validation_until_its_text_is_replaced() {
    let sandbox = Sandbox::new();
    let run = sandbox.skills(["new", "commit-messages"]).succeeds().says([
        "wrote skills/commit-messages/SKILL.md",
        "skills validate skills/commit-messages",
        "include_skills!(mod skills, dir = \"skills\");",
        "println!(\"cargo::rerun-if-changed=skills\");",
    ]);
    assert!(run.stdout.is_empty(), "{run}");
    sandbox.skills(["validate"]).succeeds();
    sandbox.skills(["validate", "--deny-warnings"]).exits(1).prints([
        "the description is template text",
        "`[TODO: what to find out first]` is template text, and 2 more below",
    ]);
    // A description alone is not enough.
    sandbox.skills(["new", "pdf", "--description", DESCRIPTION]).succeeds();
    sandbox.skills(["validate", "skills/pdf", "--deny-warnings"]).exits(1);
    let text = sandbox.read("project/skills/commit-messages/SKILL.md");
    let template = "[TODO: what the skill does]. Use when [TODO: words of a user].";
    let text = text
        .replace(template, &DESCRIPTION.replace('"', "\\\""))
        .replace("- [TODO: ", "1. ")
        .replace(']', ".");
    sandbox.write("project/skills/commit-messages/SKILL.md", text);
    let checked =
        sandbox.skills(["validate", "skills/commit-messages", "--deny-warnings"]).succeeds();
    checked.says(["ok 1 skill, no problems found", "tokens about "]);
    sandbox.skills(["catalog", "skills"]).succeeds().prints(["- commit-messages: "]);
    // A build script that watches files is not repeated.
    sandbox.write("project/build.rs", "println!(\"cargo::rerun-if-changed=skills\");\n");
    sandbox.skills(["new", "tides"]).succeeds().never_prints("build.rs");
    let document = sandbox.skills(["new", "winds", "--json"]).succeeds().json();
    assert_eq!(document["file"], "skills/winds/SKILL.md");
    assert_eq!(document["findings"], json!([]));
}

#[test]
fn new_skill_is_created_where_the_manifest_has_its_own() {
    let sandbox = Sandbox::new();
    sandbox.write("project/agents/one/SKILL.md", helix_skills_tests::skill_md("one"));
    sandbox.sources(&json!({"own": {"type": "path", "path": "agents"}}));
    sandbox
        .skills(["new", "tides"])
        .succeeds()
        .says(["wrote agents/tides/SKILL.md", "then: run `skills sync`"]);
    sandbox.skills(["sync"]).succeeds();
    assert_eq!(sandbox.locked_skills(), ["one", "tides"]);
    let elsewhere = sandbox.skills(["new", "winds", "--dir", "zoo"]).succeeds();
    elsewhere.says(["wrote zoo/winds/SKILL.md", "then: run `skills add ./zoo`"]);
    sandbox.skills(["add", "./zoo"]).succeeds();
    sandbox.write("project/src/lib.rs", "");
    sandbox.command(["new", "clouds"]).current_dir("project/src").run().succeeds();
    assert!(sandbox.exists("project/agents/clouds/SKILL.md"));
    assert_eq!(sandbox.files("project/src"), ["lib.rs"]);
    let elsewhere = sandbox.command(["new", "fogs", "--dir", "../zoo2"]).current_dir("project/src");
    elsewhere.run().succeeds().says(["then: run `skills add ../zoo2`"]);
}

#[test]
fn new_skill_below_a_package_is_where_the_macro_looks() {
    let sandbox = Sandbox::new();
    sandbox.write("project/Cargo.toml", "[workspace]\nmembers = [\"agent\"]\n");
    sandbox.write("project/agent/Cargo.toml", "[package]\nname = \"agent\"\n");
    sandbox.write("project/agent/build.rs", "println!(\"cargo::rerun-if-changed=skills\");\n");
    sandbox.write("project/agent/src/lib.rs", "");
    let run = sandbox.command(["new", "tides"]).current_dir("project/agent/src").run().succeeds();
    run.says([
        "note: the skill is one of the package in `",
        "note: for one manifest of the whole workspace, run `skills init` in `",
        "wrote ../skills/tides/SKILL.md\n",
        "run `skills validate ../skills/tides`",
        "include_skills!(mod skills, dir = \"skills\");",
    ])
    .never_prints("build.rs");
    assert_eq!(sandbox.files("project/agent/skills"), ["tides/SKILL.md"]);
    // The manifest is next to it, too.
    let init = || sandbox.command(["init"]).current_dir("project/agent/src");
    let run = init().run().succeeds();
    run.says([
        "note: the manifest is that of the package in `",
        "note: for one manifest of the whole workspace, run `skills init` in `",
        "wrote ../helix.skills.json\n",
    ]);
    let run = sandbox.command(["new", "winds"]).current_dir("project/agent/src").run().succeeds();
    run.says(["wrote ../skills/winds/SKILL.md\n", "then: run `skills add ../skills`"]);
    let run = sandbox.command(["add", "../skills"]).current_dir("project/agent/src").run();
    drop(run.succeeds().says(["note: the manifest is `../helix.skills.json`\n"]));
    assert!(sandbox.exists("project/agent/helix.skills.lock"));
    // A manifest of the workspace is mentioned instead.
    sandbox.remove("project/agent/helix.skills.json");
    sandbox.skills(["init"]).succeeds();
    let run = init().run().succeeds().never_prints("whole workspace");
    run.says(["note: the new manifest takes precedence over `../../helix.skills.json`"]);
}

#[test]
fn new_skill_changes_nothing_that_exists() {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/notes.md", "mine\n");
    sandbox.skills(["new", "tides"]).exits(2).says(["`skills/tides` already exists"]);
    assert_eq!(sandbox.files("project/skills"), ["tides/notes.md"]);
    for name in ["", "../x", "a/b", "Tide Tables"] {
        sandbox.skills(["new", name]).exits(2).says(["error: ", "help: "]);
    }
    assert_eq!(sandbox.files("project/skills"), ["tides/notes.md"]);
}

#[test]
fn new_skill_takes_a_description() {
    let sandbox = Sandbox::new();
    sandbox.skills(["create", "commits", "--description", DESCRIPTION]).succeeds();
    sandbox.skills(["catalog", "skills"]).succeeds().prints([DESCRIPTION]);
    // Advice on the text is printed at once.
    sandbox
        .skills(["new", "pdf", "--description", "Reads PDF files of any size."])
        .succeeds()
        .prints(["skills/pdf/SKILL.md:3:", "[no-trigger]"]);
}
