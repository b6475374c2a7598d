//! Skills of repositories without a usable name, a description or frontmatter.

use crate::project::{Project, project};
use helix_skills_tests::{Change, Sandbox};
use serde_json::json;

/// A text whose name cannot be one, one without a description, and one without frontmatter.
fn unnamed() -> Change {
    Change::new()
        .text(
            "skills/agent-dev/SKILL.md",
            "---\nname: Agent Development\ndescription: D.\n---\nB\n",
        )
        .text("skills/tides/SKILL.md", "---\nname: tides\n---\n# Tides\n\nShows\ntides.\n\nMore.\n")
        .text("skills/bare/SKILL.md", "# Bare\n\nNeeds no frontmatter.\n")
        .skill("plain")
}

const NAMES: [&str; 4] = ["agent-dev", "bare", "plain", "tides"];
const NAME: &str = "repo: skills/agent-dev/SKILL.md:2:7: `Agent Development` cannot be a name: a name cannot \
                    contain ` `; it gets the name `agent-dev` from its directory; use `rename` for another one";
const DESCRIPTION: &str = "repo: skills/tides/SKILL.md:1:1: `description` is missing; the first paragraph of the body \
                           is used instead";
const BARE: &str =
    "repo: skills/bare/SKILL.md:1:1: `name` is missing; the directory's name is `bare`";

