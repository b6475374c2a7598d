//! Loading one whole skill.

use crate::folder::Folder;
use helix_skills_host::{ErrorKind, load_skill, read_metadata};

#[test]
fn load_skill_checks_a_directory_by_the_rules_for_authors() {
    let folder = Folder::new();
    let text = "---\nname: triage\ndescription: Labels new issues. Use when an issue is opened.\n---\nSee [more](more.md).\n";
    folder.write("triage/SKILL.md", text);
    folder.write("triage/references/labels.md", "bug\n");
    folder.write("triage/.gitignore", "x\n");
    let loaded = load_skill(folder.path("triage")).unwrap();
    assert_eq!((loaded.value.name(), loaded.value.body()), ("triage", "See [more](more.md)."));
    assert_eq!(loaded.value.resource("references/labels.md").unwrap().text(), Some("bug\n"));
    assert_eq!(loaded.value.resources().len(), 1);
    let codes: Vec<_> = loaded.findings.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["dead-link"]);

    let wrong = |directory: &str| {
        let error = load_skill(folder.path(directory)).unwrap_err();
        error.findings().iter().map(|finding| finding.code.as_str()).collect::<Vec<_>>()
    };
    folder.skill("other", "triage", "Labels new issues.");
    assert_eq!(wrong("other"), ["name-mismatch"]);
    folder.write("all_wrong/SKILL.md", "---\nname: All--Wrong\nmetadata:\n  a: [b]\n---\nx\n");
    assert_eq!(
        wrong("all_wrong"),
        [
            "missing-description",
            "name-character",
            "name-hyphen",
            "name-mismatch",
            "nested-metadata"
        ]
    );
    folder.write("nameless/SKILL.md", "---\ndescription: x\n---\nx\n");
    assert_eq!(wrong("nameless"), ["missing-name"]);
    folder.write(
        "long/SKILL.md",
        format!("---\nname: long\ndescription: {}\n---\nx\n", "é".repeat(1025)),
    );
    assert_eq!(wrong("long"), ["long-description"]);
    let error = load_skill(folder.path("all_wrong")).unwrap_err();
    assert_eq!(
        folder.message(&error),
        "`all_wrong/SKILL.md:1:1`: `description` is missing (and 4 more)"
    );
    assert!(error.hint().is_some());

    folder.write("bytes/SKILL.md", b"---\nname: bytes\n---\n\xff");
    assert_eq!(wrong("bytes"), ["not-utf-8"]);
    std::fs::create_dir(folder.path("empty")).unwrap();
    let error = load_skill(folder.path("empty")).unwrap_err();
    assert_eq!(folder.message(&error), "`empty/SKILL.md` does not exist");
}

#[test]
fn load_skill_takes_the_description_from_the_first_line() {
    let folder = Folder::new();
    folder.write(
        "triage.md",
        "---\nallowed-tools: Read\n---\n\n\n# Sorts new issues\n\nLabel them.\n",
    );
    let loaded = load_skill(folder.path("triage.md")).unwrap();
    assert_eq!((loaded.value.name(), loaded.value.description()), ("triage", "Sorts new issues"));
    assert_eq!(loaded.value.body(), "# Sorts new issues\n\nLabel them.");
    assert_eq!(loaded.value.allowed_tools().unwrap(), ["Read"]);
    assert_eq!(loaded.findings, []);

    folder.write("named.md", "---\nname: other-name\ndescription: CapturedOutput.\n---\nText\n");
    let named = load_skill(folder.path("named.md")).unwrap().value;
    assert_eq!((named.name(), named.description()), ("other-name", "CapturedOutput."));
    folder.write("bare.MD", "Do it.\n");
    let bare = load_skill(folder.path("bare.MD")).unwrap().value;
    assert_eq!((bare.name(), bare.description(), bare.body()), ("bare", "Do it.", "Do it."));

    folder.write("empty.md", "\n");
    let error = load_skill(folder.path("empty.md")).unwrap_err();
    assert_eq!(folder.message(&error), "`empty.md:1:1`: `description` is missing");
    folder.write("bytes.md", b"\xff");
    assert_eq!(
        folder.message(&load_skill(folder.path("bytes.md")).unwrap_err()),
        "`bytes.md:1:1`: the byte `0xff` is not UTF-8"
    );
    folder.write("text.txt", "x");
    let error = load_skill(folder.path("text.txt")).unwrap_err();
    assert_eq!(
        folder.message(&error),
        "`text.txt` is neither a directory of a skill nor a markdown file"
    );
    assert!(
        load_skill(folder.path("none.md")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    );
    assert!(
        load_skill(folder.path("none")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    );
}

#[test]
fn error_for_a_missing_name_does_not_say_that_a_name_is_used() {
    let folder = Folder::new();
    folder.write("pdf/SKILL.md", "---\ndescription: Use for PDF files.\n---\nUse it.\n");
    let error = load_skill(folder.path("pdf")).unwrap_err();
    let expected = "`pdf/SKILL.md:1:1`: `name` is missing; the directory's name is `pdf`";
    assert_eq!(folder.message(&error), expected);
    assert_eq!(error.hint().unwrap(), "add `name: pdf`");
}

#[test]
fn tilde_is_the_home_directory_for_single_skills() {
    let Some(home) = std::env::home_dir() else { return };
    let expected = home.join("no-such-skill-of-helix");
    let loaded = load_skill("~/no-such-skill-of-helix").unwrap_err();
    let read = read_metadata("~/no-such-skill-of-helix").unwrap_err();
    assert_eq!((loaded.path(), read.path()), (Some(&*expected), Some(&*expected)));
}
