//! Readers during a sync see the old or the new state.

use helix_skills_tests::{Change, Sandbox, Upstream};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

/// The commands that read.
const READERS: [&[&str]; 4] = [
    &["sync", "--check", "--store"],
    &["show", "a"],
    &["catalog", "--preload", "a"],
    &["catalog", "--json"],
];

fn switched() -> (Sandbox, Upstream) {
    let sandbox = Sandbox::new();
    let upstream = sandbox.upstream("repo");
    for (version, word) in [("1.0.0", "one"), ("2.0.0", "another")] {
        let mut change = Change::new().remove_all();
        for skill in ["a", "b"] {
            let text = format!(
                "---\nname: {skill}\ndescription: Says {word}. Use when asked.\n---\n{word}\n"
            );
            change = change.text(&format!("skills/{skill}/SKILL.md"), &text);
            for number in 0..5 {
                change = change.text(&format!("skills/{skill}/{number}.md"), &format!("{word}\n"));
            }
            change = change.text(&format!("skills/{skill}/{word}.md"), word);
        }
        upstream.commit(change);
        upstream.tag(&format!("v{version}"));
    }
    (sandbox, upstream)
}

fn readers_during(syncs: usize) {
    let (sandbox, _upstream) = switched();
    let known: Vec<_> = ["1.0.0", "2.0.0"]
        .map(|version| {
            sandbox.switch(version, 0);
            READERS
                .map(|question| sandbox.skills(question).succeeds())
                .map(|run| (run.stdout, run.stderr))
        })
        .into();
    let (sandbox, known, is_over) = (&sandbox, &known, &AtomicBool::new(false));
    let (answers, refusals) = thread::scope(|scope| {
        let readers: Vec<_> = READERS
            .iter()
            .enumerate()
            .map(|(at, question)| {
                scope.spawn(move || {
                    let (mut answers, mut refusals) = (0, 0);
                    while !is_over.load(Relaxed) {
                        let run = sandbox.command(*question).alongside_others().run();
                        assert!(!run.stderr.contains("panicked"), "{run}");
                        if run.code == Some(0) {
                            // The data is from one state; messages may say that the manifest
                            // changed.
                            assert!(
                                known.iter().any(|known| known[at].0 == run.stdout),
                                "mixed: {run}"
                            );
                            answers += 1;
                        } else {
                            assert!(matches!(run.code, Some(1 | 5 | 7)), "{run}");
                            let has_error =
                                run.stderr.contains("error: ") || run.stdout.contains("\"errors\"");
                            assert!(has_error, "{run}");
                            refusals += 1;
                        }
                    }
                    (answers, refusals)
                })
            })
            .collect();
        let writers: Vec<_> = (0..syncs)
            .map(|who| {
                scope.spawn(move || {
                    for round in 0..12 / syncs.min(12) + 2 {
                        sandbox.switch(["1.0.0", "2.0.0"][(round + who) % 2], who);
                    }
                })
            })
            .collect();
        let ended: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        is_over.store(true, Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap());
        let counts = readers.into_iter().map(|reader| reader.join().unwrap());
        counts.fold((0, 0), |(all, none), (answers, refusals)| (all + answers, none + refusals))
    });
    println!("{syncs} concurrent syncs: {answers} reads succeeded, {refusals} failed");
    assert!(answers > 0);
    // Whichever sync was last, the project is consistent.
    sandbox.skills(["sync"]).succeeds();
    let last = sandbox.skills(["catalog", "--preload", "a"]).succeeds();
    assert!(known.iter().any(|known| known[2].0 == last.stdout), "{last}");
    sandbox.skills(["sync", "--check", "--store"]).succeeds();
}

#[test]
fn readers_see_whole_states_during_two_syncs() {
    readers_during(2);
}

#[test]
fn readers_see_whole_states_during_eight_syncs() {
    readers_during(8);
}

/// Processes with different caches exclude each other, because the lock is on the project.
#[test]
fn processes_with_different_caches_exclude_each_other() {
    let (sandbox, _upstream) = switched();
    sandbox.switch("1.0.0", 0);
    let sandbox = &sandbox;
    thread::scope(|scope| {
        for who in 0..4_usize {
            scope.spawn(move || {
                for version in ["2.0.0", "1.0.0"] {
                    let manifest = json!({"skills": {"repo": {
                        "type": "git", "url": "../../upstream/repo.git", "version": version,
                    }}});
                    let named = format!("{who}.json");
                    sandbox.write(format!("project/.{who}/{named}"), manifest.to_string());
                    let manifest = format!(".{who}/{named}");
                    let options = [
                        "--manifest",
                        &manifest,
                        "--lock",
                        "helix.skills.lock",
                        "--out",
                        "helix.skills",
                    ];
                    let command = sandbox.command(["sync"].iter().chain(&options));
                    let command =
                        command.env("HELIX_SKILLS_CACHE", sandbox.path(format!("cache/{who}")));
                    command.alongside_others().run().succeeds();
                }
            });
        }
    });
    assert!(!sandbox.exists("project/helix.skills/.staging"));
    let files = sandbox.files("project/helix.skills");
    let all = |word: &str| {
        files
            .iter()
            .filter(|path| {
                path.ends_with(".md") && !path.ends_with("one.md") && !path.ends_with("another.md")
            })
            .all(|path| sandbox.read(format!("project/helix.skills/{path}")).contains(word))
    };
    assert!(all("one\n") || all("another\n"), "{files:?}");
}
