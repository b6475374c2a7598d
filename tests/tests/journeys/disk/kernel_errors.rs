//! Errors of the real kernel: disk full, file size limit, open files limit, read-only.
//!
//! Some tests need a mount namespace or a process without superuser capabilities. If that is not
//! available, they are skipped with a line on stderr.

use super::{
    commands::{DiskProject, SYNC},
    is_consistent,
};
use std::{fs, os::unix::fs::PermissionsExt as _, process::Command};

/// Runs `skills` without the superuser's capability to write anywhere.
const WITHOUT_WRITE_CAPABILITIES: [&str; 2] =
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

fn works(tool: &str, arguments: &[&str]) -> bool {
    let run = Command::new(tool)
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output();
    let works = run.is_ok_and(|run| run.status.success());
    if !works {
        eprintln!("skipped: `{tool}` does not support this here");
    }
    works
}

/// Shell script: runs a sync in a file system of `size` with a copy of the project and records exit
/// code and files, then applies `remedy` and runs a sync that has to succeed.
const IN_A_FILE_SYSTEM: &str = r#"set -e
size=$1 fault=$2 remedy=$3; shift 3
mount -t tmpfs -o "size=$size" project "$PWD"
cd "$PWD"
cp -a ../cache/initial/. .
$fault
code=0; "$@" || code=$?
mkdir ../cache/after_error && cp -a . ../cache/after_error
$remedy
"$@"
"$1" sync --check --store
mkdir ../cache/after_retry && cp -a . ../cache/after_retry
exit "$code""#;

/// Returns the exit code and stderr of the first sync.
fn in_a_file_system(
    place: &DiskProject,
    size: &str,
    fault: &str,
    remedy: &str,
) -> Option<(i32, String)> {
    let outcome = place.run_without_failures(&SYNC);
    place.set_up(&SYNC);
    let sandbox = &place.sandbox;
    sandbox.snapshot("project").contents().into_iter().for_each(|(path, bytes)| {
        sandbox.write(format!("cache/initial/{path}"), bytes);
    });
    let arguments = ["-rm", "sh", "-c", IN_A_FILE_SYSTEM, "sh", size, fault, remedy];
    let run = sandbox.command(SYNC.arguments).under("unshare", arguments).run();
    if !sandbox.exists("cache/after_retry") {
        // The file system is too small for the copy.
        assert!(
            !sandbox.exists("cache/after_error"),
            "{size} {fault}: the second sync failed\n{run}"
        );
        return None;
    }
    is_consistent(
        &sandbox.snapshot("cache/after_error"),
        &outcome.old,
        &outcome.new,
        &run.to_string(),
    );
    assert_eq!(sandbox.snapshot("cache/after_retry").contents(), outcome.new.contents(), "{run}");
    Some((run.code.unwrap(), run.stderr))
}

#[test]
fn full_disk_is_an_error_and_a_retry_completes() {
    if !works("unshare", &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k x /mnt"]) {
        return;
    }
    let place = DiskProject::new();
    let mut full = 0;
    for pages in (9..).step_by(2) {
        let ended = in_a_file_system(
            &place,
            &format!("{}k", pages * 4),
            ":",
            "mount -o remount,size=16m .",
        );
        match ended {
            None => assert!(full == 0, "{pages}"),
            Some((0, _)) => break,
            Some((7, said)) => {
                assert!(
                    said.contains("(os error 28)") && said.contains("help: free space on its disk"),
                    "{said}"
                );
                full += 1;
            }
            Some((code, said)) => panic!("{code}: {said}"),
        }
        assert!(pages < 200, "the size never sufficed");
    }
    println!("{full} sizes were too small");
    assert!(full > 2, "{full}");
}

#[test]
fn read_only_disk_is_an_error() {
    if !works(
        "unshare",
        &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k x /mnt && mount -o remount,ro /mnt"],
    ) {
        return;
    }
    let remount = ["mount -o remount,ro .", "mount -o remount,rw ."];
    let (code, said) =
        in_a_file_system(&DiskProject::new(), "16m", remount[0], remount[1]).unwrap();
    assert!(code == 7 && said.contains("(os error 30)"), "{code}: {said}");
    assert!(
        said.contains(
            "help: make it and its directory writable, or check without writing with `skills sync --check`"
        ),
        "{said}"
    );
}

