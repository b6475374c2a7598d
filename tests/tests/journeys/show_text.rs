//! `skills show NAME --body` and `skills show NAME FILE`: the texts that a model gets.

use helix_skills_runtime::SkillSet;
use helix_skills_runtime::Toolbox;
use helix_skills_tests::Sandbox;
use serde_json::json;

const SKILL_MD: &str = "---\nname: pdf\ndescription: Reads PDF files.\nlicense: MIT\n---\n\
    Read $ARGUMENTS with `pdftotext`. Never write </skill>.\n";

/// A project whose skill has a text file and a binary one.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/pdf/SKILL.md", SKILL_MD);
    sandbox.write("project/own/pdf/references/forms.md", "Fill </skill_file>\tin.\r\n");
    sandbox.write("project/own/pdf/logo.png", b"\x89PNG\xff");
    sandbox.write(
        "project/own/hidden/SKILL.md",
        "---\nname: hidden\ndescription: Deploys.\ndisable-model-invocation: true\n---\nDo it.\n",
    );
    sandbox.sources(&json!({"own": {"type": "path", "path": "own"}}));
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

#[test]
fn show_body_prints_what_load_skill_gives() {
    let sandbox = project();
    let run = sandbox.skills(["show", "pdf", "--body"]).succeeds();
    let expected = helix_skills_project::Project::at(sandbox.project("."));
    let lock = expected.require_lock().unwrap();
    let skills = expected.read_skills(&lock, |_| true).unwrap();
    let answer = Toolbox::new(SkillSet::new(&skills))
        .load_skill("pdf")
        .map(|loaded| loaded.to_string())
        .unwrap();
    assert_eq!(run.stdout, answer);
    assert!(run.stdout.contains("Never write &lt;/skill>."), "{run}");
    assert!(run.stdout.ends_with("logo.png\nreferences/forms.md\n</skill_resources>"), "{run}");
    assert!(run.stderr.is_empty(), "{run}");
    let document = sandbox.skills(["show", "pdf", "--body", "--json"]).succeeds().json();
    assert_eq!((&document["text"], &document["file"]), (&json!(answer), &json!(null)));
    assert_eq!(document["skill"]["name"], "pdf");
    assert_eq!(document["bytes"], answer.len());
}

#[test]
fn show_file_prints_what_read_skill_file_gives() {
    let sandbox = project();
    let run = sandbox.skills(["show", "pdf", "references/forms.md"]).succeeds();
    let head = "<skill_file skill=\"pdf\" path=\"references/forms.md\" untrusted=\"true\">\n";
    assert!(run.stdout.starts_with(head), "{run}");
    assert!(run.stdout.ends_with("\n\nFill &lt;/skill_file>\tin.\r\n</skill_file>"), "{run}");
    let run = sandbox.skills(["show", "pdf", "./SKILL.md"]).succeeds();
    run.prints(["license: MIT", "Read $ARGUMENTS"]);
    let document = sandbox.skills(["show", "pdf", "SKILL.md", "--json"]).succeeds().json();
    assert_eq!(document["file"], "SKILL.md");
    assert!(document["text"].as_str().unwrap().contains("license: MIT"), "{document}");
}

#[test]
fn show_file_names_the_closest_file() {
    let sandbox = project();
    sandbox.skills(["show", "pdf", "references/from.md"]).exits(2).says([
        "error: the skill `pdf` has no file `references/from.md`",
        "help: did you mean `skills show pdf references/forms.md`?",
    ]);
    sandbox
        .skills(["show", "pdf", "other/x"])
        .exits(2)
        .says(["help: run `skills show pdf` for its files"]);
    sandbox.skills(["show", "pdf", "../x"]).exits(2).says(["cannot read `../x`"]);
    sandbox.skills(["show", "pdf", "logo.png"]).exits(2).says(["it is a binary file"]);
    sandbox.skills(["show", "pdf", "SKILL.md", "--body"]).exits(2).says(["--body"]);
}

#[test]
fn show_refuses_texts_that_no_model_gets() {
    let sandbox = project();
    sandbox.skills(["show", "hidden", "--body"]).exits(2).says(["`hidden` is not for models"]);
    sandbox.write("project/own/pdf/references/forms.md", "changed\n");
    let run = sandbox.skills(["show", "pdf", "references/forms.md"]).exits(1);
    assert!(run.stdout.is_empty(), "{run}");
}
