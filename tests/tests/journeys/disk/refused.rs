//! What the kernel really refuses: room, large files, many files, and writing.
//!
//! Some of it needs a mount of one's own or a user without a superuser's powers. Where that cannot be had a line on stderr
//! says what was left out.

use super::{
    deeds::{Place, SYNC},
    is_whole,
};
use std::{fs, os::unix::fs::PermissionsExt as _, process::Command};

/// Runs `skills` with the superuser's right to write anywhere taken away.
const POWERLESS: [&str; 2] = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

fn works(tool: &str, arguments: &[&str]) -> bool {
    let run = Command::new(tool)
        .args(arguments)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .output();
    let works = run.is_ok_and(|run| run.status.success());
    if !works {
        eprintln!("left out: `{tool}` cannot do this here");
    }
    works
}

/// In a file system of its own, `size` large, with a copy of the project: a sync, its exit code, what is there then; then
/// `remedy`, and a sync that has to succeed.
const IN_A_FILE_SYSTEM: &str = r#"set -e
size=$1 malady=$2 remedy=$3; shift 3
mount -t tmpfs -o "size=$size" project "$PWD"
cd "$PWD"
cp -a ../cache/kept/. .
$malady
code=0; "$@" || code=$?
mkdir ../cache/then && cp -a . ../cache/then
$remedy
"$@"
"$1" sync --check --store
mkdir ../cache/last && cp -a . ../cache/last
exit "$code""#;

/// Gives how the first sync ended, and what it said.
fn in_a_file_system(
    place: &Place,
    size: &str,
    malady: &str,
    remedy: &str,
) -> Option<(i32, String)> {
    let outcome = place.learn(&SYNC);
    place.set_up(&SYNC);
    let sandbox = &place.sandbox;
    sandbox.snapshot("project").contents().into_iter().for_each(|(path, bytes)| {
        sandbox.write(format!("cache/kept/{path}"), bytes);
    });
    let arguments = ["-rm", "sh", "-c", IN_A_FILE_SYSTEM, "sh", size, malady, remedy];
    let run = sandbox.command(SYNC.arguments).under("unshare", arguments).run();
    if !sandbox.exists("cache/last") {
        // Not even the copy fits.
        assert!(!sandbox.exists("cache/then"), "{size} {malady}: the second sync failed\n{run}");
        return None;
    }
    is_whole(&sandbox.snapshot("cache/then"), &outcome.old, &outcome.new, &run.to_string());
    assert_eq!(sandbox.snapshot("cache/last").contents(), outcome.new.contents(), "{run}");
    Some((run.code.unwrap(), run.stderr))
}

#[test]
fn on_a_full_disk_a_sync_says_so_and_is_finished_when_there_is_room() {
    if !works("unshare", &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k x /mnt"]) {
        return;
    }
    let place = Place::new();
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
                    said.contains("(os error 28)") && said.contains("help: make room on its disk"),
                    "{said}"
                );
                full += 1;
            }
            Some((code, said)) => panic!("{code}: {said}"),
        }
        assert!(pages < 200, "there is no end");
    }
    println!("{full} sizes were too small");
    assert!(full > 2, "{full}");
}

#[test]
fn on_a_disk_that_is_only_read_a_sync_says_so() {
    if !works(
        "unshare",
        &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k x /mnt && mount -o remount,ro /mnt"],
    ) {
        return;
    }
    let remount = ["mount -o remount,ro .", "mount -o remount,rw ."];
    let (code, said) = in_a_file_system(&Place::new(), "16m", remount[0], remount[1]).unwrap();
    assert!(code == 7 && said.contains("(os error 30)"), "{code}: {said}");
    assert!(
        said.contains(
            "help: make the directory writable, or only check with `skills sync --check`"
        ),
        "{said}"
    );
}

/// With and without the signal that ends a program which writes too much.
#[test]
fn files_that_may_not_be_so_large_are_not_cut_off() {
    let place = Place::new();
    let outcome = place.learn(&SYNC);
    for trap in ["trap '' XFSZ;", ""] {
        place.set_up(&SYNC);
        let limited = ["-c", &format!("{trap} ulimit -c 0; ulimit -f 1; exec \"$@\""), "sh"];
        let run = place.sandbox.command(SYNC.arguments).under("sh", limited).run();
        if trap.is_empty() {
            assert!(run.code.is_none_or(|code| code > 128), "{run}");
        } else {
            run.exits(7).says([
                "helix.skills.lock",
                "(os error 27)",
                "help: raise the limit on the size of files",
            ]);
        }
        is_whole(
            &place.sandbox.snapshot("project"),
            &outcome.old,
            &outcome.new,
            "files of one block",
        );
        outcome.is_reached_again(&place.sandbox, "files of one block");
    }
}

/// However few files may be open: an answer, an error that says so, and nothing half.
#[test]
fn too_many_open_files_are_an_error_that_says_so() {
    let place = Place::new();
    let outcome = place.learn(&SYNC);
    let mut refused = 0;
    for files in (4..60).step_by(2) {
        place.set_up(&SYNC);
        let limited = ["-c", &format!("ulimit -n {files}; exec \"$@\""), "sh"];
        let run = place.sandbox.command(SYNC.arguments).under("sh", limited).run();
        let what = format!("{files} files");
        is_whole(&place.sandbox.snapshot("project"), &outcome.old, &outcome.new, &what);
        assert!(!run.stderr.contains("panicked"), "{what}: {run}");
        outcome.is_reached_again(&place.sandbox, &what);
        if run.code == Some(0) {
            break;
        }
        refused += 1;
        if run.code == Some(7) && run.stderr.contains("(os error 24)") {
            assert!(run.stderr.contains("help: "), "{what}: {run}");
        }
    }
    println!("{refused} numbers of open files were too few");
    assert!(refused > 0 && refused < 28, "{refused}");
}

#[test]
fn directories_that_nobody_may_write_are_named() {
    let place = Place::new();
    let outcome = place.learn(&SYNC);
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
        let powerless = [POWERLESS[1], "sh", "-c", "! touch \"$0\"", &probe];
        if !works(POWERLESS[0], &powerless) {
            return shut("cache", 0o755);
        }
    }
    shut("cache", 0o755);
    let run = || match is_super {
        true => sandbox.command(SYNC.arguments).under(POWERLESS[0], &POWERLESS[1..]).run(),
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
        is_whole(&sandbox.snapshot("project"), &outcome.old, &outcome.new, path);
        if path == "cache" {
            run.succeeds().says(["warning: cannot keep the skills in the cache", "(os error 13)"]);
        } else {
            run.exits(7).says([path, "(os error 13)", "help: make the directory writable"]);
        }
        outcome.is_reached_again(sandbox, path);
    }
}
