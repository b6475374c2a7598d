//! Lockfiles written by earlier versions.

use helix_skills_project::format::Lock;
use std::{fs, path::Path};

/// The fixture was written before `directories` and `executable` were added.
#[test]
fn first_lockfiles_of_version_1_are_read_and_kept() {
    let fixture = "../tests/fixtures/lockfile-v1/helix.skills.lock";
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture)).unwrap();
    let lock = Lock::parse(&text).unwrap_or_else(|findings| panic!("{findings:?}"));
    assert_eq!((lock.sources.len(), lock.skills.len()), (4, 6));
    assert!(lock.sources.values().all(|source| source.directories.is_none()));
    assert!(lock.skills.values().all(|skill| skill.executable.is_none()));
    assert_eq!(lock.to_string(), text);
}
