//! Many updates in one process. Run by hand:
//!
//! ```console
//! $ HELIX_SOAK=10000 cargo test -p helix-skills-tests --test library -- --ignored soak --nocapture
//! ```

#![allow(clippy::print_stdout)]

use helix_skills_project::Project;
use helix_skills_tests::{Change, Sandbox, skill_md};
use serde_json::json;
use std::{env, fs};

/// Returns the number of open descriptors of this process, and its resident memory in KiB.
fn used() -> (usize, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let memory = line.trim().trim_end_matches(" kB").parse().unwrap();
    (fs::read_dir("/proc/self/fd").unwrap().count(), memory)
}

#[test]
#[ignore = "takes about 30 ms for each of HELIX_SOAK updates"]
fn soak_of_updates_keeps_descriptors_and_memory() {
    let rounds = env::var("HELIX_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(200_u64);
    let sandbox = Sandbox::in_memory();
    let upstream = sandbox.upstream("repo");
    upstream.commit(Change::new().skill("a"));
    let server = sandbox.serve();
    let url = server.url("repo");
    sandbox.sources(&json!({"repo": {"type": "git", "url": url, "ref": "main"}}));
    let project = Project::at(sandbox.project("")).cache_dir(sandbox.path("cache"));
    let mut early = None;
    for round in 1..=rounds {
        let text = format!("{}\nRound {round}.\n", skill_md("a"));
        upstream.commit(Change::new().text("skills/a/SKILL.md", &text));
        project.update(&[], |_| true).unwrap();
        // The server keeps what it was asked, which is memory of this process, too.
        let _ = server.take_traffic();
        assert_eq!(sandbox.read("project/helix.skills/a/SKILL.md"), text);
        // Caches and pools of the process are filled by then.
        if round == rounds / 4 {
            early = Some(used());
        }
    }
    let ((before, memory_before), (after, memory_after)) = (early.unwrap(), used());
    println!(
        "{rounds} updates: {before} then {after} descriptors, {memory_before} then {memory_after} KiB"
    );
    // The server may not have closed the last connections yet.
    assert!(after <= before + 8, "{before} then {after} descriptors");
    assert!(memory_after < memory_before * 5 / 4 + 4096, "{memory_before} then {memory_after} KiB");
}
