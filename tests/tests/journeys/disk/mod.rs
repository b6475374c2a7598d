//! A disk that fails, and programs that end, at any change of the disk.

// How much was tried, and what was left out, is told.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[cfg(target_os = "linux")]
mod calls;
mod deeds;
mod points;
mod readers;
#[cfg(target_os = "linux")]
mod refused;

use helix_skills_tests::Snapshot;

/// Every file is the old or the new one, what is the same in both is there, and nothing else is but what was being written.
#[track_caller]
pub(crate) fn is_whole(now: &Snapshot, old: &Snapshot, new: &Snapshot, what: &str) {
    let (now, old, new) = (now.contents(), old.contents(), new.contents());
    for (path, bytes) in &now {
        let name = path.rsplit('/').next().unwrap();
        if path.contains("/.staging/") || name.starts_with('.') && name.ends_with(".new") {
            continue;
        }
        let whole = old.get(path) == Some(bytes) || new.get(path) == Some(bytes);
        assert!(whole, "{what}: {path} is torn: {}", String::from_utf8_lossy(bytes));
    }
    for (path, bytes) in &old {
        let stays = new.get(path) == Some(bytes);
        assert!(!stays || now.contains_key(path), "{what}: {path} is gone");
    }
}
