//! Builds that read the store while syncs replace it: a program has one version or the other, never
//! a mixture.

use crate::cargo::{Consumer, Run, facade, workspace};
use helix_skills_tests::{Change, Sandbox, Upstream};
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// Prints everything that was embedded.
const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();
fn main() {
    for skill in SKILLS.iter() {
        println!(\"{} {:?} {}\", skill.name(), skill.description(), skill.provenance().reference().unwrap());
        println!(\"{}\", skill.body());
        skill.resources().iter().for_each(|file| println!(\"{} {}\", file.path(), file.text().unwrap()));
    }
}
";

/// Errors that a build may report: messages of the macro, and rustc's for a file that was removed
/// after its verification.
const BUILD_ERRORS: [&str; 10] = [
    "was changed in the manifest since it was locked",
    "does not match the integrity in the lockfile",
    "does not match the lockfile",
    "is missing",
    "is not part of the skill",
    "the listing of the skill `",
    "is not in the store",
    "changed while it was compiled; build again",
    "there is no `helix.skills.lock`",
    "couldn't read `",
];

fn agent() -> (Sandbox, Upstream, Consumer) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    for (version, word) in [("1.0.0", "one"), ("2.0.0", "another")] {
        let mut change = Change::new().remove_all();
        for skill in ["a", "b", "c"] {
            let text = format!(
                "---\nname: {skill}\ndescription: Says {word}. Use when asked.\n---\n{word}\n"
            );
            change = change.text(&format!("skills/{skill}/SKILL.md"), &text);
            for number in 0..6 {
                change = change
                    .text(&format!("skills/{skill}/{number}.md"), &format!("{word} {number}\n"));
            }
        }
        upstream.commit(change);
        upstream.tag(&format!("v{version}"));
    }
    let consumer = Consumer { dir: sandbox.path("project") };
    fs::copy(workspace().join("Cargo.lock"), consumer.dir.join("Cargo.lock")).unwrap();
    consumer.package("", "concurrent-sync", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    (sandbox, upstream, consumer)
}

fn build(consumer: &Consumer) -> Run {
    consumer.cargo(&["run", "--quiet"])
}

#[test]
fn builds_during_syncs_have_one_whole_version() {
    let (sandbox, _upstream, consumer) = agent();
    let known = ["1.0.0", "2.0.0"].map(|version| {
        sandbox.switch(version, 0);
        build(&consumer).success().stdout
    });
    assert!(
        known[0].contains("one") && known[1].contains("another") && !known[1].contains("one\n"),
        "{known:?}"
    );
    let (mut whole, mut refused) = (0, 0);
    for syncs in [2, 8_usize] {
        let (sandbox, is_over) = (&sandbox, &AtomicBool::new(false));
        let runs: Vec<Run> = thread::scope(|scope| {
            for who in 0..syncs {
                scope.spawn(move || {
                    let mut round = who;
                    while !is_over.load(Relaxed) {
                        sandbox.switch(["1.0.0", "2.0.0"][round % 2], who);
                        round += 1;
                        // With more syncs, each pauses longer, so that some builds succeed.
                        thread::sleep(Duration::from_millis(20 * syncs as u64));
                    }
                });
            }
            let runs = (0..5).map(|_| build(&consumer)).collect();
            is_over.store(true, Relaxed);
            runs
        });
        for run in runs {
            if run.ok {
                assert!(known.contains(&run.stdout), "mixed:\n{}", run.stdout);
                whole += 1;
            } else {
                for error in run.errors() {
                    let is_known = BUILD_ERRORS.iter().any(|refusal| error.contains(refusal));
                    assert!(is_known, "unexpected error: {error}\n{}", run.stderr);
                }
                refused += 1;
            }
        }
    }
    println!("{whole} builds had one version, {refused} were refused");
    // Whichever sync was last, the project builds with one version.
    sandbox.skills(["sync"]).succeeds();
    let last = build(&consumer).success();
    assert!(known.contains(&last.stdout), "{}", last.stdout);
}
