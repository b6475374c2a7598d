//! Skills written into private directories.

use crate::folder::{Folder, block_on, slashes};
use helix_skills_agent::{AsyncToolbox, Provider};
use helix_skills_format::Limits;
use helix_skills_host::{Error, Materialized, ScriptRunner};
use helix_skills_runtime::{
    __private::{Parts, skill},
    Profile, Resource, Skill, SkillSet, check_name, check_path, skill_set,
};
use std::{
    error::Error as _,
    fs,
    path::{Path, PathBuf},
};

const TEXT: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\n\nRun `${SKILL_DIR}/scripts/text.sh $0`.\n";
const FILES: &[Resource] = &[
    Resource::from_bytes("assets/logo.png", b"\x89PNG\xff"),
    Resource::lazy("references/deep/forms.md", || b"# Forms\n"),
    Resource::from_text("scripts/lib/part.sh", "echo part\n"),
    Resource::from_text("scripts/text.sh", "echo text\n"),
];
const PDF: Skill = skill(Parts {
    name: "pdf",
    description: "Reads PDF files.",
    frontmatter: "---\nname: pdf\ndescription: Reads PDF files.\n---\n\n",
    body: "Run `${SKILL_DIR}/scripts/text.sh $0`.",
    trailing: "\n",
    resources: FILES,
    ..Parts::EMPTY
});
static SKILLS: SkillSet = skill_set![PDF];

