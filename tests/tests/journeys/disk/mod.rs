//! Commands that are killed, or get an error, at any change of the disk.

// The tests print what they tried and skipped.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod commands;
mod failure_points;
#[cfg(target_os = "linux")]
mod kernel_errors;
mod readers;
mod soak;
#[cfg(target_os = "linux")]
mod system_calls;

use helix_skills_tests::Snapshot;

/// Checks that every file is its old or new version, that files equal in both exist, and that all
/// other files are temporary.
#[track_caller]
pub(crate) fn is_consistent(now: &Snapshot, old: &Snapshot, new: &Snapshot, what: &str) {
    let (now, old, new) = (now.contents(), old.contents(), new.contents());
    for (path, bytes) in &now {
        let name = path.rsplit('/').next().unwrap();
        if path.contains("/.staging/") || name.starts_with('.') && name.ends_with(".new") {
            continue;
        }
        let whole = old.get(path) == Some(bytes) || new.get(path) == Some(bytes);
        assert!(whole, "{what}: {path} is partial: {}", String::from_utf8_lossy(bytes));
    }
    for (path, bytes) in &old {
        let stays = new.get(path) == Some(bytes);
        assert!(!stays || now.contains_key(path), "{what}: {path} is missing");
    }
}
