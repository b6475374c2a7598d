//! Helix: skills of a remote repository, from the manifest to the agent that has them.

use crate::cargo::{Consumer, facade};
use helix_skills_tests::{Change, HYPERFRAMES, Sandbox};
use serde_json::json;

/// The program of an agent, which embeds what was synced: the first 2 lines. The `defineAgent` of
/// the page has 8 lines with its imports.
const AGENT: &str = r##"use helix_skills::{Toolbox, include_skills};

static SKILLS: Toolbox = include_skills!(preload = ["hyperframes-media"]);

fn main() {
    print!("You are a video-composition assistant.\n\n{}", SKILLS.catalog());
    println!("{}", SKILLS.call("load_skill", r#"{"name": "hyperframes"}"#).unwrap());
    let arguments = r#"{"skill": "hyperframes", "path": "references/timing.md", "startLine": 2}"#;
    println!("{}", SKILLS.call("read_skill_file", arguments).unwrap());
}
"##;

/// Syncs the manifest from a repository whose release is behind its branch.
fn synced() -> Sandbox {
    let sandbox = Sandbox::with_manifest(HYPERFRAMES);
    let hyperframes = sandbox.upstream("hyperframes");
    let timing = "skills/hyperframes/references/timing.md";
    let change =
        Change::new().skill("hyperframes").skill("hyperframes-media").skill("hyperframes-lab");
    hyperframes.commit(change.text(timing, "one\ntwo\n"));
    hyperframes.tag("v0.6.70");
    hyperframes.commit(Change::new().text(timing, "three\n"));
    let upstream = sandbox.path("upstream").display().to_string();
    let gitconfig =
        format!("[url \"file://{upstream}/\"]\n\tinsteadOf = https://github.com/heygen-com/\n");
    sandbox.write("home/.gitconfig", gitconfig);
    sandbox.skills(["sync"]).succeeds();
    sandbox
}

#[test]
fn synced_release_is_embedded_without_a_fetch_at_run_time() {
    let (sandbox, consumer) = (synced(), Consumer::new("helix"));
    // The lockfile has the selected skills, the release's commit, and a hash for each skill.
    assert_eq!(sandbox.locked_skills(), ["hyperframes", "hyperframes-media"]);
    let lock = sandbox.lock();
    assert!(lock.contains("refs/tags/v0.6.70"), "{lock}");
    assert_eq!(lock.matches("\"integrity\": \"sha256:").count(), 2, "{lock}");

    for path in sandbox.files("project") {
        consumer.write(&path, sandbox.read_bytes(format!("project/{path}")));
    }
    consumer.package("", "helix", &facade("helix-skills", ""));
    consumer.write("src/main.rs", AGENT);
    let run = consumer.cargo(&["run", "--quiet"]).success();
    let (catalog, rest) = run.stdout.split_once("### Active Skills (already loaded)\n").unwrap();
    assert!(
        catalog.starts_with("You are a video-composition assistant.\n\n## Skills\n"),
        "{catalog}"
    );
    assert!(catalog.contains("\n- hyperframes: Does hyperframes things.\n"), "{catalog}");
    assert!(
        catalog.contains("\n- hyperframes-media loaded=\"true\": Does hyperframes-media things.\n"),
        "{catalog}"
    );
    assert!(!catalog.contains("hyperframes-lab"), "the manifest does not include it");
    assert!(rest.contains("Do the hyperframes-media things."), "{rest}");
    assert!(rest.contains("<skill name=\"hyperframes\">\n# hyperframes\n"), "{rest}");
    assert!(rest.ends_with("\n\ntwo\n</skill_file>\n"), "{rest}");
}

/// The other source of the page: a plugin of a Claude plugin marketplace, in another repository.
#[test]
fn plugin_of_a_marketplace_is_embedded() {
    let (sandbox, consumer) = (Sandbox::new(), Consumer::new("marketplace"));
    let guild = sandbox.upstream("guild");
    guild.commit(Change::new().skill_at("lamps/skills/light-lamp", "light-lamp"));
    let source = json!({
        "source": "git-subdir",
        "url": "https://lighthouse.example/guild.git",
        "path": "lamps",
        "sha": guild.id("main"),
    });
    let index = json!({"name": "keepers", "plugins": [{"name": "lamps", "source": source}]});
    let market = sandbox.upstream("market");
    market.commit(Change::new().text(".claude-plugin/marketplace.json", &index.to_string()));
    let upstream = sandbox.path("upstream").display().to_string();
    let gitconfig =
        format!("[url \"file://{upstream}/\"]\n\tinsteadOf = https://lighthouse.example/\n");
    sandbox.write("home/.gitconfig", gitconfig);
    let url = "https://lighthouse.example/market.git";
    sandbox.sources(&json!({
        "lamps": {"type": "claude-marketplace", "url": url, "plugin": "lamps"},
    }));
    sandbox.skills(["sync"]).succeeds();
    let locked = &sandbox.lock_json()["sources"]["lamps"];
    assert_eq!(locked["commit"], market.id("main"));
    assert_eq!(locked["plugin"]["commit"], guild.id("main"));

    for path in sandbox.files("project") {
        consumer.write(&path, sandbox.read_bytes(format!("project/{path}")));
    }
    consumer.package("", "marketplace", &facade("helix-skills", ""));
    let agent = "fn main() { print!(\"{}\", helix_skills::include_skills!().catalog()); }\n";
    consumer.write("src/main.rs", agent);
    let run = consumer.cargo(&["run", "--quiet"]).success();
    assert!(run.stdout.ends_with("\n- light-lamp: Does light-lamp things.\n"), "{}", run.stdout);
}

#[test]
fn check_fails_if_the_lockfile_would_change() {
    let sandbox = synced();
    sandbox.skills(["sync", "--check"]).succeeds();
    sandbox.manifest(&HYPERFRAMES.replace(", \"hyperframes-media\"", ""));
    sandbox.skills(["sync", "--check"]).exits(1);
}
