//! The format of errors: one line per level, causes as cargo prints them, then hints.

use helix_skills_tests::Sandbox;
use serde_json::{Value, json};

/// A project whose lockfile is too large.
fn with_unreadable_lockfile() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.manifest(r#"{"skills": {"own": {"type": "path", "path": "skills"}}}"#);
    let lock = std::fs::File::create(sandbox.project("helix.skills.lock")).unwrap();
    lock.set_len((64 << 20) + 1).unwrap();
    sandbox
}

#[test]
fn causes_follow_the_message() {
    let sandbox = with_unreadable_lockfile();
    let run = sandbox.skills(["sync", "--check"]).exits(7);
    let lock = sandbox.project("helix.skills.lock");
    let report = format!(
        "error: failed to read `{}`\n\nCaused by:\n  it has 67108865 bytes, more than 67108864\nhelp: ",
        lock.display()
    );
    assert!(run.stderr.starts_with(&report) && run.stderr.lines().count() == 5, "{run}");
}

#[test]
fn json_lists_the_causes() {
    let error =
        with_unreadable_lockfile().skills(["sync", "--check", "--json"]).exits(7).json()["errors"]
            [0]
        .clone();
    assert_eq!(error["causes"], json!(["it has 67108865 bytes, more than 67108864"]));
    assert!(!error["message"].as_str().unwrap().contains("bytes"), "{error}");
}

#[test]
fn an_error_without_cause_has_no_causes() {
    let sandbox = Sandbox::new();
    sandbox.manifest(r#"{"skills": {"own": {"type": "path", "path": "gone"}}}"#);
    let run = sandbox.skills(["sync"]).exits(2);
    assert_eq!(
        run.stderr,
        "error: the source `own`: cannot find the directory `gone`\nhelp: `path` is relative to the manifest's directory\n"
    );
    let error = sandbox.skills(["sync", "--json"]).exits(2).json()["errors"][0].clone();
    assert_eq!(error.get("causes"), None::<&Value>, "{error}");
}

#[test]
fn five_sources_without_a_network_have_one_cause() {
    let sandbox = Sandbox::new();
    let sources = ["a", "b", "c", "d", "e"].map(|name| {
        let url = format!("http://127.0.0.1:1/{name}.git");
        (name.to_owned(), json!({"type": "git", "url": url}))
    });
    sandbox.sources(&Value::Object(sources.into_iter().collect()));
    let run = sandbox.skills(["sync"]).exits(3);
    let count = |text: &str| run.stderr.matches(text).count();
    assert_eq!((count("error: the source `"), count("no connection"), count("help: ")), (5, 1, 1));
    let run = sandbox.skills(["sync", "--offline"]).exits(3);
    assert_eq!(run.stderr.lines().count(), 6, "{run}");
    let errors = sandbox.skills(["sync", "--json"]).exits(3).json()["errors"].clone();
    let has_cause = |error: &Value| error["causes"][0] == "no connection";
    assert!(errors.as_array().unwrap().iter().all(has_cause), "{errors}");
}

/// An error of a repository is reported once and names all of its sources.
#[test]
fn an_error_of_a_repository_names_its_sources() {
    let sandbox = Sandbox::new();
    let url = "http://127.0.0.1:1/gone.git";
    sandbox.manifest(
        &json!({"skills": {"a": {"type": "git", "url": url}, "b": {"type": "git", "url": url, "ref": "x"}}})
            .to_string(),
    );
    let run = sandbox.skills(["sync"]).exits(3);
    let start = "error: the sources `a`, `b`: failed to fetch from `http://127.0.0.1:1/gone.git`\n\nCaused by:\n  no connection\n";
    assert!(run.stderr.contains(start), "{run}");
    assert_eq!(run.stderr.matches("error: ").count(), 1, "{run}");
}
