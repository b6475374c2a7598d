//! Programs that run skills as separate tasks.

use crate::cargo::{Consumer, facade, workspace};

const RESULTS: &str = "schemars = { version = \"1\", default-features = false, features = [\"derive\", \"std\"] }\n\
                       serde = { version = \"1\", features = [\"derive\"] }\npollster = \"1\"\n";

fn skill_md(name: &str, fields: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}.\n{fields}\n---\n{body}\n")
}

/// Returns the crates of a consumer's build, without versions.
fn crates(consumer: &Consumer) -> Vec<String> {
    let tree = consumer
        .cargo(&["tree", "--prefix", "none", "--edges", "normal", "--format", "{p}"])
        .success();
    let mut crates: Vec<_> =
        tree.stdout.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect();
    crates.sort_unstable();
    crates.dedup();
    crates
}

#[test]
fn run_with_text_result_needs_no_serde() {
    let consumer = Consumer::new("run");
    let dependencies =
        format!("{}pollster = \"1\"\n", facade("helix-skills", ", features = [\"agent\"]"));
    consumer
        .package("", "run", &dependencies)
        .write("src/main.rs", include_str!("fixtures/run_main.rs"));
    let clock = skill_md("clock", "allowed-tools: [time]\narguments: [who]", "Tell $who the time.");
    consumer.write("skills/clock/SKILL.md", clock);
    consumer.cargo(&["run", "--quiet"]).success();
    let crates = crates(&consumer);
    assert!(crates.iter().any(|name| name == "helix-skills-agent"), "{crates:?}");
    assert!(
        !crates.iter().any(|name| name.starts_with("serde_json") || name == "schemars"),
        "{crates:?}"
    );
}

#[test]
fn typed_run_checks_input_and_result_by_schema() {
    let consumer = Consumer::new("typed-run");
    let facade = facade("helix-skills", ", features = [\"schemars\"]");
    let host = format!(
        "helix-skills-host = {{ path = {:?}, features = [\"jsonschema\"] }}\n",
        workspace().join("host")
    );
    consumer.package("", "typed-run", &format!("{facade}{host}{RESULTS}"));
    consumer.write("src/main.rs", include_str!("fixtures/typed_run_main.rs"));
    consumer
        .write("skills/review/SKILL.md", skill_md("review", "arguments: [name]", "Review $name."));
    consumer.cargo(&["run", "--quiet"]).success();
    // Schemas are validated without a dependency that could fetch one.
    let crates = crates(&consumer);
    assert!(crates.iter().any(|name| name == "jsonschema"), "{crates:?}");
    for network in ["hyper", "reqwest", "rustls", "tokio"] {
        assert!(!crates.iter().any(|name| name == network), "{network} in {crates:?}");
    }
}
