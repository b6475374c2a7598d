//! Tests of traits and texts of errors.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::Failure;

#[test]
fn errors_can_be_sent_and_boxed() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Error>();
    is_error::<Failure>();
    is_error::<Custom>();
    let boxed =
        |error: Error| -> Result<(), Box<dyn std::error::Error + Send + Sync>> { Err(error)? };
    assert_eq!(boxed(Error::Interrupted).unwrap_err().to_string(), "interrupted");
}

#[test]
fn debug_is_the_message_with_its_causes() {
    let error = Error::disk("read", "a")(io::Error::other("it is a pipe"));
    assert_eq!(format!("{error:?}"), "failed to read `a`\n\nCaused by:\n  it is a pipe");
    let structure = format!("{error:#?}");
    assert!(structure.starts_with("Disk {\n    verb: \"read\",\n    path: \"a\","), "{structure}");
}

#[test]
fn a_failure_prints_all_errors_with_hints() {
    let errors =
        [Error::disk("read", "a")(io::Error::other("it is a pipe")), Drift::WouldLoseSkills.into()];
    let failure = Failure::from(Vec::from(errors));
    let report = "failed to read `a`\n\nCaused by:\n  it is a pipe\n\n\
        error: the lockfile would lose skills, which `--locked` forbids\nhelp: run `skills sync` and commit what it writes";
    assert_eq!(format!("{failure:?}"), report);
    assert_eq!(failure.to_string(), report);
    assert!(format!("{failure:#?}").starts_with("Failure(\n"), "{failure:#?}");
}

#[cfg(feature = "git")]
#[test]
fn a_git_error_is_a_typed_source() {
    let git = helix_skills_git::Git::new(helix_skills_git::GitOptions::default());
    let url = helix_skills_format::GitUrl::parse("./gone").unwrap();
    let error =
        git.session(&url, Path::new("/nowhere")).unwrap().refs(&["HEAD".to_owned()]).unwrap_err();
    let shared = Error::from(error.clone());
    assert_eq!((shared.exit_code(), shared.code()), (ExitCode::Disk, "repository"));
    assert!(
        matches!(&shared, Error::Git { error, .. } if error.kind() == helix_skills_git::ErrorKind::Local)
    );
    assert_eq!(shared.to_string(), error.to_string());
}
