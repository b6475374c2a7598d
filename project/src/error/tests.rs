//! Tests of traits and texts of errors.

#![allow(clippy::unwrap_used)]
use super::*;
use std::io;

#[test]
fn errors_can_be_sent_and_boxed() {
    fn is_error<E: error::Error + Send + Sync + 'static>() {}
    is_error::<Error>();
    let boxed = |error: Error| -> Result<(), Box<dyn error::Error + Send + Sync>> { Err(error)? };
    assert_eq!(boxed(Error::interrupted()).unwrap_err().to_string(), "interrupted");
}

#[test]
fn debug_is_the_message_with_its_causes() {
    let error = Error::read("a")(io::Error::other("it is a pipe"));
    assert_eq!(format!("{error:?}"), "failed to read `a`\n\nCaused by:\n  it is a pipe");
}

#[test]
fn several_errors_are_reported_with_their_hints() {
    let first = || Error::read("a")(io::Error::other("it is a pipe"));
    let key = helix_skills_format::SourceKey::new("own").unwrap();
    let error = Error::from(vec![
        first(),
        Error::drift(format!("the source `{key}` is in the manifest but not in the lockfile")),
    ]);
    let report = "failed to read `a`\n\nCaused by:\n  it is a pipe\n\n\
        error: the source `own` is in the manifest but not in the lockfile\nhelp: run `skills sync` and commit what it writes";
    assert_eq!(format!("{error:?}"), report);
    let lines = "failed to read `a`\nthe source `own` is in the manifest but not in the lockfile";
    assert_eq!(error.to_string(), lines);
    assert_eq!((error.kind(), error.code(), error.hint()), (ErrorKind::Disk, "disk", None));
    let more = Error::from(vec![error, first()]);
    assert_eq!(more.errors().len(), 3);
    assert_eq!(Error::from(vec![first()]).errors().len(), 1);
}

#[cfg(feature = "git")]
#[test]
fn changed_reason_keeps_hint_and_cause() {
    let key = helix_skills_format::SourceKey::new("k").unwrap();
    let report = "the source `k`: the repository does not have the pinned commit (at main)\n\n\
        Caused by:\n  it is gone\nhelp: set `sha` to a commit of the repository";
    let error = Error::unresolved(&key, "the repository does not have the pinned commit")
        .with_hint("set `sha` to a commit of the repository")
        .with_source(io::Error::other("it is gone"))
        .map_unresolved(|why| format!("{why} (at main)"));
    assert_eq!(format!("{error:?}"), report);
}

#[cfg(feature = "git")]
#[test]
fn git_errors_have_a_kind_and_a_code() {
    let git = helix_skills_git::Git::new(helix_skills_git::GitOptions::default());
    let url = helix_skills_format::GitUrl::parse("./gone").unwrap();
    let error =
        git.session(&url, Path::new("/nowhere")).unwrap().refs(&["HEAD".to_owned()]).unwrap_err();
    let shared = Error::from(error.clone());
    assert_eq!((shared.kind(), shared.code()), (ErrorKind::Disk, "repository"));
    assert_eq!(shared.to_string(), error.to_string());
}
