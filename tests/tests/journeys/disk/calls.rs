//! What the kernel is asked for: the net under the points, which would not show a change that has none.
//!
//! Needs `strace`; without it, or where it may not trace, a line on stderr says that this is left out.

use super::{
    deeds::{Outcome, Place, SYNC},
    is_whole,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// Calls that can change a disk. Of those with `?` not every machine knows all.
const CALLS: &str = "openat,write,pwrite64,writev,?rename,?renameat,renameat2,?unlink,unlinkat,?mkdir,mkdirat,?rmdir,\
                     fsync,fdatasync,ftruncate,?chmod,fchmod,fchmodat,utimensat,copy_file_range";

/// So many of the calls are tried in the quick run.
const SAMPLE: usize = 30;

fn can_trace() -> bool {
    let can = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let can = can.is_ok_and(|run| run.status.success());
    if !can {
        eprintln!("left out: there is no `strace`, or it may not trace here");
    }
    can
}

/// One call as it was seen.
struct Call {
    process: String,
    name: String,
    /// Which files of project and cache it is about.
    paths: Vec<String>,
    /// Whether it opens a file only to read it.
    only_reads: bool,
}

/// All calls of a sync.
fn trace(place: &Place) -> Vec<Call> {
    place.set_up(&SYNC);
    let log = place.sandbox.path("tmp/trace");
    let calls = format!("trace={CALLS}");
    let arguments = [
        "-f",
        "-qq",
        "-y",
        "-s",
        "0",
        "-o",
        log.to_str().unwrap(),
        "-e",
        &calls,
        "-e",
        "signal=none",
    ];
    place.sandbox.command(SYNC.arguments).under("strace", arguments).run().succeeds();
    let text = fs::read_to_string(&log).unwrap();
    place.sandbox.remove("tmp/trace");
    let ours = ["project", "cache"].map(|name| place.sandbox.path(name).canonicalize().unwrap());
    let is_ours = |path: &String| ours.iter().any(|ours| Path::new(path).starts_with(ours));
    let mut calls = Vec::new();
    for line in text.lines() {
        // A call that another thread cuts in two is told in two lines; the first has the paths.
        let Some((process, call)) = line.split_once(' ') else { continue };
        let Some((name, rest)) = call.trim_start().split_once('(') else { continue };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let paths: Vec<String> = paths(rest).into_iter().filter(is_ours).collect();
        let only_reads = name == "openat" && rest.contains("O_RDONLY");
        calls.push(Call { process: process.to_owned(), name: name.to_owned(), paths, only_reads });
    }
    calls
}

/// The paths of a line: names in quotes, from the directory before them where they need one; else what is open.
fn paths(rest: &str) -> Vec<String> {
    let (mut named, mut open) = (Vec::new(), Vec::<String>::new());
    let mut rest = rest;
    while let Some(start) = rest.find(['"', '<']) {
        let is_name = rest.as_bytes()[start] == b'"';
        let Some((path, after)) = rest[start + 1..].split_once(if is_name { '"' } else { '>' })
        else {
            break;
        };
        if !is_name {
            open.push(path.to_owned());
        } else if !path.is_empty() {
            let base = open.last().map_or("/", String::as_str);
            named.push(Path::new(base).join(path).to_str().unwrap().to_owned());
        }
        rest = after;
    }
    if named.is_empty() { open } else { named }
}

/// First bytes, then the name, then the directory; the listing after its files, the lock after the listings, and only
/// then what leaves.
#[test]
fn what_is_named_is_durable_before_its_name_and_the_lock_comes_last() {
    if !can_trace() {
        return;
    }
    let place = Place::new();
    drop(place.learn(&SYNC));
    let calls = trace(&place);
    let project = place.sandbox.path("project").canonicalize().unwrap();
    let store = project.join("helix.skills").to_str().unwrap().to_owned();
    let is_staging = |path: &str| path.contains("/.staging");
    let mut durable: BTreeSet<&str> = BTreeSet::new();
    // What is new or gone in a directory that was not made durable since.
    let mut open: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut files, mut listings, mut locked) = (0, 0, false);
    for Call { name, paths, .. } in &calls {
        let Some(last) =
            paths.last().map(String::as_str).filter(|path| Path::new(path).starts_with(&project))
        else {
            continue;
        };
        let above = Path::new(last).parent().unwrap().to_str().unwrap().to_owned();
        let below = |directory: &str| -> Option<(&String, &Vec<String>)> {
            open.iter().find(|(path, _)| path.starts_with(directory) && !is_staging(path))
        };
        match name.as_str() {
            "fsync" | "fdatasync" => {
                durable.insert(last);
                open.remove(last);
            }
            "write" | "pwrite64" | "writev" | "copy_file_range" => drop(durable.remove(last)),
            "rename" | "renameat" | "renameat2" => {
                assert!(
                    durable.contains(paths[0].as_str()),
                    "`{last}` has its name before its bytes are durable"
                );
                if last.ends_with("/helix.skills.lock") {
                    assert_eq!(
                        below(&store),
                        None,
                        "the lock is in place before these are durable"
                    );
                    assert!(listings > 0, "the lock is in place before any listing");
                    locked = true;
                } else {
                    assert!(!locked, "`{last}` comes after the lock");
                    match last.strip_suffix(".sha256") {
                        Some(skill) => {
                            assert_eq!(
                                below(&format!("{skill}/")),
                                None,
                                "`{last}` is in place before its files"
                            );
                            assert_eq!(below(skill), None, "`{last}` is in place before its files");
                            listings += 1;
                        }
                        None => files += 1,
                    }
                }
                open.entry(above).or_default().push(format!("renamed {last}"));
            }
            "mkdir" | "mkdirat" if !is_staging(last) => {
                open.entry(above).or_default().push(format!("made {last}"))
            }
            "unlink" | "unlinkat" | "rmdir" if !is_staging(last) && !last.ends_with(".new") => {
                assert!(locked, "`{last}` is removed before the lock knows");
                open.entry(above).or_default().push(format!("removed {last}"));
            }
            _ => {}
        }
    }
    println!("{files} files, {listings} listings, lock: {locked}");
    assert!(locked && files >= 3 && listings >= 2);
    open.retain(|directory, _| Path::new(directory).is_dir());
    assert_eq!(open, BTreeMap::new(), "a loss of power could take these back");
}

