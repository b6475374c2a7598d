//! `skills validate`: what authors are told of their skills.

use helix_skills_tests::{Run, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const GOOD: &str = "---\nname: tides\ndescription: Reads tide tables. Use when a harbour is named.\n---\n# Tides\n";

/// Two skills of one's own: one is good, of the other several things are wrong.
fn two_skills() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    let text = "---\nname: Winds\ndescription: Wind\ncolour: red\n---\nSee [more](more.md).\n";
    sandbox.write("project/skills/winds/SKILL.md", text);
    sandbox.write("project/skills/winds/references/gusts.md", "x");
    sandbox
}

/// Runs it, and demands that it writes nothing.
#[track_caller]
fn validate<'a>(sandbox: &Sandbox, arguments: impl IntoIterator<Item = &'a str>) -> Run {
    let before = sandbox.snapshot("project");
    let run = sandbox.skills(["validate"].into_iter().chain(arguments));
    assert_eq!(sandbox.snapshot("project").changes_since(&before), Vec::<String>::new());
    run
}

fn codes(document: &Value) -> Vec<&str> {
    document["findings"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect()
}

#[test]
fn everything_is_told_at_once_each_with_its_place() {
    let sandbox = two_skills();
    let run = validate(&sandbox, [""; 0]).exits(1);
    let file = "skills/winds/SKILL.md";
    let lines = [
        format!("{file}: warning: nothing in the skill mentions `references/gusts.md` [unmentioned-file]"),
        format!(
            "{file}:2:7: error: the name `Winds` holds `W`; other systems take a to z, 0 to 9 and `-` [name-character]"
        ),
        format!("{file}:2:7: error: the name `Winds` is not that of the directory, `winds` [name-mismatch]"),
        format!(
            "{file}:3:14: warning: the description says too little for a model to choose the skill by [vague-description]"
        ),
        format!("{file}:4:1: warning: the key `colour` is not known [unknown-field]"),
        format!("{file}:6:12: warning: the skill has no file `more.md` [dead-link]"),
    ];
    let found: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with("  help:")).collect();
    assert_eq!(found, lines);
    run.says(["validated 2 skills: 2 errors, 4 warnings"]);

    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["exitCode"], 1);
    assert_eq!(document["counts"], json!({"skills": 2, "errors": 2, "warnings": 4}));
    let found = document["findings"].as_array().unwrap().last().unwrap();
    let expected = json!({
        "code": "dead-link", "severity": "warning", "file": file, "line": 6, "column": 12,
        "message": "the skill has no file `more.md`", "hint": "add the file, or remove the link",
    });
    assert_eq!(*found, expected);
}

#[test]
fn warnings_fail_only_where_that_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/tides/SKILL.md", GOOD.replace("Use when", "For when").replace("when", "if"));
    validate(&sandbox, [""; 0]).succeeds().prints(["[no-trigger]"]).says(["ok 1 skill: 0 errors, 1 warning"]);
    validate(&sandbox, ["--deny-warnings"]).exits(1).says(["validated 1 skill: 0 errors, 1 warning"]);
    sandbox.write("project/skills/tides/SKILL.md", GOOD);
    let run = validate(&sandbox, ["--deny-warnings"]).succeeds().says(["ok 1 skill, nothing to mend"]);
    assert!(run.stdout.is_empty(), "{run}");
}

#[test]
fn skills_are_found_where_a_project_has_them_and_where_they_are_named() {
    let sandbox = two_skills();
    let files = |arguments: &[&str]| {
        let document = validate(&sandbox, ["--json"].into_iter().chain(arguments.iter().copied())).json();
        let counts = document["counts"]["skills"].as_u64().unwrap();
        let files =
            document["findings"].as_array().unwrap().iter().map(|found| found["file"].as_str().unwrap().to_owned());
        (counts, files.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>())
    };
    // A directory, a SKILL.md, a directory above, all of them and twice.
    assert_eq!(files(&["skills/winds"]), (1, vec!["skills/winds/SKILL.md".to_owned()]));
    assert_eq!(files(&["./skills/tides/SKILL.md"]), (1, vec![]));
    assert_eq!(files(&["."]).0, 2);
    assert_eq!(files(&["skills", "skills/winds", "."]).0, 2);
    // Below hidden directories only where they are named.
    sandbox.write("project/.claude/skills/a/SKILL.md", "x");
    sandbox.write("project/plugins/p/skills/b/SKILL.md", "x");
    sandbox.write("project/node_modules/c/SKILL.md", "x");
    assert_eq!(files(&["."]).0, 3);
    assert_eq!(files(&[".claude"]), (1, vec![".claude/skills/a/SKILL.md".to_owned()]));
    // Without a word: the manifest's sources of type `path`, wherever in the project one is.
    assert_eq!(files(&[]).0, 2);
    sandbox.sources(&json!({"own": {"type": "path", "path": "plugins/p/skills"}}));
    assert_eq!(files(&[]), (1, vec!["plugins/p/skills/b/SKILL.md".to_owned()]));
    sandbox.sources(&json!({}));
    assert_eq!(files(&[]).0, 2);
    assert_eq!(files(&["-C", "skills/winds", "."]), (1, vec!["SKILL.md".to_owned()]));

    validate(&sandbox, ["nowhere"]).exits(2).says(["there is no `nowhere`"]);
    validate(&sandbox, ["helix.skills.json"]).exits(2).says(["neither a directory nor a SKILL.md"]);
    validate(&sandbox, ["skills", "skills/winds/references"]).exits(2).says(["`skills/winds/references`", "SKILL.md"]);
}

