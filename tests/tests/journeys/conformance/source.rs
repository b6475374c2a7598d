//! Arguments that name a source on the command line.

use helix_skills_conformance::{Deviation, Report, Value, cases, json};
use helix_skills_tests::{Change, Sandbox};

const DEVIATIONS: &[Deviation] = &[
    Deviation::new(
        &["s0478", "s0481"],
        "a page of the default branch names a skill, not a pin: the newest release is pinned",
    ),
    Deviation::new(
        &["s0479"],
        "the peer takes the first part of a branch's name, we ask the server for its branches",
    ),
    Deviation::new(
        &["s0480"],
        "the peer ignores the file of the page and would take the whole repository",
    ),
    Deviation::new(&["s0491"], "the addresses of this forge's pages are not known"),
    Deviation::new(&["s0476"], "other forges are named by their URL, not by a prefix"),
    Deviation::new(&["s0484"], "skills are fetched only from repositories, not from websites"),
    Deviation::new(&["s0487"], "`ext::` runs a command"),
    Deviation::new(
        &["s0488"],
        "the peer has a list of renamed repositories; a forge redirects them itself",
    ),
];

/// The path of the manifest entry, or its URL and what it selects, in the peer's words.
fn found(entry: &Value, record: &Value) -> Value {
    if entry["type"] == "path" {
        return json!({"path": entry["path"]});
    }
    let mut found = json!({"url": entry["url"]});
    if entry.get("ref").is_some() {
        found["ref"] = entry["ref"].clone();
    }
    let skill = entry["include"][0].as_str();
    if record.get("skillFilter").is_some() {
        found["skillFilter"] = skill.into();
    } else if record.get("subpath").is_some() || skill.is_some() {
        let directory = entry["skillsDir"].as_str().unwrap_or("skills");
        let directory = Some(directory).filter(|_| !skill.is_some_and(|it| it.contains('/')));
        let parts = directory.into_iter().chain(skill);
        found["subpath"] = parts.collect::<Vec<_>>().join("/").into();
    }
    found
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
    // All repositories are this one.
    let upstream = sandbox.upstream("it");
    upstream.commit(Change::new().skill("pdf"));
    upstream.tag("v1");
    upstream.branch("feature/x", "main");
    let server = sandbox.serve();
    let urls = cases.all.iter().filter_map(|case| case.expected["parsed"]["url"].as_str());
    let short = cases.all.iter().filter_map(|case| case.input.as_str());
    let short = short.map(|argument| format!("https://github.com/{argument}.git"));
    let rules = urls.flat_map(|url| [url.to_owned(), url.trim_end_matches(".git").to_owned()]);
    let rules = rules.chain(short).map(|url| format!("\tinsteadOf = {url}\n"));
    let rules: String = rules.collect();
    sandbox.write("home/.gitconfig", format!("[url \"{}\"]\n{rules}", server.url("it")));
    let mut report = Report::new(&cases, DEVIATIONS);
    report.each(&cases, |report, case| {
        let argument = case.input.as_str().expect("an argument");
        sandbox.sources(&json!({}));
        let run = sandbox.skills(["add", "--no-sync", "--name", "it", "--", argument]);
        let record = &case.expected["parsed"];
        let outcome = if run.code == Some(0) {
            let manifest: Value =
                serde_json::from_str(&sandbox.read("project/helix.skills.json")).unwrap();
            found(&manifest["skills"]["it"], record)
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
    });
    report.finish();
}
