//! What looks like a skill and is not read as one.

use helix_skills_tests::{Change, Run, Sandbox, skill_md};
use serde_json::{Value, json};

/// Files that are not read, with the start of the warning.
const NEAR: [(&str, &str); 5] = [
    (
        "a/SKILLS.md",
        "a/SKILLS.md: not read as a skill, because the name of its file is not `SKILL.md`",
    ),
    ("b/Skill.md", "b/Skill.md: not read"),
    ("c/SKILL.md.txt", "c/SKILL.md.txt: not read"),
    ("d/SKILL.markdown", "d/SKILL.markdown: not read"),
    (
        "group/pdf/SKILL.md",
        "group/pdf/SKILL.md: not read as a skill, because it is one level too deep; move `pdf` up",
    ),
];

fn warnings(run: &Run) -> Vec<&str> {
    run.stderr.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
}

/// Writes a skill, and what looks like one, to the directory `own`.
fn own_skills(sandbox: &Sandbox, directory: &str) {
    sandbox.write(format!("{directory}/one/SKILL.md"), skill_md("one"));
    sandbox.write(format!("{directory}/notes/README.md"), "x");
    sandbox.write(format!("{directory}/.drafts/x/SKILL.md"), "x");
    sandbox.write(format!("{directory}/tools/node_modules/SKILL.md"), "x");
    NEAR.iter().for_each(|(path, _)| sandbox.write(format!("{directory}/{path}"), "x"));
}

