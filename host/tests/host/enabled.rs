//! Enabling and disabling skills.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::{Provider, ProviderRequest};
use helix_skills_host::{EnabledFile, Error};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

#[test]
fn enabled_is_evaluated_on_every_request() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.skill("skills/csv", "csv", "Reads tables.");
    let has_pdf = Arc::new(AtomicBool::new(false));
    let state = Arc::clone(&has_pdf);
    let directories = folder
        .directories(&["skills"])
        .enabled(move |name| name != "pdf" || state.load(Ordering::SeqCst));
    let listed = || {
        let skills = block_on(directories.list(&ProviderRequest::default())).unwrap().skills;
        skills.iter().map(|skill| skill.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(), ["csv"]);
    assert!(block_on(directories.load("pdf", &ProviderRequest::default())).unwrap().is_none());
    assert!(
        block_on(directories.read("pdf", "SKILL.md", &ProviderRequest::default()))
            .unwrap()
            .is_none()
    );
    assert_eq!(names(&directories.discover().unwrap()), ["csv", "pdf"]); // so that a user can enable them
    assert!(!directories.is_enabled("pdf"));
    has_pdf.store(true, Ordering::SeqCst);
    assert_eq!(listed(), ["csv", "pdf"]);
    assert!(block_on(directories.load("pdf", &ProviderRequest::default())).unwrap().is_some());
}

#[test]
fn enabled_file_is_read_again_when_it_changes() {
    let folder = Folder::new();
    let path = folder.path("extensions_config.json");
    let enabled = EnabledFile::open(&path).unwrap();
    assert!(enabled.is_enabled("pdf"), "the file does not exist yet");
    folder.write(
        "extensions_config.json",
        r#"{"mcpServers": {}, "skills": {"pdf": {"enabled": false}, "a": {}}}"#,
    );
    assert!(!enabled.is_enabled("pdf") && enabled.is_enabled("a") && enabled.is_enabled("csv"));
    folder.write(
        "extensions_config.json",
        r#"{"skills": {"csv": {"enabled": false}, "pdf": {"enabled": true}}}"#,
    );
    assert!(enabled.is_enabled("pdf") && !enabled.is_enabled("csv"));

    // An invalid file changes nothing, and `check` returns the error.
    folder.write("extensions_config.json", r#"{"skills": {"csv": {"enabled": "#);
    assert!(enabled.is_enabled("pdf") && !enabled.is_enabled("csv"));
    let error = enabled.check().unwrap_err();
    assert!(error.to_string().starts_with("failed to read the enabled skills from `"), "{error}");
    assert!(matches!(EnabledFile::open(&path), Err(Error::Enabled { .. })));
    for (text, why) in [
        ("[]", "it is not a JSON object"),
        (r#"{"skills": []}"#, "`skills` is not an object"),
        (
            r#"{"skills": {"a": {"enabled": "no"}}}"#,
            "`skills.a` is not an object whose `enabled` is true or false",
        ),
        (
            r#"{"skills": {"a": false}}"#,
            "`skills.a` is not an object whose `enabled` is true or false",
        ),
    ] {
        folder.write("extensions_config.json", text);
        let error = enabled.check().unwrap_err();
        assert!(format!("{error:?}").ends_with(why), "{error:?}");
        assert_eq!(
            error.hint().unwrap(),
            r#"the expected format is `{"skills": {"NAME": {"enabled": false}}}`"#
        );
    }
    folder.remove("extensions_config.json");
    assert!(enabled.is_enabled("csv") && enabled.check().is_ok());
}