/// Every call that changes project or cache, by its name and its number; strace counts the calls of each thread.
fn changes(place: &Place) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut changes = BTreeSet::new();
    for call in trace(place) {
        let number = counts.entry((call.process, call.name.clone())).or_default();
        *number += 1;
        if !call.paths.is_empty() && !call.only_reads {
            changes.insert((call.name, *number));
        }
    }
    changes.into_iter().collect()
}

/// How a call goes wrong.
#[derive(Clone, Copy)]
enum Wrong {
    /// The program ends there.
    Killed,
    /// There is no room.
    Full,
}

/// Lets one call of a sync go wrong; the next sync repairs.
fn goes_wrong(place: &Place, outcome: &Outcome, (call, number): &(String, usize), wrong: Wrong) {
    place.set_up(&SYNC);
    let how = match wrong {
        Wrong::Killed => "signal=KILL",
        Wrong::Full => "error=ENOSPC",
    };
    let inject = format!("inject={call}:{how}:when={number}");
    let arguments = ["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
    let run = place.sandbox.command(SYNC.arguments).under("strace", arguments).run();
    assert!(!run.stderr.contains("panicked"), "{inject}: {run}");
    match (run.code, wrong) {
        // Threads take turns: in this run it may have been another's call, or none.
        (Some(0), _) => {}
        (code, Wrong::Killed) => assert!(code.is_none_or(|code| code > 128), "{inject}: {run}"),
        (Some(7), Wrong::Full) => assert!(run.stderr.contains("help: "), "{inject}: {run}"),
        // What is only looked at fails in other ways.
        (code, Wrong::Full) => assert!(code.is_some_and(|code| code <= 7), "{inject}: {run}"),
    }
    is_whole(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &inject);
    outcome.is_reached_again(&place.sandbox, &inject);
}

#[test]
fn a_sample_of_the_calls_that_change_the_disk_goes_wrong_and_the_next_sync_repairs() {
    if !can_trace() {
        return;
    }
    let place = Place::in_memory();
    let outcome = place.learn(&SYNC);
    let changes = changes(&place);
    assert!(changes.len() > 40, "{changes:?}");
    let sample: Vec<_> = changes.iter().step_by(changes.len().div_ceil(SAMPLE)).collect();
    println!("{} of {} calls", sample.len(), changes.len());
    for (at, change) in sample.into_iter().enumerate() {
        goes_wrong(&place, &outcome, change, [Wrong::Killed, Wrong::Full][at % 2]);
    }
}

#[test]
#[ignore = "needs strace, and minutes"]
fn any_call_that_changes_the_disk_goes_wrong_and_the_next_sync_repairs() {
    assert!(can_trace(), "this is asked for by name");
    let place = Place::in_memory();
    let outcome = place.learn(&SYNC);
    let changes = changes(&place);
    for change in &changes {
        for wrong in [Wrong::Killed, Wrong::Full] {
            goes_wrong(&place, &outcome, change, wrong);
        }
    }
    println!("{} calls, each in two ways", changes.len());
}
