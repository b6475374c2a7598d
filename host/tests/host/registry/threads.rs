//! Many threads with one registry.

use super::{names, skill};
use helix_skills_agent::{Registry, SkillQuery};
use helix_skills_host::SharedRegistry;
use std::{
    collections::BTreeSet,
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

const WRITERS: usize = 4;
const ROUNDS: usize = 200;

/// Asserts that every skill is intact and under its name.
fn check(registry: &Registry) {
    assert!(registry.set().names().is_sorted_by(|one, other| one < other));
    for skill in registry.set().iter() {
        assert_eq!(skill.body(), format!("Do as {}", skill.description()));
        assert!(skill.description().starts_with(skill.name()));
    }
    let found = SkillQuery::new().text("OWN").search(registry.set());
    assert!(found.iter().all(|skill| skill.name().starts_with("own")));
}

#[test]
fn every_change_is_reported_once_and_in_order() {
    let skills = SharedRegistry::new();
    let reported = skills.subscribe();

    let (start, is_over) = (Barrier::new(WRITERS + 2), AtomicBool::new(false));
    let changes: usize = thread::scope(|scope| {
        let readers = [0, 1].map(|_| {
            scope.spawn(|| {
                start.wait();
                let mut last = skills.snapshot();
                while !is_over.load(Ordering::SeqCst) {
                    let now = skills.snapshot();
                    check(&now);
                    check(&last); // as it was
                    last = now;
                    if let Some(skill) = skills.snapshot().set().get("shared-1").cloned() {
                        assert_eq!(skill.body(), format!("Do as {}", skill.description()));
                    }
                }
            })
        });
        let (skills, start) = (&skills, &start);
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                scope.spawn(move || {
                    start.wait();
                    let (own, mut changes) = (format!("own-{writer}"), 0);
                    for round in 0..ROUNDS {
                        let shared = format!("shared-{}", round % 3);
                        let version = format!("{shared} {writer} {round}");
                        match round % 4 {
                            0 => {
                                changes += usize::from(
                                    skills
                                        .update(|all| all.register(skill(&shared, &version)))
                                        .is_ok(),
                                )
                            }
                            1 => {
                                skills.update(|all| all.replace(skill(&shared, &version))); // no two are equal
                                changes += 1;
                            }
                            2 => {
                                changes +=
                                    usize::from(skills.update(|all| all.remove(&shared)).is_some())
                            }
                            _ => {
                                let pair = [shared, own.clone()];
                                let pair = pair.map(|name| {
                                    (
                                        name.clone(),
                                        Ok::<_, String>(skill(&name, &format!("{name} {version}"))),
                                    )
                                });
                                let changed = skills.update(|all| {
                                    let before = all.clone();
                                    let _ = all.extend(pair);
                                    all.changes_since(&before) != Default::default()
                                });
                                changes += usize::from(changed);
                            }
                        }
                        assert_eq!(skills.snapshot().set().get(&own).is_some(), round >= 3);
                    }
                    changes
                })
            })
            .collect();
        // Joins all writers before a failed one ends the test, because readers wait for them.
        let changes: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        is_over.store(true, Ordering::SeqCst);
        for reader in readers {
            reader.join().unwrap();
        }
        changes.into_iter().map(Result::unwrap).sum()
    });
    // Applying all changes in order leads to the registry that arrives with each of them.
    let (mut replayed, mut count) = (BTreeSet::new(), 0);
    for (change, registry) in reported.try_iter() {
        for name in &change.added {
            assert!(replayed.insert(name.clone()), "{name} was there");
        }
        assert!(change.replaced.iter().all(|name| replayed.contains(name)));
        for name in &change.removed {
            assert!(replayed.remove(name), "{name} was not there");
        }
        assert!(registry.set().names().eq(replayed.iter()));
        count += 1;
    }
    assert_eq!(count, changes);
    assert!(changes > ROUNDS, "{changes}");
    let own: Vec<_> = names(&skills).into_iter().filter(|name| name.starts_with("own")).collect();
    assert_eq!(own, ["own-0", "own-1", "own-2", "own-3"]);
}

/// Subscribes and unsubscribes during changes.
#[test]
fn threads_subscribe_and_unsubscribe_while_others_change() {
    let skills = SharedRegistry::new();
    let start = Barrier::new(WRITERS);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (skills, start) = (&skills, &start);
            scope.spawn(move || {
                start.wait();
                for round in 0..ROUNDS {
                    let changes = skills.subscribe();
                    let name = format!("own-{writer}");
                    skills.update(|all| all.replace(skill(&name, &format!("{name} {round}"))));
                    // Other threads may have made changes meanwhile.
                    let now = changes.try_iter().inspect(|(_, now)| check(now));
                    assert!((1..=WRITERS * ROUNDS).contains(&now.count()));
                }
            });
        }
    });
    assert_eq!(names(&skills).len(), WRITERS);
    let changes = skills.subscribe();
    skills.update(|all| all.remove("own-0"));
    assert_eq!(changes.try_iter().count(), 1);
}
