//! Limits on the size of a skill.

use crate::folder::{Folder, block_on, names};
use helix_skills_agent::Provider;
use helix_skills_format::Limits;
use helix_skills_host::{Error, ErrorKind, load_skill};
use helix_skills_runtime::Profile;

#[test]
fn error_names_the_exceeded_limit() {
    let folder = Folder::new();
    for name in ["many", "deep", "large", "fine", "body"] {
        folder.skill(&format!("skills/{name}"), name, "x");
    }
    for file in ["a", "b", "c", "d"] {
        folder.write(&format!("skills/many/{file}"), "x");
    }
    folder.write("skills/deep/1/2/3/file", "x");
    folder.write("skills/large/file", [b'x'; 101]);
    folder.write("skills/fine/1/2/file", [b'x'; 100]);
    folder.write(
        "skills/body/SKILL.md",
        format!("---\nname: body\ndescription: x\n---\n{}", "x".repeat(100)),
    );
    let limits =
        Limits { files_per_skill: 3, bytes_per_file: 100, tree_depth: 3, ..Limits::default() };
    let directories = folder.directories(&["skills"]).limits(limits);
    assert_eq!(names(&directories.discover().unwrap()), ["body", "deep", "fine", "large", "many"]);

    let message = |error| folder.message(&error);
    let refused = |name| message(block_on(directories.load(name, Profile::Helix)).unwrap_err());
    assert_eq!(refused("many"), "`skills/many` has too many files; the limit is 3");
    assert_eq!(refused("deep"), "`skills/deep/1/2/3` has 4 levels of directories; the limit is 3");
    assert_eq!(refused("body"), "`skills/body/SKILL.md` has 134 bytes; the limit is 100");
    assert!(block_on(directories.load("large", Profile::Helix)).unwrap().is_some());
    assert_eq!(
        message(block_on(directories.read("large", "file", Profile::Helix)).unwrap_err()),
        "`skills/large/file` has 101 bytes; the limit is 100"
    );
    assert!(
        block_on(directories.load("fine", Profile::Helix))
            .unwrap()
            .unwrap()
            .resource("1/2/file")
            .is_some()
    );
    assert_eq!(
        block_on(directories.read("fine", "1/2/file", Profile::Helix)).unwrap().unwrap().len(),
        100
    );
    let error = block_on(directories.load("many", Profile::Helix))
        .unwrap_err()
        .downcast::<Error>()
        .unwrap();
    assert_eq!(
        error.hint().unwrap(),
        "remove files that no model needs, or raise the limit `files_per_skill`"
    );
}

#[test]
fn load_skill_has_the_limits_of_the_manifest() {
    let folder = Folder::new();
    folder.skill("pdf", "pdf", "Reads PDF files. Use when one is named.");
    let limits = Limits::default();
    let sparse =
        |name: &str, len| std::fs::File::create(folder.path(name)).unwrap().set_len(len).unwrap();
    sparse("pdf/one.bin", limits.bytes_per_file + 1);
    let error = load_skill(folder.path("pdf")).unwrap_err();
    assert_eq!(folder.message(&error), "`pdf/one.bin` has 8388609 bytes; the limit is 8388608");
    for name in ["one", "two", "three", "four"] {
        sparse(&format!("pdf/{name}.bin"), limits.bytes_per_file);
    }
    let error = load_skill(folder.path("pdf")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().ends_with("bytes in its files; the limit is 33554432"), "{error}");
}

#[test]
fn invalid_paths_are_refused_without_disk_access() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "x");
    folder.skill("skills/other", "other", "x");
    folder.write("skills/pdf/.git/config", "password");
    folder.write("skills/pdf/.gitattributes", "x");
    let directories = folder.directories(&["skills"]);
    for path in [
        "../other/SKILL.md",
        "/etc/passwd",
        "a/../../other/SKILL.md",
        ".git/config",
        "",
        ".",
        "a\\b",
        "a\0b",
        "./a",
    ] {
        let error = block_on(directories.read("pdf", path, Profile::Helix)).unwrap_err();
        assert!(
            error.to_string().contains("is not a valid path of a file of a skill: "),
            "{path:?}: {error}"
        );
    }
    assert!(block_on(directories.read("pdf", "missing.md", Profile::Helix)).unwrap().is_none());
    assert!(block_on(directories.read("pdf", "SKILL.md/x", Profile::Helix)).is_err());
    assert!(block_on(directories.read("missing", "SKILL.md", Profile::Helix)).unwrap().is_none());
    for name in ["../skills/pdf", "skills/pdf", ".", "", "pdf/"] {
        assert!(block_on(directories.load(name, Profile::Helix)).unwrap().is_none(), "{name:?}");
    }
    assert!(
        block_on(directories.load("pdf", Profile::Helix)).unwrap().unwrap().resources().is_empty()
    );
}
