//! Enabling and disabling skills.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::Provider;
use helix_skills_host::{EnabledFile, Error, ErrorKind};
use helix_skills_runtime::Profile;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

fn is_invalid(error: Error) -> bool {
    error.kind() == ErrorKind::Invalid
        && error.to_string().starts_with("failed to read the enabled skills from `")
}

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
        let skills = block_on(directories.list(Profile::Helix)).unwrap().skills;
        skills.iter().map(|skill| skill.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(), ["csv"]);
    assert!(block_on(directories.load("pdf", Profile::Helix)).unwrap().is_none());
    assert!(block_on(directories.read("pdf", "SKILL.md", Profile::Helix)).unwrap().is_none());
    assert_eq!(names(&directories.discover().unwrap()), ["csv", "pdf"]); // so that a user can enable them
    has_pdf.store(true, Ordering::SeqCst);
    assert_eq!(listed(), ["csv", "pdf"]);
    assert!(block_on(directories.load("pdf", Profile::Helix)).unwrap().is_some());
}

fn read(folder: &Folder, inner: &str) -> String {
    std::fs::read_to_string(folder.path(inner)).unwrap()
}

#[test]
fn enabled_file_is_written_with_all_else_kept() {
    let folder = Folder::new();
    folder.skill("skills/public/pdf", "pdf", "Reads PDF files.");
    let path = folder.path("extensions_config.json");
    let file = EnabledFile::open(&path).unwrap();
    let same = file.clone();
    let skills = folder.directories(&["skills/public"]);
    let skills = skills.enabled(move |name| same.is_enabled(name));
    file.set("pdf", false).unwrap();
    assert!(block_on(skills.list(Profile::DeerFlow)).unwrap().skills.is_empty());
    assert!(!EnabledFile::open(&path).unwrap().is_enabled("pdf"));
    let text = "{\n  \"skills\": {\n    \"z\": {\"note\": 1.0, \"enabled\": true},\n    \"a\": {}\n  },\n  \
                \"mcpServers\": {\"x\": [ 1 ]}\n}\n";
    folder.write("extensions_config.json", text);
    file.set("z", false).unwrap();
    let written = read(&folder, "extensions_config.json");
    assert_eq!(written, text.replace("true", "false"));
    file.set("pdf", false).unwrap();
    file.set("a", false).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&read(&folder, "extensions_config.json")).unwrap();
    assert_eq!(json["mcpServers"], serde_json::json!({"x": [1]}));
    assert!(["z", "a", "pdf"].iter().all(|name| !file.is_enabled(name)));

    // An invalid file is not overwritten, and nothing else is left in the directory.
    folder.write("extensions_config.json", "{\"skills\": [");
    assert!(file.set("pdf", true).is_err_and(is_invalid));
    assert_eq!(read(&folder, "extensions_config.json"), "{\"skills\": [");
    let names = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.collect();
    names.sort();
    assert_eq!(names, ["extensions_config.json", "skills"]);
}

#[cfg(unix)]
#[test]
fn enabled_file_keeps_its_mode_and_its_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    folder.write("real.json", "{}");
    std::fs::set_permissions(folder.path("real.json"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("real.json", folder.path("link.json")).unwrap();
    EnabledFile::open(folder.path("link.json")).unwrap().set("pdf", false).unwrap();
    assert!(folder.path("link.json").is_symlink() && read(&folder, "real.json").contains("pdf"));
    let mode = folder.path("real.json").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
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

    // An invalid file changes nothing, and `open` returns the error.
    folder.write("extensions_config.json", r#"{"skills": {"csv": {"enabled": "#);
    assert!(enabled.is_enabled("pdf") && !enabled.is_enabled("csv"));
    let error = EnabledFile::open(&path).unwrap_err();
    assert!(error.to_string().starts_with("failed to read the enabled skills from `"), "{error}");
    assert!(EnabledFile::open(&path).is_err_and(is_invalid));
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
        let error = EnabledFile::open(&path).unwrap_err();
        assert!(format!("{error:?}").ends_with(why), "{error:?}");
        assert_eq!(
            error.hint().unwrap(),
            r#"the expected format is `{"skills": {"NAME": {"enabled": false}}}`"#
        );
    }
    folder.remove("extensions_config.json");
    assert!(enabled.is_enabled("csv") && EnabledFile::open(&path).is_ok());
}
