//! `list`, `show`, `catalog` and `search` of a directory: no manifest, nothing locked.

use helix_skills_tests::{Run, Sandbox, skill_md};
use serde_json::json;

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files. Use when the user has one.\n\
    license: MIT\n---\nRead it with `pdftotext`.\n";

/// A directory with two skills and no manifest.
fn directory() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/pdf/SKILL.md", PDF);
    sandbox.write("project/skills/pdf/references/forms.md", "Fill them in.\n");
    sandbox.write("project/skills/tides/SKILL.md", skill_md("tides"));
    sandbox
}

/// Runs a command and checks that it writes nothing.
#[track_caller]
fn run(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(arguments);
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

#[test]
fn list_of_a_directory_needs_no_manifest() {
    let sandbox = directory();
    let listed = run(&sandbox, &["list", "./skills"]).succeeds();
    let lines: Vec<Vec<&str>> =
        listed.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["skill", "size", "tokens", "license"]);
    assert_eq!(lines[1][..3], ["pdf", "2", "files,"]);
    assert_eq!(lines[1][5..], ["11", "+", "7", "MIT"], "{listed}");
    let document = run(&sandbox, &["list", "skills", "--json"]).succeeds().json();
    let pdf = &document["skills"][0];
    assert_eq!((&pdf["name"], &pdf["license"]), (&json!("pdf"), &json!("MIT")));
    assert_eq!(pdf["tokens"], json!({"description": 11, "body": 7}));
    assert_eq!(pdf["directory"], "skills/pdf");
    // A skill is a directory, too.
    let one = run(&sandbox, &["list", "skills/tides", "--json"]).succeeds().json();
    assert_eq!(one["skills"].as_array().map(Vec::len), Some(1));
}

#[test]
fn show_of_a_path_prints_the_skill_and_what_a_model_gets() {
    let sandbox = directory();
    run(&sandbox, &["show", "./skills/pdf"]).succeeds().prints([
        "name          pdf\n",
        "tokens        11 description, 7 body\n",
        "license       MIT\n",
        "directory     skills/pdf\n",
        "  references/forms.md\n",
    ]);
    let body = run(&sandbox, &["show", "skills/pdf", "--body"]).succeeds();
    body.prints(["<skill name=\"pdf\">", "Read it with `pdftotext`.", "references/forms.md\n"]);
    run(&sandbox, &["show", "skills/pdf", "references/forms.md"])
        .succeeds()
        .prints(["Fill them in."]);
    run(&sandbox, &["show", "skills/pdf", "references/from.md"])
        .exits(2)
        .says(["did you mean `skills show skills/pdf references/forms.md`?"]);
    run(&sandbox, &["show", "./skills"])
        .exits(2)
        .says(["`./skills` has 2 skills", "`skills show ./skills/pdf`"]);
    sandbox.command(["show", "."]).current_dir("project/skills/pdf").run().succeeds();
}

#[test]
fn catalog_of_a_directory_has_every_profile() {
    let sandbox = directory();
    for profile in ["helix", "skill-use", "deer-flow", "deep-agents", "claude-code"] {
        let text = run(&sandbox, &["catalog", "./skills", "--profile", profile]).succeeds().stdout;
        // A locked project has the same text.
        let locked = directory();
        locked.sources(&json!({"own": {"type": "path", "path": "skills"}}));
        locked.skills(["sync"]).succeeds();
        let same = run(&locked, &["catalog", "--profile", profile]).succeeds().stdout;
        assert_eq!(text, same, "{profile}");
    }
    run(&sandbox, &["catalog", "skills", "--profile", "agentick", "--tools"])
        .succeeds()
        .prints(["pdf"]);
    run(&sandbox, &["catalog", "skills", "--only", "pdf", "--preload", "pdf"])
        .succeeds()
        .prints(["Read it with"])
        .never_prints("tides");
    run(&sandbox, &["catalog", "skills", "--only", "pfd"])
        .exits(2)
        .says(["`skills` has no skill `pfd`", "did you mean `pdf`?"]);
    run(&sandbox, &["catalog", "skills", "--only", "pdf", "--preload", "tides"])
        .exits(2)
        .says(["which `--only` excludes"]);
}

#[test]
fn search_of_a_directory_ranks_its_skills() {
    let sandbox = directory();
    let found = run(&sandbox, &["search", "./skills", "read", "a", "pdf", "--json"]).succeeds();
    assert_eq!(found.json()["skills"][0]["name"], "pdf");
    assert_eq!(found.json()["query"], "read a pdf");
    run(&sandbox, &["search", "./skills"]).exits(2).says(["the query is empty"]);
    run(&sandbox, &["search", "pdf"]).exits(2).says(["skills init", "skills search ./skills"]);
}

#[test]
fn mistakes_in_a_directory_are_errors_with_a_command() {
    let sandbox = directory();
    sandbox.write("project/skills/bad/SKILL.md", "---\nname: bad\n---\nx\n");
    for command in [&["list", "skills"][..], &["catalog", "skills"], &["show", "./skills/bad"]] {
        run(&sandbox, command).exits(1).says([
            "skills/bad/SKILL.md",
            "description",
            "run `skills validate ",
        ]);
    }
    run(&sandbox, &["list", "nowhere"]).exits(2).says(["cannot find the directory `nowhere`"]);
    run(&sandbox, &["list", "skills/pdf/SKILL.md"]).exits(2).says(["expected a directory"]);
    run(&sandbox, &["list", "skills/pdf/references"]).exits(2).says(["has a SKILL.md"]);
    sandbox.write("project/skills/bad/SKILL.md", skill_md("bad").replace("Does", "Do\u{e0041}es"));
    run(&sandbox, &["list", "skills"])
        .succeeds()
        .says(["warning: skills/bad/SKILL.md:3", "`include_skills!` refuses it"]);
}

/// The commands of a project verify what is locked; the hint shows the files as they are.
#[test]
fn edited_path_source_can_be_looked_at() {
    let sandbox = directory();
    sandbox.sources(&json!({"own": {"type": "path", "path": "skills"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox.write("project/skills/pdf/SKILL.md", PDF.replace("Reads", "Fills in"));
    for command in
        [&["show", "pdf"][..], &["show", "pdf", "--body"], &["catalog"], &["search", "fills"]]
    {
        let failed = run(&sandbox, command).exits(1).says(["was changed since it was locked"]);
        let offered = failed.offered();
        assert_eq!(offered[0], "skills sync");
        let words: Vec<&str> = offered[1].split(' ').skip(1).collect();
        run(&sandbox, &words).succeeds().prints(["Fills in"]);
    }
    run(&sandbox, &["list"]).succeeds();
}