/// Checks that the project agrees with itself, and that a sync without store and cache restores it.
fn is_stable(project: &Project) {
    let (sandbox, lock) = (&project.sandbox, project.sandbox.lock());
    let files = sandbox.snapshot("project");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
    sandbox.remove_store();
    sandbox.remove_cache();
    sandbox.skills(["sync", "--locked"]).succeeds();
    let mut changes = sandbox.snapshot("project").changes_since(&files);
    changes.retain(|change| !change.starts_with("touched "));
    assert_eq!(changes, Vec::<String>::new());
    assert_eq!(sandbox.lock(), lock);
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn skills_get_the_name_and_description_that_they_lack() {
    let project = project(unnamed());
    let sandbox = &project.sandbox;
    sandbox.skills(["sync"]).succeeds().says([NAME, DESCRIPTION, BARE]);
    assert_eq!(sandbox.locked_skills(), NAMES);
    // The bytes are those of the repository.
    for name in NAMES {
        let text = project.upstream.blob(&format!("main:skills/{name}/SKILL.md"));
        assert_eq!(sandbox.read_bytes(format!("project/helix.skills/{name}/SKILL.md")), text);
    }
    is_stable(&project);
    sandbox.skills(["sync", "-v"]).succeeds().says([NAME, DESCRIPTION, BARE]);

    let listed = sandbox.skills(["list", "--json"]).succeeds().stdout;
    assert!(
        listed.contains("Shows tides.") && listed.contains("Needs no frontmatter."),
        "{listed}"
    );
    let catalog = sandbox.skills(["catalog"]).succeeds();
    catalog.prints(["- tides: Shows tides.", "- bare: Needs no frontmatter.", "- agent-dev: D."]);
    let body = sandbox.skills(["show", "bare", "--body"]).succeeds();
    body.prints(["# Bare\n\nNeeds no frontmatter."]);
    sandbox.skills(["show", "agent-dev"]).succeeds().prints(["D."]);
    sandbox.skills(["search", "frontmatter"]).succeeds().prints(["bare"]);
}

/// YAML would cut these descriptions at ` #`, refuse them, or read no description at all.
#[test]
fn descriptions_without_quotes_are_kept_whole() {
    let skills = [
        ("hash", "description: Closes issues\n  such as #12 # and more.", "3:14"),
        ("cont", "description: Reviews my plan.\n  Pairs with it: grill first.", "3:14"),
        ("below", "description:\n  Pairs with it: grill first.", "4:3"),
        ("capital", "Description: Is in capitals.", "3:1"),
    ];
    let change = skills.iter().fold(Change::new(), |change, (name, text, _)| {
        let text = format!("---\nname: {name}\n{text}\n---\n\nFirst paragraph.\n");
        change.text(&format!("skills/{name}/SKILL.md"), &text)
    });
    let project = project(change);
    let sandbox = &project.sandbox;
    let run = sandbox.skills(["sync"]).succeeds();
    for (name, _, at) in skills {
        let what = match name {
            "hash" => "the value of `description` needs quotes; other systems end it at ` #`",
            "capital" => "unknown key `Description`: `description` is not read from it",
            _ => "the value of `description` needs quotes to be valid YAML",
        };
        let line = format!("warning: repo: skills/{name}/SKILL.md:{at}: {what}");
        assert!(run.stderr.contains(&line), "{line}\n{run}");
        let text = project.upstream.blob(&format!("main:skills/{name}/SKILL.md"));
        let path = format!("project/helix.skills/{name}/SKILL.md");
        assert_eq!(sandbox.read_bytes(path), text);
    }
    sandbox.skills(["catalog"]).succeeds().prints([
        "- hash: Closes issues such as #12 # and more.",
        "- cont: Reviews my plan. Pairs with it: grill first.",
        "- below: Pairs with it: grill first.",
        "- capital: First paragraph.",
    ]);
    is_stable(&project);
}

#[test]
fn rename_and_prefix_apply_to_unusable_names() {
    let project = project(unnamed());
    let sandbox = &project.sandbox;
    project.select(json!({"prefix": "team-"}));
    sandbox.skills(["sync"]).succeeds().says([NAME]);
    assert_eq!(sandbox.locked_skills(), NAMES.map(|name| format!("team-{name}")));
    is_stable(&project);

    // The name in a renamed skill is not judged.
    sandbox.forget();
    project.select(json!({"rename": {"agent-dev": "agents", "bare": "text"}}));
    let run = sandbox.skills(["sync"]).succeeds();
    let run = run.says(["bare/SKILL.md:1:1: `description` is missing"]);
    assert!(!run.stderr.contains("agent-dev") && !run.stderr.contains("`name`"), "{run}");
    assert_eq!(sandbox.locked_skills(), ["agents", "plain", "text", "tides"]);
    is_stable(&project);
    let run = sandbox.skills(["sync", "-v"]).succeeds();
    assert!(!run.stderr.contains("agent-dev"), "{run}");

    // A lockfile with another name is drift.
    let lock = sandbox.lock().replace("\"agents\": {", "\"aaaaaa\": {");
    sandbox.write("project/helix.skills.lock", lock);
    for file in ["agents", "agents.sha256"] {
        let to = sandbox.path("project/helix.skills").join(file.replace("agents", "aaaaaa"));
        std::fs::rename(sandbox.path("project/helix.skills").join(file), to).unwrap();
    }
    sandbox.skills(["sync", "--check"]).fails().says(["`aaaaaa`", "expected `agents`"]);
}

#[test]
fn root_skill_without_a_usable_name_has_to_be_renamed() {
    let project = project(
        Change::new().text("SKILL.md", "---\nname: R&D notes\ndescription: D.\n---\nBody\n"),
    );
    let sandbox = &project.sandbox;
    sandbox.skills(["sync"]).exits(1).says(["`R&D notes` cannot be a name"]);
    project.select(json!({"rename": {"repo": "notes"}}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("R&D"), "{run}");
    assert_eq!(sandbox.locked_skills(), ["notes"]);
    is_stable(&project);
}

#[test]
fn own_skills_keep_the_errors_about_names_and_descriptions() {
    let sandbox = Sandbox::new();
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    for (text, error) in [
        ("---\nname: Agent Development\ndescription: D.\n---\nB\n", "cannot be a name"),
        ("---\nname: a\n---\nBody\n", "`description` is missing"),
        ("# A\n\nBody\n", "a SKILL.md must begin with frontmatter"),
    ] {
        sandbox.write("project/own/a/SKILL.md", text);
        let run = sandbox.skills(["sync"]).exits(1).says([error]);
        assert!(!run.stderr.contains("instead") && !run.stderr.contains("; it gets"), "{run}");
        sandbox.skills(["validate", "own/a"]).exits(1).prints([error]);
    }
}

/// The names of a repository in the file `field/C04.bundle`, next to the checkout.
#[cfg(feature = "conformance")]
#[test]
fn conformance_of_names_that_cannot_be_names() {
    let bundle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/field/C04.bundle");
    let project = project(Change::new());
    project.upstream.git(["fetch", "--quiet", bundle, "+refs/heads/*:refs/heads/*"]);
    let sandbox = &project.sandbox;
    let run = sandbox.skills(["sync"]).succeeds();
    for (name, directory) in [
        ("Agent Development", "agent-dev"),
        ("R&D notes", "amp"),
        ("what's-new", "apostrophe"),
        ("ns:skill", "colon"),
        ("测试驱动开发(TDD)", "paren"),
        ("c++-helper", "plus"),
        ("ui-toolkit/web", "slash"),
    ] {
        let place = format!("repo: skills/{directory}/SKILL.md:2:7: `{name}` cannot be a name: ");
        let used = format!("; it gets the name `{directory}` from its directory; use `rename`");
        let is_warning = |line: &str| line.contains(&place) && line.contains(&used);
        assert!(run.stderr.lines().any(is_warning), "{place}{used}: {run}");
        assert!(sandbox.locked_skills().iter().any(|locked| locked == directory), "{run}");
    }
    assert_eq!(sandbox.locked_skills().len(), 16);
    is_stable(&project);
    project.select(json!({"rename": {"amp": "notes"}, "include": ["amp"]}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("R&D"), "{run}");
    assert_eq!(sandbox.locked_skills(), ["notes"]);
}
