//! Errors as values: where they can be passed, and what they print.

use crate::folder::Folder;
use helix_skills_host::{EnabledFile, Error};
use helix_skills_runtime::check_name;

#[test]
fn errors_are_send_sync_and_static() {
    fn check<E: std::error::Error + Send + Sync + 'static>() {}
    check::<Error>();
    check::<helix_skills_runtime::Error>();
}

#[test]
fn debug_prints_causes_and_alternate_debug_the_structure() {
    let folder = Folder::new();
    folder.write("enabled.json", "x");
    let error = EnabledFile::open(folder.path("enabled.json")).unwrap_err();
    assert_eq!(folder.message(&error), "failed to read the enabled skills from `enabled.json`");
    assert!(format!("{error:?}").ends_with(": it is not JSON: expected value at line 1 column 1"));
    assert!(format!("{error:#?}").contains("problem: Other {"), "{error:#?}");
    let error = check_name("..").unwrap_err();
    assert_eq!(format!("{error:?}"), error.to_string());
    assert!(format!("{error:#?}").contains("kind: InvalidName"), "{error:#?}");
}