/// With and without the signal for writes over the limit.
#[test]
fn file_size_limit_leaves_no_partial_files() {
    let place = DiskProject::new();
    let outcome = place.run_without_failures(&SYNC);
    for trap in ["trap '' XFSZ;", ""] {
        place.set_up(&SYNC);
        let limited = ["-c", &format!("{trap} ulimit -c 0; ulimit -f 1; exec \"$@\""), "sh"];
        let run = place.sandbox.command(SYNC.arguments).under("sh", limited).run();
        if trap.is_empty() {
            assert!(run.code.is_none_or(|code| code > 128), "{run}");
        } else {
            run.exits(7).says([
                "helix.skills/.staging/origin",
                "(os error 27)",
                "help: raise the limit on file sizes",
            ]);
        }
        is_consistent(
            &place.sandbox.snapshot("project"),
            &outcome.old,
            &outcome.new,
            "file size limit of one block",
        );
        outcome.is_completed_by_a_retry(&place.sandbox, "file size limit of one block");
    }
}

/// With any limit of open files: success or an error about the limit, and no partial files.
#[test]
fn open_file_limit_is_an_error() {
    let place = DiskProject::new();
    let outcome = place.run_without_failures(&SYNC);
    let mut refused = 0;
    for files in (4..60).step_by(2) {
        place.set_up(&SYNC);
        let limited = ["-c", &format!("ulimit -n {files}; exec \"$@\""), "sh"];
        let run = place.sandbox.command(SYNC.arguments).under("sh", limited).run();
        let what = format!("{files} files");
        is_consistent(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &what);
        assert!(!run.stderr.contains("panicked"), "{what}: {run}");
        outcome.is_completed_by_a_retry(&place.sandbox, &what);
        if run.code == Some(0) {
            break;
        }
        refused += 1;
        if run.code == Some(7) && run.stderr.contains("(os error 24)") {
            assert!(run.stderr.contains("help: "), "{what}: {run}");
        }
    }
    println!("{refused} limits of open files were too low");
    assert!(refused > 0 && refused < 28, "{refused}");
}

#[test]
fn unwritable_directories_are_reported() {
    let place = DiskProject::new();
    let outcome = place.run_without_failures(&SYNC);
    let sandbox = &place.sandbox;
    let shut = |path: &str, mode: u32| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    shut("cache", 0o555);
    let probe = sandbox.path("cache/probe").to_str().unwrap().to_owned();
    // The superuser may write everywhere.
    let is_super = fs::write(&probe, "").is_ok();
    if is_super {
        fs::remove_file(&probe).unwrap();
        let powerless = [WITHOUT_WRITE_CAPABILITIES[1], "sh", "-c", "! touch \"$0\"", &probe];
        if !works(WITHOUT_WRITE_CAPABILITIES[0], &powerless) {
            return shut("cache", 0o755);
        }
    }
    shut("cache", 0o755);
    let run = || match is_super {
        true => sandbox
            .command(SYNC.arguments)
            .under(WITHOUT_WRITE_CAPABILITIES[0], &WITHOUT_WRITE_CAPABILITIES[1..])
            .run(),
        false => sandbox.skills(SYNC.arguments),
    };
    for path in [
        "project",
        "project/helix.skills",
        "project/helix.skills/a",
        "project/helix.skills/leaves",
        "cache",
    ] {
        place.set_up(&SYNC);
        shut(path, 0o555);
        let run = run();
        shut(path, 0o755);
        is_consistent(&sandbox.snapshot("project"), &outcome.old, &outcome.new, path);
        if path == "cache" {
            run.succeeds().says(["warning: cannot add the skills to the cache", "(os error 13)"]);
        } else {
            run.exits(7).says([path, "(os error 13)", "help: make it and its directory writable"]);
        }
        outcome.is_completed_by_a_retry(sandbox, path);
    }
}
