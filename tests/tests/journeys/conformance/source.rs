//! Arguments that name a source on the command line.

use helix_skills_conformance::{Deviation, Report, Value, cases, json};
use helix_skills_tests::Sandbox;

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["s0472", "s0473", "s0474", "s0475", "s0478", "s0479", "s0481", "s0491"],
        "ref and directory have their own options and keys, because an argument with both is ambiguous if a branch has a \
         slash (the peer is wrong in s0479); the error for a forge's page has the command to run",
    ),
    Deviation::new(
        &["s0480"],
        "the peer ignores the file of the page and would take the whole repository",
    ),
    Deviation::new(&["s0476"], "only one forge has a short form, the one that marketplaces use"),
    Deviation::new(
        &["s0477", "s0490"],
        "a URL is kept as written: manifest and lockfile compare it as data",
    ),
    Deviation::new(&["s0484"], "skills are fetched only from repositories, not from websites"),
    Deviation::new(&["s0487"], "`ext::` runs a command"),
    Deviation::new(
        &["s0488"],
        "the peer has a list of renamed repositories; a forge redirects them itself",
    ),
    Deviation::new(
        &["s0489"],
        "an argument with a trailing slash is a path, not a repository of github.com",
    ),
];

/// The type of the manifest entry, and its URL or path.
fn found(entry: &Value) -> Value {
    match entry["type"].as_str() {
        Some("path") => json!({"path": entry["path"]}),
        _ => json!({"url": entry["url"]}),
    }
}

/// The same of the peer's record; other fields stay, so that they count as differences.
fn expected(record: &Value) -> Value {
    let mut parsed = record["parsed"].as_object().expect("an object").clone();
    let kind = parsed.remove("type");
    if kind.as_ref().and_then(Value::as_str) == Some("local") {
        let path = parsed["localPath"].as_str().expect("a path");
        return json!({"path": path.strip_prefix("<cwd>/").expect("a path from the working directory")});
    }
    Value::Object(parsed)
}

#[test]
fn conformance_of_arguments_with_peers() {
    let sandbox = Sandbox::new();
    // Local paths have to exist.
    sandbox.write("project/skills/a/SKILL.md", "");
    sandbox.write("x/a/SKILL.md", "");
    let cases = cases!("source");
    let mut report = Report::new(&cases, DEVIATIONS);
    for case in &cases.all {
        let argument = case.input.as_str().expect("an argument");
        sandbox.sources(&json!({}));
        let mut arguments = vec!["add", "--no-sync", "--name", "it"];
        if !argument.starts_with('.') {
            // For a repository without a pin, the program would request its releases.
            arguments.extend(["--ref", "main"]);
        }
        arguments.extend(["--", argument]);
        let run = sandbox.skills(arguments);
        let outcome = if run.code == Some(0) {
            let manifest: Value =
                serde_json::from_str(&sandbox.read("project/helix.skills.json")).unwrap();
            found(&manifest["skills"]["it"])
        } else {
            // Every rejected argument is a usage error that writes nothing.
            let run = run.exits(2);
            assert!(run.stderr.contains("error"), "{run}");
            assert_eq!(sandbox.read("project/helix.skills.json").matches("it").count(), 0);
            Value::Null
        };
        let recorded =
            if case.expected["ok"] == true { expected(&case.expected) } else { Value::Null };
        report.compare_with(case, &recorded, outcome);
    }
    report.finish();
}