#[test]
fn the_open_rules_are_those_of_the_specification() {
    let sandbox = Sandbox::new();
    let text = "---\nname: мой-навык\ndescription: Tides\nallowed-tools: [Read]\nmodel: small\n---\n[x](gone.md)\n";
    sandbox.write("project/skills/мой-навык/SKILL.md", text);
    let document = validate(&sandbox, ["--spec", "open", "--json"]).exits(1).json();
    assert_eq!(codes(&document), ["flow-style", "unknown-field"]);
    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(codes(&document), ["name-character", "vague-description", "dead-link"]);
    validate(&sandbox, ["--spec", "closed"]).exits(2).says(["authors, open"]);
}

#[test]
fn what_cannot_be_read_is_a_finding_like_any_other() {
    let sandbox = two_skills();
    sandbox.write("project/skills/bytes/SKILL.md", b"---\nname: a\xff\n");
    sandbox.write("project/skills/large/SKILL.md", vec![b'x'; 8 * 1024 * 1024 + 1]);
    let document = validate(&sandbox, ["--json"]).exits(1).json();
    assert_eq!(codes(&document)[..2], ["not-utf-8", "too-large"]);
    assert_eq!(document["counts"]["skills"], 4);
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_skills_and_never_in_circles() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("project/elsewhere/tides/SKILL.md", GOOD);
    sandbox.write("project/skills/a/nothing.md", "x");
    symlink("../elsewhere/tides", sandbox.project("skills/tides")).unwrap();
    symlink("..", sandbox.project("skills/a/up")).unwrap();
    symlink(".", sandbox.project("elsewhere/tides/again")).unwrap();
    symlink("gone", sandbox.project("elsewhere/tides/gone.md")).unwrap();
    let document = validate(&sandbox, ["skills", "--json"]).exits(1).json();
    assert_eq!(document["counts"]["skills"], 1);
    assert_eq!(BTreeSet::from_iter(codes(&document)), BTreeSet::from(["too-large", "unreadable"]));
}

/// A pipe is not waited for.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_skill() {
    let sandbox = Sandbox::new();
    sandbox.write("project/skills/a/nothing.md", "x");
    let pipe = sandbox.project("skills/a/SKILL.md");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // No snapshot is taken: that would wait for it.
    let run = sandbox.skills(["validate", "--json", "skills"]);
    std::fs::remove_file(&pipe).unwrap();
    assert_eq!(codes(&run.exits(1).json()), ["unreadable"]);
}

#[test]
fn text_of_strangers_is_escaped() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "project/skills/a/SKILL.md",
        GOOD.replace("tides\n", "\"x\\u001b[2J\"\n").replace("---\n#", "\u{202e}k: v\n---\n#"),
    );
    for arguments in [&["skills"][..], &["skills", "--json"], &["skills", "--sarif"], &["skills", "--spec", "open"]] {
        let run = validate(&sandbox, arguments.iter().copied()).exits(1);
        run.never_prints("\u{1b}").never_prints("\u{202e}");
    }
}

#[test]
fn what_has_one_right_answer_is_mended() {
    let sandbox = Sandbox::new();
    let broken = "\n---\ndescription: Reads tides: use when a harbour is named.\n---\n# Tides\n";
    sandbox.write("project/skills/tides/SKILL.md", broken);
    sandbox.write("project/skills/winds/SKILL.md", GOOD);
    let run = sandbox.skills(["validate", "--fix"]).exits(1);
    let told = "mended skills/tides/SKILL.md: blank-before-frontmatter, unquoted-value, missing-name";
    run.says([told, "validated 2 skills: 1 error, 0 warnings"]).prints(["[name-mismatch]"]);
    let mended = "---\nname: tides\ndescription: 'Reads tides: use when a harbour is named.'\n---\n# Tides\n";
    assert_eq!(sandbox.read("project/skills/tides/SKILL.md"), mended);
    assert_eq!(sandbox.read("project/skills/winds/SKILL.md"), GOOD);
    assert_eq!(sandbox.files("project/skills").len(), 2, "nothing is left beside it");
    // The second time there is nothing to do.
    let document = sandbox.skills(["validate", "--fix", "--json"]).exits(1).json();
    assert_eq!(document["mended"], json!([]));
    // What upstream wrote is not ours to mend.
    sandbox.write("project/helix.skills/tides/SKILL.md", broken);
    sandbox.skills(["validate", "--fix", "helix.skills/tides"]).exits(2).says(["mend it upstream"]);
    assert_eq!(sandbox.read("project/helix.skills/tides/SKILL.md"), broken);
}

#[test]
fn sarif_has_every_finding_with_its_rule() {
    let sandbox = two_skills();
    let run = validate(&sandbox, ["--sarif"]).exits(1);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let (results, rules) = (&log["runs"][0]["results"], &log["runs"][0]["tool"]["driver"]["rules"]);
    let results = results.as_array().unwrap();
    assert_eq!(results.len(), 6);
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "skills/winds/SKILL.md");
    }
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(*region, json!({"startLine": 2, "startColumn": 7}));
    assert_eq!(results[1]["level"], "error");
    validate(&sandbox, ["--sarif", "--json"]).exits(2).prints(["cannot be used with"]);
}
