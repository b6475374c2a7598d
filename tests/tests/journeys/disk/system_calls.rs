//! System calls of a sync, to find changes of the disk that the failure points miss.
//!
//! `clippy.toml` keeps changes of the disk in the modules `disk` of project and cli, where each one
//! has a failure point; the traces here check that there are no others. They require `strace`: if
//! it is missing or not permitted, the tests are skipped with a line on stderr.

use super::{
    commands::{DiskProject, Outcome, SYNC},
    is_consistent,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// Calls that can change a disk. Those with `?` do not exist on every architecture.
const CALLS: &str = "openat,write,pwrite64,writev,?rename,?renameat,renameat2,?unlink,unlinkat,?mkdir,mkdirat,?rmdir,\
                     fsync,fdatasync,ftruncate,?chmod,fchmod,fchmodat,utimensat,copy_file_range";

/// Number of calls that the quick test tries.
const SAMPLE_SIZE: usize = 30;

fn can_trace() -> bool {
    let can = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let can = can.is_ok_and(|run| run.status.success());
    if !can {
        eprintln!("skipped: `strace` is missing or not permitted");
    }
    can
}

/// A traced call.
struct Call {
    process: String,
    name: String,
    /// The files of project and cache that it names.
    paths: Vec<String>,
    /// Whether it opens a file only for reading.
    is_read_only: bool,
}

/// Traces all calls of a sync.
fn trace(place: &DiskProject) -> Vec<Call> {
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
        // strace prints a call that another thread interrupts as two lines; the first has the
        // paths.
        let Some((process, call)) = line.split_once(' ') else { continue };
        let Some((name, rest)) = call.trim_start().split_once('(') else { continue };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            continue;
        }
        let paths: Vec<String> = paths(rest).into_iter().filter(is_ours).collect();
        let is_read_only = name == "openat" && rest.contains("O_RDONLY");
        calls.push(Call {
            process: process.to_owned(),
            name: name.to_owned(),
            paths,
            is_read_only,
        });
    }
    calls
}

/// Returns the paths of a call: quoted names, resolved against the directory before them; otherwise
/// the open files.
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

/// Order of writes: a file's bytes, its name, its directory; the listing after its files, the
/// lockfile after the listings; removals last.
#[test]
fn writes_are_durable_in_order_with_the_lockfile_last() {
    if !can_trace() {
        return;
    }
    let place = DiskProject::new();
    drop(place.run_without_failures(&SYNC));
    let calls = trace(&place);
    let project = place.sandbox.path("project").canonicalize().unwrap();
    let store = project.join("helix.skills").to_str().unwrap().to_owned();
    let is_staging = |path: &str| path.contains("/.staging");
    let mut durable: BTreeSet<&str> = BTreeSet::new();
    // New or removed names of a directory that was not synced since.
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
                        "the lockfile is renamed before these are durable"
                    );
                    assert!(listings > 0, "the lockfile is renamed before any listing");
                    locked = true;
                } else {
                    assert!(!locked, "`{last}` comes after the lockfile");
                    match last.strip_suffix(".sha256") {
                        Some(skill) => {
                            assert_eq!(
                                below(&format!("{skill}/")),
                                None,
                                "`{last}` is renamed before its files"
                            );
                            assert_eq!(below(skill), None, "`{last}` is renamed before its files");
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
                assert!(locked, "`{last}` is removed before the lockfile is written");
                open.entry(above).or_default().push(format!("removed {last}"));
            }
            _ => {}
        }
    }
    println!("{files} files, {listings} listings, lockfile: {locked}");
    assert!(locked && files >= 3 && listings >= 2);
    open.retain(|directory, _| Path::new(directory).is_dir());
    assert_eq!(open, BTreeMap::new(), "a power failure could undo these");
}

/// Returns every call that changes project or cache, by name and number; strace counts the calls of
/// each thread.
fn changes(place: &DiskProject) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut changes = BTreeSet::new();
    for call in trace(place) {
        let number = counts.entry((call.process, call.name.clone())).or_default();
        *number += 1;
        if !call.paths.is_empty() && !call.is_read_only {
            changes.insert((call.name, *number));
        }
    }
    changes.into_iter().collect()
}

/// An injected failure of a call.
#[derive(Clone, Copy)]
enum Injected {
    /// The program is killed at the call.
    Killed,
    /// The call fails because the disk is full.
    Full,
}

/// Makes one call of a sync fail, then checks that the next sync repairs everything.
fn fail_one_call(
    place: &DiskProject,
    outcome: &Outcome,
    (call, number): &(String, usize),
    injected: Injected,
) {
    place.set_up(&SYNC);
    let how = match injected {
        Injected::Killed => "signal=KILL",
        Injected::Full => "error=ENOSPC",
    };
    let inject = format!("inject={call}:{how}:when={number}");
    let arguments = ["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &inject];
    let run = place.sandbox.command(SYNC.arguments).under("strace", arguments).run();
    assert!(!run.stderr.contains("panicked"), "{inject}: {run}");
    match (run.code, injected) {
        // Threads are scheduled differently: in this run the call may be another one, or not
        // happen.
        (Some(0), _) => {}
        (code, Injected::Killed) => assert!(code.is_none_or(|code| code > 128), "{inject}: {run}"),
        (Some(7), Injected::Full) => assert!(run.stderr.contains("help: "), "{inject}: {run}"),
        // Calls that only read fail in other ways.
        (code, Injected::Full) => assert!(code.is_some_and(|code| code <= 7), "{inject}: {run}"),
    }
    is_consistent(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &inject);
    outcome.is_completed_by_a_retry(&place.sandbox, &inject);
}

#[test]
fn sync_recovers_from_failures_of_sampled_calls() {
    if !can_trace() {
        return;
    }
    let place = DiskProject::in_memory();
    let outcome = place.run_without_failures(&SYNC);
    let changes = changes(&place);
    assert!(changes.len() > 30, "{changes:?}");
    let sample: Vec<_> = changes.iter().step_by(changes.len().div_ceil(SAMPLE_SIZE)).collect();
    println!("{} of {} calls", sample.len(), changes.len());
    for (at, change) in sample.into_iter().enumerate() {
        fail_one_call(&place, &outcome, change, [Injected::Killed, Injected::Full][at % 2]);
    }
}

#[test]
#[ignore = "requires strace, takes minutes"]
fn sync_recovers_from_failures_of_every_call() {
    assert!(can_trace(), "`strace` is required");
    let place = DiskProject::in_memory();
    let outcome = place.run_without_failures(&SYNC);
    let changes = changes(&place);
    for change in &changes {
        for injected in [Injected::Killed, Injected::Full] {
            fail_one_call(&place, &outcome, change, injected);
        }
    }
    println!("{} calls, each in two ways", changes.len());
}
