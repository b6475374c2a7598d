//! Each change of each command: the program ends before it, or the disk refuses it.

use super::{
    deeds::{DEEDS, Deed, Place, SYNC},
    is_whole,
};
use std::thread;

/// The system's codes for no room, a broken disk, no permission, a disk that is only read, and two kinds of too many
/// files; with what the help says of each.
const CODES: [(i32, &str); 6] = [
    (28, "make room"),
    (5, "dmesg"),
    (13, "writable"),
    (30, "writable"),
    (24, "ulimit -n"),
    (23, "ulimit -n"),
];

/// How many changes a command makes, how many of them were refused, and how many of these refusals made it fail.
struct Count {
    arguments: &'static [&'static str],
    changes: usize,
    refused: usize,
    failed: usize,
}

/// Ends the command before every change, and refuses it every `stride`th.
fn at_every_change(place: &Place, deed: &Deed, stride: usize) -> Count {
    let outcome = place.learn(deed);
    let command = || place.sandbox.command(deed.arguments);
    let is_whole =
        |what: &str| is_whole(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, what);
    let mut count = Count { arguments: deed.arguments, changes: 0, refused: 0, failed: 0 };
    loop {
        let point = count.changes + 1;
        place.set_up(deed);
        let what = format!("{:?} ended before change {point}", deed.arguments);
        let run = command().crash_at(u64::try_from(point).unwrap()).run();
        if outcome.is_end(&run) {
            return count;
        }
        run.is_killed();
        is_whole(&what);
        outcome.is_reached_again(&place.sandbox, &what);
        count.changes += 1;
        if !count.changes.is_multiple_of(stride) {
            continue;
        }

        let (code, help) = CODES[count.refused % CODES.len()];
        place.set_up(deed);
        let what = format!("{:?} refused change {point} with {code}", deed.arguments);
        let run = command().fail_at(&format!("{point}:{code}")).run();
        is_whole(&what);
        // The cache may fail, and what only cleans up.
        if !outcome.is_end(&run) {
            let run = run.exits(7).says([
                "error: cannot ",
                &format!("(os error {code})"),
                "help: ",
                help,
            ]);
            let names = ["/project", "/cache"].iter().any(|place| run.stderr.contains(place));
            assert!(names, "{what}: no file is named\n{run}");
            count.failed += 1;
        }
        outcome.is_reached_again(&place.sandbox, &what);
        count.refused += 1;
    }
}

fn whatever_happens(stride: usize) {
    // Each command has a sandbox and a thread.
    let counts: Vec<Count> = thread::scope(|scope| {
        let check = |deed| move || at_every_change(&Place::in_memory(), deed, stride);
        let threads: Vec<_> = DEEDS.iter().map(|deed| scope.spawn(check(deed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for Count { arguments, changes, refused, failed } in counts {
        println!(
            "{arguments:?}: ended at {changes} changes, refused {refused}, which failed {failed} times"
        );
        assert!(changes >= 2 && (failed > 0 || changes < stride), "{arguments:?}");
    }
}

/// The same command again finishes what was begun, and nothing is ever half: ended before any change, or refused it.
#[test]
fn whatever_happens_at_any_change_the_same_command_finishes_it() {
    whatever_happens(3);
}

#[test]
#[ignore = "a minute; the same with every change refused in place of every third"]
fn whatever_change_is_refused_the_same_command_finishes_it() {
    whatever_happens(1);
}

/// From one moment on nothing can be written or removed any more, cleaning up included.
#[test]
fn on_a_disk_that_cannot_be_written_any_more_nothing_is_torn() {
    let place = Place::in_memory();
    let outcome = place.learn(&SYNC);
    for point in (1..).step_by(4) {
        place.set_up(&SYNC);
        let run = place.sandbox.command(SYNC.arguments).fail_at(&format!("{point}..:30")).run();
        if outcome.is_end(&run) {
            assert!(point > 20, "{run}");
            return;
        }
        run.exits(7).says(["(os error 30)", "help: make ", " writable"]);
        let what = format!("no change from {point} on");
        is_whole(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &what);
        let check = place.sandbox.skills(["sync", "--check"]);
        assert!(check.code.is_some_and(|code| code <= 7), "{what}: {check}");
        outcome.is_reached_again(&place.sandbox, &what);
    }
}