#[test]
fn path_source_warns_of_files_that_look_like_skills() {
    let sandbox = Sandbox::new();
    own_skills(&sandbox, "project/own");
    let source = |select: Value| {
        let mut source = json!({"type": "path", "path": "own"});
        source.as_object_mut().unwrap().extend(select.as_object().unwrap().clone());
        sandbox.sources(&json!({"house": source}));
    };
    source(json!({}));
    let run = sandbox.skills(["sync"]).succeeds();
    let found = warnings(&run);
    assert_eq!(found.len(), NEAR.len(), "{run}");
    for (warning, (_, expected)) in found.iter().zip(NEAR) {
        assert!(warning.starts_with(&format!("own/{expected}")), "{run}");
    }
    assert_eq!(sandbox.locked_skills(), ["one"]);
    // They are repeated by a check, with `-v`, and after a change of the source.
    let run = sandbox.skills(["sync"]).succeeds();
    assert_eq!(warnings(&run), [""; 0]);
    run.says(["nothing to do; use `-v` to print 5 notes"]);
    assert_eq!(sandbox.skills(["sync", "--json"]).succeeds().json()["warnings"], json!([]));
    sandbox.skills(["sync", "-v"]).succeeds().says(["own/a/SKILLS.md: not read as a skill"]);
    sandbox.write("project/own/one/notes.md", "x");
    let run = sandbox.skills(["sync", "--json"]).succeeds();
    assert_eq!(run.json()["warnings"].as_array().unwrap().len(), NEAR.len());
    sandbox.skills(["sync", "--check"]).succeeds().says(["own/a/SKILLS.md"]);
    // The selection says that they are not wanted.
    source(json!({"exclude": ["a", "b", "c", "d", "group"]}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("not read"), "{run}");
    source(json!({"include": ["one"]}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert!(!run.stderr.contains("not read"), "{run}");
}

#[test]
fn repository_warns_of_files_that_look_like_skills() {
    let sandbox = Sandbox::new();
    // A skill at another depth is one.
    let near = &NEAR[..NEAR.len() - 1];
    let change = near.iter().fold(Change::new().skill("one"), |change, (path, _)| {
        change.text(&format!("skills/{path}"), "x")
    });
    sandbox.upstream("tides").commit(change.text("SKILL.md", &skill_md("root")));
    let server = sandbox.serve();
    sandbox.sources(&json!({"tides": {"type": "git", "url": server.url("tides")}}));
    let run = sandbox.skills(["sync"]).succeeds();
    let found = warnings(&run);
    assert_eq!(found.len(), near.len(), "{run}");
    for (warning, (_, expected)) in found.iter().zip(near) {
        let expected = expected.split(';').next().unwrap();
        assert!(warning.starts_with(&format!("tides: skills/{expected}")), "{run}");
    }
    // What is locked was reported when it was locked. What only the repository has is not known.
    let run = sandbox.skills(["sync", "-v"]).succeeds();
    assert_eq!(warnings(&run), [""; 0]);
    assert!(!run.stderr.contains("not read"), "{run}");
    let include = json!({"type": "git", "url": server.url("tides"), "include": ["one"]});
    sandbox.sources(&json!({"tides": include}));
    assert_eq!(warnings(&sandbox.skills(["sync"]).succeeds()), [""; 0]);
}

#[test]
fn source_without_skills_names_what_looks_like_one() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/pdf/SKILLS.md", skill_md("pdf"));
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    let help = "pdf/SKILLS.md: not read as a skill, because the name of its file is not `SKILL.md`; \
                rename it to `SKILL.md`";
    sandbox.skills(["sync"]).exits(2).says([format!("help: own/{help}")]);
    sandbox.upstream("tides").commit(Change::new().text("skills/pdf/SKILLS.md", "x"));
    let server = sandbox.serve();
    sandbox.sources(&json!({"tides": {"type": "git", "url": server.url("tides")}}));
    sandbox.skills(["sync"]).exits(2).says([format!("help: tides: skills/{help}")]);
    sandbox.skills(["validate", "own"]).exits(2).says([format!("help: own/{help}")]);
}

#[test]
fn included_look_alike_is_named_by_the_error() {
    let sandbox = Sandbox::new();
    let change = Change::new().skill("one").text("skills/pdf/SKILLS.md", "x");
    sandbox.upstream("tides").commit(change);
    let server = sandbox.serve();
    sandbox.skills(["init"]).succeeds();
    let help = "pdf/SKILLS.md: not read as a skill, because the name of its file is not `SKILL.md`; \
                rename it to `SKILL.md`";
    let url = server.url("tides");
    let run = sandbox.skills(["add", &url, "--include", "pdf"]).exits(2);
    run.says([format!("help: tides: skills/{help}")]);
    // The file is in the directory itself.
    sandbox.write("project/skills/pdf/SKILLS.md", "x");
    sandbox.skills(["add", "./skills/pdf"]).exits(2).says([format!("help: skills/{help}")]);
}

#[test]
fn skill_md_next_to_skills_is_a_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("project/own/SKILL.md", skill_md("own"));
    sandbox.write("project/own/skills/pdf/SKILL.md", skill_md("pdf"));
    sandbox.sources(&json!({"house": {"type": "path", "path": "own"}}));
    let run = sandbox.skills(["sync"]).succeeds();
    assert_eq!(warnings(&run).len(), 1, "{run}");
    assert!(warnings(&run)[0].starts_with("own/skills: the skills in it are not read"), "{run}");
    // A directory of files named `skills` is a part of the skill.
    sandbox.remove("project/own/skills/pdf");
    sandbox.write("project/own/skills/list.md", "x");
    assert_eq!(warnings(&sandbox.skills(["sync"]).succeeds()), [""; 0]);
    // Without a manifest's entry, the directory `skills` is validated.
    sandbox.sources(&json!({}));
    sandbox.write("project/skills/pdf/SKILL.md", skill_md("pdf"));
    sandbox.write("project/SKILL.md", skill_md("root"));
    let run = sandbox.skills(["validate"]).succeeds();
    run.prints(["SKILL.md: warning: not read as a skill, because the skills in the `skills`"]);
    let run = sandbox.skills(["add", "."]).succeeds();
    assert_eq!(
        warnings(&run)[0],
        "SKILL.md: not read as a skill, because the skills in the `skills` next to it are; move it \
         into a directory of its own in `skills`"
    );
}

#[test]
fn validate_warns_of_files_that_look_like_skills() {
    let sandbox = Sandbox::new();
    own_skills(&sandbox, "project/skills");
    sandbox.write("project/docs/SKILLS.md", "x");
    sandbox.write("project/src/skills.md", "x");
    // A layout of its own, without skills directly in `skills`.
    sandbox.write("project/app/skills/public/two/SKILL.md", skill_md("two"));
    let found = |arguments: &[&str]| {
        let run = sandbox.skills([&["validate", "--json"], arguments].concat());
        let document = run.json();
        let near =
            document["findings"].as_array().unwrap().iter().filter(|finding| {
                finding["message"].as_str().unwrap().contains("not read as a skill")
            });
        let mut files: Vec<_> =
            near.map(|finding| finding["file"].as_str().unwrap().to_owned()).collect();
        files.sort();
        files
    };
    let expected: Vec<_> = NEAR.iter().map(|(path, _)| format!("skills/{path}")).collect();
    assert_eq!(found(&[]), expected);
    assert_eq!(found(&["."]), expected);
    assert_eq!(found(&["skills"]), expected);
    sandbox.sources(&json!({"house": {"type": "path", "path": "skills"}}));
    assert_eq!(found(&[]), expected);
}
