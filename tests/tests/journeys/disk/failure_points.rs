//! Failures at each change that a command makes: the program is killed before it, or the change
//! fails.

use super::{
    commands::{ADD, COMMANDS, DiskCommand, DiskProject, FIRST_ADD, SYNC},
    is_consistent,
};
use helix_skills_tests::sandbox::{is_in_wine, kill_stride};
use std::thread;

/// OS errors with a part of their hint: disk full, read-only file system, permission denied, I/O
/// error, too many open files in the process, and in the system.
const UNIX_CODES: [(i32, &str); 6] = [
    (28, "free space"),
    (30, "writable"),
    (13, "writable"),
    (5, "dmesg"),
    (24, "ulimit -n"),
    (23, "ulimit -n"),
];

/// The first three, and a file in use.
const WINDOWS_CODES: [(i32, &str); 4] =
    [(112, "free space"), (19, "writable"), (5, "writable"), (32, "has it open")];

fn codes() -> &'static [(i32, &'static str)] {
    if is_in_wine() { &WINDOWS_CODES } else { &UNIX_CODES }
}

/// The number of changes of a command, of injected errors, and of runs that failed because of them.
struct Count {
    arguments: &'static [&'static str],
    changes: usize,
    errors: usize,
    failed: usize,
}

/// Kills the command before every change, and makes every `stride`th of them fail.
fn at_every_change(place: &DiskProject, command: &DiskCommand, stride: usize) -> Count {
    let outcome = place.run_without_failures(command);
    let prepared = || place.sandbox.command(command.arguments);
    let is_consistent = |what: &str| {
        is_consistent(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, what)
    };
    let mut count = Count { arguments: command.arguments, changes: 0, errors: 0, failed: 0 };
    for point in (1..).step_by(kill_stride()) {
        place.set_up(command);
        let what = format!("{:?} killed before change {point}", command.arguments);
        let run = prepared().crash_at(point).run();
        if outcome.is_expected_end(&run) {
            break;
        }
        run.is_killed();
        is_consistent(&what);
        outcome.is_completed_by_a_retry(&place.sandbox, &what);
        count.changes += 1;
        if !count.changes.is_multiple_of(stride) {
            continue;
        }

        let (code, help) = codes()[count.errors % codes().len()];
        place.set_up(command);
        let what = format!("{:?} failed change {point} with {code}", command.arguments);
        let run = prepared().fail_at(&format!("{point}:{code}")).run();
        is_consistent(&what);
        // Errors in the cache and in cleanup are not fatal.
        if !outcome.is_expected_end(&run) {
            let run = run.exits(7).says(["error: ", &format!("(os error {code})"), "help: ", help]);
            let names = ["/project", "/cache"].iter().any(|place| run.stderr.contains(place));
            assert!(names, "{what}: expected the name of a file\n{run}");
            count.failed += 1;
        }
        outcome.is_completed_by_a_retry(&place.sandbox, &what);
        count.errors += 1;
    }
    count
}

fn every_failure(stride: usize) {
    // Each command has its own sandbox and thread.
    let counts: Vec<Count> = thread::scope(|scope| {
        let check = |command| move || at_every_change(&DiskProject::in_memory(), command, stride);
        let threads: Vec<_> = COMMANDS.iter().map(|command| scope.spawn(check(command))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for Count { arguments, changes, errors, failed } in counts {
        println!(
            "{arguments:?}: killed at {changes} changes; {errors} errors, of which {failed} were fatal"
        );
        assert!(changes > 0 && (failed > 0 || changes < stride), "{arguments:?}");
    }
}

/// After a kill before any change, or an error in one, no file is partial, and the same command
/// finishes the work.
#[test]
fn commands_recover_from_sampled_failures() {
    every_failure(3);
}

#[test]
#[ignore = "takes a minute; like the previous test, with an error in every change"]
fn commands_recover_from_every_failure() {
    every_failure(1);
}

/// The manifest is written last, so a sync undoes what a failed command wrote before.
#[test]
fn failed_add_is_undone_by_a_sync_or_completed() {
    let place = DiskProject::in_memory();
    let (code, _) = codes()[0];
    let next = [
        (ADD, "run the same command again, or `skills sync` to undo what was written"),
        (FIRST_ADD, "no manifest was written; run the same command again"),
    ];
    for (command, says) in next {
        let outcome = place.run_without_failures(&command);
        for point in (1..).step_by(3) {
            place.set_up(&command);
            let prepared = place.sandbox.command(command.arguments);
            let run = prepared.fail_at(&format!("{point}..:{code}")).run();
            if outcome.is_expected_end(&run) {
                assert!(point > 20, "{run}");
                break;
            }
            let what = format!("no change from {point} on: {run}");
            run.exits(7).says([says]);
            // A first manifest is there only if the last change, which makes it durable, failed.
            if command.arguments != FIRST_ADD.arguments {
                place.sandbox.skills(["sync"]).succeeds();
                let now = place.sandbox.snapshot("project");
                assert_eq!(now.contents(), outcome.old.contents(), "{what}");
            }
            outcome.is_completed_by_a_retry(&place.sandbox, &what);
        }
    }
}

/// From one change on, all changes fail, including those of cleanup.
#[test]
fn read_only_disk_leaves_no_partial_files() {
    let place = DiskProject::in_memory();
    let outcome = place.run_without_failures(&SYNC);
    let (code, _) = codes()[1];
    for point in (1..).step_by(4) {
        place.set_up(&SYNC);
        let run = place.sandbox.command(SYNC.arguments).fail_at(&format!("{point}..:{code}")).run();
        if outcome.is_expected_end(&run) {
            assert!(point > 20, "{run}");
            return;
        }
        run.exits(7).says([&format!("(os error {code})"), "help: ", " writable"]);
        let what = format!("no change from {point} on");
        is_consistent(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &what);
        let check = place.sandbox.skills(["sync", "--check"]);
        assert!(check.code.is_some_and(|code| code <= 7), "{what}: {check}");
        outcome.is_completed_by_a_retry(&place.sandbox, &what);
    }
}