/// Returns the contents of all files in a directory.
fn content(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut below = vec![directory.to_owned()];
    while let Some(here) = below.pop() {
        for entry in fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below.push(path);
            } else {
                let inner = slashes(path.strip_prefix(directory).unwrap().to_str().unwrap());
                all.push((inner, fs::read(path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

/// Returns the directory of a skill.
fn written(skills: &Materialized<impl Provider>, name: &str) -> PathBuf {
    block_on(skills.directory(name, Profile::Helix)).unwrap().unwrap().into()
}

#[test]
fn baked_skill_has_a_directory_until_it_is_dropped() {
    let skills = Materialized::new(SKILLS);
    let path = written(&skills, "pdf");
    let mut expected: Vec<_> =
        FILES.iter().map(|file| (file.path().to_owned(), file.bytes().to_vec())).collect();
    expected.insert(0, ("SKILL.md".to_owned(), TEXT.as_bytes().to_vec()));
    assert_eq!(content(&path), expected);
    assert_eq!(path.file_name().unwrap().to_str(), Some("pdf"));
    assert!(path.is_absolute() && dunce::canonicalize(&path).unwrap() == path);

    fs::write(path.join("scripts/left-behind"), "x").unwrap();
    drop(skills);
    assert!(!path.exists() && !path.parent().unwrap().exists(), "{}", path.display());
}

#[test]
#[cfg(unix)]
fn directory_is_private_and_only_scripts_are_executable() {
    use std::os::unix::fs::PermissionsExt;
    let skills = Materialized::new(SKILLS);
    let path = written(&skills, "pdf");
    let mode = |inner: &str| fs::metadata(path.join(inner)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("..") & 0o077, 0);
    for (inner, expected) in [
        ("", 0o700),
        ("scripts", 0o700),
        ("references/deep", 0o700),
        ("SKILL.md", 0o600),
        ("assets/logo.png", 0o600),
        ("scripts/text.sh", 0o700),
        ("scripts/lib/part.sh", 0o700),
    ] {
        // The umask may remove more permissions.
        assert_eq!((mode(inner) & !expected, mode(inner) & 0o400), (0, 0o400), "{inner}");
        assert_eq!(mode(inner) & 0o100, expected & 0o100, "{inner}");
    }
}

#[test]
fn skill_in_code_is_written_as_a_loadable_file() {
    let defined = Skill::define("triage", "Sorts issues.", "Label them.").build();
    let skills = Materialized::new(vec![defined]);
    let loaded = helix_skills_host::load_skill(written(&skills, "triage")).unwrap();
    assert_eq!((loaded.value.description(), loaded.value.body()), ("Sorts issues.", "Label them."));
}

/// Asserts that a skill is refused with a hint.
fn refused(parts: Parts<'_>, limits: Limits) -> Error {
    let name = parts.name.to_owned();
    let skills = Materialized::new(vec![Skill::from(parts)]).limits(limits);
    let error = block_on(skills.directory(&name, Profile::Helix)).unwrap_err();
    let error = *error.downcast::<Error>().unwrap();
    assert!(
        error.hint().is_some() || error.to_string().starts_with("a skill cannot use the path `"),
        "{error}"
    );
    error
}

#[test]
fn skill_that_cannot_be_written_leaves_no_files() {
    let limits = Limits::default();
    for name in ["../evil", "a/b", "", ".", "..", "a\\b", "con", "a\0b"] {
        let skills = Materialized::new(vec![Skill::from(Parts { name, ..Parts::EMPTY })]);
        let error = block_on(skills.directory(name, Profile::Helix)).unwrap_err();
        assert_eq!(error.to_string(), check_name(name).unwrap_err().to_string());
    }
    for path in [
        "../evil",
        "/etc/evil",
        "a/../../evil",
        "a//b",
        "",
        "a\\b",
        "c:x",
        "a\0b",
        ".git/config",
        "nul",
    ] {
        let resources = [Resource::from_text(path, "x")];
        let error = refused(Parts { name: "evil", resources: &resources, ..Parts::EMPTY }, limits);
        assert!(error.to_string().starts_with("a skill cannot use the path `"), "{error:?}");
        let why = check_path(path).unwrap_err().to_string();
        assert_eq!(error.source().unwrap().to_string(), why, "{error:?}");
    }
    // Unchecked parts may have names that no file system accepts.
    for paths in [["a", "a/b"], ["a/b", "a"], ["x", "x"], ["SKILL.md", "z"]] {
        let resources = paths.map(|path| Resource::from_text(path, "x"));
        let error = refused(Parts { name: "evil", resources: &resources, ..Parts::EMPTY }, limits);
        assert!(error.to_string().starts_with("failed to write `"), "{paths:?} {error}");
        let left = std::env::temp_dir().join(error.path().unwrap());
        let left = left.ancestors().find(|path| path.ends_with("evil")).unwrap();
        assert!(!left.exists());
    }
}

#[test]
fn limits_are_checked_before_writing() {
    let all = [("a", "12345"), ("b/c", "12345"), ("d", "")]
        .map(|(path, text)| Resource::from_text(path, text));
    let error = |limits: Limits| {
        refused(Parts { name: "large", resources: &all, ..Parts::EMPTY }, limits).to_string()
    };
    let limits = Limits::default();
    assert_eq!(
        error(Limits { bytes_per_file: 4, ..limits }),
        "`large/SKILL.md` has 40 bytes; the limit is 4".replace("40", &skill_md_len().to_string())
    );
    assert_eq!(
        error(Limits { files_per_skill: 2, ..limits }),
        "`large` has too many files; the limit is 2"
    );
    let most = skill_md_len() as u64 + 9;
    assert_eq!(
        error(Limits { bytes_per_skill: most, ..limits }),
        format!("`large` has more than {} bytes in its files; the limit is {most}", most + 1)
    );
    assert_eq!(
        error(Limits { tree_depth: 1, ..limits }),
        "`large/b/c` has 2 levels of directories; the limit is 1"
    );
}

/// The size of the `SKILL.md` without description and body that is used to test limits.
fn skill_md_len() -> usize {
    let skills = Materialized::new(vec![Skill::from(Parts { name: "large", ..Parts::EMPTY })]);
    fs::metadata(written(&skills, "large").join("SKILL.md")).unwrap().len() as usize
}

#[test]
fn provider_skills_get_a_directory_that_follows_changes() {
    let skills = Materialized::new(SKILLS);
    let directory = || block_on(skills.directory("pdf", Profile::Helix)).unwrap().unwrap();
    let first = directory();
    assert_eq!(content(Path::new(&first)).len(), 5);
    assert_eq!(directory(), first, "it is the same while nothing changes");
    fs::write(Path::new(&first).join("output.txt"), "of a script").unwrap();
    assert_eq!(directory(), first);
    assert_eq!(block_on(skills.directory("none", Profile::Helix)).unwrap(), None);
    // Changes that a script makes to other files were not approved.
    fs::write(Path::new(&first).join("scripts/text.sh"), "rm -rf /\n").unwrap();
    let second = directory();
    assert_ne!(second, first);
    assert_eq!(
        fs::read_to_string(Path::new(&second).join("scripts/text.sh")).unwrap(),
        "echo text\n"
    );
    assert!(Path::new(&first).exists(), "a script of it may be running");
    fs::remove_file(Path::new(&second).join("SKILL.md")).unwrap();
    let third = directory();
    assert!(!Path::new(&first).exists() && Path::new(&second).exists());
    drop(skills);
    assert!(!Path::new(&second).exists() && !Path::new(&third).exists());
}

#[test]
fn directory_skills_run_from_a_copy() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/scripts/text.sh", "echo one\n");
    let skills = Materialized::new(folder.directories(&["skills"]));
    let script = || {
        let directory = block_on(skills.directory("pdf", Profile::Helix)).unwrap().unwrap();
        fs::read_to_string(Path::new(&directory).join("scripts/text.sh")).unwrap()
    };
    assert_eq!(script(), "echo one\n");
    folder.write("skills/pdf/scripts/text.sh", "echo two\n");
    assert_eq!(script(), "echo two\n");
    let toolbox = block_on(AsyncToolbox::builder(skills).build()).unwrap();
    assert!(toolbox.catalog().contains("- pdf: Reads PDF files."));
    folder.remove("skills/pdf");
    assert_eq!(block_on(toolbox.provider().directory("pdf", Profile::Helix)).unwrap(), None);
}

#[test]
#[cfg(unix)]
fn link_out_of_the_root_is_not_copied() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("secret", "password");
    folder.link("skills/pdf/scripts/x.sh", "../../../secret");
    let skills = Materialized::new(folder.directories(&["skills"]));
    folder.write("skills/pdf/scripts/y.sh", "echo y\n");
    let directory = block_on(skills.directory("pdf", Profile::Helix)).unwrap().unwrap();
    let scripts = fs::read_dir(Path::new(&directory).join("scripts")).unwrap();
    let scripts: Vec<_> = scripts.map(|script| script.unwrap().file_name()).collect();
    assert_eq!(scripts, ["y.sh"]);
}

#[test]
#[cfg(unix)]
fn stray_link_does_not_keep_scripts_from_running() {
    let folder = Folder::new();
    folder.skill("skills/pdf", "pdf", "Reads PDF files.");
    folder.write("skills/pdf/scripts/text.sh", "echo text\n");
    folder.link("skills/pdf/stray", "/etc/hosts");
    let skills = Materialized::new(folder.directories(&["skills"]));
    let builder = AsyncToolbox::builder(skills).scripts(ScriptRunner::new());
    let toolbox = block_on(builder.build()).unwrap();
    let call = r#"{"skill": "pdf", "path": "text.sh"}"#;
    let reply = block_on(toolbox.call("skill_run_script", call)).unwrap();
    assert!(reply.to_string().contains("\ntext\n"), "{reply}");
}

#[test]
fn materialized_uses_custom_limits() {
    let skills =
        Materialized::new(SKILLS).limits(Limits { files_per_skill: 3, ..Limits::default() });
    let error = block_on(skills.directory("pdf", Profile::Helix)).unwrap_err();
    assert_eq!(error.to_string(), "`pdf` has too many files; the limit is 3");
}
