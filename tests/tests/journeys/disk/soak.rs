//! Many updates of a source that changes, most of which are killed. Run by hand:
//!
//! ```console
//! $ export HELIX_SOAK=10000
//! $ cargo test -p helix-skills-tests --test journeys -- --ignored soak --nocapture
//! ```

use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;
use std::{env, thread, time::Duration};

/// Number of changes to the disk of an update, and more.
const POINTS: u64 = 40;

/// Number of updates after which one has to succeed.
const PERIOD: u64 = 10;

#[test]
#[ignore = "takes about 50 ms for each of HELIX_SOAK updates"]
fn soak_of_killed_updates_loses_nothing() {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let rounds: u64 = number("HELIX_SOAK").unwrap_or(200);
    let seed = number("HELIX_SEED").unwrap_or(1);
    let mut random = fastrand::Rng::with_seed(seed);
    let sandbox = Sandbox::in_memory();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("stays").skill("moves"));
    sandbox
        .sources(&json!({"repo": {"type": "git", "url": "../upstream/repo.git", "ref": "main"}}));
    sandbox.skills(["sync"]).succeeds();
    let (mut killed, mut verified, mut text) = (0_u64, 0_u64, skill_md("moves"));
    let mut most_files = 0;
    for round in 1..=rounds {
        if random.u8(..4) == 0 {
            text = format!("{}\nRound {round}.\n", skill_md("moves"));
            let file = format!("skills/moves/{}.md", random.u8(..5));
            let change = Change::new().text("skills/moves/SKILL.md", &text);
            upstream.commit(match random.bool() {
                true => change.text(&file, &format!("{round}\n")),
                false => change.text(&file, "").remove(&file),
            });
        }
        if round % PERIOD == 0 {
            sandbox.skills(["update"]).succeeds();
            sandbox.skills(["sync", "--check", "--store"]).succeeds();
            assert_eq!(sandbox.read("project/helix.skills/moves/SKILL.md"), text, "round {round}");
            assert_eq!(sandbox.locked_skills(), ["moves", "stays"]);
            // Nothing of a killed run is left.
            let project = sandbox.files("project");
            let temporary =
                project.iter().find(|path| path.contains(".staging") || path.ends_with(".new"));
            assert_eq!(temporary, None, "round {round}");
            assert!(sandbox.files("tmp").is_empty(), "round {round}");
            assert_eq!(project.len(), project_files(&sandbox), "round {round}: {project:?}");
            most_files = most_files.max(project.len());
            verified += 1;
            continue;
        }
        let run = if random.bool() {
            sandbox.command(["update"]).crash_at(random.u64(1..=POINTS)).run()
        } else {
            let mut running = sandbox.command(["update"]).alongside_others().start();
            thread::sleep(Duration::from_micros(random.u64(..40_000)));
            running.signal("KILL");
            running.finish()
        };
        killed += u64::from(run.code.is_none());
    }
    println!(
        "seed {seed}: {rounds} updates, {killed} killed, {verified} verified, at most {most_files} files"
    );
    assert!(killed > rounds / 10, "{killed} of {rounds} were killed");
}

/// Returns the number of files that the lockfile, and the files next to it, account for.
fn project_files(sandbox: &Sandbox) -> usize {
    let lock = sandbox.lock_json();
    let skills = lock["skills"].as_object().unwrap();
    let files = |skill: &serde_json::Value| skill["files"].as_u64().unwrap();
    let stored: u64 = skills.values().map(|skill| files(skill) + 1).sum();
    // The manifest, the lockfile and the store's `.gitattributes`.
    usize::try_from(stored).unwrap() + 3
}
