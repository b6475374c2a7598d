//! What stands for a source on the command line.

use super::{Deviations, cases, differ_only_as_told};
use helix_skills_tests::Sandbox;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const DEVIATIONS: Deviations = &[
    (
        &["s0472", "s0473", "s0474", "s0475", "s0478", "s0479", "s0481", "s0491"],
        "what is wanted of a repository has options and keys of its own; a text that mixes both is ambiguous once a branch \
         has a slash, which the peer gets wrong in s0479. The address of a forge's page is answered with the command to run",
    ),
    (
        &["s0480"],
        "the peer forgets the file that the page is about and would take the whole repository",
    ),
    (&["s0476"], "one forge has a short form, the one that marketplaces use"),
    (&["s0477", "s0490"], "a url stays as it was written: manifest and lock compare it as data"),
    (&["s0484"], "no skills are fetched from web sites, only from repositories"),
    (&["s0487"], "`ext::` runs a command"),
    (
        &["s0488"],
        "the peer has a list of repositories that were renamed; a forge answers that itself",
    ),
    (
        &["s0489"],
        "an argument that ends with a slash is a path to people, and no repository of github.com",
    ),
];

/// The kind of our entry, and its url or path: what is left of a peer's record that means nothing more than that.
fn found(entry: &Value) -> Value {
    match entry["type"].as_str() {
        Some("path") => json!({"path": entry["path"]}),
        _ => json!({"url": entry["url"]}),
    }
}

/// The same of the peer's record; the rest of it stays, so that it differs.
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
    // What the local ones name has to be there.
    sandbox.write("project/skills/a/SKILL.md", "");
    sandbox.write("x/a/SKILL.md", "");
    let mut differ = BTreeMap::new();
    for case in cases("source") {
        let argument = case.input.as_str().expect("an argument");
        sandbox.sources(&json!({}));
        let mut arguments = vec!["add", "--no-sync", "--name", "it"];
        if !argument.starts_with('.') {
            // A repository without a pin is asked for its releases.
            arguments.extend(["--ref", "main"]);
        }
        arguments.extend(["--", argument]);
        let run = sandbox.skills(arguments);
        let outcome = if run.code == Some(0) {
            let manifest: Value =
                serde_json::from_str(&sandbox.read("project/helix.skills.json")).unwrap();
            found(&manifest["skills"]["it"])
        } else {
            // Whatever is refused is refused in an orderly way, and nothing is written.
            let run = run.exits(2);
            assert!(run.stderr.contains("error"), "{run}");
            assert_eq!(sandbox.read("project/helix.skills.json").matches("it").count(), 0);
            Value::Null
        };
        let recorded =
            if case.expected["ok"] == true { expected(&case.expected) } else { Value::Null };
        if outcome != recorded {
            differ.insert(
                case.id,
                format!("{}: {argument}\n  {recorded}\n  ours {outcome}", case.peer),
            );
        }
    }
    differ_only_as_told(&differ, DEVIATIONS);
}
